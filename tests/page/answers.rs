//! The page shows the same numbers as the command.

use crate::browser::{Page, visit};
use crate::{link, loggia, quantity, until, visit_t3d};
use serde_json::{Value, json};

#[test]
fn begins_with_1_kib_on_a_machine_of_today() {
    visit("", async |page| {
        let answer = loggia(&["predict", "p2p", "alps", "--bytes", "1KiB", "--json"]);
        for key in ["time_us", "formula"] {
            assert_eq!(quantity(page, &format!("predict.p2p.{key}")).await, answer[key], "{key}");
        }
        let fragment = page.evaluate("location.hash").await;
        assert_eq!(fragment, json!(""), "an unchanged page keeps its address");
    });
}

/// Machine and options of messages, opened in the page by a link and passed to the command.
const MESSAGES: [(&str, &[&str]); 16] = [
    ("cray-t3d", &["bytes=0"]),
    ("cray-t3d", &["bytes=16", "style=isend"]),
    ("cray-t3d", &["bytes=10000", "style=issend"]),
    ("cray-t3d", &["bytes=12345", "style=issend", "model=logp"]),
    ("cray-t3d", &["bytes=1G"]),
    ("now-sparc", &["bytes=3KiB"]),
    ("now-sparc", &["bytes=777", "style=issend"]),
    ("convex-exemplar", &["bytes=100"]),
    ("convex-exemplar", &["bytes=10000", "tier=intra-hypernode"]),
    ("convex-exemplar", &["bytes=5K", "tier=inter-hypernode", "model=loggp"]),
    ("convex-exemplar", &["bytes=1", "model=logp"]),
    ("ap3000-mpi", &["bytes=4260"]),
    ("ap3000-mpi", &["bytes=1M", "style=bsend"]),
    ("ap3000-pvm", &["bytes=64KiB", "style=pvm_send"]),
    ("ap3000-aplib", &["bytes=33", "style=xy_send"]),
    ("ap3000-aplib", &["bytes=768KiB", "style=l_send"]),
];

const OPERATIONS: [(&str, &[&str]); 14] = [
    ("cray-t3d", &["op=alltoall", "procs=64", "bytes=512"]),
    ("cray-t3d", &["op=alltoall", "procs=3", "bytes=512"]),
    ("cray-t3d", &["op=bcast", "procs=1000", "bytes=2M"]),
    ("cray-t3d", &["op=scan", "procs=33", "bytes=7"]),
    ("cray-t3d", &["op=barrier", "procs=64", "bytes=0"]),
    ("ibm-sp2", &["op=alltoall", "procs=64", "bytes=64KiB"]),
    ("ibm-sp2", &["op=gather", "procs=128", "bytes=100"]),
    ("intel-paragon", &["op=reduce", "procs=2", "bytes=4"]),
    ("ap3000-mpi", &["op=reduce", "procs=8", "bytes=1000"]),
    ("ap3000-mpi", &["op=reduce_scatter", "procs=2", "bytes=480000"]),
    ("ap3000-mpi", &["op=gather", "procs=24", "bytes=512"]),
    ("ap3000-mpi", &["op=allgather", "procs=12", "bytes=1MiB"]),
    ("ap3000-pvm", &["op=bcast", "procs=6", "bytes=99"]),
    ("ap3000-aplib", &["op=bcast", "procs=12", "bytes=768KiB"]),
];

/// Protocol, machine and options.
const PROTOCOLS: [(&str, &[&str]); 10] = [
    ("cray-t3d", &["protocol=t", "bytes=16"]),
    ("cray-t3d", &["protocol=ta", "bytes=1000"]),
    ("cray-t3d", &["protocol=rta", "bytes=10000", "style=issend"]),
    ("cray-t3d", &["protocol=rat", "bytes=10000", "style=issend"]),
    ("cray-t3d", &["protocol=rat", "bytes=1M"]),
    ("now-sparc", &["protocol=t", "bytes=1"]),
    ("now-sparc", &["protocol=rta", "bytes=5000", "style=issend"]),
    ("convex-exemplar", &["protocol=ta", "bytes=100"]),
    ("convex-exemplar", &["protocol=rat", "bytes=3333"]),
    ("convex-exemplar", &["protocol=t", "bytes=9999", "tier=inter-hypernode"]),
];

/// Parameters of LogGPO that no paper tabulates.
const ASSUMED: [&str; 6] =
    ["S=4096", "O_control=10us", "O_i=10us", "O_c=12us", "transfer=rat", "progress=DCP"];

const OVERLAPS: [(&str, &[&str]); 6] = [
    ("cray-t3d", &["bytes=1024", "send_compute=80us", "recv_compute=70us"]),
    ("cray-t3d", &["bytes=10000", "recv_at=60us", "send_compute=40us", "recv_compute=500us"]),
    ("cray-t3d", &["bytes=10000", "send_at=40us", "send_compute=40us", "recv_compute=200us"]),
    ("cray-t3d", &["bytes=1M", "send_compute=600us"]),
    ("now-sparc", &["bytes=4096", "recv_at=3ms"]),
    ("now-sparc", &["bytes=100000", "recv_at=3ms", "send_compute=9ms"]),
];

const MANY: [(&str, &[&str]); 6] = [
    ("cray-t3d", &["bytes=64", "count=10", "compute=5us"]),
    ("cray-t3d", &["bytes=10K", "count=1000", "compute=1ms"]),
    ("now-sparc", &["bytes=1KiB", "count=3", "compute=0us"]),
    ("convex-exemplar", &["bytes=100", "count=77", "compute=30us"]),
    ("myrinet-gm", &["bytes=8", "count=100", "compute=5us"]),
    ("quadrics-shmem", &["bytes=8", "count=100", "compute=500ns"]),
];

/// Compares the page with the command in these keys; the page need not show all of them.
async fn compare(page: &Page, verb: &str, sig: &str, set: &[&str], keys: &[&str]) {
    let answer = answer(verb, sig, set, &[]);
    let view = if verb == "collective" { "collectives" } else { "message" };
    page.follow(&link(sig, view, set)).await;
    for key in keys {
        let path = format!("predict.{verb}.{key}");
        let shown = format!("!!document.querySelector(\"[data-quantity='{path}']\")");
        if *key == "time_us" || *key == "formula" || page.evaluate(&shown).await == json!(true) {
            let expected = answer[*key].as_f64().map_or(answer[*key].clone(), |n| json!(n));
            until(page, &path, &expected).await;
        }
    }
}

/// JSON output of the command for these inputs, on a machine with these assumed parameters.
fn answer(verb: &str, sig: &str, set: &[&str], assumed: &[&str]) -> Value {
    let option = |pair: &&str| {
        let (name, value) = pair.split_once('=').expect("a name and a value");
        format!("--{}={value}", name.replace('_', "-"))
    };
    let options = set.iter().map(option);
    let assumed = assumed.iter().flat_map(|pair| ["--set".to_owned(), (*pair).to_owned()]);
    let options: Vec<String> = options.chain(assumed).collect();
    let mut arguments = vec!["predict", verb, sig, "--json"];
    arguments.extend(options.iter().map(String::as_str));
    let answer = loggia(&arguments);
    assert_eq!(answer["error"], Value::Null, "{sig} {set:?}");
    answer
}

/// Follows a link to the view and compares the numbers at these paths of the command's JSON.
async fn compare_in(page: &Page, link: &str, verb: &str, answer: &Value, paths: &[&str]) {
    page.follow(link).await;
    for path in paths {
        let pointer = format!("/{}", path.replace('.', "/"));
        let expected = answer.pointer(&pointer).expect(path);
        until(page, &format!("predict.{verb}.{path}"), expected).await;
    }
}

#[test]
fn other_views_show_the_numbers_of_the_command() {
    visit_t3d(async |page| {
        for (sig, set) in PROTOCOLS {
            let answer = answer("protocol", sig, set, &[]);
            let link = link(sig, "protocols", set);
            compare_in(page, &link, "protocol", &answer, &["sender_us", "delivery_us"]).await;
        }
        for (sig, set) in OVERLAPS {
            let answer = answer("overlap", sig, set, &ASSUMED);
            let all = [set, &ASSUMED[..]].concat();
            let paths = [
                "send_overhead_us",
                "recv_overhead_us",
                "send_overlap_ratio",
                "recv_overlap_ratio",
                "by_loggp.send_wait_us",
            ];
            compare_in(page, &link(sig, "overlap", &all), "overlap", &answer, &paths).await;
        }
        for (sig, set) in MANY {
            let answer = answer("messages", sig, set, &[]);
            let paths = [0, 1, 2, 3, 4].map(|i| format!("strategies.{i}.time_us"));
            let paths = paths.each_ref().map(String::as_str);
            compare_in(page, &link(sig, "plan", set), "messages", &answer, &paths).await;
        }
    });
}

#[test]
fn shows_the_numbers_of_the_command() {
    visit_t3d(async |page| {
        for (sig, set) in MESSAGES {
            compare(page, "p2p", sig, set, &["time_us", "low_us", "high_us", "formula"]).await;
        }
        let keys = ["time_us", "startup_us", "transmission_us", "compute_us", "formula"];
        for (sig, set) in OPERATIONS {
            compare(page, "collective", sig, set, &keys).await;
        }
    });
}

#[test]
fn shows_metrics_if_no_time_can_be_predicted() {
    visit_t3d(async |page| {
        for sig in ["myrinet-gm", "quadrics-shmem"] {
            page.open(&link(sig, "message", &[])).await;
            let path = "overlap_potential_us";
            let metrics = loggia(&["metrics", sig, "--json"]);
            assert_eq!(quantity(page, &format!("metrics.{path}")).await, metrics[path]);
            let error = loggia(&["predict", "p2p", sig, "--bytes", "8", "--json"]);
            let message = error["error"]["message"].as_str().expect("a message");
            assert!(page.text("#p2p").await.contains(message), "{message}");
        }
        page.open(&link("ibm-sp2", "message", &[])).await;
        assert!(page.text("#p2p").await.contains("reports no point-to-point parameters"));
    });
}

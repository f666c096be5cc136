//! Views with several machines: each number equals the command's for that machine.

use crate::browser::Page;
use crate::{PATIENCE, address_of, loggia, quantity, visit_t3d, wait};
use serde_json::{Value, json};
use std::time::Instant;

/// Opens a view of the first machine, compared with the other machines.
async fn open(page: &Page, machines: &[&str], view: &str, set: &[&str]) {
    let mut arguments = vec!["link"];
    arguments.extend(machines);
    arguments.extend(["--view", view, "--json", "--set", "machines=yes"]);
    arguments.extend(set.iter().flat_map(|pair| ["--set", pair]));
    let link = loggia(&arguments)["link"].as_str().expect("a link").to_owned();
    page.open(&link).await;
    page.find("#beside :is(table, .all-four, .refusing)").await;
}

fn number(value: &Value) -> Value {
    value.as_f64().map_or(value.clone(), |number| json!(number))
}

/// The page's number must equal the command's.
async fn compare(page: &Page, path: &str, expected: &Value) {
    assert_eq!(quantity(page, path).await, number(expected), "{path}");
}

#[test]
fn one_message_in_several_send_modes_by_several_models() {
    visit_t3d(async |page| {
        let machines = ["cray-t3d", "now-sparc", "convex-exemplar", "ibm-sp2"];
        let set = ["bytes=3000", "style=issend", "beside=logp,isend"];
        open(page, &machines, "message", &set).await;
        let cases = [
            ("cray-t3d", "issend", "loggp"),
            ("cray-t3d", "isend", "logp"),
            ("now-sparc", "issend", "loggp"),
            ("now-sparc", "isend", "loggp"),
            ("convex-exemplar", "isend", "logh"),
            ("convex-exemplar", "isend", "logp"),
        ];
        for (sig, style, model) in cases {
            let options = ["--style", style, "--model", model, "--json"];
            let key = format!("[{sig},{style},{model}]");
            let time = [&["predict", "p2p", sig, "--bytes", "3000"][..], &options].concat();
            compare(page, &format!("predict.p2p{key}.time_us"), &loggia(&time)["time_us"]).await;
            let half = &loggia(&[&["metrics", sig][..], &options].concat())["half_length_bytes"];
            compare(page, &format!("metrics.half_length_bytes{key}"), half).await;
        }
        let error = loggia(&["predict", "p2p", "ibm-sp2", "--bytes", "3000", "--json"]);
        let message = error["error"]["message"].as_str().expect("a message").to_owned();
        assert!(page.text("#beside .refusing").await.contains(&message), "{message}");
    });
}

#[test]
fn the_same_exchange_on_one_scale() {
    visit_t3d(async |page| {
        let machines = ["cray-t3d", "now-sparc", "convex-exemplar"];
        open(page, &machines, "protocols", &["bytes=5000", "protocol=rta"]).await;
        for sig in machines {
            let arguments =
                ["predict", "protocol", sig, "--protocol", "rta", "--bytes", "5000", "--json"];
            let answer = loggia(&arguments);
            for key in ["sender_us", "delivery_us"] {
                compare(page, &format!("predict.protocol[{sig}].{key}"), &answer[key]).await;
            }
        }
        // One diagram per machine, and the axis.
        wait(page, "document.querySelectorAll('#beside .one svg[width]').length === 4").await;
    });
}

/// The page offers the same assumptions for compared machines as for the current machine.
#[test]
fn overlap_ratios_under_the_same_assumptions() {
    const KEYS: [&str; 4] =
        ["send_overlap_ratio", "recv_overlap_ratio", "recv_overhead_us", "delivery_us"];
    visit_t3d(async |page| {
        let set = ["bytes=10000", "send_compute=40us", "recv_compute=900us"];
        open(page, &["cray-t3d", "now-sparc", "ibm-sp2"], "overlap", &set).await;
        let text = page.text("#beside .refusing").await;
        assert!(text.contains("Cray T3D") && text.contains("IBM SP2"), "{text}");
        page.evaluate("document.querySelector('#overlap .assume').click()").await;
        page.find("[data-quantity='predict.overlap[cray-t3d].send_overlap_ratio']").await;
        page.evaluate("document.querySelector('#beside .assume').click()").await;
        page.find("[data-quantity='predict.overlap[now-sparc].send_overlap_ratio']").await;
        let start = Instant::now();
        let state = loop {
            let hash = page.evaluate("location.hash").await;
            let state = loggia(&["open", hash.as_str().expect("a fragment")]);
            if state["signatures"][1]["tiers"][0]["progress"].is_object() {
                break state;
            }
            assert!(start.elapsed() < PATIENCE, "the assumed parameters are not in the link");
        };
        let folder = tempfile::tempdir().expect("a folder");
        for signature in [0, 1].map(|place| &state["signatures"][place]) {
            let file = folder.path().join("assumed.json");
            std::fs::write(&file, signature.to_string()).expect("a file");
            let path = file.to_str().expect("a path");
            let options =
                ["--bytes=10000", "--send-compute=40us", "--recv-compute=900us", "--json"];
            let answer = loggia(&[&["predict", "overlap", path][..], &options].concat());
            let name = signature["name"].as_str().expect("a name");
            for key in KEYS {
                compare(page, &format!("predict.overlap[{name}].{key}"), &answer[key]).await;
            }
        }
    });
}

#[test]
fn parameters_side_by_side() {
    visit_t3d(async |page| {
        let machines = ["cray-t3d", "now-sparc", "myrinet-gm", "ibm-sp2"];
        open(page, &machines, "signature", &[]).await;
        for (sig, symbol, key) in [
            ("cray-t3d", "L", "latency"),
            ("cray-t3d", "G", "gap_per_byte"),
            ("now-sparc", "G", "gap_per_byte"),
            ("myrinet-gm", "EEL", "end_to_end_latency"),
        ] {
            let tier = &loggia(&["show", sig, "--json"])["tiers"][0];
            compare(page, &format!("show[{sig}].{symbol}"), &tier[key]["value"]).await;
        }
        let text = page.text("#beside .side-by-side").await;
        assert!(text.contains("unknown") && text.contains("published"), "{text}");
    });
}

/// All methods on each machine, and the fastest machine by size.
#[test]
fn many_messages_on_several_machines() {
    visit_t3d(async |page| {
        let machines = ["cray-t3d", "now-sparc", "convex-exemplar", "ibm-sp2"];
        open(page, &machines, "overlap", &["bytes=1KiB", "count=100", "compute=10us"]).await;
        let options = ["--bytes=1KiB", "--count=100", "--compute=10us", "--json"];
        for sig in &machines[..3] {
            let answer = loggia(&[&["predict", "messages", sig][..], &options].concat());
            let methods = answer["strategies"].as_array().expect("methods");
            for (i, method) in methods.iter().enumerate() {
                let path = format!("predict.messages[{sig}].strategies.{i}.time_us");
                compare(page, &path, &method["time_us"]).await;
            }
        }
        let text = page.text("#beside").await;
        assert!(text.contains("The fastest at every value: Cray T3D"), "{text}");
        assert!(page.text("#beside .refusing").await.contains("IBM SP2"));
    });
}

/// Other machines are computed only on request, and the address then contains the request.
#[test]
fn the_link_contains_the_comparison() {
    visit_t3d(async |page| {
        page.find("#beside [name=machines]").await;
        assert_eq!(page.evaluate("!!document.querySelector('#beside table')").await, json!(false));
        page.evaluate("document.querySelector('#beside [name=machines]').click()").await;
        page.find("#beside canvas").await;
        address_of(page, "machines", &json!(true)).await;
    });
}

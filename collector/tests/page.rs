//! The built page in a real browser: it opens, says nothing on the console, works from any folder
//! of a host that sets no headers, and tells the same numbers as the command.

mod browser;

use browser::{Page, Scheme, static_host, visit, visit_at};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

#[test]
fn opens_with_a_heading() {
    visit("", async |page| {
        assert_eq!(page.text("h1").await, "Loggia");
        assert_eq!(page.evaluate("document.title").await, json!("Loggia"));
        page.find("[data-quantity='predict.p2p.time_us']").await;
        let names = "[...document.querySelectorAll('input[name=machine]')].map(i => i.value)";
        let list = loggia(&["list", "--json"]);
        let known: Vec<&Value> =
            list.as_array().expect("a list").iter().map(|m| &m["name"]).collect();
        assert_eq!(known.len(), 10);
        assert_eq!(page.evaluate(names).await, json!(known));
    });
}

/// What the built command answers.
fn loggia(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_loggia")).args(arguments).output();
    serde_json::from_slice(&output.expect("the command").stdout).expect("JSON")
}

/// The fragment of a link to that machine in that state.
fn link(sig: &str, set: &[String]) -> String {
    let mut arguments = vec!["link", sig, "--json"];
    arguments.extend(set.iter().flat_map(|pair| ["--set", pair]));
    loggia(&arguments)["link"].as_str().expect("a link").to_owned()
}

/// What the page says under that path of the command's answer: a number to the last digit, or
/// null.
async fn quantity(page: &Page, path: &str) -> Value {
    let element = page.find(&format!("[data-quantity='{path}']")).await;
    let value = element.attr("data-value").await.expect("an attribute").expect("a value");
    match value.parse::<f64>() {
        Ok(number) => json!(number),
        Err(_) if value.is_empty() => Value::Null,
        Err(_) => json!(value),
    }
}

/// How long a slow machine may take for what a reader sees at once.
const PATIENCE: Duration = Duration::from_secs(10);

/// Waits until the page says that.
async fn until(page: &Page, path: &str, expected: &Value) {
    let start = Instant::now();
    while quantity(page, path).await != *expected {
        assert!(start.elapsed() < PATIENCE, "{path} did not become {expected}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

const TIME: &str = "predict.p2p.time_us";

#[test]
fn begins_with_a_kibibyte_on_the_t3d() {
    visit("", async |page| {
        let answer = loggia(&["predict", "p2p", "cray-t3d", "--bytes", "1KiB", "--json"]);
        for key in ["time_us", "formula"] {
            assert_eq!(quantity(page, &format!("predict.p2p.{key}")).await, answer[key], "{key}");
        }
        let fragment = page.evaluate("location.hash").await;
        assert_eq!(fragment, json!(""), "a page that nobody touched keeps its address");
    });
}

/// Machine and options; each is asked of the page by a link and of the command.
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

/// Asks both, and compares all that the page shows of these keys.
async fn compare(page: &Page, verb: &str, sig: &str, set: &[&str], keys: &[&str]) {
    let set: Vec<String> = set.iter().map(|pair| (*pair).to_owned()).collect();
    let options: Vec<String> = set.iter().map(|pair| format!("--{pair}")).collect();
    let mut arguments = vec!["predict", verb, sig, "--json"];
    arguments.extend(options.iter().map(String::as_str));
    let answer = loggia(&arguments);
    assert_eq!(answer["error"], Value::Null, "{sig} {set:?}");
    page.open(&link(sig, &set)).await;
    page.find(&format!("[data-quantity='predict.{verb}.time_us']")).await;
    for key in keys {
        let path = format!("predict.{verb}.{key}");
        let shown = format!("!!document.querySelector(\"[data-quantity='{path}']\")");
        if *key == "time_us" || *key == "formula" || page.evaluate(&shown).await == json!(true) {
            let expected = answer[*key].as_f64().map_or(answer[*key].clone(), |n| json!(n));
            assert_eq!(quantity(page, &path).await, expected, "{sig} {set:?} {key}");
        }
    }
}

#[test]
fn tells_the_same_numbers_as_the_command() {
    visit("", async |page| {
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
fn says_what_can_be_said_where_no_time_can_be_predicted() {
    visit("", async |page| {
        for sig in ["myrinet-gm", "quadrics-shmem"] {
            page.open(&link(sig, &[])).await;
            let path = "overlap_potential_us";
            let metrics = loggia(&["metrics", sig, "--json"]);
            assert_eq!(quantity(page, &format!("metrics.{path}")).await, metrics[path]);
            let error = loggia(&["predict", "p2p", sig, "--bytes", "8", "--json"]);
            let why = error["error"]["message"].as_str().expect("a message");
            assert!(page.text("#p2p").await.contains(why), "{why}");
        }
        page.open(&link("ibm-sp2", &[])).await;
        page.find("[data-quantity='predict.collective.time_us']").await;
        assert!(page.text("#p2p").await.contains("reports no point-to-point parameters"));
    });
}

/// The prediction of so many bytes on the T3D.
fn on_the_t3d(bytes: &str) -> Value {
    loggia(&["predict", "p2p", "cray-t3d", "--bytes", bytes, "--json"])["time_us"].clone()
}

#[test]
fn what_is_typed_slid_and_dragged_changes_prediction_and_address() {
    const SELECT: &str = "document.activeElement.select()";
    visit("", async |page| {
        page.find("#bytes").await.click().await.expect("a click");
        page.evaluate(SELECT).await;
        page.find("#bytes").await.send_keys("64KiB").await.expect("keys");
        until(page, TIME, &on_the_t3d("64KiB")).await;
        let address = address_of(page, "bytes", &json!(65536)).await;

        let right = "\u{e014}";
        page.find("#bytes-slider").await.send_keys(right).await.expect("keys");
        until(page, TIME, &on_the_t3d("73728")).await;
        page.find(".handle").await.send_keys(right).await.expect("keys");
        until(page, TIME, &on_the_t3d("81920")).await;
        let field = page.find("#bytes").await.prop("value").await.expect("a property");
        assert_eq!(field.as_deref(), Some("80 KiB"));
        assert_ne!(address_of(page, "bytes", &json!(81920)).await, address);

        // From the middle of the picture to the grid line of 4 KiB, and a little upwards.
        let place = "[...document.querySelectorAll('#p2p .tick')].find(t => t.textContent == '4 KiB')\
                     .getBoundingClientRect()";
        let x = page.evaluate(&format!("{place}.left + {place}.width / 2")).await;
        let y = page.evaluate(&format!("{place}.top - 100")).await;
        for (kind, dx) in [("mousePressed", -40.0), ("mouseMoved", -20.0), ("mouseMoved", 0.0)] {
            let x = x.as_f64().expect("a number") + dx;
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": 1,
                               "clickCount": 1});
            page.devtools("Input.dispatchMouseEvent", event).await;
        }
        until(page, TIME, &on_the_t3d("4KiB")).await;
        page.find("#bytes").await.click().await.expect("a click");
        page.evaluate(SELECT).await;
        page.find("#bytes").await.send_keys("81920").await.expect("keys");
        until(page, TIME, &on_the_t3d("81920")).await;

        page.find("#procs-slider").await.send_keys(right).await.expect("keys");
        let answer = loggia(&[
            "predict",
            "collective",
            "cray-t3d",
            "--op",
            "alltoall",
            "--procs",
            "72",
            "--bytes",
            "81920",
            "--json",
        ]);
        until(page, "predict.collective.time_us", &answer["time_us"]).await;
    });
}

/// The address, once the state that it holds has that input.
async fn address_of(page: &Page, input: &str, expected: &Value) -> String {
    let start = Instant::now();
    loop {
        let hash = page.evaluate("location.hash").await;
        let hash = hash.as_str().expect("a fragment").to_owned();
        if hash.len() > 1 && loggia(&["open", &hash])["inputs"][input] == *expected {
            return hash;
        }
        assert!(start.elapsed() < PATIENCE, "{input} is not in {hash}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn a_bad_size_is_told_as_the_command_tells_it() {
    visit("", async |page| {
        let before = quantity(page, TIME).await;
        page.find("#bytes").await.send_keys("x").await.expect("keys");
        let told = page.text("#bytes-problem").await;
        assert!(told.contains("`1 KiBx` is not a size"), "{told}");
        assert!(told.contains("64KiB (binary)"), "{told}");
        assert_eq!(quantity(page, TIME).await, before);
        page.find("#bytes-slider").await.send_keys("\u{e014}").await.expect("keys");
        until(page, TIME, &on_the_t3d("1152")).await;
        assert_eq!(page.text("#bytes-problem").await, "");
    });
}

#[test]
fn a_damaged_link_says_so_and_changes_nothing() {
    visit("", async |page| {
        let good = link("ap3000-mpi", &["bytes=77".to_owned()]);
        let bad = format!("{}AAAA", &good[..good.len() - 40]);
        page.open(&bad).await;
        assert!(page.text("[role=alert]").await.contains("this link is damaged"));
        until(page, TIME, &on_the_t3d("1KiB")).await;
        // Another link in the same page is opened, too, and takes the message away.
        page.evaluate(&format!("location.hash = '{good}'")).await;
        let answer = loggia(&["predict", "p2p", "ap3000-mpi", "--bytes", "77", "--json"]);
        until(page, TIME, &answer["time_us"]).await;
        assert_eq!(page.evaluate("document.querySelector('[role=alert]')").await, Value::Null);
        page.evaluate(&format!("location.hash = '{bad}'")).await;
        assert!(page.text("[role=alert]").await.contains("link"));
        assert_eq!(quantity(page, TIME).await, answer["time_us"]);
    });
}

/// At every width, light and dark, nothing is wider than the window; the pictures are kept.
#[test]
fn a_link_opens_at_its_view_and_is_copied_whole() {
    visit("", async |page| {
        let asked = ["--op", "bcast", "--procs", "16", "--bytes", "4KiB", "--json"];
        let answer = loggia(&[&["predict", "collective", "cray-t3d"], &asked[..]].concat());
        let set = ["op=bcast", "procs=16", "bytes=4KiB"].map(|pair| ["--set", pair]).concat();
        let link = [&["link", "cray-t3d", "--view", "collectives", "--json"], &set[..]].concat();
        page.open(loggia(&link)["link"].as_str().expect("a link")).await;
        until(page, "predict.collective.time_us", &answer["time_us"]).await;
        assert_ne!(page.evaluate("window.scrollY").await, json!(0), "it shows the view asked for");

        let permissions = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
        page.devtools("Browser.grantPermissions", permissions).await;
        page.find(".share button").await.click().await.expect("a click");
        let start = Instant::now();
        while page.text(".share [role=status]").await != "Copied" {
            assert!(start.elapsed() < PATIENCE, "the link was not copied");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let copied = page.evaluate("await navigator.clipboard.readText()").await;
        let copied = copied.as_str().expect("a text").to_owned();
        assert!(copied.starts_with("http://127.0.0.1:"), "{copied}");
        let opened = loggia(&["open", &copied]);
        assert_eq!(opened["inputs"]["procs"], 16);
        assert_eq!(opened["view"], "collectives");
    });
}

#[test]
fn fits_every_window() {
    visit("", async |page| {
        for sig in ["cray-t3d", "convex-exemplar", "ibm-sp2", "ap3000-mpi", "myrinet-gm"] {
            page.open(&link(sig, &[])).await;
            page.find("#p2p").await;
            for (width, height) in [(360, 2200), (1280, 1400), (2560, 1440)] {
                page.resize(width, height).await;
                let excess = "document.documentElement.scrollWidth - innerWidth";
                let excess = page.evaluate(excess).await;
                assert!(excess.as_i64() <= Some(0), "{sig} at {width}: {excess} too wide");
                for scheme in [Scheme::Light, Scheme::Dark] {
                    page.scheme(scheme).await;
                    tokio::time::sleep(Duration::from_millis(150)).await;
                    page.screenshot(&format!("{sig}-{width}-{scheme:?}").to_lowercase()).await;
                }
            }
        }
    });
}

/// As on any static host: under a folder, and with no policy but the one in `index.html`.
#[test]
fn opens_from_any_folder_of_a_static_host() {
    visit_at(&static_host::start(None), async |page| {
        assert_eq!(page.text("h1").await, "Loggia");
        let inline = "(() => { const script = document.createElement('script'); \
                      script.textContent = 'window.ran = true'; document.head.append(script); \
                      return window.ran === true; })()";
        assert_eq!(page.evaluate(inline).await, json!(false));
        let refused = page.complaints().await;
        assert!(
            refused.len() == 1 && refused[0].contains("Content Security Policy"),
            "{refused:?}"
        );
    });
}

/// The harness itself: the other tests rely on what it emulates.
#[test]
fn the_browser_is_as_asked_for() {
    visit("", async |page| {
        for width in [360, 1280, 2560] {
            page.resize(width, 700).await;
            assert_eq!(page.evaluate("[innerWidth, innerHeight]").await, json!([width, 700]));
            let picture = page.screenshot(&format!("page-{width}")).await;
            let picture = fs::read(picture).expect("the picture");
            // A PNG's width and height stand behind its signature and the first chunk's name.
            assert_eq!(picture[16..20], width.to_be_bytes());
        }
        let dark = "matchMedia('(prefers-color-scheme: dark)').matches";
        for scheme in [Scheme::Dark, Scheme::Light] {
            page.scheme(scheme).await;
            assert_eq!(page.evaluate(dark).await, json!(scheme == Scheme::Dark));
        }
        page.evaluate("console.warn('a doubt'), console.error('a fault'), console.log('x')").await;
        let complaints = page.complaints().await;
        assert_eq!(complaints.len(), 2, "{complaints:?}");
        assert!(complaints[1].contains("a fault"));
    });
}

//! Links and the address bar.

use crate::{PATIENCE, TIME, link, loggia, quantity, until, visit_t3d};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Status after copying an address of the local server.
const COPIED_HERE: &str = "Copied: it opens on this machine only. For others, see Share.";

#[test]
fn a_damaged_link_is_reported_and_changes_nothing() {
    visit_t3d(async |page| {
        let good = link("ap3000-mpi", "message", &["bytes=77"]);
        let bad = format!("{}AAAA", &good[..good.len() - 40]);
        page.open(&bad).await;
        assert!(page.text("[role=alert]").await.contains("truncated"));
        let first = loggia(&["predict", "p2p", "alps", "--bytes", "1KiB", "--json"]);
        until(page, TIME, &first["time_us"]).await;
        // Another link in the same page opens, despite the full stop at its end, and removes the
        // message.
        page.evaluate(&format!("location.hash = '{good}.'")).await;
        let answer = loggia(&["predict", "p2p", "ap3000-mpi", "--bytes", "77", "--json"]);
        until(page, TIME, &answer["time_us"]).await;
        assert_eq!(page.evaluate("document.querySelector('[role=alert]')").await, Value::Null);
        page.evaluate(&format!("location.hash = '{bad}'")).await;
        assert!(page.text("[role=alert]").await.contains("link"));
        assert_eq!(quantity(page, TIME).await, answer["time_us"]);
    });
}

#[test]
fn a_link_opens_its_view_and_is_copied_completely() {
    visit_t3d(async |page| {
        let options = ["--op", "bcast", "--procs", "16", "--bytes", "4KiB", "--json"];
        let answer = loggia(&[&["predict", "collective", "cray-t3d"], &options[..]].concat());
        let set = ["op=bcast", "procs=16", "bytes=4KiB"].map(|pair| ["--set", pair]).concat();
        let link = [&["link", "cray-t3d", "--view", "collectives", "--json"], &set[..]].concat();
        page.open(loggia(&link)["link"].as_str().expect("a link")).await;
        until(page, "predict.collective.time_us", &answer["time_us"]).await;

        let permissions = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
        page.devtools("Browser.grantPermissions", permissions).await;
        page.find(".share button").await.click().await.expect("a click");
        let start = Instant::now();
        while page.text(".share [role=status]").await != COPIED_HERE {
            let status = page.text(".share").await;
            assert!(start.elapsed() < PATIENCE, "the link was not copied: {status}");
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

//! The page after a loss of the network.

use crate::browser::{Page, visit};
use crate::sharing::click;
use crate::wait;
use serde_json::json;

async fn offline(page: &Page, is_offline: bool) {
    let conditions = json!({
        "offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1
    });
    page.devtools("Network.enable", json!({})).await;
    page.devtools("Network.emulateNetworkConditions", conditions).await;
}

async fn open(page: &Page, view: &str) {
    click(page, &format!("input[name=view][value={view}] + span")).await;
}

/// The page loads its remaining parts a few seconds after it opens.
#[test]
fn views_open_without_the_network() {
    const FETCHED: &str = "(() => {
        const names = performance.getEntriesByType('resource').map((entry) => entry.name);
        return ['later/machines', 'later/programs', 'simulator/worker']
            .every((part) => names.some((name) => name.includes(part)));
    })()";
    visit("", async |page| {
        wait(page, FETCHED).await;
        offline(page, true).await;
        for view in ["protocols", "collectives", "plan", "signature", "figures"] {
            open(page, view).await;
            wait(page, "document.querySelector('main .panel h2') !== null").await;
            wait(page, "!document.querySelector('main [role=alert], main .aside[role=status]')")
                .await;
        }
        click(page, ".share button + button").await;
        page.find(".sharing svg.qr path").await;
    });
}

#[test]
fn a_view_that_fails_to_load_is_loaded_again_on_request() {
    visit("", async |page| {
        offline(page, true).await;
        open(page, "compare").await;
        let message = page.text("main [role=alert]").await;
        assert!(message.contains("Check the connection"), "{message}");
        offline(page, false).await;
        click(page, "main [role=alert] button").await;
        page.find("#compare").await;
        wait(page, "!document.querySelector('main [role=alert]')").await;
        let failures = page.complaints().await;
        assert!(!failures.is_empty(), "the browser was offline");
    });
}

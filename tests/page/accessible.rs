//! What axe-core, the accessibility checker, finds in every view: nothing.

use crate::browser::{Page, Scheme, visit};
use crate::{importing, link, loggia, visit_t3d};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The checker's source; it comes with `.ci/setup`, from npm's registry.
fn axe() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join("node_modules/axe-core/axe.min.js")).ok()
}

/// Every violation, with the first elements that it is about.
async fn violations(page: &Page, axe: &str) -> Vec<String> {
    page.call("source => { (0, eval)(source) }", &[Value::String(axe.to_owned())]).await;
    let found = page.evaluate("axe.run().then(found => found.violations)").await;
    let words = |violation: &Value| {
        let nodes = violation["nodes"].as_array().cloned().unwrap_or_default();
        let places: Vec<String> = nodes
            .iter()
            .take(3)
            .map(|node| format!("{} {}", node["target"], node["html"]))
            .collect();
        format!("{}: {}: {}", violation["id"], violation["help"], places.join(" | "))
    };
    found.as_array().expect("a list").iter().map(words).collect()
}

#[test]
fn every_view_is_accessible() {
    let Some(axe) = axe() else {
        eprintln!("skipped: axe-core is not there; `.ci/setup` installs it where there is npm");
        return;
    };
    visit_t3d(async |page| {
        let mut found = Vec::new();
        // The checker is a script from outside, which the page's policy forbids.
        let bypass = serde_json::json!({"enabled": true});
        page.devtools("Page.setBypassCSP", bypass).await;
        let alone = [
            ("cray-t3d", "message"),
            ("cray-t3d", "protocols"),
            ("cray-t3d", "overlap"),
            ("ap3000-mpi", "collectives"),
            ("cray-t3d", "simulate"),
            ("myrinet-gm", "overlap"),
            ("cray-t3d", "plan"),
            ("ibm-sp2", "compare"),
            ("convex-exemplar", "signature"),
            ("cray-t3d", "figures"),
        ];
        let beside =
            ["message", "protocols", "overlap", "plan", "signature"].map(|view| ("cray-t3d", view));
        let alone = alone.into_iter().map(|(sig, view)| (sig, view, &[][..]));
        let beside = beside.into_iter().map(|(sig, view)| (sig, view, &["machines=yes"][..]));
        for (sig, view, set) in alone.chain(beside) {
            page.open(&link(sig, view, set)).await;
            page.find("main section h2").await;
            for scheme in [Scheme::Light, Scheme::Dark] {
                page.scheme(scheme).await;
                tokio::time::sleep(Duration::from_millis(300)).await;
                let here = violations(page, &axe).await;
                found.extend(here.into_iter().map(|one| format!("{view}, {scheme:?}: {one}")));
            }
        }
        page.open("#figure=hwang-3").await;
        page.find(".small-multiples").await;
        found.extend(violations(page, &axe).await);
        page.find(".share button + button").await.click().await.expect("a click");
        page.find("dialog[open] h3, dialog[open] h2").await;
        found.extend(violations(page, &axe).await);
        page.open("").await;
        page.drop_files(&importing::of_two_tools()).await;
        page.find(".importing #import-question-0").await;
        for scheme in [Scheme::Light, Scheme::Dark] {
            page.scheme(scheme).await;
            tokio::time::sleep(Duration::from_millis(300)).await;
            found.extend(violations(page, &axe).await);
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    });
}

/// Every step of every lesson, before and after its answer, as a student sees it on a telephone.
#[test]
fn every_step_of_a_lesson_is_accessible() {
    let Some(axe) = axe() else {
        eprintln!("skipped: axe-core is not there; `.ci/setup` installs it where there is npm");
        return;
    };
    visit("", async |page| {
        page.resize(360, 740).await;
        let mut found = Vec::new();
        let bypass = serde_json::json!({"enabled": true});
        page.devtools("Page.setBypassCSP", bypass).await;
        let lessons = loggia(&["lesson", "list", "--json"]);
        for lesson in lessons.as_array().expect("a list") {
            let name = lesson["name"].as_str().expect("a name");
            for at in 1..=lesson["steps"].as_u64().expect("a number") {
                page.open(&format!("#lesson={name}&at={at}")).await;
                page.find(&format!("#lesson[data-step='{at}'] .lesson-submit")).await;
                let here = violations(page, &axe).await;
                found.extend(here.into_iter().map(|one| format!("{name}, {at}: {one}")));
                let wide = "document.documentElement.scrollWidth > window.innerWidth";
                if page.evaluate(wide).await == Value::Bool(true) {
                    found.push(format!("{name}, {at}: wider than the screen"));
                }
            }
        }
        page.open("").await;
        page.find(".tabs input[value=lessons]").await;
        page.evaluate("document.querySelector('.tabs input[value=lessons]').click()").await;
        page.find("[data-lesson='ten-lines']").await;
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)").await;
        found.extend(violations(page, &axe).await);
        assert!(found.is_empty(), "{}", found.join("\n"));
    });
}

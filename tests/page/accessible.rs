//! axe-core, the accessibility checker, must find no violation in any view.

use crate::browser::{Page, Scheme};
use crate::frame::press;
use crate::{importing, link, visit_t3d, wait};
use fantoccini::key::Key;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// axe-core, installed by `.ci/setup` from npm's registry.
pub(crate) struct Checker {
    source: String,
}

impl Checker {
    /// Allows the checker on this page; `None`, with a message, if it is not installed.
    pub(crate) async fn on(page: &Page) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let Ok(source) = fs::read_to_string(root.join("node_modules/axe-core/axe.min.js")) else {
            eprintln!(
                "skipped: axe-core is not installed; `.ci/setup` installs it if npm is installed"
            );
            return None;
        };
        // The page's policy forbids scripts from outside.
        page.devtools("Page.setBypassCSP", json!({"enabled": true})).await;
        Some(Checker { source })
    }

    /// Every violation, with its first elements.
    pub(crate) async fn violations(&self, page: &Page) -> Vec<String> {
        if page.evaluate("!window.axe").await == json!(true) {
            page.call("source => { (0, eval)(source) }", &[json!(self.source)]).await;
        }
        let found = page
            .evaluate("axe.run({ resultTypes: ['violations'] }).then(found => found.violations)")
            .await;
        let describe = |violation: &Value| {
            let nodes = violation["nodes"].as_array().cloned().unwrap_or_default();
            let places: Vec<String> = nodes
                .iter()
                .take(3)
                .map(|node| format!("{} {}", node["target"], node["html"]))
                .collect();
            format!("{}: {}: {}", violation["id"], violation["help"], places.join(" | "))
        };
        found.as_array().expect("a list").iter().map(describe).collect()
    }
}

#[test]
fn every_view_is_accessible() {
    visit_t3d(async |page| {
        let Some(axe) = Checker::on(page).await else { return };
        let mut violations = Vec::new();
        let single = [
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
        let several =
            ["message", "protocols", "overlap", "plan", "signature"].map(|view| ("cray-t3d", view));
        let single = single.into_iter().map(|(sig, view)| (sig, view, &[][..]));
        let several = several.into_iter().map(|(sig, view)| (sig, view, &["machines=yes"][..]));
        for (sig, view, set) in single.chain(several) {
            page.open(&link(sig, view, set)).await;
            page.find("main section h2").await;
            // Parts of a view load later.
            tokio::time::sleep(Duration::from_millis(300)).await;
            for scheme in [Scheme::Light, Scheme::Dark] {
                page.scheme(scheme).await;
                page.drawn().await;
                let found = axe.violations(page).await;
                let named = |violation| format!("{view}, {scheme:?}: {violation}");
                violations.extend(found.into_iter().map(named));
            }
        }
        page.open("#figure=hwang-3").await;
        page.find(".small-multiples").await;
        violations.extend(axe.violations(page).await);
        page.find(".share button + button").await.click().await.expect("a click");
        page.find("dialog[open] h3, dialog[open] h2").await;
        violations.extend(axe.violations(page).await);
        page.open("").await;
        page.drop_files(&importing::of_two_tools()).await;
        page.find(".importing #import-question-0").await;
        for scheme in [Scheme::Light, Scheme::Dark] {
            page.scheme(scheme).await;
            page.drawn().await;
            violations.extend(axe.violations(page).await);
        }
        assert!(violations.is_empty(), "{}", violations.join("\n"));
    });
}

/// The list of lessons with all sections open; `lessons` checks the steps.
#[test]
fn the_list_of_lessons_is_accessible() {
    visit_t3d(async |page| {
        let Some(axe) = Checker::on(page).await else { return };
        page.resize(360, 740).await;
        page.find(".tabs input[value=lessons]").await;
        page.evaluate("document.querySelector('.tabs input[value=lessons]').click()").await;
        page.find("[data-lesson='ten-lines']").await;
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)").await;
        assert_eq!(axe.violations(page).await, [""; 0]);
    });
}

/// Every element that Tab focuses is visible: not covered by the row of parameters or by Plan's short
/// answer, and not clipped by a row that scrolls.
#[test]
fn the_focused_element_is_visible() {
    const FAULT: &str = "(() => {
        const focused = document.activeElement;
        if (focused === document.body) return 'end';
        const label = focused.closest('label');
        const shown = label && getComputedStyle(focused).opacity === '0' ? label : focused;
        const { left, right, top, bottom } = shown.getBoundingClientRect();
        const within = (middle, size) => Math.min(Math.max(middle, 1), size - 2);
        const hit = document.elementFromPoint(
            within((left + right) / 2, innerWidth), within((top + bottom) / 2, innerHeight));
        const meets = (box) => bottom > box.top && top < box.bottom && right > box.left && left < box.right;
        const clips = [{ left: 0, top: 0, right: innerWidth, bottom: innerHeight }];
        for (let one = shown.parentElement; one !== document.body; one = one.parentElement)
            if (getComputedStyle(one).overflow !== 'visible') clips.push(one.getBoundingClientRect());
        return clips.every(meets) && (shown.contains(hit) || hit.contains(shown))
            ? '' : `${focused.outerHTML.slice(0, 80)} under ${hit?.className}`;
    })()";
    visit_t3d(async |page| {
        let mut covered = Vec::new();
        for (width, view) in [(360, "message"), (360, "plan"), (1000, "collectives")] {
            page.resize(width, 740).await;
            page.open(&link("ap3000-mpi", view, &[])).await;
            page.find("main section h2").await;
            let mut stops = 0;
            loop {
                press(page, &Key::Tab.to_string()).await;
                match page.evaluate(FAULT).await.as_str().expect("a text") {
                    "end" => break,
                    "" => stops += 1,
                    found => covered.push(format!("{view} at {width} px: {found}")),
                }
            }
            assert!(stops > 20, "{view} at {width} px has {stops} focusable elements");
        }
        assert!(covered.is_empty(), "{}", covered.join("\n"));
    });
}

/// A change creates no control again: the focus would be lost, and a keyboard would begin anew.
#[test]
fn a_change_keeps_the_focus() {
    const LOST: &str = "(async () => {
        const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 20)));
        const name = one => `${one.name} ${one.value}`;
        const all = 'main :is([type=checkbox], [type=radio]):enabled';
        const seen = new Set(), lost = [], of = {};
        // Of a long list, the first ones are enough.
        const isNew = one => !seen.has(name(one)) && (of[one.name] ?? 0) < 6;
        for (;;) {
            const one = [...document.querySelectorAll(all)]
                .find(one => one.checkVisibility() && !one.closest('.tabs') && isNew(one));
            if (!one) return { seen: seen.size, lost };
            seen.add(name(one));
            of[one.name] = (of[one.name] ?? 0) + 1;
            one.focus();
            one.click();
            await frame();
            await frame();
            if (name(document.activeElement) !== name(one)) lost.push(name(one));
        }
    })()";
    visit_t3d(async |page| {
        let mut lost = Vec::new();
        for (sig, view) in [
            ("cray-t3d", "message"),
            ("cray-t3d", "protocols"),
            ("cray-t3d", "overlap"),
            ("ap3000-mpi", "collectives"),
            ("cray-t3d", "simulate"),
            ("cray-t3d", "plan"),
            ("cray-t3d", "compare"),
            ("cray-t3d", "signature"),
        ] {
            page.open(&link(sig, view, &[])).await;
            page.find(".panels :is([type=checkbox], [type=radio])").await;
            let found = page.evaluate(LOST).await;
            assert!(found["seen"].as_u64().unwrap_or_default() >= 5, "{view}: {found}");
            let names = found["lost"].as_array().cloned().unwrap_or_default();
            lost.extend(names.iter().map(|name| format!("{view}: {name}")));
        }
        assert!(lost.is_empty(), "{}", lost.join("\n"));
    });
}

/// A dialog takes the focus, and returns it to the button that opened it.
#[test]
fn a_dialog_returns_the_focus() {
    const OPEN: &str = "(button) => {
        window.begun = document.querySelector(button);
        window.begun.focus();
        window.begun.click();
    }";
    visit_t3d(async |page| {
        for (button, content) in [
            (".share button + button", "dialog[open] .qr"),
            (".undo > :last-child", "dialog[open] kbd"),
            (".machines .new", "dialog[open] #new-name"),
        ] {
            page.find(button).await;
            page.call(OPEN, &[json!(button)]).await;
            page.find(content).await;
            let inside = "document.querySelector('dialog[open]').contains(document.activeElement)";
            assert_eq!(page.evaluate(inside).await, json!(true), "{button}");
            press(page, &Key::Escape.to_string()).await;
            wait(page, "!document.querySelector('dialog[open]')").await;
            let back = "document.activeElement === window.begun && window.begun.isConnected";
            assert_eq!(page.evaluate(back).await, json!(true), "{button}");
        }
    });
}

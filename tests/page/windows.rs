//! Windows of all sizes, light and dark, and hosts of any kind.

use crate::browser::{Scheme, static_host, visit, visit_at};
use crate::{link, wait};
use serde_json::json;
use std::fs;
use std::time::Duration;

/// No content is wider than the window, at every width, light and dark; saves screenshots.
#[test]
fn fits_every_window() {
    visit("", async |page| {
        for sig in ["cray-t3d", "convex-exemplar", "ibm-sp2", "ap3000-mpi", "myrinet-gm"] {
            page.open(&link(sig, "message", &[])).await;
            page.find("#p2p").await;
            for (width, height) in [(360, 2200), (1280, 1400), (2560, 1440)] {
                page.resize(width, height).await;
                let excess = "document.documentElement.scrollWidth - innerWidth";
                let excess = page.evaluate(excess).await;
                assert!(excess.as_i64() <= Some(0), "{sig} at {width}: {excess} too wide");
                for scheme in [Scheme::Light, Scheme::Dark] {
                    page.scheme(scheme).await;
                    page.drawn().await;
                    page.screenshot(&format!("{sig}-{width}-{scheme:?}").to_lowercase()).await;
                }
            }
        }
    });
}

/// A wide table scrolls, and its panel keeps its width.
#[test]
fn opened_sections_stay_in_their_panels() {
    visit("", async |page| {
        page.resize(360, 900).await;
        for (view, ready) in
            [("collectives", "#fastest canvas[data-whole=true]"), ("signature", "#signature")]
        {
            page.open(&link("alps", view, &[])).await;
            page.find(ready).await;
            page.evaluate("document.querySelectorAll('details').forEach(it => it.open = true)")
                .await;
            let fit = "[...document.querySelectorAll('.panel')]
                .every(panel => panel.scrollWidth <= panel.clientWidth)";
            wait(page, fit).await;
            tokio::time::sleep(Duration::from_millis(300)).await;
            assert_eq!(page.evaluate(fit).await, json!(true), "{view}");
        }
    });
}

/// The chosen machine is visible in the list, also where the list is a row or scrolls.
#[test]
fn the_chosen_machine_is_visible_in_its_list() {
    visit("", async |page| {
        for (width, height) in [(360, 740), (1000, 800), (1280, 800)] {
            page.resize(width, height).await;
            page.open(&link("cray-t3d", "message", &[])).await;
            page.find("#p2p").await;
            let is_visible = "(() => {
                const box = (selector) => document.querySelector(selector).getBoundingClientRect();
                const [list, machine] = ['.machines', '.machine:has(:checked)'].map(box);
                return machine.left >= list.left && machine.right <= list.right
                    && machine.top >= list.top && machine.bottom <= Math.min(list.bottom, innerHeight);
            })()";
            wait(page, is_visible).await;
            let space = "document.querySelector('.machines').getBoundingClientRect().height";
            let space = page.evaluate(space).await.as_f64().expect("a height");
            let most = if width == 360 { 80.0 } else { f64::from(height) };
            assert!(space <= most, "the list is {space} px high at {width} px");
        }
    });
}

/// In a narrow window, Plan's short answer is above the row of parameters and not covered by it.
#[test]
fn the_short_answer_of_plan_is_not_covered() {
    visit("", async |page| {
        for (width, height) in [(360, 740), (800, 900), (1000, 800)] {
            page.resize(width, height).await;
            page.open(&link("cray-t3d", "plan", &[])).await;
            page.find(".in-short").await;
            let is_on_top = "(() => {
                const answer = document.querySelector('.in-short');
                const { left, right, top, bottom } = answer.getBoundingClientRect();
                return [top + 2, bottom - 2].every((y) =>
                    answer.contains(document.elementFromPoint((left + right) / 2, y)));
            })()";
            wait(page, is_on_top).await;
        }
    });
}

/// In a folder of a static host, with only the policy in `index.html`.
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

/// Tests the harness: the other tests rely on its emulation.
#[test]
fn the_browser_emulates_size_and_colours() {
    visit("", async |page| {
        for width in [360, 1280, 2560] {
            page.resize(width, 700).await;
            assert_eq!(page.evaluate("[innerWidth, innerHeight]").await, json!([width, 700]));
            let picture = page.screenshot(&format!("page-{width}")).await;
            let picture = fs::read(picture).expect("the picture");
            // A PNG has width and height after its signature and the name of the first chunk.
            assert_eq!(picture[16..20], width.to_be_bytes());
        }
        let dark = "matchMedia('(prefers-color-scheme: dark)').matches";
        for scheme in [Scheme::Dark, Scheme::Light] {
            page.scheme(scheme).await;
            assert_eq!(page.evaluate(dark).await, json!(scheme == Scheme::Dark));
        }
        page.evaluate("console.warn('a warning'), console.error('an error'), console.log('x')")
            .await;
        let complaints = page.complaints().await;
        assert_eq!(complaints.len(), 2, "{complaints:?}");
        assert!(complaints[1].contains("an error"));
    });
}

//! Values along curves, the basis of an answer, the symbols of LogGP, and a printed handout.

use crate::browser::{Page, visit};
use crate::sharing::click;
use crate::{PATIENCE, TIME, file, link, loggia, quantity, visit_t3d, wait};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

const RUN: &str = "docs/runs/2026-07.json";

fn measured() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(RUN).display().to_string()
}

/// The lines of a read-out: names and values.
const ROWS: &str = "[...document.querySelectorAll('.reading > g')]
    .map(row => [...row.querySelectorAll('text')].map(text => text.textContent))";

async fn rows(page: &Page) -> Vec<[String; 2]> {
    page.find(".reading .value").await;
    serde_json::from_value(page.evaluate(ROWS).await).expect("names and values")
}

#[test]
fn the_pointer_reads_every_line_of_a_plot() {
    visit_t3d(async |page| {
        page.find("#p2p .handle").await;
        let place = "[...document.querySelectorAll('#p2p .tick')].find(t => t.textContent == '4 KiB')\
                     .getBoundingClientRect()";
        let x = page.evaluate(&format!("{place}.left + {place}.width / 2")).await;
        let y = page.evaluate(&format!("{place}.top - 100")).await;
        let event = json!({"type": "mouseMoved", "x": x, "y": y});
        page.devtools("Input.dispatchMouseEvent", event).await;
        let expected = [
            ["issend", "315.2 µs"],
            ["total", "279.3 µs"],
            ["G", "163.8 µs"],
            ["os", "70.87 µs"],
            ["or", "41.56 µs"],
            ["L", "3.1 µs"],
        ];
        let actual = rows(page).await;
        for row in &expected[1..] {
            assert!(actual.contains(&row.map(str::to_owned)), "{row:?} is not in {actual:?}");
        }
        assert_eq!(page.text(".reading .title").await, "4 KiB");
        // The message size stays unchanged.
        assert_eq!(quantity(page, TIME).await, crate::on_the_t3d("1KiB"));

        // With the keyboard, at the handle.
        let right = "\u{e014}";
        page.find("#p2p .handle").await.send_keys(right).await.expect("keys");
        wait(page, "document.querySelector('.reading .title')?.textContent === '1152 B'").await;
    });
}

/// In a plot without a handle, the arrow keys show the values.
#[test]
fn keys_read_a_plot_without_a_handle() {
    visit(&link(&measured(), "signature", &[]), async |page| {
        let area = page.find(".plot.still .plot-area[tabindex='0']").await;
        page.call("area => area.scrollIntoView({ block: 'center' })", &[json!(area)]).await;
        page.call("area => area.focus()", &[json!(area)]).await;
        let title = "document.querySelector('.reading[role=status] .title')?.textContent";
        let press = async |key: &str| {
            let area = page.client.active_element().await.expect("the focus");
            area.send_keys(key).await.expect("keys");
        };
        let [right, end] = ["\u{e014}", "\u{e010}"];
        // The read-out is loaded at the first focus.
        let start = Instant::now();
        while page.evaluate(title).await == Value::Null {
            assert!(start.elapsed() < PATIENCE, "no key shows values of the plot");
            press(right).await;
        }
        let first = page.evaluate(title).await;
        press(end).await;
        wait(page, &format!("{title} !== {first}")).await;
        assert!(!rows(page).await.is_empty());
        press("\u{e004}").await;
        wait(page, "!document.querySelector('.reading')").await;
    });
}

/// The selected model gives the answer, at sizes below and above the eager limit.
#[test]
fn the_selected_model_gives_the_answer() {
    visit_t3d(async |page| {
        for (bytes, model) in [("1KiB", "loggpo"), ("8KiB", "loggpo"), ("64KiB", "loggps")] {
            page.open(&link(&measured(), "message", &[&format!("bytes={bytes}")])).await;
            let chosen = page.find("input[name=model]:checked").await;
            let property = |name| chosen.prop(name);
            let command = loggia(&["predict", "p2p", &measured(), "--bytes", bytes, "--json"]);
            assert_eq!(command["model"], json!(model), "{bytes}");
            assert_eq!(
                property("value").await.expect("a value").as_deref(),
                Some(model),
                "{bytes}"
            );
            assert_eq!(property("disabled").await.expect("a value").as_deref(), Some("false"));
        }
    });
}

/// Every view shows the basis of its number in the same badge; *Simulate* warns as *Plan* does.
#[test]
fn every_number_has_its_basis() {
    visit_t3d(async |page| {
        let views: [(&str, &[&str], &str, &str); 6] = [
            ("message", &[], "predict.p2p.basis", "published"),
            ("protocols", &[], "predict.protocol.basis", "published"),
            ("collectives", &[], "predict.collective.basis", "published"),
            ("simulate", &["procs=64"], "simulate.basis", "published"),
            ("simulate", &["procs=16384"], "simulate.basis", "extrapolated"),
            ("plan", &["ranks=1Ki"], "plan.plans.0.points.0.basis", "extrapolated"),
        ];
        for (view, set, path, basis) in views {
            page.open(&link("cray-t3d", view, set)).await;
            assert_eq!(quantity(page, path).await, json!(basis), "{view} {set:?}");
            if basis == "extrapolated" {
                let has_warning = "[...document.querySelectorAll('.warnings li')]\
                    .some(one => one.textContent.startsWith('Extrapolated beyond 64 ranks'))";
                wait(page, has_warning).await;
            }
        }
        // With assumed parameters, the basis of an exchange is a model.
        page.open(&link("cray-t3d", "overlap", &[])).await;
        click(page, "#overlap .assume").await;
        assert_eq!(quantity(page, "predict.overlap.basis").await, json!("modelled"));
        page.open(&link("cray-t3d", "replay", &[])).await;
        click(page, "#example").await;
        assert_eq!(quantity(page, "replay.basis").await, json!("published"));
    });
}

#[test]
fn one_picture_introduces_loggp() {
    visit_t3d(async |page| {
        click(page, ".introduction summary").await;
        page.find(".introduction[open] .symbols").await;
        let text = page.evaluate("document.querySelector('.symbols').textContent").await;
        let text = text.as_str().expect("text");
        for part in ["send overhead: 40.1 µs", "network latency: 3.1 µs", "40 ns/byte"] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        page.find(".introduction svg[role=img]").await;
    });
}

#[test]
fn a_plan_gives_the_price_at_which_the_faster_machine_pays() {
    visit(&link("cray-t3d", "plan", &["ranks=64", "machines=yes"]), async |page| {
        let price = "document.querySelector('#beside .price')?.textContent ?? ''";
        wait(page, &format!("({price}).startsWith('On 64 ranks, a node of ')")).await;
        let text = page.evaluate(price).await;
        let text = text.as_str().expect("text");
        let row = |machine: usize| format!("plan.plans.{machine}.points.0.time_us");
        let time = async |machine| quantity(page, &row(machine)).await.as_f64().expect("a time");
        let (first, second) = (time(0).await, time(1).await);
        let ratio = first.max(second) / first.min(second);
        let number = text.split("up to ").nth(1).and_then(|rest| rest.split(' ').next());
        let number: f64 = number.and_then(|text| text.parse().ok()).expect("a number");
        assert!(number <= ratio * 1.005, "{number} is above {ratio}");
    });
}

/// A printed page has no controls and no truncated table.
#[test]
fn a_printed_page_is_a_handout() {
    visit_t3d(async |page| {
        page.find("#p2p table").await;
        page.devtools("Emulation.setEmulatedMedia", json!({"media": "print"})).await;
        page.resize(700, 1000).await;
        const SEEN: &str =
            "[...document.querySelectorAll('button, input, select, textarea, .chips')]
            .filter(one => one.checkVisibility({ visibilityProperty: true })).length";
        assert_eq!(page.evaluate(SEEN).await, json!(0), "controls");
        assert_eq!(
            page.evaluate("document.querySelector('.answer').checkVisibility()").await,
            json!(true)
        );
        const CUT: &str = "[...document.querySelectorAll('.scroll')]
            .filter(one => one.scrollWidth > one.clientWidth + 1).length";
        for (view, runs) in [("message", false), ("compare", true), ("signature", true)] {
            match runs {
                true => page.open(&link(&measured(), view, &[])).await,
                false => page.open(&link("cray-t3d", view, &[])).await,
            }
            page.find("main table").await;
            assert_eq!(page.evaluate(CUT).await, json!(0), "tables in {view}");
        }
    });
}

/// Parameters stay visible at every scroll position, on a desktop and on a telephone.
#[test]
fn parameters_stay_visible() {
    visit(&link("cray-t3d", "signature", &[]), async |page| {
        page.find(".plot").await;
        for (width, height) in [(360, 740), (900, 800), (1280, 800)] {
            page.resize(width, height).await;
            for to in ["0", "document.documentElement.scrollHeight / 2"] {
                page.evaluate(&format!("scrollTo(0, {to})")).await;
                let seen = "(() => { const box = document.querySelector('.parameters .slider')\
                    .getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; })()";
                wait(page, seen).await;
            }
            let wide = "document.documentElement.scrollWidth > innerWidth";
            assert_eq!(page.evaluate(wide).await, json!(false), "{width}");
        }
    });
}

/// The oldest run is the baseline, and a sentence names the change. Different machines have no
/// changes.
#[test]
fn runs_are_compared_with_the_oldest() {
    visit_t3d(async |page| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/runs");
        let runs = ["2026-07", "2026-05", "2026-06"];
        let runs = runs.map(|run| file(&root.join(run).with_extension("json")));
        page.drop_files(&runs).await;
        wait(page, "document.querySelectorAll('.machines input[value=cluster]').length === 3")
            .await;
        page.evaluate("document.querySelector('input[name=view][value=compare]').click()").await;
        let sentence = page.text("#compare-changes .answer").await;
        assert_eq!(sentence, "G is 9.8% worse than on 2026-05-04");
        page.open(&link("cray-t3d", "compare", &[])).await;
        page.find("#compare-changes").await;
        assert_eq!(
            page.evaluate("document.querySelectorAll('.has-changed').length").await,
            json!(0)
        );
        assert_ne!(page.evaluate("document.querySelector('#compare-p2p')").await, Value::Null);
    });
}

/// Each parameter is one line of the table; a long source opens in another row.
#[test]
fn each_parameter_of_a_measured_signature_is_one_line() {
    visit(&link(&measured(), "signature", &[]), async |page| {
        page.find(".listing").await;
        let tallest = "Math.max(...[...document.querySelectorAll('.listing tbody tr')]
            .map(row => row.getBoundingClientRect().height))";
        let tallest = page.evaluate(tallest).await.as_f64().expect("a height");
        assert!(tallest < 60.0, "a row of {tallest} pixels");
        let shown = "[...document.querySelectorAll('.whole-source')]
            .filter(row => row.checkVisibility()).length";
        assert_eq!(page.evaluate(shown).await, json!(0));
        click(page, ".listing .source summary").await;
        wait(page, &format!("{shown} === 1")).await;
        let unit = "[...document.querySelectorAll('.listing td')]
            .some(cell => cell.textContent === 'ns/byte')";
        assert_eq!(page.evaluate(unit).await, json!(true));
    });
}

/// A view that lacks parameters offers values, which the reader can change and assume.
#[test]
fn each_view_offers_to_assume_missing_parameters() {
    visit_t3d(async |page| {
        for (view, path) in [
            ("message", "predict.p2p.time_us"),
            ("protocols", "predict.protocol.sender_us"),
            ("collectives", "predict.collective.time_us"),
            ("simulate", "simulate.time_us"),
            ("replay", "replay.predicted_us"),
        ] {
            page.open(&link("myrinet-gm", view, &[])).await;
            if view == "replay" {
                click(page, "#example").await;
            }
            let field = page.find(".assumed input").await;
            field.click().await.expect("a click");
            page.evaluate("document.activeElement.select()").await;
            field.send_keys("7us").await.expect("keys");
            click(page, ".assumptions .assume").await;
            assert!(quantity(page, path).await.as_f64() > Some(7.0), "{view}");
            let latency = page.find("#parameter-L").await.prop("value").await.expect("a value");
            assert_eq!(latency.as_deref(), Some("7"), "{view}");
        }
        // A plan assumes 0 for unknown parameters, except those that its simulation model needs.
        page.open(&link("now-sparc", "plan", &["rules=loggps"])).await;
        let value = page.find(".assumed input").await.prop("value").await.expect("a value");
        assert_eq!(value.as_deref(), Some("8KiB"));
        click(page, ".assumptions .assume").await;
        assert_eq!(quantity(page, "plan.plans.0.rules").await, json!("loggps"));
    });
}

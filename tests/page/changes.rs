//! Runs of one machine in the view *Compare*: verdicts and history equal those of the command.

use crate::browser::{Page, Scheme};
use crate::{PATIENCE, file, link, loggia, quantity, visit_t3d, wait};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Runs of one machine; G is 10% larger in the last run.
const RUNS: [&str; 3] = ["2026-05", "2026-06", "2026-07"];

fn path(run: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/runs").join(run).with_extension("json")
}

/// JSON output of `loggia compare` for these runs.
fn answer(options: &[&str], runs: &[&str]) -> Value {
    let paths: Vec<String> = runs.iter().map(|run| path(run).display().to_string()).collect();
    let paths = paths.iter().map(String::as_str);
    let arguments: Vec<&str> =
        ["compare", "--json"].into_iter().chain(options.iter().copied()).chain(paths).collect();
    loggia(&arguments)
}

/// Drops runs onto the view, one after the other; the first becomes the current machine.
async fn drop_runs(page: &Page, runs: &[&str]) {
    page.open(&link("cray-t3d", "compare", &[])).await;
    for (place, run) in runs.iter().enumerate() {
        page.drop_files(&[file(&path(run))]).await;
        let count = format!(
            "document.querySelectorAll('.machines input[value=cluster]').length == {}",
            place + 1
        );
        wait(page, &count).await;
    }
}

/// Clicks an input that a chip covers.
async fn click(page: &Page, selector: &str) {
    let input = page.find(selector).await;
    page.call("input => input.click()", &[json!(input)]).await;
}

/// Path and exact value of every number in the page whose path has this prefix.
async fn shown(page: &Page, prefix: &str) -> Vec<(String, String)> {
    let script = "prefix => [...document.querySelectorAll(`[data-quantity^='${prefix}']`)]
        .map(one => [one.dataset.quantity, one.dataset.value])";
    let all = page.call(script, &[json!(prefix)]).await;
    serde_json::from_value(all).expect("pairs")
}

/// The value at a path such as `parameters.3.machines.1.ratio`.
fn at<'a>(answer: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(answer, |value, key| match key.parse::<usize>() {
        Ok(index) => &value[index],
        Err(_) => &value[key],
    })
}

/// Each value must equal the command's at the same path.
fn assert_same(shown: &[(String, String)], answer: &Value) {
    for (path, value) in shown {
        let expected = at(answer, path.trim_start_matches("compare."));
        match expected {
            Value::Number(number) => {
                let (value, number) = (value.parse::<f64>(), number.as_f64());
                assert_eq!(value.ok(), number, "{path}");
            }
            Value::Null => assert_eq!(value, "", "{path}"),
            other => assert_eq!(Some(value.as_str()), other.as_str(), "{path}"),
        }
    }
}

#[test]
fn verdicts_equal_those_of_the_command() {
    visit_t3d(async |page| {
        let runs = &RUNS[1..];
        drop_runs(page, runs).await;
        let answer = answer(&[], runs);
        assert_eq!(quantity(page, "compare.verdict").await, "changed");
        let numbers = shown(page, "compare.parameters.").await;
        // Value, ratio and verdict of about fifteen rows.
        assert!(numbers.len() > 50, "{}", numbers.len());
        assert_same(&numbers, &answer);
        let changed =
            numbers.iter().filter(|(path, value)| path.ends_with("verdict") && value == "changed");
        assert_eq!(changed.count(), 2, "G and g(m)");
        let times = shown(page, "compare.p2p.").await;
        assert!(times.iter().any(|(path, _)| path.ends_with("standings.1.verdict")));
        assert_same(&times, &answer);

        // Every point of every curve.
        click(page, "#compare-changes input[name=points]").await;
        let rows = answer["parameters"].as_array().expect("rows").len();
        wait(
            page,
            &format!("document.querySelectorAll('.judged tbody td:last-child').length == {rows}"),
        )
        .await;
        assert_same(&shown(page, "compare.parameters.").await, &answer);

        let text = page.text("#compare-changes").await;
        assert!(text.contains("network G ×1.100"), "{text}");
        assert!(text.contains("Open MPI 5.0.5"), "{text}");
        assert!(text.contains("34 numbers are compared at once"), "{text}");
    });
}

#[test]
fn an_unchanged_machine_is_the_same() {
    visit_t3d(async |page| {
        drop_runs(page, &RUNS[..2]).await;
        assert_eq!(quantity(page, "compare.verdict").await, "same");
        assert_eq!(answer(&[], &RUNS[..2])["verdict"], "same");
        let text = page.text("#compare-changes").await;
        assert!(text.contains("no number has changed"), "{text}");
        // For different machines, the same table is folded.
        page.open(&link("cray-t3d", "compare", &[])).await;
        assert_eq!(quantity(page, "compare.verdict").await, "changed");
        assert!(page.find("#compare-changes details:not([open])").await.text().await.is_ok());
    });
}

#[test]
fn runs_over_time_equal_the_history_of_the_command() {
    visit_t3d(async |page| {
        drop_runs(page, &[RUNS[2], RUNS[0], RUNS[1]]).await;
        let history = answer(&["--history"], &RUNS);
        let numbers = shown(page, "compare.runs.").await;
        let columns = history["columns"].as_array().expect("columns").len();
        assert!(numbers.len() >= 3 * columns, "{}", numbers.len());
        assert_same(&numbers, &history);
        // A changed parameter is drawn first, until the reader selects another.
        let drawn = "document.querySelector('#compare-history svg').getAttribute('aria-label')";
        wait(page, &format!("{drawn}.startsWith('network G.')")).await;
        let text = page.evaluate(drawn).await;
        let text = text.as_str().expect("words");
        assert!(
            text.ends_with("changed since the run before, changed since the first run"),
            "{text}"
        );
        assert_eq!(page.evaluate("document.querySelectorAll('.run.has-changed').length").await, 1);
        let choose =
            r##"document.querySelector("#compare-history input[value='network L']").click()"##;
        page.evaluate(choose).await;
        wait(page, &format!("{drawn}.startsWith('network L.')")).await;
        assert_eq!(page.evaluate("document.querySelectorAll('.run.has-changed').length").await, 0);
    });
}

/// No content is wider than the window, at every width, light and dark; saves screenshots.
#[test]
fn changes_fit_every_window() {
    visit_t3d(async |page| {
        drop_runs(page, &RUNS).await;
        page.find("#compare-history svg circle").await;
        for (width, height) in [(360, 5200), (1280, 3600), (2560, 2600)] {
            page.resize(width, height).await;
            for scheme in [Scheme::Light, Scheme::Dark] {
                page.scheme(scheme).await;
                page.drawn().await;
                page.screenshot(&format!("changes-{width}-{scheme:?}").to_lowercase()).await;
            }
            let start = Instant::now();
            let excess = "document.documentElement.scrollWidth - innerWidth";
            while page.evaluate(excess).await.as_i64() > Some(0) {
                assert!(start.elapsed() < PATIENCE, "too wide at {width}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    });
}

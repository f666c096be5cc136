//! Runs of one machine in view Compare: the command's verdicts, and the same runs over time.

use crate::browser::{Page, Scheme};
use crate::{PATIENCE, file, link, loggia, quantity, visit_t3d, wait};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Runs of one machine; in the last one, G is a tenth larger.
const RUNS: [&str; 3] = ["2026-05", "2026-06", "2026-07"];

fn path(run: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/runs").join(run).with_extension("json")
}

/// What the command says of these runs.
fn answer(options: &[&str], runs: &[&str]) -> Value {
    let paths: Vec<String> = runs.iter().map(|run| path(run).display().to_string()).collect();
    let paths = paths.iter().map(String::as_str);
    let arguments: Vec<&str> =
        ["compare", "--json"].into_iter().chain(options.iter().copied()).chain(paths).collect();
    loggia(&arguments)
}

/// Drops runs onto the view, one after the other: the first is the one in question.
async fn dropped(page: &Page, runs: &[&str]) {
    page.open(&link("cray-t3d", "compare", &[])).await;
    for (place, run) in runs.iter().enumerate() {
        page.drop_files(&[file(&path(run))]).await;
        let there = format!(
            "document.querySelectorAll('.machines input[value=cluster]').length == {}",
            place + 1
        );
        wait(page, &there).await;
    }
}

/// Clicks what a chip lies over.
async fn click(page: &Page, selector: &str) {
    let input = page.find(selector).await;
    page.call("input => input.click()", &[json!(input)]).await;
}

/// Everything that the page tells under paths that begin so: path, and value to the last digit.
async fn told(page: &Page, begin: &str) -> Vec<(String, String)> {
    let script = "begin => [...document.querySelectorAll(`[data-quantity^='${begin}']`)]
        .map(one => [one.dataset.quantity, one.dataset.value])";
    let all = page.call(script, &[json!(begin)]).await;
    serde_json::from_value(all).expect("pairs")
}

/// The value at `parameters.3.machines.1.ratio` of an answer.
fn at<'a>(answer: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(answer, |value, key| match key.parse::<usize>() {
        Ok(place) => &value[place],
        Err(_) => &value[key],
    })
}

/// Each is what the command answers under the same path.
fn assert_same(told: &[(String, String)], answer: &Value) {
    for (path, value) in told {
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
fn verdicts_are_the_commands() {
    visit_t3d(async |page| {
        let runs = &RUNS[1..];
        dropped(page, runs).await;
        let answer = answer(&[], runs);
        assert_eq!(quantity(page, "compare.verdict").await, "changed");
        let numbers = told(page, "compare.parameters.").await;
        // Value, ratio and verdict of some fifteen rows.
        assert!(numbers.len() > 50, "{}", numbers.len());
        assert_same(&numbers, &answer);
        let changed =
            numbers.iter().filter(|(path, value)| path.ends_with("verdict") && value == "changed");
        assert_eq!(changed.count(), 2, "G and g(m)");
        let times = told(page, "compare.p2p.").await;
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
        assert_same(&told(page, "compare.parameters.").await, &answer);

        let said = page.text("#compare-changes").await;
        assert!(said.contains("network G ×1.100"), "{said}");
        assert!(said.contains("Open MPI 5.0.5"), "{said}");
        assert!(said.contains("34 numbers are compared at once"), "{said}");
    });
}

#[test]
fn an_unchanged_machine_is_the_same_here_too() {
    visit_t3d(async |page| {
        dropped(page, &RUNS[..2]).await;
        assert_eq!(quantity(page, "compare.verdict").await, "same");
        assert_eq!(answer(&[], &RUNS[..2])["verdict"], "same");
        let said = page.text("#compare-changes").await;
        assert!(said.contains("no number has changed"), "{said}");
        // Different machines: the same rules, folded.
        page.open(&link("cray-t3d", "compare", &[])).await;
        assert_eq!(quantity(page, "compare.verdict").await, "changed");
        assert!(page.find("#compare-changes details:not([open])").await.text().await.is_ok());
    });
}

#[test]
fn runs_over_time_are_the_commands_history() {
    visit_t3d(async |page| {
        dropped(page, &[RUNS[2], RUNS[0], RUNS[1]]).await;
        let history = answer(&["--history"], &RUNS);
        let numbers = told(page, "compare.runs.").await;
        let columns = history["columns"].as_array().expect("columns").len();
        assert!(numbers.len() >= 3 * columns, "{}", numbers.len());
        assert_same(&numbers, &history);
        // What has changed is drawn until something else is asked for.
        let drawn = "document.querySelector('#compare-history svg').getAttribute('aria-label')";
        wait(page, &format!("{drawn}.startsWith('network G.')")).await;
        let said = page.evaluate(drawn).await;
        let said = said.as_str().expect("words");
        assert!(
            said.ends_with("changed since the run before, changed since the first run"),
            "{said}"
        );
        assert_eq!(page.evaluate("document.querySelectorAll('.run.has-changed').length").await, 1);
        let choose =
            r##"document.querySelector("#compare-history input[value='network L']").click()"##;
        page.evaluate(choose).await;
        wait(page, &format!("{drawn}.startsWith('network L.')")).await;
        assert_eq!(page.evaluate("document.querySelectorAll('.run.has-changed').length").await, 0);
    });
}

/// At every width, light and dark, nothing is wider than the window; the pictures are kept.
#[test]
fn what_has_changed_fits_every_window() {
    visit_t3d(async |page| {
        dropped(page, &RUNS).await;
        page.find("#compare-history svg circle").await;
        for (width, height) in [(360, 5200), (1280, 3600), (2560, 2600)] {
            page.resize(width, height).await;
            for scheme in [Scheme::Light, Scheme::Dark] {
                page.scheme(scheme).await;
                tokio::time::sleep(Duration::from_millis(300)).await;
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

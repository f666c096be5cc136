//! The built page in a real browser: it opens, logs no error, works in any folder of a host without
//! headers, and shows the numbers of the command.

mod accessible;
mod answers;
#[path = "../browser/mod.rs"]
mod browser;
mod changes;
mod collectives;
mod controls;
mod figures;
mod frame;
mod importing;
mod lessons;
mod links;
mod offline;
#[path = "../lab/oracle.rs"]
mod oracle;
mod pictures;
mod plan;
mod predicted;
mod reading;
mod replay;
mod several_machines;
mod sharing;
mod simulate;
mod teaching;
mod windows;

use browser::Page;
pub(crate) use browser::{PATIENCE, link, loggia};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// The page's value at this path of the command's JSON: an exact number, a text, or null.
pub(crate) async fn quantity(page: &Page, path: &str) -> Value {
    // Found and read in one step: the page may replace the element at any time.
    let shown = format!("document.querySelector(\"[data-quantity='{path}']\")?.dataset.value");
    let start = Instant::now();
    let value = loop {
        match page.evaluate(&shown).await {
            Value::String(value) => break value,
            _ => assert!(start.elapsed() < PATIENCE, "{path} did not appear"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    match value.parse::<f64>() {
        Ok(number) => json!(number),
        Err(_) if value.is_empty() => Value::Null,
        Err(_) => json!(value),
    }
}

/// Waits until the page shows this value.
pub(crate) async fn until(page: &Page, path: &str, expected: &Value) {
    let start = Instant::now();
    while quantity(page, path).await != *expected {
        assert!(start.elapsed() < PATIENCE, "{path} did not become {expected}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until a JavaScript expression is true.
pub(crate) async fn wait(page: &Page, expression: &str) {
    let start = Instant::now();
    while page.evaluate(expression).await != json!(true) {
        assert!(start.elapsed() < PATIENCE, "{expression} did not become true");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A file's name and bytes.
pub(crate) fn file(path: &Path) -> (String, Vec<u8>) {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    (name, std::fs::read(path).expect("a file"))
}

/// Opens the page with the Cray T3D, whose numbers the tests know, and runs the test.
pub(crate) fn visit_t3d(test: impl AsyncFnOnce(&Page)) {
    browser::visit(&link("cray-t3d", "message", &[]), test);
}

pub(crate) const TIME: &str = "predict.p2p.time_us";

/// The command's time of a message of this size on the T3D.
pub(crate) fn on_the_t3d(bytes: &str) -> Value {
    loggia(&["predict", "p2p", "cray-t3d", "--bytes", bytes, "--json"])["time_us"].clone()
}

/// The address, as soon as its state has this input.
pub(crate) async fn address_of(page: &Page, input: &str, expected: &Value) -> String {
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

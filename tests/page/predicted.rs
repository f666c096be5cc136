//! *Predicted and measured* in *Signature*: the errors equal those of `loggia score`.

use crate::browser::{Page, visit};
use crate::sharing::click;
use crate::{file, loggia, quantity, until, wait};
use serde_json::{Value, json};
use std::path::Path;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tables/cluster.csv");

/// The errors of an operation in the JSON of `loggia score`.
fn errors<'a>(score: &'a Value, op: &str) -> &'a Value {
    let operations = score["operations"].as_array().expect("operations");
    operations.iter().find(|errors| errors["op"] == op).expect(op)
}

async fn shows(page: &Page, op: &str, score: &Value) {
    let errors = errors(score, op);
    for key in ["median", "p95", "maximum", "inside"] {
        if !errors[key].is_null() {
            until(page, &format!("score.{op}.{key}"), &json!(errors[key].as_f64())).await;
        }
    }
}

/// Chooses an operation.
async fn choose(page: &Page, label: &str) {
    let chip = format!(
        "[...document.querySelectorAll('#predicted label')]\
         .find((chip) => chip.textContent.includes('{label}'))"
    );
    wait(page, &format!("{chip} !== undefined")).await;
    page.evaluate(&format!("{chip}.click()")).await;
}

#[test]
fn measured_times_are_predicted_by_cross_validation_or_by_another_signature() {
    let folder = tempfile::tempdir().expect("a folder");
    let sig = folder.path().join("cluster.json").display().to_string();
    loggia(&["import", TABLE, "-o", &sig, "--json"]);
    let left_out = loggia(&["score", &sig, "--json"]);
    let by_t3d = loggia(&["score", "cray-t3d", TABLE, "--json"]);
    visit("", async |page| {
        page.drop_files(&[file(Path::new(TABLE))]).await;
        page.find("#import-open:enabled").await;
        click(page, "#import-open").await;
        click(page, "input[name=view][value=signature] + span").await;
        shows(page, "p2p", &left_out).await;
        choose(page, "allreduce").await;
        shows(page, "allreduce", &left_out).await;
        page.evaluate("document.querySelector('#predicted .folded').open = true").await;
        assert!(page.text("#predicted").await.contains("from the other measured times alone"));
        // The same times, predicted by another machine's signature.
        click(page, "input[name=machine][value=cray-t3d] + .title").await;
        choose(page, "message").await;
        shows(page, "p2p", &by_t3d).await;
        assert_ne!(quantity(page, "score.p2p.median").await, errors(&left_out, "p2p")["median"]);
    });
}

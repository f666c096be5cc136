//! `loggia list`

use crate::report::table::table;
use crate::report::{Failure, Output};
use loggia_model::{Signature, library};
use serde_json::json;

pub(crate) fn run(output: &mut Output) -> Result<(), Failure> {
    let signatures: Vec<Signature> =
        library::names().map(library::load).collect::<Result<_, _>>()?;
    let entries: Vec<_> = signatures
        .iter()
        .map(|s| json!({ "name": s.name, "title": s.title, "source": s.origin.summary() }))
        .collect();
    output.answer(&entries, || {
        let row = |s: &Signature| {
            let ops: Vec<&str> = s.collectives.iter().map(|c| c.op.name()).collect();
            let styles: Vec<&str> = s
                .tiers
                .first()
                .map(|t| t.styles.iter().map(|style| style.name.0.as_str()).collect())
                .unwrap_or_default();
            let or_none = |words: Vec<&str>| match words.len() {
                0 => "—".to_owned(),
                1..=4 => words.join(" "),
                n => format!("{n} operations"),
            };
            [s.name.clone(), s.title.clone(), or_none(styles), or_none(ops)]
        };
        let rows =
            table(&["name", "machine", "send modes", "collectives"], signatures.iter().map(row));
        format!("{rows}\n`loggia show NAME` prints the parameters of a machine with their sources.")
    })
}

//! The closed forms of a signature's collective operations, as a table.

use super::table::table;
use loggia_model::Signature;
use loggia_model::model::collective;

const HEADER: [&str; 5] = ["operation", "T(m, p)", "bytes (m)", "p", "source"];

/// One row per operation, under a heading.
pub(crate) fn forms(signature: &Signature) -> String {
    under_heading(table(&HEADER, rows(signature)))
}

/// Like [`forms`], without sources.
pub(crate) fn brief(signature: &Signature) -> String {
    let rows = rows(signature).map(|[op, form, counts, procs, _]| [op, form, counts, procs]);
    under_heading(table(&HEADER[..4], rows))
}

fn under_heading(table: String) -> String {
    format!("collective operations, in µs\n{table}")
}

fn rows(signature: &Signature) -> impl Iterator<Item = [String; 5]> {
    signature.collectives.iter().map(|form| {
        [
            form.op.name().to_owned(),
            collective::words(form),
            if form.per_byte.is_some() {
                form.bytes_are.words().to_owned()
            } else {
                "—".to_owned()
            },
            format!("{}–{}", form.procs.low.0, form.procs.high.0),
            form.source.clone(),
        ]
    })
}

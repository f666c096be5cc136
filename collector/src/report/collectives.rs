//! The closed forms of a signature's collective operations, as a table.

use super::table::table;
use loggia_model::Signature;
use loggia_model::model::collective;

/// One row an operation, under a heading.
pub(crate) fn forms(signature: &Signature) -> String {
    let rows = signature.collectives.iter().map(|form| {
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
    });
    let header = ["operation", "T(m, p)", "m counts bytes", "p", "source"];
    format!("collective operations, in µs\n{}", table(&header, rows))
}

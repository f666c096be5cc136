//! Aligned columns without lines.

use comfy_table::{Cell, CellAlignment, Table};

/// Rows under a header. A title that ends in `>` aligns its column right.
pub(crate) fn table<R, C>(header: &[&str], rows: R) -> String
where
    R: IntoIterator<Item = C>,
    C: IntoIterator<Item = String>,
{
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    let align = |column: usize| match header.get(column).is_some_and(|name| name.ends_with('>')) {
        true => CellAlignment::Right,
        false => CellAlignment::Left,
    };
    let cell = |(column, text): (usize, String)| Cell::new(text).set_alignment(align(column));
    let names = header.iter().map(|name| name.trim_end_matches('>').to_owned());
    if header.iter().any(|name| !name.is_empty()) {
        table.set_header(names.enumerate().map(cell));
    }
    for row in rows {
        table.add_row(row.into_iter().enumerate().map(cell));
    }
    table
        .to_string()
        .lines()
        .map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line).trim_end()))
        .collect()
}

/// Warnings, one per line, marked with `!`.
pub(crate) fn remarks<W: std::fmt::Display>(warnings: impl IntoIterator<Item = W>) -> String {
    warnings.into_iter().map(|warning| format!("! {warning}\n")).collect()
}

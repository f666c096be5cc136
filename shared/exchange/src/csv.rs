//! A row of a table of comma-separated values, as RFC 4180 has it.

/// The row with its line end; cells are quoted where they must be.
///
/// ```
/// use loggia_exchange::csv::row;
/// assert_eq!(row(&["1", "a, \"b\""]), "1,\"a, \"\"b\"\"\"\r\n");
/// ```
pub fn row<C: AsRef<str>>(cells: &[C]) -> String {
    let mut text = String::new();
    for (place, cell) in cells.iter().map(AsRef::as_ref).enumerate() {
        if place > 0 {
            text.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(cell);
        }
    }
    text.push_str("\r\n");
    text
}

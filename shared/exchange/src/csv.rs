//! Rows of CSV tables, according to RFC 4180.

/// The row with its line end; only cells with special characters are quoted.
///
/// ```
/// use loggia_exchange::csv::row;
/// assert_eq!(row(&["1", "a, \"b\""]), "1,\"a, \"\"b\"\"\"\r\n");
/// ```
pub fn row<C: AsRef<str>>(cells: &[C]) -> String {
    let mut text = String::new();
    for (index, cell) in cells.iter().map(AsRef::as_ref).enumerate() {
        if index > 0 {
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

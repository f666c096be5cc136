//! Plain tables: the separator of their cells.

/// The separator of a table with this header: a tab, a semicolon or a comma. Spreadsheets write
/// semicolons where decimals have a comma.
///
/// ```
/// use loggia_model::csv::separator;
/// assert_eq!(["p\ttime", "p;time", "p,time", "p"].map(separator), ['\t', ';', ',', ',']);
/// ```
#[must_use]
pub fn separator(header: &str) -> char {
    ['\t', ';'].into_iter().find(|separator| header.contains(*separator)).unwrap_or(',')
}

//! NetPIPE's rows. They have no header and are recognised by rate = bytes / time.

use crate::import::table::{number, numbers, seconds, size};
use loggia_model::Error;
use loggia_model::units::{Bytes, Micros};

/// Bits per megabit, up to version 4.
const MEGABIT: f64 = 1_048_576.0;

/// A row: bytes, and the time as printed.
pub(super) type Row = (Bytes, Micros);

/// A row of the console. Version 3: `0:  1 bytes 307275 times -->  46.49 Mbps in  0.16 usec`;
/// version 5: `1:  1  B  24999 times -->  8.000 Mbps  in  1.000 usecs`.
///
/// # Errors
/// If a number contains a comma.
pub(super) fn console(text: &str) -> Result<Option<Row>, Error> {
    let Some((left, right)) = console_parts(text) else { return Ok(None) };
    let amount = |text: &str, units: &[(&str, f64)]| -> Result<Option<f64>, Error> {
        let mut words = text.split_whitespace();
        let (Some(amount), Some(unit)) = (words.next(), words.next()) else { return Ok(None) };
        let scale = units.iter().find(|(name, _)| *name == unit).map(|(_, scale)| *scale);
        Ok(number(amount)?.zip(scale).map(|(amount, scale)| amount * scale))
    };
    let sizes = [("bytes", 1.0), ("B", 1.0), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9)];
    let times = [("usec", 1.0), ("nsecs", 1e-3), ("usecs", 1.0), ("msecs", 1e3), ("secs", 1e6)];
    let (bytes, time) = (amount(left, &sizes)?, amount(right, &times)?);
    let row = bytes.and_then(|bytes| size(libm::round(bytes))).zip(time);
    Ok(row.map(|(bytes, time)| (bytes, Micros(time))))
}

/// Size and time of a console row: before `times -->` and after `in`.
fn console_parts(text: &str) -> Option<(&str, &str)> {
    let (left, right) = text.split_once("times -->")?;
    let (number, left) = left.split_once(':')?;
    let is_number = |text: &str| {
        let text = text.trim();
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (_, time) = right.split_once("bps")?.1.split_once("in")?;
    is_number(number).then_some((left.trim(), time.trim()))
}

/// Whether it has the form of a console row, with any numbers.
pub(super) fn is_console(text: &str) -> bool {
    console_parts(text).is_some()
}

/// A row of the file. Version 3: `bytes Mbps seconds`; version 5: `bytes Gbps minimum maximum µs`.
///
/// # Errors
/// If a number contains a comma.
pub(super) fn file(text: &str) -> Result<Option<Row>, Error> {
    if !text.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(None);
    }
    let Some(row) = numbers(text)? else { return Ok(None) };
    let near = |a: f64, b: f64, tolerance: f64| libm::fabs(a - b) <= tolerance;
    Ok(match row[..] {
        [bytes, rate, time] => {
            // Seconds have eight decimals, rates six.
            let megabits = bytes * 8.0 / MEGABIT;
            let is_row = time > 0.0 && near(rate * time, megabits, 0.6e-8 * rate + 1e-6 * time);
            size(bytes).filter(|bytes| is_row && bytes.0 > 0).zip(seconds(time))
        }
        [bytes, rate, minimum, maximum, time] => {
            let gigabits = bytes * 8e-3;
            let is_row = minimum <= rate
                && rate <= maximum
                && time > 0.0
                && near(rate * time, gigabits, 0.006 * rate + 0.0006 * time);
            size(bytes).filter(|bytes| is_row && bytes.0 > 0).map(|bytes| (bytes, Micros(time)))
        }
        _ => None,
    })
}

/// Whether this is a row of the file, with decimal points or commas.
pub(super) fn is_file(text: &str) -> bool {
    let is_short = text.len() < 128 && text.split_whitespace().nth(5).is_none();
    is_short
        && (matches!(file(text), Ok(Some(_)))
            || text.contains(',') && matches!(file(&text.replace(',', ".")), Ok(Some(_))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn rows_are_recognised_by_their_numbers() {
        let three = "  0:       1 bytes 307275 times -->     46.49 Mbps in       0.16 usec";
        assert_eq!(console(three), Ok(Some((Bytes(1), Micros(0.16)))));
        let five = "  9:   1.027 KB     24999 times -->    8.216 Gbps  in    1.000 usecs";
        assert_eq!(console(five), Ok(Some((Bytes(1027), Micros(1.0)))));
        assert_eq!(console("0: vm"), Ok(None));
        assert!(console(&three.replace('.', ",")).is_err());
        // 12 bytes in 2 µs are 45.776367 × 2^20 bits per second.
        assert_eq!(file("      12 45.776367   0.00000200"), Ok(Some((Bytes(12), Micros(2.0)))));
        assert_eq!(file("12 48.000000 0.00000200"), Ok(None));
        let five = "       12     0.048     0.047     0.049    2.00";
        assert_eq!(file(five), Ok(Some((Bytes(12), Micros(2.0)))));
        assert!(is_file("12 45,776367 0,00000200"));
        // Size, MB/s and messages per second: not a NetPIPE row.
        assert!(!is_file("1 6.55 6551724.84"));
    }
}

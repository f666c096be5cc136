//! Lines of text traces, with their positions, and the numbers in them.

/// Lines of a text without their line ends.
pub(super) struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Lines { text, at: 0, number: 0 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let end = rest.iter().position(|byte| *byte == b'\n');
        let bytes = &rest[..end.unwrap_or(rest.len())];
        self.at += bytes.len() + 1;
        self.number += 1;
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        Some(Line { number: self.number, bytes, is_cut: end.is_none() })
    }
}

/// A line of a text.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    /// From 1.
    pub(super) number: usize,
    pub(super) bytes: &'a [u8],
    /// Whether the text ends inside the line, which may be incomplete.
    pub(super) is_cut: bool,
}

impl Line<'_> {
    /// Whether the line is empty or a comment.
    pub(super) fn is_silent(&self) -> bool {
        let text = self.bytes.trim_ascii_start();
        text.is_empty() || text[0] == b'#'
    }
}

/// Bytes for a quotation in a message, shortened.
pub(super) fn show(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LONGEST)]);
    let mut shown: String = text.chars().take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() || bytes.len() > 4 * LONGEST {
        shown.push('…');
    }
    shown
}

/// Parses an unsigned integer.
pub(super) fn unsigned(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0u64, |number, byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// Parses an integer.
pub(super) fn signed(text: &[u8]) -> Option<i64> {
    match text.strip_prefix(b"-") {
        Some(digits) => unsigned(digits).and_then(|number| 0i64.checked_sub_unsigned(number)),
        None => unsigned(text).and_then(|number| i64::try_from(number).ok()),
    }
}

/// Parses a finite number.
pub(super) fn number(text: &[u8]) -> Option<f64> {
    if let Some(whole) = unsigned(text).filter(|whole| *whole < 1 << 53) {
        return Some(whole as f64);
    }
    let number: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    number.is_finite().then_some(number)
}

/// Parses decimal µs, rounded to ns; exact also for times since 1970.
pub(super) fn nanoseconds(micros: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match micros.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, micros),
    };
    let point = digits.iter().position(|byte| *byte == b'.').unwrap_or(digits.len());
    let (whole, fraction) = (&digits[..point], digits.get(point + 1..).unwrap_or(&[]));
    let exact = unsigned(whole).zip(thousandths(fraction));
    let nanos = match exact {
        Some((whole, part)) => i64::try_from(whole.checked_mul(1000)?.checked_add(part)?).ok()?,
        None => rounded(number(digits)? * 1e3)?,
    };
    Some(if is_negative { -nanos } else { nanos })
}

/// The digits after a decimal point, in thousandths.
fn thousandths(fraction: &[u8]) -> Option<u64> {
    if !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |at: usize| u64::from(fraction.get(at).map_or(0, |byte| byte - b'0'));
    Some(100 * digit(0) + 10 * digit(1) + digit(2) + u64::from(digit(3) >= 5))
}

/// The nearest integer; `None` if it exceeds the range.
pub(super) fn rounded(number: f64) -> Option<i64> {
    const LIMIT: f64 = 9e18;
    (number.abs() < LIMIT).then(|| number.round() as i64)
}

/// The first few of many words, as a list.
pub(super) fn few(words: impl Iterator<Item = String>) -> String {
    const SHOWN: usize = 8;
    let mut words = words.fuse();
    let shown: Vec<String> = words.by_ref().take(SHOWN).collect();
    let more = if words.next().is_some() { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_to_the_nanosecond() {
        let cases: [(&str, Option<i64>); 12] = [
            ("0", Some(0)),
            ("1237666053021692.000000", Some(1_237_666_053_021_692_000)),
            ("1.5", Some(1_500)),
            ("12.3456", Some(12_346)),
            ("-3.25", Some(-3_250)),
            ("5e2", Some(500_000)),
            ("1.5e1", Some(15_000)),
            ("", None),
            ("-", None),
            ("1.2.3", None),
            ("nan", None),
            ("99999999999999999999", None),
        ];
        for (text, nanos) in cases {
            assert_eq!(nanoseconds(text.as_bytes()), nanos, "{text}");
        }
    }

    #[test]
    fn lines_end_with_lf_or_crlf() {
        let lines: Vec<_> = Lines::new(b"a\r\n\n# b\nc")
            .map(|line| (line.number, line.bytes, line.is_cut))
            .collect();
        let expected: [(usize, &[u8], bool); 4] =
            [(1, b"a", false), (2, b"", false), (3, b"# b", false), (4, b"c", true)];
        assert_eq!(lines, expected);
        assert!(Lines::new(b"").next().is_none());
    }

    #[test]
    fn numbers_respect_their_range() {
        assert_eq!(signed(b"-9223372036854775808"), Some(i64::MIN));
        assert_eq!(signed(b"9223372036854775808"), None);
        assert_eq!(unsigned(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(unsigned(b"18446744073709551616"), None);
        assert_eq!((unsigned(b"-1"), unsigned(b""), number(b"inf")), (None, None, None));
        assert_eq!(number(b"5e4"), Some(5e4));
    }
}

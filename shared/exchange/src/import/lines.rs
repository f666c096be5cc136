//! The lines of an output, without the prefixes of launchers.

mod launcher;

use std::borrow::Cow;

/// Maximum length of a line; longer lines are not from a benchmark. A JSON file may be a single line.
const LONGEST: usize = 1 << 16;
const LONGEST_JSON: usize = 1 << 24;

/// Maximum length of a line with this beginning.
fn max_length(begin: &[u8]) -> usize {
    if begin.first() == Some(&b'{') { LONGEST_JSON } else { LONGEST }
}

/// A line as printed by a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Line number in the file, from 1.
    pub(super) number: u64,
    pub(super) text: &'a str,
    /// Whether it has a line end; the last line of a truncated file has none.
    pub(super) is_whole: bool,
    /// Whether it exceeds the maximum length; then its text is empty.
    pub(super) is_too_long: bool,
}

/// Splits a stream of bytes into lines.
#[derive(Default)]
pub(super) struct Lines {
    /// Number of lines so far.
    count: u64,
    /// The incomplete last line.
    incomplete: Vec<u8>,
}

impl Lines {
    /// Passes every line that ends in these bytes to `on_line`, in order. Several records of a
    /// launcher on one line are passed one by one.
    pub(super) fn push<E>(
        &mut self,
        bytes: &[u8],
        mut on_line: impl FnMut(Line<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(end) = piece.strip_suffix(b"\n") else {
                self.keep(piece);
                continue;
            };
            if self.incomplete.is_empty() {
                self.line(end, true, &mut on_line)?;
            } else {
                self.keep(end);
                let line = std::mem::take(&mut self.incomplete);
                self.line(&line, true, &mut on_line)?;
                self.incomplete = line;
                self.incomplete.clear();
            }
        }
        Ok(())
    }

    /// Ends the stream: passes on the last line if it lacks a line end.
    pub(super) fn end<E>(
        mut self,
        mut on_line: impl FnMut(Line<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let line = std::mem::take(&mut self.incomplete);
        if line.is_empty() { Ok(()) } else { self.line(&line, false, &mut on_line) }
    }

    /// Keeps a part of a line, up to one byte more than the maximum length.
    fn keep(&mut self, part: &[u8]) {
        let begin = if self.incomplete.is_empty() { part } else { &self.incomplete };
        let remaining = (max_length(begin) + 1).saturating_sub(self.incomplete.len());
        self.incomplete.extend_from_slice(&part[..part.len().min(remaining)]);
    }

    fn line<E>(
        &mut self,
        line: &[u8],
        is_whole: bool,
        on_line: &mut impl FnMut(Line<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.count += 1;
        let number = self.count;
        if line.len() > max_length(line) {
            return on_line(Line { number, text: "", is_whole, is_too_long: true });
        }
        let line = match std::str::from_utf8(line) {
            Ok(line) => Cow::Borrowed(line),
            Err(_) => String::from_utf8_lossy(line),
        };
        let line = line.trim_end_matches('\r');
        let without_control_characters = without_control_characters(line);
        let mut line = without_control_characters.as_deref().unwrap_or(line);
        if number == 1 {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        launcher::printed(line, |text| on_line(Line { number, text, is_whole, is_too_long: false }))
    }
}

/// Removes terminal escape sequences and control characters, which a signature must not contain;
/// `None` if there are none.
fn without_control_characters(line: &str) -> Option<String> {
    const ESCAPE: char = '\u{1b}';
    let is_control = |c: char| c.is_control() && c != '\t';
    if !line.contains(is_control) {
        return None;
    }
    let mut parts = line.split(ESCAPE);
    let mut without_control_characters = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let sequence = part.strip_prefix('[').unwrap_or(part);
        let end = sequence.find(|c: char| c.is_ascii_alphabetic()).map_or(0, |at| at + 1);
        without_control_characters.push_str(&sequence[end..]);
    }
    without_control_characters.retain(|c| !is_control(c));
    Some(without_control_characters)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn in_pieces(text: &str, length: usize) -> Vec<(u64, String, bool)> {
        let mut lines_read = Vec::new();
        let mut on_line = |line: Line<'_>| -> Result<(), ()> {
            lines_read.push((line.number, line.text.to_owned(), line.is_whole));
            Ok(())
        };
        let mut lines = Lines::default();
        for piece in text.as_bytes().chunks(length) {
            lines.push(piece, &mut on_line).unwrap();
        }
        lines.end(&mut on_line).unwrap();
        lines_read
    }

    /// Pieces of any length give the same lines.
    fn assert_lines(text: &str, expected: &[(u64, &str, bool)]) {
        for length in 1..=text.len().max(1) {
            let lines_read = in_pieces(text, length);
            let lines_read: Vec<(u64, &str, bool)> = lines_read
                .iter()
                .map(|(number, text, whole)| (*number, text.as_str(), *whole))
                .collect();
            assert_eq!(lines_read, expected, "in pieces of {length}");
        }
    }

    #[test]
    fn all_line_ends_are_recognised() {
        assert_lines(
            "a\nb\r\n\nc",
            &[(1, "a", true), (2, "b", true), (3, "", true), (4, "c", false)],
        );
        assert_lines("\u{feff}# a\n", &[(1, "# a", true)]);
        assert_lines("", &[]);
    }

    #[test]
    fn a_line_without_an_end_takes_bounded_memory() {
        let mut lines = Lines::default();
        let refuse = |_: Line<'_>| Err("there is no line yet");
        for _ in 0..100 {
            lines.push(&[b'x'; 4096], refuse).unwrap();
        }
        assert!(lines.incomplete.len() <= LONGEST + 1);
        let mut is_too_long = false;
        let result: Result<(), ()> = lines.push(b"\n", |line| {
            is_too_long = line.is_too_long;
            Ok(())
        });
        assert_eq!((result, is_too_long), (Ok(()), true));
    }

    #[test]
    fn prefixes_and_colours_are_removed() {
        let two =
            "Sat Nov 17 00:20:52 2018[1,0]<stdout>:8 1.5Sat Nov 17 00:20:52 2018[1,1]<stderr>:y\n";
        assert_lines(two, &[(1, "8 1.5", true), (1, "y", true)]);
        assert_lines("\u{1b}[32m    1  B\u{1b}[0m x\n", &[(1, "    1  B x", true)]);
        assert_lines("\u{1b}", &[(1, "", false)]);
        assert_lines("a\u{4}b\tc\u{85}\0\r\n", &[(1, "ab\tc", true)]);
    }
}

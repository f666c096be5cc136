//! The lines of a text, freed of what launchers put before them.

mod launcher;

use std::borrow::Cow;

/// A longer line is none that a benchmark prints; so much of it is held. A file of JSON may be one.
const LONGEST: usize = 1 << 16;
const LONGEST_JSON: usize = 1 << 24;

/// How long a line may be that begins so.
fn longest(begin: &[u8]) -> usize {
    if begin.first() == Some(&b'{') { LONGEST_JSON } else { LONGEST }
}

/// A line as a tool has printed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Its number in the file, from 1.
    pub(super) number: u64,
    pub(super) text: &'a str,
    /// Whether it has an end: the last line of a file that was cut off has none.
    pub(super) is_whole: bool,
    /// Whether it is longer than any that is looked at; its text is empty then.
    pub(super) is_too_long: bool,
}

/// Cuts bytes, which come in pieces, into lines.
#[derive(Default)]
pub(super) struct Lines {
    /// How many lines there were.
    count: u64,
    /// The beginning of a line whose end has not come yet.
    begun: Vec<u8>,
}

impl Lines {
    /// Tells every line that ends in these bytes, in order. Where a launcher has put several on
    /// one, each of them.
    pub(super) fn tell<E>(
        &mut self,
        bytes: &[u8],
        mut tell: impl FnMut(Line<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(end) = piece.strip_suffix(b"\n") else {
                self.hold(piece);
                continue;
            };
            if self.begun.is_empty() {
                self.line(end, true, &mut tell)?;
            } else {
                self.hold(end);
                let line = std::mem::take(&mut self.begun);
                self.line(&line, true, &mut tell)?;
                self.begun = line;
                self.begun.clear();
            }
        }
        Ok(())
    }

    /// There are no more bytes: passes on the last line, if it has no end.
    pub(super) fn end<E>(
        mut self,
        mut tell: impl FnMut(Line<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let line = std::mem::take(&mut self.begun);
        if line.is_empty() { Ok(()) } else { self.line(&line, false, &mut tell) }
    }

    /// Holds a part of a line, and no more of it than shows that it is too long.
    fn hold(&mut self, part: &[u8]) {
        let begin = if self.begun.is_empty() { part } else { &self.begun };
        let room = (longest(begin) + 1).saturating_sub(self.begun.len());
        self.begun.extend_from_slice(&part[..part.len().min(room)]);
    }

    fn line<E>(
        &mut self,
        line: &[u8],
        is_whole: bool,
        tell: &mut impl FnMut(Line<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.count += 1;
        let number = self.count;
        if line.len() > longest(line) {
            return tell(Line { number, text: "", is_whole, is_too_long: true });
        }
        let line = match std::str::from_utf8(line) {
            Ok(line) => Cow::Borrowed(line),
            Err(_) => String::from_utf8_lossy(line),
        };
        let line = line.trim_end_matches('\r');
        let plain = plain(line);
        let mut line = plain.as_deref().unwrap_or(line);
        if number == 1 {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        launcher::printed(line, |text| tell(Line { number, text, is_whole, is_too_long: false }))
    }
}

/// Without the sequences that colour a terminal and without control characters, which no signature
/// may hold, if there are any.
fn plain(line: &str) -> Option<String> {
    const ESCAPE: char = '\u{1b}';
    let is_control = |c: char| c.is_control() && c != '\t';
    if !line.contains(is_control) {
        return None;
    }
    let mut parts = line.split(ESCAPE);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let sequence = part.strip_prefix('[').unwrap_or(part);
        let end = sequence.find(|c: char| c.is_ascii_alphabetic()).map_or(0, |at| at + 1);
        plain.push_str(&sequence[end..]);
    }
    plain.retain(|c| !is_control(c));
    Some(plain)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn in_pieces(text: &str, length: usize) -> Vec<(u64, String, bool)> {
        let mut told = Vec::new();
        let mut tell = |line: Line<'_>| -> Result<(), ()> {
            told.push((line.number, line.text.to_owned(), line.is_whole));
            Ok(())
        };
        let mut lines = Lines::default();
        for piece in text.as_bytes().chunks(length) {
            lines.tell(piece, &mut tell).unwrap();
        }
        lines.end(&mut tell).unwrap();
        told
    }

    /// Whole, and cut anywhere: the same.
    fn assert_told(text: &str, expected: &[(u64, &str, bool)]) {
        for length in 1..=text.len().max(1) {
            let told = in_pieces(text, length);
            let told: Vec<(u64, &str, bool)> =
                told.iter().map(|(number, text, whole)| (*number, text.as_str(), *whole)).collect();
            assert_eq!(told, expected, "in pieces of {length}");
        }
    }

    #[test]
    fn lines_end_in_any_way() {
        assert_told(
            "a\nb\r\n\nc",
            &[(1, "a", true), (2, "b", true), (3, "", true), (4, "c", false)],
        );
        assert_told("\u{feff}# a\n", &[(1, "# a", true)]);
        assert_told("", &[]);
    }

    #[test]
    fn a_line_without_an_end_is_not_held() {
        let mut lines = Lines::default();
        let nothing = |_: Line<'_>| Err("there is no line yet");
        for _ in 0..100 {
            lines.tell(&[b'x'; 4096], nothing).unwrap();
        }
        assert!(lines.begun.len() <= LONGEST + 1);
        let mut is_too_long = false;
        let told: Result<(), ()> = lines.tell(b"\n", |line| {
            is_too_long = line.is_too_long;
            Ok(())
        });
        assert_eq!((told, is_too_long), (Ok(()), true));
    }

    #[test]
    fn launchers_and_colours_are_taken_away() {
        let two =
            "Sat Nov 17 00:20:52 2018[1,0]<stdout>:8 1.5Sat Nov 17 00:20:52 2018[1,1]<stderr>:y\n";
        assert_told(two, &[(1, "8 1.5", true), (1, "y", true)]);
        assert_told("\u{1b}[32m    1  B\u{1b}[0m x\n", &[(1, "    1  B x", true)]);
        assert_told("\u{1b}", &[(1, "", false)]);
        assert_told("a\u{4}b\tc\u{85}\0\r\n", &[(1, "ab\tc", true)]);
    }
}

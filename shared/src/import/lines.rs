//! The lines of a text, freed of what launchers put before them.

/// A longer line is none that a benchmark prints; so much of it is held.
const LONGEST: usize = 1 << 16;

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

/// Cuts bytes, told piece by piece, into lines.
#[derive(Default)]
pub(super) struct Lines {
    /// How many lines there were.
    count: u64,
    /// The begin of a line whose end was not told yet.
    begun: Vec<u8>,
}

impl Lines {
    /// Tells every line that ends in these bytes, in order. Where a launcher has put several on one,
    /// each of them.
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

    /// There are no more bytes: tells the last line, if it has no end.
    pub(super) fn end<E>(
        mut self,
        mut tell: impl FnMut(Line<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let line = std::mem::take(&mut self.begun);
        if line.is_empty() { Ok(()) } else { self.line(&line, false, &mut tell) }
    }

    /// Holds a part of a line, and no more of it than shows that it is too long.
    fn hold(&mut self, part: &[u8]) {
        let room = (LONGEST + 1).saturating_sub(self.begun.len());
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
        if line.len() > LONGEST {
            return tell(Line { number, text: "", is_whole, is_too_long: true });
        }
        let line = String::from_utf8_lossy(line);
        let mut line = line.trim_end_matches('\r');
        if number == 1 {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        for text in printed(line) {
            tell(Line { number, text, is_whole, is_too_long: false })?;
        }
        Ok(())
    }
}

/// What was printed, without the launcher's words, where there are any.
fn printed(line: &str) -> impl Iterator<Item = &str> {
    let line = without_rank(line);
    let is_tagged = tag(line).is_some();
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let now = rest?;
        match tag(now) {
            None => {
                rest = None;
                Some(now)
            }
            Some((begin, end)) => {
                rest = Some(&now[end..]);
                Some(without_time(&now[..begin]))
            }
        }
    })
    // Before the first tag there is nothing but the time of day.
    .enumerate()
    .filter(move |(at, text)| *at > 0 || !is_tagged || !text.is_empty())
    .map(|(_, text)| text)
}

/// Where `[1,0]<stdout>:` stands, which Open MPI puts before what a rank prints.
fn tag(text: &str) -> Option<(usize, usize)> {
    const STREAMS: [&str; 3] = ["]<stdout>:", "]<stderr>:", "]<stddiag>:"];
    let find = |stream: &&str| text.find(stream).map(|at| (at, at + stream.len()));
    let (close, end) = STREAMS.iter().filter_map(find).min()?;
    let open = text[..close].rfind('[')?;
    let inside = &text[open + 1..close];
    let is_rank = !inside.is_empty() && inside.bytes().all(|b| b.is_ascii_digit() || b == b',');
    is_rank.then_some((open, end))
}

/// Without a time of day such as `Sat Nov 17 00:20:52 2018` at its end.
fn without_time(text: &str) -> &str {
    const LENGTH: usize = 24;
    let begin = text.trim_end().len().wrapping_sub(LENGTH);
    let Some(time) = text.trim_end().get(begin..) else { return text };
    let days = ["Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "];
    let is_time = days.iter().any(|day| time.starts_with(day)) && time.matches(':').count() == 2;
    if is_time { &text[..begin] } else { text }
}

/// Without `[0] `, which MPICH puts before what a rank prints.
fn without_rank(text: &str) -> &str {
    let rest = text.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    match rest {
        Some((rank, rest)) if !rank.is_empty() && rank.bytes().all(|b| b.is_ascii_digit()) => rest,
        _ => text,
    }
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
    fn launchers_are_taken_away() {
        assert_told("[1,0]<stdout>:8   1.5\n", &[(1, "8   1.5", true)]);
        assert_told("[0] 8   1.5\n[12] x\n", &[(1, "8   1.5", true), (2, "x", true)]);
        let two =
            "Sat Nov 17 00:20:52 2018[1,0]<stdout>:8 1.5Sat Nov 17 00:20:52 2018[1,1]<stderr>:y\n";
        assert_told(two, &[(1, "8 1.5", true), (1, "y", true)]);
        // A line of nothing is a line, too.
        assert_told("[1,0]<stdout>:\n", &[(1, "", true)]);
        assert_told("[0000:04:00] NVIDIA\n", &[(1, "[0000:04:00] NVIDIA", true)]);
    }
}

//! The lines of a text, freed of what launchers put before them.

/// A line as a tool has printed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Its number in the file, from 1.
    pub(super) number: u64,
    pub(super) text: &'a str,
    /// Whether it has an end: the last line of a file that was cut off has none.
    pub(super) is_whole: bool,
}

/// Tells every line, in order. Where a launcher has put several on one, each of them.
pub(super) fn each<'a, E>(
    text: &'a str,
    mut tell: impl FnMut(Line<'a>) -> Result<(), E>,
) -> Result<(), E> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let is_whole = line.ends_with('\n');
        let line = line.trim_end_matches(['\n', '\r']);
        for text in printed(line) {
            tell(Line { number, text, is_whole })?;
        }
    }
    Ok(())
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
    use super::*;

    fn told(text: &str) -> Vec<(u64, &str, bool)> {
        let mut lines = Vec::new();
        let told: Result<(), ()> = each(text, |line| {
            lines.push((line.number, line.text, line.is_whole));
            Ok(())
        });
        assert_eq!(told, Ok(()));
        lines
    }

    #[test]
    fn lines_end_in_any_way() {
        assert_eq!(
            told("a\nb\r\n\nc"),
            [(1, "a", true), (2, "b", true), (3, "", true), (4, "c", false)]
        );
        assert_eq!(told("\u{feff}# a\n"), [(1, "# a", true)]);
        assert!(told("").is_empty());
    }

    #[test]
    fn launchers_are_taken_away() {
        assert_eq!(told("[1,0]<stdout>:8   1.5\n"), [(1, "8   1.5", true)]);
        assert_eq!(told("[0] 8   1.5\n[12] x\n"), [(1, "8   1.5", true), (2, "x", true)]);
        let two =
            "Sat Nov 17 00:20:52 2018[1,0]<stdout>:8 1.5Sat Nov 17 00:20:52 2018[1,1]<stderr>:y\n";
        assert_eq!(told(two), [(1, "8 1.5", true), (1, "y", true)]);
        // A line of nothing is a line, too.
        assert_eq!(told("[1,0]<stdout>:\n"), [(1, "", true)]);
        assert_eq!(told("[0000:04:00] NVIDIA\n"), [(1, "[0000:04:00] NVIDIA", true)]);
    }
}

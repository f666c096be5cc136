//! Removes the prefixes that launchers add to the output of ranks.
//!
//! | prefix | launcher |
//! |---|---|
//! | `[1,0]<stdout>:` | Open MPI, `--tag-output` |
//! | `[prterun-node7-123@1,0]<stdout>: ` | Open MPI 5 |
//! | `Sat Nov 17 00:20:52 2018[1,0]<stdout>:` | Open MPI, `--timestamp-output`; two records may share a line |
//! | `[0] ` | MPICH and Intel MPI |
//! | `0: `, ` 12: ` | Slurm, `--label` |
//! | `2026-11-17T00:20:52.123Z `, `Nov 17 00:20:52 ` | tools that add timestamps |
//!
//! Exception: NetPIPE's own rows begin with a number and a colon.

/// Passes the printed text to `on_text`; several records on one line are passed one by one.
pub(super) fn printed<E>(
    line: &str,
    mut on_text: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let line = without_prefixes(line);
    let Some(mut next) = tag(line) else { return on_text(line) };
    // Only a timestamp may precede the first tag.
    let before = without_trailing_time(&line[..next.0]);
    if !before.is_empty() {
        on_text(before)?;
    }
    let mut rest = &line[next.1..];
    loop {
        match tag(rest) {
            None => return on_text(without_blank(rest)),
            Some(other) => {
                on_text(without_blank(without_trailing_time(&rest[..other.0])))?;
                next = other;
                rest = &rest[next.1..];
            }
        }
    }
}

/// Open MPI 5 adds a blank after its tag, which shifts the columns.
fn without_blank(text: &str) -> &str {
    text.strip_prefix(' ').filter(|rest| rest.starts_with(['#', '{'])).unwrap_or(text)
}

/// Start and end of `[1,0]<stdout>:` in a text.
fn tag(text: &str) -> Option<(usize, usize)> {
    const STREAMS: [&str; 3] = ["]<stdout>:", "]<stderr>:", "]<stddiag>:"];
    if !text.as_bytes().contains(&b'<') {
        return None;
    }
    let find = |stream: &&str| text.find(stream).map(|at| (at, at + stream.len()));
    let (close, end) = STREAMS.iter().filter_map(find).min()?;
    let mut open = text[..close].rfind('[')?;
    if !is_rank(&text[open + 1..close]) {
        return None;
    }
    // [job@1,0][node7:123]<stdout>:
    while let Some(before) = text[..open].strip_suffix(']')
        && let Some(other) = before.rfind('[')
        && is_rank(&before[other + 1..])
    {
        open = other;
    }
    Some((open, end))
}

/// Whether the text may be a rank, with job or node.
fn is_rank(inside: &str) -> bool {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b",@:._-".contains(&b);
    inside.bytes().all(is_part) && inside.bytes().any(|b| b.is_ascii_digit())
}

/// Without a trailing timestamp such as `Sat Nov 17 00:20:52 2018`.
fn without_trailing_time(text: &str) -> &str {
    const LENGTH: usize = 24;
    let begin = text.trim_end().len().wrapping_sub(LENGTH);
    let Some(time) = text.trim_end().get(begin..) else { return text };
    let days = ["Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "];
    let is_time = days.iter().any(|timestamp_length| time.starts_with(timestamp_length))
        && time.matches(':').count() == 2;
    if is_time { &text[..begin] } else { text }
}

/// Without leading timestamps and ranks.
fn without_prefixes(line: &str) -> &str {
    let first = line.bytes().find(|byte| *byte != b' ');
    // Other characters cannot start a prefix; this covers most lines.
    if !first.is_some_and(|byte| byte == b'[' || byte.is_ascii_digit() || byte.is_ascii_uppercase())
    {
        return line;
    }
    let line = without_leading_time(line);
    let line = without_brackets(line);
    let line = without_label(line);
    // A timestamp may follow the label.
    without_leading_time(line)
}

/// Without `[0] `.
fn without_brackets(text: &str) -> &str {
    let rest = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match rest {
        Some((rank, rest))
            if !rank.is_empty()
                && rank.bytes().all(|b| b.is_ascii_digit())
                && (rest.is_empty() || rest.starts_with(' ')) =>
        {
            rest.strip_prefix(' ').unwrap_or(rest)
        }
        _ => text,
    }
}

/// Without `0: `, unless it is part of a NetPIPE row.
fn without_label(text: &str) -> &str {
    let Some((rank, rest)) = text.split_once(':') else { return text };
    let digits = rank.trim_ascii_start();
    let is_rank = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_rank || !(rest.is_empty() || rest.starts_with(' ')) {
        return text;
    }
    // 0:       1 bytes 307275 times -->     46.49 Mbps in       0.16 usec
    let is_row = rest.contains(" times -->")
        && rest.split_whitespace().nth(1).is_some_and(|word| !word.ends_with(':'))
        && !rest.split_whitespace().next().is_some_and(|word| word.ends_with(':'));
    if is_row { text } else { rest.strip_prefix(' ').unwrap_or(rest) }
}

/// Without a leading timestamp: `2026-11-17 00:20:52,123 `, also in brackets; `Nov 17 00:20:52 `.
fn without_leading_time(text: &str) -> &str {
    let inside = text.strip_prefix('[');
    let begin = inside.unwrap_or(text);
    let Some(length) = timestamp_length(begin) else { return text };
    let rest = &begin[length..];
    let rest = if inside.is_some() { rest.strip_prefix(']') } else { Some(rest) };
    match rest {
        Some("") => "",
        Some(rest) => rest.strip_prefix(' ').unwrap_or(text),
        None => text,
    }
}

/// Length of the timestamp at the start of a text.
fn timestamp_length(text: &str) -> Option<usize> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let bytes = text.as_bytes();
    let match_end = |from: usize, pattern: &str| {
        let part = bytes.get(from..from + pattern.len())?;
        let matches = part.iter().zip(pattern.bytes()).all(|(byte, of)| match of {
            b'0' => byte.is_ascii_digit(),
            b'_' => byte.is_ascii_digit() || *byte == b' ',
            b'T' => matches!(byte, b'T' | b' '),
            of => *byte == of,
        });
        matches.then_some(from + pattern.len())
    };
    let is_month =
        text.get(..3).is_some_and(|month| MONTHS.find(month).is_some_and(|at| at % 3 == 0));
    let mut end = match is_month {
        true => match_end(3, " _0 00:00:00")?,
        false => match_end(0, "0000-00-00T00:00:00")?,
    };
    if bytes.get(end).is_some_and(|byte| matches!(byte, b'.' | b',')) {
        end += 1 + bytes[end + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    }
    if bytes.get(end) == Some(&b'Z') {
        return Some(end + 1);
    }
    Some(
        match_end(end, "+00:00")
            .or_else(|| match_end(end, "+0000"))
            .or_else(|| match_end(end, "-00:00"))
            .unwrap_or(end),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn texts(line: &str) -> Vec<String> {
        let mut texts = Vec::new();
        printed(line, |text| -> Result<(), ()> {
            texts.push(text.to_owned());
            Ok(())
        })
        .unwrap();
        texts
    }

    #[test]
    fn prefixes_are_removed() {
        for (line, printed) in [
            ("[1,0]<stdout>:8   1.5", "8   1.5"),
            ("[1,0]<stdout>:", ""),
            ("[prterun-node7-123@1,0]<stdout>: # OSU MPI", "# OSU MPI"),
            ("[job@1,0][node7:123]<stdout>:8   1.5", "8   1.5"),
            ("[0] 8   1.5", "8   1.5"),
            ("[12] x", "x"),
            ("0: # OSU MPI", "# OSU MPI"),
            (" 3: 8   1.5", "8   1.5"),
            ("0:", ""),
            ("Nov 17 00:20:52 8   1.5", "8   1.5"),
            ("2026-11-17T00:20:52.1234567Z 8   1.5", "8   1.5"),
            ("[2026-11-17 00:20:52] [0] 8   1.5", "8   1.5"),
        ] {
            assert_eq!(texts(line), [printed], "{line}");
        }
    }

    #[test]
    fn text_of_tools_is_kept() {
        for line in [
            "[0000:04:00] NVIDIA",
            "  0:       1 bytes 307275 times -->     46.49 Mbps in       0.16 usec",
            "  1:     1  B     24999 times -->    8.000 Mbps  in    1.000 usecs",
            "8   1.5",
            "Nov 17",
            "",
        ] {
            assert_eq!(texts(line), [line]);
        }
        let labelled = "0:   0:       1 bytes 307275 times -->     46.49 Mbps in       0.16 usec";
        assert_eq!(texts(labelled), [&labelled[3..]]);
    }
}

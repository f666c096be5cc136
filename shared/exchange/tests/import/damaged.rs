//! Modified fixtures: other line ends, launcher prefixes, several outputs in a file, truncation,
//! decimal commas, damaged bytes.

use crate::damage::import_bytes;
use crate::golden::write_read;
use crate::{fixtures, read};
use loggia_exchange::import::{Importer, Read};
use proptest::prelude::{ProptestConfig, any, prop, prop_assert, prop_assert_eq, proptest};

/// A text of runs and left-out lines.
fn summary(read: &Read) -> String {
    let mut text = String::new();
    write_read(read, &mut text);
    text
}

/// The text with a prefix before each line.
fn with_prefix(text: &[u8], prefix: impl Fn(usize) -> String) -> Vec<u8> {
    let lines = text.split_inclusive(|byte| *byte == b'\n').enumerate();
    lines.flat_map(|(at, line)| [prefix(at).into_bytes(), line.to_vec()].concat()).collect()
}

#[test]
fn line_ends_and_launchers_do_not_matter() {
    const PREFIXES: [&str; 9] = [
        "[1,0]<stdout>:",
        "[prterun-node7-123@1,0]<stdout>: ",
        "Sat Nov 17 00:20:52 2018[1,0]<stdout>:",
        "[0] ",
        "0: ",
        " 12: ",
        "2026-11-17T00:20:52.123Z ",
        "Nov 17 00:20:52 ",
        "[2026-11-17 00:20:52] ",
    ];
    for (name, text) in fixtures() {
        let expected = summary(&read(&name, &text));
        let crlf = String::from_utf8_lossy(&text).replace('\n', "\r\n");
        assert_eq!(summary(&read(&name, crlf.as_bytes())), expected, "{name} with CRLF");
        for prefix in PREFIXES {
            let prefixed = with_prefix(&text, |_| prefix.to_owned());
            assert_eq!(summary(&read(&name, &prefixed)), expected, "{name} with {prefix}");
        }
    }
}

#[test]
fn records_on_one_line_are_separated() {
    for (name, text) in fixtures() {
        // Two records per line, as Open MPI may print them.
        let text = String::from_utf8_lossy(&text).into_owned();
        let whole = if text.ends_with('\n') { text.clone() } else { format!("{text}\n") };
        let mut shared = String::new();
        for (at, line) in whole.lines().enumerate() {
            shared.push_str("Sat Nov 17 00:20:52 2018[1,0]<stdout>:");
            shared.push_str(line);
            shared.push_str(if at % 2 == 1 { "\n" } else { "" });
        }
        shared.push('\n');
        let count = |read: &Read| read.runs.iter().map(|run| run.count()).sum::<u64>();
        let [actual, expected] = [&shared, &whole].map(|text| count(&read(&name, text.as_bytes())));
        assert_eq!(actual, expected, "{name}");
    }
}

#[test]
fn a_file_may_have_several_outputs() {
    let all = fixtures();
    for (name, first) in &all {
        for (other, second) in all.iter().step_by(7) {
            let mut both = first.clone();
            if !both.ends_with(b"\n") {
                both.push(b'\n');
            }
            both.extend(second);
            let count = |read: &Read| read.runs.iter().map(|run| run.count()).sum::<u64>();
            let separate = count(&read("x", first)) + count(&read("x", second));
            assert_eq!(count(&read("x", &both)), separate, "{name}, then {other}");
        }
    }
}

#[test]
fn a_decimal_comma_is_refused() {
    for (name, text) in fixtures() {
        let text = String::from_utf8_lossy(&text).into_owned();
        let rows = read(&name, text.as_bytes());
        if rows.runs.is_empty() {
            continue;
        }
        let comma: String = text
            .lines()
            .map(|line| {
                let is_remark = line.trim_start().starts_with('#');
                let line = if is_remark { line.to_owned() } else { line.replace('.', ",") };
                format!("{line}\n")
            })
            .collect();
        let mut importer = Importer::default();
        let error = importer.file(&name, comma.as_bytes()).unwrap_err();
        assert!(error.message.contains("comma"), "{name}: {error}");
        assert!(error.place.to_string().starts_with(&format!("{name}:")), "{name}: {error}");
        assert!(error.help.to_string().contains("LC_ALL=C"), "{name}: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// A truncated file gives a part of the numbers of the whole file.
    #[test]
    fn truncated_at_any_byte(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>()) {
        let all = fixtures();
        if all.is_empty() {
            return Ok(());
        }
        let (name, text) = which.get(&all);
        let at = at.index(text.len() + 1);
        let (truncated, whole) = (read(name, &text[..at]), read(name, text));
        for run in &truncated.runs {
            let same = whole.runs.iter().find(|other| {
                other.kind == run.kind && other.line == run.line && other.benchmark == run.benchmark
            });
            let Some(same) = same else { continue };
            for (condition, numbers) in &run.numbers {
                // Netgauge prints a new line g + G s with each size.
                let is_line = name.starts_with("netgauge") && name.ends_with(".txt");
                let known = same.numbers.get(condition);
                let is_known = known.is_some_and(|all| all.times.starts_with(&numbers.times));
                prop_assert!(is_known || is_line, "{name} truncated at {at}: {condition:?} {numbers:?}");
            }
        }
        import_bytes(&text[..at]);
    }

    /// Bytes are changed, inserted or removed.
    #[test]
    fn damaged_bytes_do_not_panic(
        which in any::<prop::sample::Index>(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..12),
    ) {
        let all = fixtures();
        if all.is_empty() {
            return Ok(());
        }
        let (_, text) = which.get(&all);
        let mut text = text.clone();
        for (at, byte, action) in damage {
            let at = at.index(text.len().max(1));
            match action {
                _ if text.is_empty() => {}
                0 => text[at] = byte,
                1 => text.insert(at, byte),
                2 => { text.remove(at); }
                _ => text.truncate(at),
            }
        }
        import_bytes(&text);
    }

    /// The result does not depend on the size of the pieces.
    #[test]
    fn the_size_of_pieces_does_not_matter(which in any::<prop::sample::Index>(), piece in 1usize..9000) {
        let all = fixtures();
        if all.is_empty() {
            return Ok(());
        }
        let (name, text) = which.get(&all);
        let mut importer = Importer::default();
        importer.begin(name);
        for piece in text.chunks(piece) {
            importer.push(piece).unwrap();
        }
        importer.end().unwrap();
        prop_assert_eq!(summary(&importer.finish()), summary(&read(name, text)));
    }
}

//! The oracle's schedules, intact and damaged.

use crate::damage::check_safe;
use crate::round_trip::round_trip;
use loggia_schedule::goal;

const ORACLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/oracle/goal");

/// Name and text of each schedule.
fn all() -> Vec<(String, Vec<u8>)> {
    let Ok(folder) = std::fs::read_dir(ORACLE) else {
        println!("skipped: there are no schedules in {ORACLE}");
        return Vec::new();
    };
    let mut files: Vec<_> = folder
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
        })
        .filter(|(name, _)| name.ends_with(".goal"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// Numbers of operations and of dependencies, counted from the lines.
fn counted(text: &str) -> (usize, usize) {
    let has = |line: &str, words: [&str; 2]| line.split(' ').any(|word| words.contains(&word));
    let ops = text.lines().filter(|l| has(l, ["send", "recv"]) || has(l, ["calc", "calc"])).count();
    (ops, text.lines().filter(|l| has(l, ["requires", "irequires"])).count())
}

#[test]
fn all_schedules_survive_round_trips() {
    for (name, text) in all() {
        let (schedule, warnings) =
            goal::read(&text).unwrap_or_else(|e| panic!("{}", e.in_file(&name)));
        assert!(warnings.is_empty(), "{name}: {warnings:?}");
        assert!(goal::is_goal(&text[..text.len().min(4096)]), "{name}");
        let needs = (0..schedule.len()).map(|op| schedule.needs().of(op) as usize);
        let dependencies: usize = needs.sum();
        let counted = counted(std::str::from_utf8(&text).unwrap());
        assert_eq!((schedule.len(), dependencies), counted, "{name}");
        round_trip(&schedule);
    }
}

#[test]
fn a_text_cut_anywhere_gives_an_error_or_a_warning() {
    for (name, text) in all().into_iter().filter(|(_, text)| text.len() < 2000) {
        let (whole, _) = goal::read(&text).unwrap();
        for cut in 0..text.len() {
            match goal::read(&text[..cut]) {
                Err(error) => {
                    assert!(error.place.to_string().contains(':'), "{name} at {cut}: {error:?}")
                }
                Ok((part, warnings)) => {
                    assert!(part == whole || warnings.len() == 1, "{name} at {cut}");
                }
            }
        }
    }
}

#[test]
fn damaged_schedules_are_read_safely() {
    for (_, text) in all() {
        let mut binary = Vec::new();
        goal::binary::write(&goal::read(&text).unwrap().0, &mut binary).unwrap();
        for mut file in [text, binary] {
            let step = (file.len() / if file.len() < 2000 { 20 } else { 4 }).max(1);
            for at in (0..file.len()).step_by(step) {
                check_safe(&file[..at]);
                for bit in [1, 0x10, 0x80] {
                    file[at] ^= bit;
                    check_safe(&file);
                    file[at] ^= bit;
                }
            }
        }
    }
}

#[test]
fn a_file_is_recognized_by_its_beginning() {
    for begin in ["num_ranks 2", "\n // of mine\n/* two\n lines */ num_ranks 2"] {
        assert!(goal::is_goal(begin.as_bytes()), "{begin}");
    }
    for begin in ["", "{\"loggia\": 1}", "// a comment", "/* num_ranks 2", "rank 0 {"] {
        assert!(!goal::is_goal(begin.as_bytes()), "{begin}");
    }
}

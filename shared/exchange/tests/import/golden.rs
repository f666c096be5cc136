//! The content read from every fixture, compared with the reviewed content in `golden.txt`.
//!
//! `GOLDEN=write cargo test -p loggia-exchange --test import` rewrites the file, for a new review.

use crate::{fixtures, import, read};
use loggia_exchange::import::{ImportOptions, Read, Run};
use loggia_model::signature::Statistic;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::{env, fs};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/import/golden.txt");

#[test]
fn every_fixture_is_read_as_reviewed() {
    let mut text = String::new();
    for (name, bytes) in fixtures() {
        writeln!(text, "== {name}").unwrap();
        write_read(&read(&name, &bytes), &mut text);
        let result = import(&name, &bytes, &ImportOptions::default());
        for question in &result.questions {
            let perhaps = question.perhaps.as_deref().unwrap_or("-");
            writeln!(text, "  asks {} ({perhaps})", question.about.words()).unwrap();
        }
        for unused in result.files.iter().flat_map(|file| &file.taken) {
            if let Some(reason) = &unused.unused {
                writeln!(text, "  unused: {}: {reason}", unused.benchmark).unwrap();
            }
        }
    }
    if text.is_empty() {
        return;
    }
    if env::var_os("GOLDEN").is_some() {
        fs::write(GOLDEN, &text).unwrap();
    }
    let expected = fs::read_to_string(GOLDEN).unwrap();
    for (actual, expected) in text.lines().zip(expected.lines()) {
        assert_eq!(actual, expected);
    }
    assert_eq!(text.lines().count(), expected.lines().count());
}

/// Writes runs and left-out lines.
pub(crate) fn write_read(read: &Read, text: &mut String) {
    for run in &read.runs {
        write_run(run, text);
    }
    for left in &read.left_out {
        let lines =
            if left.count == 1 { String::new() } else { format!(", {} of them", left.count) };
        writeln!(text, "  left out: line {}{lines}: {}", left.line, left.why).unwrap();
    }
}

fn write_run(run: &Run, text: &mut String) {
    let procs = run.procs.map_or("?".to_owned(), |procs| procs.0.to_string());
    let style = run.style.as_deref().unwrap_or("-");
    let name = run.name();
    writeln!(text, "  line {}: {name}, {procs} ranks, style {style}", run.line).unwrap();
    writeln!(text, "    {:?}", run.kind).unwrap();
    for (fact, value) in &run.facts {
        writeln!(text, "    {fact}: {value}").unwrap();
    }
    let mut by_statistic: BTreeMap<Statistic, Vec<(Option<u64>, f64)>> = BTreeMap::new();
    for (condition, numbers) in &run.numbers {
        let all = by_statistic.entry(condition.statistic).or_default();
        let bytes = condition.bytes.map(|bytes| bytes.0);
        all.extend(numbers.times.iter().map(|time| (bytes, time.0)));
    }
    for (statistic, all) in by_statistic {
        let sum: f64 = all.iter().map(|(_, time)| time).sum();
        let (first, last) = (all.first().unwrap(), all.last().unwrap());
        let point = |(bytes, time): &(Option<u64>, f64)| {
            let bytes = bytes.map_or("no size".to_owned(), |bytes| format!("{bytes} B"));
            format!("{bytes} {time:.6} us")
        };
        let count = all.len();
        writeln!(
            text,
            "    {statistic:?}: {count}, {} … {}, sum {sum:.4}",
            point(first),
            point(last)
        )
        .unwrap();
    }
}

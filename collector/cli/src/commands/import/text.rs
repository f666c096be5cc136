//! The report as text.

use super::ImportReport;
use crate::report::table::{remarks, table};
use crate::report::{collectives, parameters};
use loggia_exchange::import::merge::Merged;
use loggia_exchange::import::result::{ByTool, FileReport, RunReport, Unknown};
use loggia_exchange::import::words;
use loggia_model::units::MicrosPerByte;
use loggia_model::units::words::{number, per_byte, size};

pub(super) fn of(report: &ImportReport) -> String {
    let made = report.made;
    let mut sections: Vec<String> = made.files.iter().map(file).collect();
    if made.by_tool.len() > 1 {
        sections.push(by_tool(&made.by_tool));
    }
    match &report.merged {
        None => {
            sections.extend(report.signature.tiers.iter().map(parameters::brief));
            if !report.signature.collectives.is_empty() {
                sections.push(collectives::brief(report.signature));
            }
        }
        Some(merged) => sections.push(changes(merged)),
    }
    if !made.unknown.is_empty() {
        let line = |unknown: &Unknown| {
            let tier = unknown.tier.as_deref().unwrap_or("collective operations");
            format!("{tier}: {}\n  needs {}\n", unknown.symbols, unknown.help)
        };
        let lines: String = made.unknown.iter().map(line).collect();
        sections.push(format!("unknown from these files\n{lines}"));
    }
    sections.push(remarks(&report.signature.notes));
    sections.push(match &report.output {
        Some(path) => format!(
            "{path} is written; `loggia show {path}` prints the source of each number, `loggia serve \
             {path} --open` shows the page\n"
        ),
        None => "nothing is written; name the signature file with -o\n".to_owned(),
    });
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

fn file(file: &FileReport) -> String {
    let mut text = format!("{}\n", file.file);
    if !file.taken.is_empty() {
        text += &table(&["", "", "ranks>", "bytes", "numbers>", ""], file.taken.iter().map(run));
    }
    for left in &file.left_out {
        text += &format!("! {}\n", words::left_out(left));
    }
    if file.taken.is_empty() {
        text += &format!("! {}\n", words::NOTHING);
    }
    text
}

fn run(run: &RunReport) -> [String; 6] {
    let range = |low: u64, high: u64| match low == high {
        true => low.to_string(),
        false => format!("{low}–{high}"),
    };
    let destination = match (&run.unused, &run.tier) {
        (Some(why), _) => format!("not used: {why}"),
        (None, Some(tier)) => tier.clone(),
        (None, None) => String::new(),
    };
    [
        run.benchmark.clone(),
        words::what(&run.what),
        run.procs.map_or("?".to_owned(), |procs| procs.0.to_string()),
        run.bytes.as_ref().map_or("—".to_owned(), |sizes| range(sizes.low.0, sizes.high.0)),
        run.numbers.to_string(),
        destination,
    ]
}

fn by_tool(all: &[ByTool]) -> String {
    let us = |value: Option<f64>| value.map_or("—".to_owned(), |value| number(value, 5));
    let rows = all.iter().map(|tool| {
        [
            tool.tier.clone(),
            tool.tool.clone(),
            us(tool.end_to_end_latency_us),
            tool.gap_per_byte_us.map_or("—".to_owned(), |value| per_byte(MicrosPerByte(value))),
            tool.eager_limit.as_ref().map_or("—".to_owned(), |limit| {
                format!("{}–{}", size(limit.low), size(limit.high))
            }),
        ]
    });
    let header = ["", "", "EEL, µs>", "G>", "S"];
    format!("parameters by benchmark\n{}", table(&header, rows))
}

fn changes(merged: &[Merged]) -> String {
    let value = |value: Option<f64>| value.map_or(String::new(), |value| number(value, 5));
    let rows = merged.iter().map(|parameter| {
        [
            parameter.tier.clone().unwrap_or_default(),
            parameter.symbol.clone(),
            words::outcome(parameter.outcome).to_owned(),
            value(parameter.value),
            value(parameter.imported),
        ]
    });
    let header = ["", "", "", "now>", "in these files>"];
    format!("added to the signature\n{}", table(&header, rows))
}

//! The report as text.

use super::Report;
use crate::commands::details::sections;
use crate::commands::details::text::{why, with_sections};
use crate::report::table::{remarks, table};
use loggia_model::units::words::{number, off, time};
use loggia_model::units::{Micros, Procs};
use loggia_replay::AlgorithmUse;
use loggia_replay::report::{CallTime, Comparison, ReplayReport};

pub(super) fn of(report: &Report) -> String {
    let ReplayReport { run, predicted_us, replayed, .. } = &report.answer;
    let Comparison { measured_us, error, change, scaled, operations, algorithms, records } =
        replayed;
    let mut text = format!(
        "{}: {}, {records} calls\non {}, simulation model {}\n\n",
        report.trace,
        Procs(run.procs).ranks(),
        report.machine,
        run.rules
    );
    match predicted_us {
        Some(predicted) => text += &format!("predicted {}\n", time(*predicted)),
        None => text += "stuck: the program cannot complete\n",
    }
    if let Some(measured) = measured_us {
        text += &format!("measured  {}\n", time(*measured));
    }
    if let Some(error) = error {
        text += &format!("error     {}\n", off(*error));
    }
    if let Some(change) = change {
        text += &format!("change    {} compared with the traced run\n", off(*change));
    }
    if !scaled.is_empty() {
        text += &format!("scaled    {}\n", scaled.join(", "));
    }
    let before =
        [run.stuck.as_ref().map(why), Some(spent(operations)), Some(collectives(algorithms))];
    let after = [Some(remarks(&report.warnings))];
    with_sections(text, before.into_iter().chain(sections(&report.details)).chain(after))
}

fn spent(operations: &[CallTime]) -> String {
    let us = |time: Micros| number(time.0, 6);
    let rows = operations.iter().map(|op| {
        [
            op.call.to_string(),
            if op.calls > 0 { op.calls.to_string() } else { String::new() },
            op.measured_us.map_or_else(String::new, us),
            us(op.predicted_us),
        ]
    });
    let header = ["", "calls>", "measured>", "predicted>"];
    format!("total time of all ranks, µs\n{}", table(&header, rows))
}

fn collectives(chosen: &[AlgorithmUse]) -> String {
    if chosen.is_empty() {
        return String::new();
    }
    let rows = chosen.iter().map(|chosen| {
        [
            chosen.op.name().to_owned(),
            chosen.procs.to_string(),
            chosen.sizes(),
            chosen.algorithm.to_string(),
            chosen.chooser.to_string(),
            chosen.basis.name().to_owned(),
        ]
    });
    let header = ["operation", "ranks>", "bytes>", "algorithm", "chosen by", "time"];
    format!("collective operations\n{}", table(&header, rows))
}

//! `loggia replay TRACE … SIG --compare loggp,loggpo`: errors over numbers of ranks, as in Figure 6
//! of Chen et al. 2009.

use super::machine::Machine;
use crate::commands::details;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use loggia_model::Error;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::Micros;
use loggia_model::units::words::{self, number, off};
use loggia_replay::Replay;
use loggia_simulate::Simulated;
use serde::Serialize;

#[derive(Serialize)]
struct Row {
    trace: String,
    procs: u32,
    measured_us: Option<Micros>,
    by: Vec<Predicted>,
}

#[derive(Serialize)]
struct Predicted {
    rules: &'static str,
    predicted_us: Option<Micros>,
    /// Under a what-if, the change compared with the traced run.
    error: Option<f64>,
    #[serde(skip)]
    is_what_if: bool,
}

/// Mean and maximum of the absolute errors of a simulation model over all traces.
#[derive(Serialize)]
struct Mean {
    rules: &'static str,
    mean_error: Option<f64>,
    largest_error: Option<f64>,
}

#[derive(Serialize)]
struct Report<'a> {
    machine: &'a str,
    rows: Vec<Row>,
    means: Vec<Mean>,
    warnings: Vec<String>,
    /// The title of the columns next to the predictions.
    #[serde(skip)]
    difference: &'static str,
}

pub(super) fn run(
    compared: &[SimulationModel],
    traces: &[Vec<&str>],
    machine: &Machine,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut warnings = Vec::from_iter(machine.assumed.clone());
    let mut rows = Vec::new();
    for names in traces {
        let replay = machine.replay(names, None)?;
        let by = compared.iter().map(|rules| predicted(&replay, machine, *rules));
        let by = by.collect::<Result<Vec<_>, Error>>()?;
        warnings.extend(replay.warnings().iter().map(|warning| format!("{}: {warning}", names[0])));
        let (procs, measured_us) = (replay.ranks(), replay.measured());
        rows.push(Row { trace: names[0].to_owned(), procs, measured_us, by });
    }
    rows.sort_by_key(|row| row.procs);
    let means = compared.iter().enumerate().map(|(column, rules)| mean(&rows, column, *rules));
    let is_what_if = rows.iter().flat_map(|row| &row.by).any(|by| by.is_what_if);
    let difference = if is_what_if { "change>" } else { "error>" };
    let (machine, means) = (&machine.signature.name, means.collect());
    let report = Report { machine, means, rows, warnings, difference };
    output.print(&report, || text(&report))?;
    match report.rows.iter().flat_map(|row| &row.by).any(|by| by.predicted_us.is_none()) {
        true => details::stuck(output),
        false => Ok(()),
    }
}

fn predicted(
    replay: &Replay,
    machine: &Machine,
    rules: SimulationModel,
) -> Result<Predicted, Error> {
    let own = machine.replay_by(replay, rules)?;
    let replay = own.as_ref().unwrap_or(replay);
    let nodes = machine.nodes(replay)?;
    let setting = machine.setting(nodes.as_ref())?;
    let simulation = replay.simulation(rules, &setting)?;
    let answer = replay.answer(&simulation)?.under(&machine.what_if());
    let (predicted_us, error) =
        (answer.predicted_us, answer.replayed.error.or(answer.replayed.change));
    let is_what_if = !answer.replayed.scaled.is_empty();
    Ok(Predicted { rules: rules.name(), predicted_us, error, is_what_if })
}

fn mean(rows: &[Row], column: usize, rules: SimulationModel) -> Mean {
    let errors: Vec<f64> =
        rows.iter().filter_map(|row| row.by[column].error).map(f64::abs).collect();
    let has_errors = !errors.is_empty();
    Mean {
        rules: rules.name(),
        mean_error: has_errors.then(|| errors.iter().sum::<f64>() / errors.len() as f64),
        largest_error: has_errors.then(|| errors.iter().copied().fold(0.0, f64::max)),
    }
}

const UNKNOWN: &str = "–";

fn text(report: &Report) -> String {
    let mut header = vec!["trace".to_owned(), "ranks>".to_owned(), "measured, µs>".to_owned()];
    for mean in &report.means {
        header.extend([format!("{}, µs>", mean.rules), report.difference.to_owned()]);
    }
    let time = |time: Option<Micros>| time.map_or(UNKNOWN.to_owned(), |t| number(t.0, 6));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in &report.rows {
        let mut cells = vec![row.trace.clone(), row.procs.to_string(), time(row.measured_us)];
        for by in &row.by {
            let error = by.error.map(off);
            cells.extend([time(by.predicted_us), error.unwrap_or(UNKNOWN.to_owned())]);
        }
        rows.push(cells);
    }
    for name in ["mean", "maximum"] {
        let mut cells = vec![name.to_owned(), String::new(), String::new()];
        for mean in &report.means {
            let error = if name == "mean" { mean.mean_error } else { mean.largest_error };
            let size = error.map(words::error);
            cells.extend([String::new(), size.unwrap_or(UNKNOWN.to_owned())]);
        }
        rows.push(cells);
    }
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    format!("on {}\n{}{}", report.machine, table(&header, rows), remarks(&report.warnings))
}

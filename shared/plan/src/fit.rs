//! Fits the open constants of a sketch to a few measured runs.
//!
//! # Formula
//! Gauss–Newton steps for T(p; θ) by relative least squares, θ ≥ 0. The derivatives of T are
//! differences of plans with slightly larger constants.

use super::error::{FitError, TableMistake};
use super::plan::Plan;
use super::request::Request;
use loggia_model::Error;
use loggia_model::csv::separator;
use loggia_model::stats::CONFIDENCE;
use loggia_model::stats::estimate::Estimate;
use loggia_model::stats::least_squares::{MAX_TERMS, Weights, least_squares};
use loggia_model::units::{Micros, Procs, float};
use serde::Serialize;

/// Maximum number of iterations.
const STEPS: usize = 24;
/// The iteration ends when no constant changes by more than this share.
const CONVERGED: f64 = 1e-7;
/// Relative change of a constant for its derivative.
const DELTA: f64 = 0.01;
/// Smallest change of a constant, relative to the longest time.
const MIN_DELTA: f64 = 1e-12;

/// A measured run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeasuredRun {
    /// Number of ranks.
    pub procs: Procs,
    /// Measured time of all iterations.
    pub time_us: Micros,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FittedSketch {
    /// The constants.
    pub constants: Vec<FittedConstant>,
    /// The runs with their fitted times.
    pub runs: Vec<Residual>,
}

/// A constant that was open.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FittedConstant {
    /// Name in the sketch.
    pub name: String,
    /// Value in µs.
    pub value_us: f64,
    /// Lower bound; `None` if there are as many constants as runs.
    pub low_us: Option<f64>,
    /// Upper bound.
    pub high_us: Option<f64>,
}

/// A run, and the error of its fitted time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Residual {
    /// Number of ranks.
    pub procs: Procs,
    /// Measured time.
    pub measured_us: Micros,
    /// Fitted time.
    pub fitted_us: Micros,
    /// Relative error.
    pub error: f64,
}

/// Reads a table of runs: a header with `procs` and `time`, and a row per run. Times without unit
/// are in µs.
///
/// # Errors
/// The first mistake, with its line.
pub fn read(text: &str) -> Result<Vec<MeasuredRun>, FitError> {
    // Spreadsheets write this byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let Some((number, header)) = lines.next() else {
        return Err(FitError::Table { mistake: TableMistake::NoRun, line: 1 });
    };
    let separator = separator(header);
    let columns: Vec<String> =
        header.split(separator).map(|name| name.trim().to_ascii_lowercase()).collect();
    let find = |names: &[&str]| columns.iter().position(|name| names.contains(&name.as_str()));
    let procs = find(&["procs", "p", "ranks", "np", "processes"]);
    let time = find(&["time", "time_us", "us"]);
    let seconds = find(&["seconds", "s", "time_s"]);
    let missing = |name| {
        let found = columns.clone();
        FitError::Table { mistake: TableMistake::MissingColumn { name, found }, line: number }
    };
    let procs = procs.ok_or_else(|| missing("procs"))?;
    let time = time.or(seconds).ok_or_else(|| missing("time"))?;
    let factor = if seconds == Some(time) { 1e6 } else { 1.0 };
    let mut runs = Vec::new();
    for (number, line) in lines {
        let cells: Vec<&str> = line.split(separator).map(str::trim).collect();
        let error = |mistake| FitError::Table { mistake, line: number };
        let procs = cells.get(procs).and_then(|cell| cell.parse::<Procs>().ok());
        let procs = procs.filter(|procs| procs.0 > 0);
        let procs = procs.ok_or_else(|| error(TableMistake::MissingProcs))?;
        let time = cells.get(time).and_then(|cell| match float(cell) {
            Some(number) => Some(Micros(number * factor)),
            None => cell.parse().ok(),
        });
        let time = time.filter(|time| time.0 > 0.0 && time.0.is_finite());
        let time_us = time.ok_or_else(|| error(TableMistake::MissingTime))?;
        runs.push(MeasuredRun { procs, time_us });
    }
    if runs.is_empty() {
        return Err(FitError::Table { mistake: TableMistake::NoRun, line: number });
    }
    Ok(runs)
}

impl FittedSketch {
    /// The values of the constants, for [`Request::open`].
    #[must_use]
    pub fn open(&self) -> Vec<(String, f64)> {
        self.constants.iter().map(|fitted| (fitted.name.clone(), fitted.value_us)).collect()
    }
}

impl Request<'_> {
    /// Fits the open constants of the sketch to these runs.
    ///
    /// # Errors
    /// If no constant is open, or there are too few runs.
    pub fn fit(&self, runs: &[MeasuredRun]) -> Result<FittedSketch, Error> {
        let open = self.sketch.constants.iter().filter(|constant| constant.value.is_none());
        let names: Vec<&str> = open.map(|constant| constant.name.as_str()).collect();
        if names.is_empty() {
            return Err(FitError::NothingOpen.into());
        }
        if names.len() > runs.len() || names.len() > MAX_TERMS {
            let (constants, runs) = (names.len(), runs.len());
            return Err(FitError::TooFewRuns { constants, runs }.into());
        }
        let times = |values: &[f64]| -> Result<Vec<f64>, Error> {
            let open: Vec<(String, f64)> =
                names.iter().map(|name| (*name).to_owned()).zip(values.iter().copied()).collect();
            self.times(&open, runs)
        };
        let mut fitted = times(&vec![0.0; names.len()])?;
        let longest = runs.iter().map(|run| run.time_us.0).fold(0.0, f64::max);
        let mut values = vec![0.0; names.len()];
        let mut estimates: Vec<Option<Estimate>> = vec![None; names.len()];
        for step in 0..STEPS {
            let mut columns = Vec::new();
            for at in 0..names.len() {
                let times_with = |delta: f64| {
                    let mut increased = values.clone();
                    increased[at] += delta;
                    times(&increased)
                };
                let is_visible = |changed: &[f64]| {
                    let differences = changed.iter().zip(&fitted).map(|(a, b)| a - b);
                    differences.fold(0.0, f64::max) > longest * DELTA
                };
                // A larger change is tried if the effect is not visible, such as computation hidden
                // by communication.
                let mut delta = (values[at] * DELTA).max(longest * MIN_DELTA);
                let mut changed = times_with(delta)?;
                while step == 0 && delta < longest && !is_visible(&changed) {
                    delta *= 10.0;
                    changed = times_with(delta)?;
                }
                let slope = |(a, b): (&f64, &f64)| (a - b) / delta;
                columns.push(changed.iter().zip(&fitted).map(slope).collect::<Vec<f64>>());
            }
            let residuals: Vec<f64> =
                runs.iter().zip(&fitted).map(|(run, time)| run.time_us.0 - time).collect();
            let weights: Vec<f64> =
                runs.iter().map(|run| 1.0 / (run.time_us.0 * run.time_us.0)).collect();
            let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            let fit =
                least_squares(&columns, &residuals, Weights::Given(&weights)).ok_or_else(|| {
                    FitError::NotSeparated(names.iter().map(|name| (*name).to_owned()).collect())
                })?;
            let mut largest_change = 0.0f64;
            for at in 0..names.len() {
                let next = (values[at] + fit.coefficients[at]).max(0.0);
                largest_change =
                    largest_change.max((next - values[at]).abs() / next.max(f64::MIN_POSITIVE));
                estimates[at] = fit.coefficient(at, CONFIDENCE).map(|estimate| {
                    let half = estimate.half_width();
                    Estimate::around(next, half)
                });
                values[at] = next;
            }
            fitted = times(&values)?;
            if largest_change < CONVERGED {
                break;
            }
        }
        let bound = |value: f64| value.is_finite().then_some(value.max(0.0));
        let constants =
            names.iter().zip(&values).zip(&estimates).map(|((name, value), estimate)| {
                FittedConstant {
                    name: (*name).to_owned(),
                    value_us: *value,
                    low_us: estimate.and_then(|estimate| bound(estimate.low)),
                    high_us: estimate.and_then(|estimate| bound(estimate.high)),
                }
            });
        let residual = |(run, time): (&MeasuredRun, &f64)| Residual {
            procs: run.procs,
            measured_us: run.time_us,
            fitted_us: Micros(*time),
            error: time / run.time_us.0 - 1.0,
        };
        Ok(FittedSketch {
            constants: constants.collect(),
            runs: runs.iter().zip(&fitted).map(residual).collect(),
        })
    }

    /// Planned times of the runs with these constants.
    fn times(&self, open: &[(String, f64)], runs: &[MeasuredRun]) -> Result<Vec<f64>, Error> {
        let mut procs: Vec<Procs> = runs.iter().map(|run| run.procs).collect();
        procs.sort_unstable();
        procs.dedup();
        let plan: Plan = Request { open, ..self.clone() }.times_over(&procs)?;
        let of = |run: &MeasuredRun| {
            let point = plan.points.iter().find(|point| point.procs == run.procs);
            point.map_or(f64::NAN, |point| point.total_us.0)
        };
        Ok(runs.iter().map(of).collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::sketch::Sketch;
    use super::*;
    use loggia_model::library;

    #[test]
    fn runs_are_read_with_their_units() {
        let runs = read("# of last week\nprocs, time\n4, 1.5s\n\n8, 900ms\n").unwrap();
        assert_eq!(runs[0], MeasuredRun { procs: Procs(4), time_us: Micros(1.5e6) });
        assert_eq!(runs[1].time_us, Micros(9e5));
        for seconds in ["3", "3s", "3e6us"] {
            let text = format!("p,seconds\n2,{seconds}\n");
            assert_eq!(read(&text).unwrap()[0].time_us, Micros(3e6), "{seconds}");
        }
        let german = read("\u{feff}ranks;time\r\n8;2ms\r\n").unwrap();
        assert_eq!(german, [MeasuredRun { procs: Procs(8), time_us: Micros(2000.0) }]);
        let no_time = TableMistake::MissingColumn {
            name: "time",
            found: vec!["procs".to_owned(), "tim".to_owned()],
        };
        for (text, mistake, line) in [
            ("", TableMistake::NoRun, 1),
            ("p,time", TableMistake::NoRun, 1),
            ("procs,tim\n1,2", no_time, 1),
            ("p,time\n0,1", TableMistake::MissingProcs, 2),
            ("p,time\n2,x", TableMistake::MissingTime, 2),
        ] {
            assert_eq!(read(text), Err(FitError::Table { mistake, line }), "{text}");
        }
    }

    /// A fit to times that were computed with known constants returns these constants.
    #[test]
    fn a_fit_finds_the_constants() {
        let text = "iterations = 10\n[grid]\ncells = [512, 512]\n[let]\nper_cell = \"?\"\nfixed = \"?\"\n\
                    [[step]]\nhalo = \"8 * face\"\nduring = \"per_cell * cells\"\n\
                    [[step]]\ncompute = \"fixed\"\n[[step]]\nallreduce = 8";
        let sketch = Sketch::read(text).unwrap();
        let machine = library::load("cray-t3d").unwrap();
        let request = Request::of(&sketch, &machine);
        let truth = [("per_cell".to_owned(), 0.004), ("fixed".to_owned(), 120.0)];
        let known = Request { open: &truth, ..request.clone() };
        let procs = [Procs(2), Procs(4), Procs(8), Procs(16)];
        let runs: Vec<MeasuredRun> = known
            .over(&procs)
            .unwrap()
            .points
            .iter()
            .map(|point| MeasuredRun { procs: point.procs, time_us: point.total_us })
            .collect();
        let fitted = request.fit(&runs).unwrap();
        for (found, (name, value)) in fitted.constants.iter().zip(&truth) {
            assert_eq!(&found.name, name);
            assert!((found.value_us / value - 1.0).abs() < 1e-3, "{found:?}");
        }
        assert!(fitted.runs.iter().all(|run| run.error.abs() < 1e-4), "{:?}", fitted.runs);
        let too_few = FitError::TooFewRuns { constants: 2, runs: 1 };
        assert_eq!(request.fit(&runs[..1]), Err(too_few.into()));
    }
}

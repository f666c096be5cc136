//! Export: a signature in the formats of other programs.
//!
//! | file | output |
//! |---|---|
//! | `simgrid` | a SimGrid platform for which SMPI predicts the same times |
//! | `loggopsim` | the command-line options of LogGOPSim |
//! | `csv` | a table for spreadsheets |
//! | `parameters` | JSON with plain numbers, for any program |
//! | `python` | these numbers, with functions that predict |
//!
//! The output names an unknown parameter if the format does not require it; otherwise the export
//! fails. Nothing is guessed.

mod csv;
mod loggopsim;
mod parameters;
mod python;
mod simgrid;

use loggia_model::Error;
use loggia_model::error::Input;
use loggia_model::error::one_line;
use loggia_model::model::{Need, Route};
use loggia_model::signature::{Defaults, Signature};
use loggia_model::units::Procs;

/// A format of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A platform file of SimGrid.
    SimGrid,
    /// A command line of LogGOPSim.
    LogGopSim,
    /// A table with one row per number.
    Csv,
    /// Parameters, and functions that predict.
    Python,
    /// Parameters with plain names.
    Json,
}

impl Target {
    /// All targets, in the order of menus and help.
    pub const ALL: [Target; 5] =
        [Target::SimGrid, Target::LogGopSim, Target::Csv, Target::Python, Target::Json];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Target::SimGrid => "simgrid",
            Target::LogGopSim => "loggopsim",
            Target::Csv => "csv",
            Target::Python => "python",
            Target::Json => "json",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Target::SimGrid => "SimGrid platform",
            Target::LogGopSim => "LogGOPSim options",
            Target::Csv => "CSV table",
            Target::Python => "Python functions",
            Target::Json => "JSON parameters",
        }
    }

    /// A description of one line.
    pub fn about(self) -> &'static str {
        match self {
            Target::SimGrid => "a platform for SMPI, with factors by message size",
            Target::LogGopSim => "a command line with times in whole nanoseconds, or picoseconds",
            Target::Csv => "one row per parameter, point and closed-form term",
            Target::Python => "the parameters, and functions that predict",
            Target::Json => "the same parameters, flat, each with its meaning",
        }
    }

    /// The name of the exported file, such as `cray-t3d-simgrid.xml`.
    pub fn file_name(self, signature: &Signature) -> String {
        let suffix = match self {
            Target::SimGrid => "simgrid.xml",
            Target::LogGopSim => "loggopsim.sh",
            Target::Csv => "parameters.csv",
            Target::Python => "parameters.py",
            Target::Json => "parameters.json",
        };
        format!("{}-{suffix}", signature.name)
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Target::SimGrid => "application/xml",
            Target::LogGopSim | Target::Python => "text/plain;charset=utf-8",
            Target::Csv => "text/csv;charset=utf-8",
            Target::Json => "application/json",
        }
    }

    pub fn named(name: &str) -> Result<Self, Error> {
        let lower = name.trim().to_ascii_lowercase();
        Target::ALL.into_iter().find(|target| target.name() == lower).ok_or_else(|| {
            Error::unknown("format", name, Input::Format, Target::ALL.map(Target::name))
        })
    }
}

/// Default number of nodes of a platform.
pub const NODES: Procs = Procs(2);

/// Exports a signature for the given tier and send mode; `nodes` is the size of a SimGrid platform.
///
/// ```
/// use loggia_exchange::export::{NODES, Target, export};
/// use loggia_model::library;
/// use loggia_model::signature::Defaults;
/// let sp2 = library::load("ibm-sp2")?;
/// let table = export(&sp2, Target::Csv, Defaults::default(), NODES)?;
/// assert!(table.contains("collectives[0].startup.terms[0],T0(p) of barrier,"));
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn export(
    signature: &Signature,
    target: Target,
    defaults: Defaults,
    nodes: Procs,
) -> Result<String, Error> {
    let route = || Route::of(signature, defaults.tier, defaults.style);
    match target {
        Target::SimGrid => simgrid::platform(&route()?, nodes),
        Target::LogGopSim => loggopsim::command(&route()?),
        Target::Csv => {
            // The table has all tiers and send modes; an unknown one is still an error.
            if defaults.tier.is_some() || defaults.style.is_some() {
                route()?;
            }
            Ok(csv::table(signature))
        }
        Target::Python => python::functions(signature, defaults),
        Target::Json => parameters::json(signature, defaults),
    }
}

/// What users of this export must know before they run it.
///
/// # Errors
/// As [`export`].
pub fn warning(
    signature: &Signature,
    target: Target,
    defaults: Defaults,
) -> Result<Option<String>, Error> {
    match target {
        Target::LogGopSim => {
            loggopsim::warning(&Route::of(signature, defaults.tier, defaults.style)?)
        }
        Target::SimGrid | Target::Csv | Target::Python | Target::Json => Ok(None),
    }
}

/// The first comment lines of an output: machine, origin, tier and send mode.
fn heading(route: &Route) -> Vec<String> {
    let mode = route.style.map(|style| format!(", send mode {}", style.name.0)).unwrap_or_default();
    [
        format!("{} ({})", route.signature.title, route.signature.name),
        route.signature.origin.summary(),
        format!("tier {}{mode}", route.tier.name),
    ]
    .map(one_line)
    .to_vec()
}

/// One line that lists the unknown parameters among `needs`; `None` if all are known.
fn unknown_parameters(route: &Route, needs: &[Need]) -> Option<String> {
    let missing: Vec<&str> =
        needs.iter().filter(|need| !route.has(**need)).map(|need| need.symbol()).collect();
    (!missing.is_empty()).then(|| format!("unknown: {}", missing.join(", ")))
}

/// Lines as comments of shell or Python.
fn commented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("# {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    #[test]
    fn every_name_is_found() {
        for target in Target::ALL {
            assert_eq!(Target::named(target.name()), Ok(target));
        }
        let error = Target::named("simgird").unwrap_err();
        assert!(error.help.to_string().contains("did you mean simgrid?"), "{error}");
    }

    #[test]
    fn every_published_machine_is_exported_or_refused_with_place_and_help() {
        for name in library::names() {
            let signature = library::load(name).unwrap();
            for target in Target::ALL {
                match export(&signature, target, Defaults::default(), NODES) {
                    Ok(text) => assert!(text.len() > 100, "{name} as {}", target.name()),
                    Err(error) => {
                        assert!(
                            matches!(target, Target::SimGrid | Target::LogGopSim)
                                && !error.place.is_nowhere()
                                && !error.help.is_empty(),
                            "{name} as {}: {error}",
                            target.name()
                        );
                    }
                }
            }
        }
    }
}

//! Export: a signature in the formats of other programs.
//!
//! | file | question |
//! |---|---|
//! | `simgrid` | as which platform does SimGrid's SMPI predict the same times |
//! | `loggopsim` | with which options does LogGOPSim |
//! | `csv` | as which table does a spreadsheet read it |
//! | `parameters` | as which plain numbers does any program |
//! | `python` | and with which functions over them |
//!
//! An unknown parameter is named in the output where the format can do without it, and is an error
//! where it cannot. Nothing is guessed.

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
    /// A table, a row for each number.
    Csv,
    /// Numbers and functions.
    Python,
    /// Numbers with plain names.
    Json,
}

impl Target {
    /// All of them, in the order in which they are offered.
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

    /// What it is, in a few words.
    pub fn title(self) -> &'static str {
        match self {
            Target::SimGrid => "SimGrid platform",
            Target::LogGopSim => "LogGOPSim options",
            Target::Csv => "CSV table",
            Target::Python => "Python functions",
            Target::Json => "JSON parameters",
        }
    }

    /// What it is good for, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Target::SimGrid => "a platform for SMPI, with factors by message size",
            Target::LogGopSim => "a command line in whole nanoseconds",
            Target::Csv => "every parameter, point and form, a row each",
            Target::Python => "the parameters, and functions that predict",
            Target::Json => "the same parameters, flat, each explained",
        }
    }

    /// The name of the file that holds it, such as `cray-t3d-simgrid.xml`.
    pub fn file_name(self, signature: &Signature) -> String {
        let rest = match self {
            Target::SimGrid => "simgrid.xml",
            Target::LogGopSim => "loggopsim.sh",
            Target::Csv => "parameters.csv",
            Target::Python => "parameters.py",
            Target::Json => "parameters.json",
        };
        format!("{}-{rest}", signature.name)
    }

    /// The media type of that file.
    pub fn media_type(self) -> &'static str {
        match self {
            Target::SimGrid => "application/xml",
            Target::LogGopSim | Target::Python => "text/plain;charset=utf-8",
            Target::Csv => "text/csv;charset=utf-8",
            Target::Json => "application/json",
        }
    }

    /// The target of that name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let spelled = name.trim().to_ascii_lowercase();
        Target::ALL.into_iter().find(|target| target.name() == spelled).ok_or_else(|| {
            Error::unknown("format", name, Input::Format, Target::ALL.map(Target::name))
        })
    }
}

/// Default number of nodes of a platform.
pub const NODES: Procs = Procs(2);

/// A signature in that format: messages go by that tier and style; a platform has so many nodes.
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
    way: Defaults,
    nodes: Procs,
) -> Result<String, Error> {
    let route = || Route::of(signature, way.tier, way.style);
    match target {
        Target::SimGrid => simgrid::platform(&route()?, nodes),
        Target::LogGopSim => loggopsim::command(&route()?),
        Target::Csv => {
            // It holds all ways; one that is not there is still a slip.
            if way.tier.is_some() || way.style.is_some() {
                route()?;
            }
            Ok(csv::table(signature))
        }
        Target::Python => python::functions(signature, way),
        Target::Json => parameters::json(signature, way),
    }
}

/// Whose numbers these are, and by which way: the first lines of every output that has comments.
fn heading(route: &Route) -> Vec<String> {
    let style =
        route.style.map(|style| format!(", send mode {}", style.name.0)).unwrap_or_default();
    [
        format!("{} ({})", route.signature.title, route.signature.name),
        route.signature.origin.summary(),
        format!("tier {}{style}", route.tier.name),
    ]
    .map(one_line)
    .to_vec()
}

/// What of these is not known on that way, in a line.
fn not_reported(route: &Route, needs: &[Need]) -> Option<String> {
    let missing: Vec<&str> =
        needs.iter().filter(|need| !route.has(**need)).map(|need| need.symbol()).collect();
    (!missing.is_empty()).then(|| format!("unknown: {}", missing.join(", ")))
}

/// Lines as comments of a shell or of Python.
fn commented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("# {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    #[test]
    fn a_name_is_a_target() {
        for target in Target::ALL {
            assert_eq!(Target::named(target.name()), Ok(target));
        }
        let error = Target::named("simgird").unwrap_err();
        assert!(error.help.to_string().contains("did you mean simgrid?"), "{error}");
    }

    /// As far as the machine allows, and never in silence.
    #[test]
    fn every_published_machine_is_written_or_says_what_it_lacks() {
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

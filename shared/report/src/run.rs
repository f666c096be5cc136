//! A simulated schedule.

use loggia_model::Error;
use loggia_model::units::{Micros, MicrosPerByte};
use loggia_simulate::program::ClosedForm;
use loggia_simulate::result::{CriticalPath, Curve, RankSplit, Sensitivity, SimulationResult};
use loggia_simulate::{Parameter, Simulation};
use serde::Serialize;

/// The report of `simulate`.
#[derive(Debug, Serialize)]
pub struct RunReport<'a> {
    pub machine: &'a str,
    pub schedule: &'a str,
    #[serde(flatten)]
    pub answer: SimulationResult,
    #[serde(flatten)]
    pub details: RunDetails,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_form: Option<ClosedForm>,
    pub warnings: Vec<String>,
}

/// Details that are computed on request only.
#[derive(Debug, Default, Serialize)]
pub struct RunDetails {
    #[serde(flatten)]
    pub sensitivity: Option<Sensitivity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critical_path: Option<CriticalPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranks: Option<Vec<RankSplit>>,
}

/// A range of a parameter: `L=0..20us`.
#[derive(Clone, Copy, Debug)]
pub struct ParameterRange {
    parameter: Parameter,
    from: Micros,
    to: Micros,
}

/// Reads a bound of the range.
type ReadBound = fn(&str) -> Result<Micros, Error>;

const PLACE: &str = "curve";

/// The reason why a text is not a range of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeError {
    NotARange(String),
    UnknownParameter(String),
    /// The end is below the start.
    Falling(String),
}

impl From<RangeError> for Error {
    fn from(error: RangeError) -> Self {
        let message = match error {
            RangeError::NotARange(text) => format!("`{text}` is not a range"),
            RangeError::UnknownParameter(name) => {
                return Error::unknown("parameter", &name, PLACE, ["L", "G"]);
            }
            RangeError::Falling(range) => format!("the end of `{range}` is below its start"),
        };
        Error::new(message, PLACE, "write, for example, L=0..20us or G=0..10ns")
    }
}

impl ParameterRange {
    /// # Errors
    /// If the text is not a range of L or G.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let not_a_range = |text: &str| RangeError::NotARange(text.to_owned());
        let (name, range) = text.split_once('=').ok_or_else(|| not_a_range(text))?;
        let (from, to) = range.split_once("..").ok_or_else(|| not_a_range(range))?;
        let (parameter, read): (_, ReadBound) = match name.trim() {
            "L" => (Parameter::Latency, |text| text.trim().parse()),
            "G" => {
                (Parameter::GapPerByte, |text| Ok(text.trim().parse::<MicrosPerByte>()?.of(1.0)))
            }
            other => return Err(RangeError::UnknownParameter(other.to_owned()).into()),
        };
        let at = |error: Error| error.at(PLACE);
        let [from, to] = [read(from).map_err(at)?, read(to).map_err(at)?];
        if from.0 > to.0 {
            return Err(RangeError::Falling(range.to_owned()).into());
        }
        Ok(ParameterRange { parameter, from, to })
    }

    /// The completion time over this range.
    ///
    /// # Errors
    /// If a time is too long for the clock of the simulation.
    pub fn trace(self, simulation: &Simulation, most_events: u64) -> Result<Curve, Error> {
        simulation.curve_over(self.parameter, (self.from, self.to), most_events)
    }
}

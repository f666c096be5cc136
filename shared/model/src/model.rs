//! Cost of a message or a collective operation: one file per model, with its paper and formula.
//!
//! | file | contents |
//! |---|---|
//! | [`logp`], [`loggp`], [`plogp`], [`hockney`], [`loggps`], [`loggpo`], [`logh`] | models of one message |
//! | [`fit`] | scaling of the terms of a message to its measured time |
//! | [`message`] | the terms of one message, scaled to its measured time |
//! | [`exchange`], [`overlap`] | costs of each side for a message that overlaps with computation |
//! | [`blocking`] | computation time that a non-blocking send mode gains |
//! | [`collective`] | closed forms of collective operations |
//! | [`composition`], [`crossover`] | compositions equal to an operation, their ranking, and crossovers |
//! | [`metrics`] | n_1/2, r_inf, pi_s, aggregated and peak forms, g/G crossover |
//! | [`changes`] | values at which a result changes |
//! | `route` | the tier and send mode of a message, and their known parameters |
//! | `prediction` | a predicted time: total, terms, formula, warnings |
//! | [`messages`] | many messages: one by one, overlapped, pipelined, packed |
//! | [`pairs`] | concurrent messages of several pairs on two nodes |

pub mod blocking;
pub mod changes;
pub mod collective;
pub mod composition;
pub mod crossover;
pub mod editable;
pub mod error;
pub mod exchange;
pub mod fit;
pub mod hockney;
pub mod loggp;
pub mod loggpo;
pub mod loggps;
pub mod logh;
pub mod logp;
pub mod message;
pub mod messages;
pub mod metrics;
pub mod overlap;
pub mod pairs;
pub mod plogp;
mod prediction;
mod route;

pub use prediction::{MEASURED, Prediction, Term, Warning, with_values};
pub use route::{Need, Route};

use crate::Error;
use crate::error::Input;
use crate::measured::{Basis, MeasuredTime};
use crate::signature::ASSUMED;
use crate::units::{Bytes, Interval, Micros};
use message::Message;
use serde::{Deserialize, Serialize};

/// A model of one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// o_s + L + o_r
    LogP,
    /// LogP and a gap per byte
    LogGp,
    /// L + g(m)
    PLogP,
    /// t_s + t_b n
    Hockney,
    /// LogGP with a synchronising protocol above S
    LogGps,
    /// LogGP with MPI's protocols and progress
    LogGpo,
    /// LoGH{sSP}: two tiers
    Logh,
}

impl Model {
    /// All models, the richest first.
    pub const ALL: [Model; 7] = [
        Model::LogGpo,
        Model::LogGps,
        Model::Logh,
        Model::LogGp,
        Model::PLogP,
        Model::Hockney,
        Model::LogP,
    ];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Model::LogP => "logp",
            Model::LogGp => "loggp",
            Model::PLogP => "plogp",
            Model::Hockney => "hockney",
            Model::LogGps => "loggps",
            Model::LogGpo => "loggpo",
            Model::Logh => "logh",
        }
    }

    /// The name as papers write it.
    pub fn title(self) -> &'static str {
        match self {
            Model::LogP => "LogP",
            Model::LogGp => "LogGP",
            Model::PLogP => "PLogP",
            Model::Hockney => "Hockney",
            Model::LogGps => "LogGPS",
            Model::LogGpo => "LogGPO",
            Model::Logh => "LoGH{sSP}",
        }
    }

    /// The model of that name or title, in any case.
    pub fn named(name: &str) -> Result<Self, Error> {
        let spelled = name.trim();
        let is_named = |known: &str| known.eq_ignore_ascii_case(spelled);
        Model::ALL
            .into_iter()
            .find(|m| is_named(m.name()) || is_named(m.title()))
            .ok_or_else(|| Error::unknown("model", name, Input::Model, Model::ALL.map(Model::name)))
    }

    /// The parameters that the model needs.
    pub fn needs(self) -> &'static [Need] {
        match self {
            Model::LogP => &logp::NEEDS,
            Model::LogGp => &loggp::NEEDS,
            Model::PLogP => &plogp::NEEDS,
            Model::Hockney => &hockney::NEEDS,
            Model::LogGps => &loggps::NEEDS,
            Model::LogGpo => &loggpo::NEEDS,
            Model::Logh => logh::NEEDS,
        }
    }

    /// The richest model whose parameters a route has.
    pub fn richest(route: &Route) -> Option<Model> {
        Model::ALL.into_iter().find(|model| model.is_possible(route))
    }

    /// Whether a route has all parameters that the model needs.
    pub fn is_possible(self, route: &Route) -> bool {
        match self {
            Model::Logh => logh::is_possible(route),
            model => model.needs().iter().all(|need| route.has(*need)),
        }
    }

    /// The time of one message.
    pub fn predict(self, route: &Route, bytes: Bytes) -> Result<Prediction, Error> {
        let prediction = self.predicted(route, bytes).ok_or_else(|| route.missing(self))?;
        let measured = route.measured(bytes).map(|reading| (reading.time.value, reading.basis));
        let is_assumed = |term: &Term| route.source(term.symbol) == Some(ASSUMED);
        let basis = match prediction.terms.iter().any(is_assumed) {
            true => Basis::Modelled,
            false => Basis::of_model(route.signature),
        };
        Ok(Prediction { basis, measured, ..prediction })
    }

    fn predicted(self, route: &Route, bytes: Bytes) -> Option<Prediction> {
        match self {
            Model::LogP => logp::predict(route, bytes),
            Model::LogGp => loggp::predict(route, bytes),
            Model::PLogP => plogp::predict(route, bytes),
            Model::Hockney => hockney::predict(route, bytes),
            Model::LogGps => loggps::predict(route, bytes),
            Model::LogGpo => loggpo::predict(route, bytes),
            Model::Logh => logh::predict(route, bytes),
        }
    }
}

impl Route<'_> {
    /// The error of a model with unknown parameters; it names them and their measurements.
    pub fn missing(&self, model: Model) -> Error {
        let mut missing: Vec<Need> = match model {
            Model::Logh => logh::missing(self),
            model => model.needs().iter().copied().filter(|need| !self.has(*need)).collect(),
        };
        if missing.is_empty() {
            // Only the handshake protocol at this size is unknown.
            missing.push(Need::Transfer);
        }
        self.lacks(model.title(), &missing)
    }
}

/// The size of a control message.
pub const CONTROL: Bytes = Bytes(1);

/// The part of a measured time that no parameter explains.
pub const REST: &str = "rest";

/// A smaller share of the time is no term: it would be shown as 0.
const SMALLEST_REST: f64 = 1e-4;

/// The time of one message: by the given model; else measured; else by the richest model.
///
/// Al-Tawil & Moritz 2001, Table 3: on the T3D a message of 16 bytes costs o_s + L + o_r + 15 G.
/// ```
/// use loggia_model::{library, model};
/// use loggia_model::units::{Bytes, Micros};
/// let t3d = library::load("cray-t3d")?;
/// let route = model::Route::of(&t3d, None, Some("isend"))?;
/// let prediction = model::predict(&route, None, Bytes(16))?;
/// assert_eq!(prediction.time(), Some(Micros(30.0 + 3.1 + 15.0 + 15.0 * 0.04)));
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn predict(route: &Route, model: Option<Model>, bytes: Bytes) -> Result<Prediction, Error> {
    if let Some(model) = model {
        return model.predict(route, bytes);
    }
    if let Some(reading) = route.measured(bytes) {
        return Ok(measured(route, bytes, reading));
    }
    let possible = Model::ALL.into_iter().find(|model| model.predicted(route, bytes).is_some());
    possible.ok_or_else(|| route.no_model())?.predict(route, bytes)
}

/// The measured T(m); split into terms if the overheads are known. What the parameters do not explain is
/// a term of its own, so that L is the number of the parameters.
fn measured(route: &Route, bytes: Bytes, reading: MeasuredTime) -> Prediction {
    let Some(message) = Message::of(route, bytes) else {
        let whole = vec![Term::new("T", 1.0, Interval::exact(reading.time.value))];
        return Prediction::read(reading, "T(k)", whole);
    };
    let term = |symbol, time: Interval<Micros>| Term::new(symbol, 1.0, Interval::exact(time.value));
    let after_the_first = bytes.after_the_first();
    let each = Interval::exact(message.bytes.value * (1.0 / after_the_first.max(1.0)));
    let known = route.latency().unwrap_or(message.latency);
    let rest = message.latency.value - known.value;
    let has_rest = rest > reading.time.value * SMALLEST_REST;
    let mut terms = vec![
        term("o_s", message.send),
        term("L", if has_rest { known } else { message.latency }),
        term("o_r", message.recv),
        Term::new("G", after_the_first, each),
    ];
    if !has_rest {
        return Prediction::read(reading, "o_s + L + o_r + (k−1)G", terms);
    }
    terms.push(Term::new(REST, 1.0, Interval::exact(rest)));
    Prediction::read(reading, "o_s + L + o_r + (k−1)G + rest", terms)
}

#[cfg(test)]
mod tests {
    use super::Model;

    #[test]
    fn a_model_is_found_by_name_and_title_in_any_case() {
        for model in Model::ALL {
            for name in [model.name(), model.title(), &model.title().to_uppercase()] {
                assert_eq!(Model::named(&format!(" {name} ")).unwrap(), model);
            }
        }
    }
}

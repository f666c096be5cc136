//! The state of the page: signatures, a view and its inputs.

mod value;

use crate::error::StateError;
use crate::figures::{self, Figure};
pub use crate::view::{FORMER_VIEWS, View};
use loggia_model::error::{Input, Place};
use loggia_model::model::Model;
use loggia_model::model::collective::check_procs;
use loggia_model::signature::{
    Defaults, Operation, ProgressKind, Transfer, editable_parameters, symbol_of,
};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Count, Micros, Procs};
use loggia_model::what_if::{WhatIf, divisor, factor};
use loggia_model::{Error, Signature, library};
use serde::{Deserialize, Serialize};

/// Default size in views.
pub const FIRST_SIZE: Bytes = Bytes(1024);
/// Default number of processes in the view Collectives.
pub const FIRST_PROCS: Procs = Procs(64);
/// Default number of ranks in the view Simulate.
pub const FIRST_RANKS: Procs = Procs(16);

/// Maximum length in bytes of a text in an input, such as a sketch.
pub const LONGEST_TEXT: usize = 1 << 16;
const MAX_SIGNATURES: usize = 64;

/// The complete state of the page, and the content of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The loaded signatures; the first is selected.
    pub signatures: Vec<Signature>,
    #[serde(default)]
    pub view: View,
    #[serde(default)]
    pub inputs: Inputs,
}

/// The horizontal axis of a plot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Over {
    #[default]
    Procs,
    /// Message size.
    Bytes,
}

impl Over {
    pub fn name(self) -> &'static str {
        match self {
            Over::Procs => "procs",
            Over::Bytes => "bytes",
        }
    }

    pub fn named(name: &str) -> Result<Self, Error> {
        let all = [Over::Procs, Over::Bytes];
        let named = all.into_iter().find(|over| over.name() == name.trim());
        named.ok_or_else(|| Error::unknown("axis", name, "over", all.map(Over::name)))
    }
}

/// The inputs of all views. Defaults depend on the signature: its first tier, its richest model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Inputs {
    /// Message size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Bytes>,
    /// Number of processes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub procs: Option<Procs>,
    /// Collective operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op: Option<Operation>,
    /// Point-to-point model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// Tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// Send mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// Protocol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Transfer>,
    /// Time of the send call (T_s of Chen et al. 2009).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub send_at: Option<Micros>,
    /// Time of the receive call (T_r).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recv_at: Option<Micros>,
    /// Computation between send call and wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub send_compute: Option<Micros>,
    /// Computation between receive call and wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recv_compute: Option<Micros>,
    /// Number of messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Computation per message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compute: Option<Micros>,
    /// Number of messages in flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Algorithm of a collective operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    /// Names of compared algorithms, models or send modes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<String>,
    /// Horizontal axis of a collective operation's plot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<Over>,
    /// Whether a plot shows bandwidth instead of time; for a collective operation, aggregated
    /// bandwidth.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub bandwidth: bool,
    /// Whether other machines are compared; for a collective operation, instead of algorithms.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub machines: bool,
    /// Placement of ranks, such as `block:8`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<String>,
    /// Simulation model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<SimulationModel>,
    /// What-if: factor of L.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale_latency: Option<f64>,
    /// What-if: factor of the bandwidth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale_bandwidth: Option<f64>,
    /// What-if: factor of all overheads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale_overhead: Option<f64>,
    /// What-if: factor of a traced program's computation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale_compute: Option<f64>,
    /// What-if: another kind of progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_progress: Option<ProgressKind>,
    /// What-if: another eager limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_eager_limit: Option<Bytes>,
    /// Text of a program's sketch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sketch: Option<String>,
    /// Numbers of ranks of a plan, such as `8..1Ki`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranks: Option<String>,
    /// Name of the shown figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figure: Option<String>,
    /// A lesson: the name of a built-in lesson, or the text of a lesson.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson: Option<String>,
    /// The open step of the lesson, from 1; `None` before the first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
    /// The answers to the lesson so far, as a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
    /// Whether predictions are hidden until the reader reveals them, for teaching.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// Parses a value and sets the field of the input.
type SetInput = fn(&mut Inputs, &str) -> Result<(), Error>;

/// Rows of [`INPUTS`]: a field of [`Inputs`], whose name is the input's name, and its parser.
macro_rules! inputs {
    ($($field:ident = $read:expr;)*) => {
        [$((stringify!($field), |inputs, value| {
            let read: fn(&str) -> Result<_, Error> = $read;
            inputs.$field = read(value)?;
            Ok(())
        })),*]
    };
}

/// All inputs of the page, with their names in links, in JSON and on the command line.
const INPUTS: [(&str, SetInput); 34] = inputs! {
    bytes = value::parsed;
    procs = value::parsed;
    op = |value| Operation::named(value).map(Some);
    model = |value| Model::named(value).map(Some);
    tier = value::text;
    style = value::text;
    protocol = |value| Transfer::named(value).map(Some);
    send_at = value::parsed;
    recv_at = value::parsed;
    send_compute = value::parsed;
    recv_compute = value::parsed;
    count = |value| Ok(Some(value.parse::<Count>()?.0));
    compute = value::parsed;
    depth = |value| value::depth(value).map(Some);
    algorithm = |value| Ok(Some(value::method(value).to_owned()));
    beside = |value| Ok(value::names(value).iter().map(|name| value::method(name).to_owned()).collect());
    over = |value| Over::named(value).map(Some);
    bandwidth = value::yes_or_no;
    machines = value::yes_or_no;
    nodes = value::placement;
    rules = |value| SimulationModel::named(value).map(Some);
    scale_latency = |value| factor(value).map(value::factor_or_none);
    scale_bandwidth = |value| divisor(value).map(value::factor_or_none);
    scale_overhead = |value| factor(value).map(value::factor_or_none);
    scale_compute = |value| factor(value).map(value::factor_or_none);
    if_progress = |value| value::non_empty(value).map(ProgressKind::named).transpose();
    if_eager_limit = |value| value::non_empty(value).map(str::parse).transpose();
    sketch = |value| Ok(Some(value::check_length(value)?.to_owned()));
    ranks = |value| value::non_empty(value).map(value::checked_ranks).transpose();
    figure = |value| Ok(value::figure(value));
    lesson = |value| Ok(value::non_empty(value::check_length(value)?).map(str::to_owned));
    at = |value| value::non_empty(value).map(value::step).transpose();
    answers = |value| Ok(value::non_empty(value).map(str::to_owned));
    hidden = value::yes_or_no;
};

fn input_names() -> impl Iterator<Item = &'static str> {
    INPUTS.into_iter().map(|(name, _)| name)
}

impl Default for State {
    /// The initial state of the page: a current machine.
    fn default() -> Self {
        State {
            signatures: vec![library::first()],
            view: View::default(),
            inputs: Inputs::default(),
        }
    }
}

impl State {
    /// A state that shows one signature.
    pub fn of(signature: Signature) -> Self {
        State { signatures: vec![signature], ..State::default() }
    }

    /// The state that shows a figure; `open` is the open signature.
    pub fn of_figure(figure: &Figure, open: Option<Signature>) -> Result<Self, Error> {
        State::of_figure_with(figure, open, library::load)
    }

    /// As [`State::of_figure`], with a loader for built-in signatures.
    pub fn of_figure_with(
        figure: &Figure,
        open: Option<Signature>,
        load: impl Fn(&str) -> Result<Signature, Error>,
    ) -> Result<Self, Error> {
        let (machines, view, set) = match figure.shown {
            figures::FigureContent::Panels { machines, .. } => {
                (machines, View::Figures, [].as_slice())
            }
            figures::FigureContent::View { machines, view, set } => (machines, view, set),
            figures::FigureContent::Not(reason) => return Err(figure.not_drawn(reason)),
        };
        let open = open.filter(|_| machines.is_empty());
        let first = if open.is_none() && machines.is_empty() { &["cray-t3d"] } else { machines };
        let loaded = first.iter().filter(|_| open.is_none()).map(|name| load(name));
        let signatures = loaded.collect::<Result<Vec<_>, _>>()?;
        let mut state = State {
            signatures: open.into_iter().chain(signatures).collect(),
            view,
            ..State::default()
        };
        state.inputs.figure = Some(figure.name.to_owned());
        for (key, value) in set.iter().copied().flatten() {
            state.assign(key, value)?;
        }
        Ok(state)
    }

    /// Whether a key names an input, not a parameter.
    pub fn is_input(key: &str) -> bool {
        input_names().any(|name| name == key)
    }

    /// The input of this name.
    pub fn input_name(key: &str) -> Option<&'static str> {
        input_names().find(|name| *name == key)
    }

    /// Sets an input (`bytes=64KiB`) or a parameter of the first signature (`L=5us`).
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        if let ("figure", Some(name)) = (key, value::figure(value)) {
            figures::named(&name)?;
        }
        self.assign(key, value)
    }

    /// Sets an input or parameter, without looking up figures.
    fn assign(&mut self, key: &str, value: &str) -> Result<(), Error> {
        if !State::is_input(key) {
            let known = symbol_of(key).is_some();
            let (Some(signature), true) = (self.signatures.first_mut(), known) else {
                let symbols = editable_parameters().map(|(symbol, _)| symbol);
                let names = input_names().chain(symbols);
                return Err(Error::unknown("input or parameter", key, Input::Set, names));
            };
            let defaults =
                Defaults { tier: self.inputs.tier.as_deref(), style: self.inputs.style.as_deref() };
            return signature.set_within(defaults, key, value);
        }
        let previous = self.inputs.clone();
        let result = self
            .inputs
            .set(key, value)
            .and_then(|()| self.check_input(key))
            .map_err(|e: Error| e.at(key));
        if result.is_err() {
            self.inputs = previous;
        }
        result
    }

    /// Checks the signatures and the lengths of texts. Inputs that do not suit the first signature
    /// are accepted; the view shows the reason for a missing prediction.
    pub fn validate(&self) -> Result<(), Error> {
        if self.signatures.len() > MAX_SIGNATURES {
            return Err(StateError::TooManySignatures { most: MAX_SIGNATURES }.into());
        }
        for (i, signature) in self.signatures.iter().enumerate() {
            signature.validate().map_err(|e: Error| {
                let place = format!("signatures[{i}].{}", e.place);
                e.at(place)
            })?;
        }
        for text in
            [&self.inputs.sketch, &self.inputs.ranks, &self.inputs.lesson].into_iter().flatten()
        {
            value::check_length(text).map_err(|e: Error| e.at("inputs"))?;
        }
        Ok(())
    }

    /// The view to show: old links to plans of many messages open Overlap.
    pub fn default_view(&self) -> View {
        let Inputs { sketch, ranks, .. } = &self.inputs;
        let is_plan = sketch.is_some() || ranks.is_some();
        match self.view {
            View::Plan if !is_plan && self.inputs.has_message_inputs() => View::Overlap,
            view => view,
        }
    }

    /// Checks that an input suits the first signature.
    fn check_input(&self, key: &str) -> Result<(), Error> {
        let first = self.signatures.first().filter(|first| !first.tiers.is_empty());
        match (key, self.inputs.procs, first) {
            ("procs", Some(procs), _) => check_procs(procs),
            ("tier" | "style", _, Some(first)) => {
                let tier = first.tier(self.inputs.tier.as_deref())?;
                let style = self.inputs.style.as_deref().filter(|_| key == "style");
                tier.style(style).map(|_| ())
            }
            _ => Ok(()),
        }
    }
}

impl Inputs {
    /// The what-if of the inputs.
    pub fn what_if(&self) -> WhatIf {
        WhatIf {
            latency: self.scale_latency.unwrap_or(1.0),
            bandwidth: self.scale_bandwidth.unwrap_or(1.0),
            overhead: self.scale_overhead.unwrap_or(1.0),
            progress: self.if_progress,
            eager_limit: self.if_eager_limit,
        }
    }

    /// Whether inputs about many messages are set.
    pub fn has_message_inputs(&self) -> bool {
        self.count.is_some() || self.compute.is_some() || self.depth.is_some()
    }

    /// Sets an input from text; does not check the name of a figure.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let known = INPUTS.into_iter().find(|(name, _)| *name == key);
        let unknown = || Error::unknown("input", key, Input::Set, input_names());
        let (_, read) = known.ok_or_else(unknown)?;
        read(self, value).map_err(|error| match error.place {
            Place::Nowhere => error.at(key),
            _ => error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::model::composition::OWN_FORM;

    fn t3d() -> State {
        State::of(library::load("cray-t3d").unwrap())
    }

    #[test]
    fn inputs_and_parameters_are_set_by_key() {
        let mut state = t3d();
        state.set("bytes", "64KiB").unwrap();
        state.set("style", "issend").unwrap();
        state.set("o_s", "7us").unwrap();
        assert_eq!(state.inputs.bytes, Some(Bytes(65536)));
        let styles = &state.signatures[0].tiers[0].styles;
        assert_eq!(styles[1].send_overhead.as_ref().unwrap().fixed.map(|t| t.0), Some(7.0));
        assert!(styles[0].send_overhead.as_ref().unwrap().fixed.is_none(), "isend is untouched");
    }

    #[test]
    fn inputs_of_collectives_are_parsed() {
        let mut state = t3d();
        for (key, value) in [
            ("algorithm", "formula"),
            ("beside", "ring, bruck"),
            ("over", "bytes"),
            ("bandwidth", "yes"),
            ("nodes", "block:8"),
        ] {
            state.set(key, value).unwrap();
        }
        assert_eq!(state.inputs.algorithm.as_deref(), Some(OWN_FORM));
        assert_eq!(state.inputs.beside, ["ring", "bruck"]);
        assert_eq!((state.inputs.over, state.inputs.bandwidth), (Some(Over::Bytes), true));
        assert!(state.set("nodes", "block:0").is_err());
        assert!(state.set("nodes", "cube:3").is_err());
        assert!(state.set("over", "time").unwrap_err().help.to_string().contains("procs"));
        state.set("nodes", "").unwrap();
        assert_eq!(state.inputs.nodes, None);
    }

    #[test]
    fn a_sketch_is_kept_verbatim_up_to_a_maximum_length() {
        let mut state = t3d();
        state.set("sketch", "no\nsketch = ").unwrap();
        state.set("ranks", "2..1Mi").unwrap();
        assert_eq!(state.inputs.sketch.as_deref(), Some("no\nsketch = "));
        assert!(state.set("ranks", "0").is_err() && state.validate().is_ok());
        let long_text = "#".repeat(LONGEST_TEXT + 1);
        assert!(state.set("sketch", &long_text).unwrap_err().help.to_string().contains("65536"));
        state.inputs.sketch = Some(long_text);
        assert_eq!(state.validate().unwrap_err().place, "inputs".into());
    }

    #[test]
    fn former_names_of_views_are_accepted() {
        for (former, view) in FORMER_VIEWS {
            assert_eq!(View::named(former).unwrap(), view);
            let read: View = serde_json::from_value(former.into()).unwrap();
            assert_eq!(read, view);
            assert_eq!(serde_json::to_value(read).unwrap(), view.name(), "{former}");
        }
        assert!(View::named("p3p").is_err() && serde_json::from_str::<View>("\"p3p\"").is_err());
    }

    #[test]
    fn old_plans_of_messages_open_overlap() {
        let mut state = State { view: View::Plan, ..t3d() };
        assert_eq!(state.default_view(), View::Plan);
        state.set("count", "100").unwrap();
        assert_eq!(state.default_view(), View::Overlap);
        state.set("sketch", "").unwrap();
        assert_eq!(state.default_view(), View::Plan);
    }

    #[test]
    fn json_keys_are_the_names_of_inputs() {
        for (name, value) in [
            ("bytes", "1KiB"),
            ("model", "loggp"),
            ("send_at", "5us"),
            ("count", "10"),
            ("beside", "ring"),
            ("machines", "yes"),
            ("scale_latency", "0.5"),
            ("if_eager_limit", "8"),
            ("hidden", "yes"),
        ] {
            let mut inputs = Inputs::default();
            inputs.set(name, value).unwrap();
            let json = serde_json::to_value(&inputs).unwrap();
            assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), [name]);
        }
    }

    #[test]
    fn an_unknown_key_suggests_known_keys() {
        let error = t3d().set("byte", "1").unwrap_err();
        assert!(error.help.to_string().contains("bytes"), "{error}");
        let previous = t3d();
        for (key, value) in [
            ("tier", "moon"),
            ("style", "zzz"),
            ("procs", "0"),
            ("bytes", "-1"),
            ("figure", "hwang-33"),
        ] {
            let mut state = previous.clone();
            assert!(state.set(key, value).is_err(), "{key}={value}");
            assert_eq!(state, previous, "a refusal changes nothing");
        }
        assert!(t3d().set("O_control", "2us").is_ok());
    }
}

//! Parsers of option values, with the values that help and completions list.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use loggia_collect::run::MeasurementKind;
use loggia_exchange::export::Target;
use loggia_exchange::import::options::PerFile;
use loggia_link::state::View;
use loggia_model::Error;
use loggia_model::model::Model;
use loggia_model::model::composition::{COMPOSITIONS, Composition};
use loggia_model::ranks::parse_procs;
use loggia_model::signature::{BytesAre, Operation, ProgressKind, Transfer};
use loggia_model::simulation_model::SimulationModel;
use std::ffi::OsStr;

/// The value of `predict collective --op`.
#[derive(Clone, Copy)]
pub(crate) enum OpOrComposition {
    Op(Operation),
    Composition(&'static Composition),
}

pub(super) fn assumption(text: &str) -> Result<(String, String), Error> {
    pair(text).ok_or_else(|| {
        Error::new(format!("`{text}` is not KEY=VALUE"), "--set", "write, for example, L=5us")
    })
}

/// `NAME=FORMULA`: replaces a constant of the sketch.
pub(super) fn constant(text: &str) -> Result<(String, String), Error> {
    pair(text).ok_or_else(|| {
        Error::new(format!("`{text}` is not NAME=FORMULA"), "--let", "write, for example, work=2ms")
    })
}

fn pair(text: &str) -> Option<(String, String)> {
    let (key, value) = text.split_once('=')?;
    let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
    (!key.is_empty()).then_some((key, value))
}

/// `VALUE`, or `FILE=VALUE`.
pub(super) fn of_file<T>(
    value: fn(&str) -> Result<T, Error>,
) -> impl TypedValueParser<Value = PerFile<T>>
where
    T: Clone + Send + Sync + 'static,
{
    StringValueParser::new().try_map(move |text| PerFile::parse(&text, value))
}

pub(super) fn threads(text: &str) -> Result<usize, Error> {
    text.trim().parse().ok().filter(|threads| (1..=1024).contains(threads)).ok_or_else(|| {
        Error::new(
            format!("`{text}` is not a number of threads"),
            "--jobs",
            "write, for example, 4",
        )
    })
}

pub(super) fn ranks(text: &str) -> Result<u32, Error> {
    let procs = parse_procs(text).map_err(|error| Error {
        place: "--ranks".into(),
        help: "write, for example, 4, or osu_bcast.txt=4 for one file".into(),
        ..error
    })?;
    Ok(procs.0)
}

/// Any text, with values that help and completions suggest.
#[derive(Clone)]
struct Suggested(Vec<PossibleValue>);

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().cloned()))
    }
}

/// A parser that accepts only these values.
pub(super) fn one_of<T>(
    values: impl IntoIterator<Item = PossibleValue>,
    parse: fn(&str) -> Result<T, Error>,
) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    Suggested(values.into_iter().collect()).try_map(move |word| parse(&word))
}

pub(super) fn model() -> impl TypedValueParser<Value = Model> {
    one_of(Model::ALL.map(|m| PossibleValue::new(m.name()).help(m.title())), Model::named)
}

pub(super) fn rules() -> impl TypedValueParser<Value = SimulationModel> {
    one_of(SimulationModel::ALL.map(|r| PossibleValue::new(r.name())), SimulationModel::named)
}

pub(super) fn view() -> impl TypedValueParser<Value = View> {
    one_of(View::ALL.map(|(_, name)| PossibleValue::new(name)), View::named)
}

pub(super) fn target() -> impl TypedValueParser<Value = Target> {
    one_of(Target::ALL.map(|t| PossibleValue::new(t.name()).help(t.about())), Target::named)
}

pub(super) fn bytes_are() -> impl TypedValueParser<Value = BytesAre> {
    one_of(BytesAre::ALL.map(|b| PossibleValue::new(b.name()).help(b.words())), BytesAre::named)
}

pub(super) fn progress() -> impl TypedValueParser<Value = ProgressKind> {
    let kinds = [("dependent", "dcp"), ("independent", "icp")];
    let value = |(name, short)| PossibleValue::new(name).alias(short);
    one_of(kinds.map(value), ProgressKind::named)
}

pub(super) fn protocol() -> impl TypedValueParser<Value = Transfer> {
    one_of(["t", "ta", "rta", "rat"].map(PossibleValue::new), Transfer::named)
}

pub(super) fn handshake() -> impl TypedValueParser<Value = Transfer> {
    one_of(["rat", "rta"].map(PossibleValue::new), |word| match Transfer::named(word)? {
        transfer @ (Transfer::Rat | Transfer::Rta) => Ok(transfer),
        _ => Err(Error::unknown("transfer above the eager limit", word, "", ["rat", "rta"])),
    })
}

pub(super) fn operation() -> impl TypedValueParser<Value = Operation> {
    one_of(Operation::ALL.map(|op| PossibleValue::new(op.name())), Operation::named)
}

pub(super) fn operation_or_composition() -> impl TypedValueParser<Value = OpOrComposition> {
    let operations = Operation::ALL.iter().map(|op| op.name());
    let names = operations.chain(COMPOSITIONS.iter().map(|c| c.name));
    one_of(names.map(PossibleValue::new), |name| {
        match COMPOSITIONS.iter().find(|c| c.name == name) {
            Some(composition) => Ok(OpOrComposition::Composition(composition)),
            None => Operation::named(name).map(OpOrComposition::Op),
        }
    })
}

pub(super) fn measurement() -> impl TypedValueParser<Value = MeasurementKind> {
    one_of(
        MeasurementKind::ALL.map(|what| PossibleValue::new(what.name()).help(what.words())),
        MeasurementKind::named,
    )
}

/// Seconds: `30`, `30s`, `5min`, `1h`.
pub(super) fn long_duration() -> impl TypedValueParser<Value = f64> {
    StringValueParser::new().try_map(|word| {
        let text = word.trim();
        let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (number, unit) = text.split_at(split);
        let factor = match unit {
            "" | "s" => Some(1.0),
            "min" => Some(60.0),
            "h" => Some(3600.0),
            _ => None,
        };
        let seconds = number.trim().parse::<f64>().ok().zip(factor).map(|(n, f)| n * f);
        seconds.filter(|s| s.is_finite() && *s > 0.0).ok_or_else(|| {
            Error::new(format!("`{word}` is not a time"), "", "write, for example, 30s, 5min or 1h")
        })
    })
}

/// A share: `5%` or `0.05`.
pub(super) fn share() -> impl TypedValueParser<Value = f64> {
    StringValueParser::new().try_map(|word| {
        let text = word.trim();
        let share = match text.strip_suffix('%') {
            Some(percent) => percent.trim().parse::<f64>().map(|percent| percent / 100.0),
            None => text.parse::<f64>(),
        };
        share.ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| {
            Error::new(format!("`{word}` is not a share"), "", "write, for example, 5% or 0.05")
        })
    })
}

//! Sweeps: an input with several values.

use super::error::SweepError;
use super::sketch::Sketch;
use loggia_model::Error;
use loggia_model::error::Input;
use loggia_model::signature::{ProgressKind, editable_parameters, symbol_of};
use loggia_model::units::Bytes;
use loggia_model::units::words::number;
use loggia_model::what_if::{WhatIf, divisor, factor};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Maximum number of values.
const MAX: usize = 1000;

/// An input and its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sweep {
    /// A constant of the sketch, an option of the command, or a parameter of the signature.
    pub name: String,
    /// The values, as written.
    pub values: Vec<String>,
}

/// The input that a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SweepTarget {
    Constant,
    Latency,
    Bandwidth,
    Overhead,
    Progress,
    EagerLimit,
    RanksPerNode,
    Parameter,
}

/// Options that can be swept, by name.
const OPTIONS: [(&str, SweepTarget); 6] = [
    ("scale-latency", SweepTarget::Latency),
    ("scale-bandwidth", SweepTarget::Bandwidth),
    ("scale-overhead", SweepTarget::Overhead),
    ("progress", SweepTarget::Progress),
    ("eager-limit", SweepTarget::EagerLimit),
    ("ranks-per-node", SweepTarget::RanksPerNode),
];

impl FromStr for Sweep {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Ok(Sweep::read(text)?)
    }
}

impl Sweep {
    /// Reads `NAME=VALUES`.
    ///
    /// # Errors
    /// The first mistake.
    pub fn read(text: &str) -> Result<Self, SweepError> {
        let (name, list) = text
            .split_once('=')
            .map(|(name, list)| (name.trim(), list.trim()))
            .filter(|(name, list)| !name.is_empty() && !list.is_empty())
            .ok_or_else(|| SweepError::NotASweep(text.to_owned()))?;
        let mut values: Vec<String> = Vec::new();
        for part in parts(list) {
            let found = match part.split_once("..") {
                _ if part.is_empty() => {
                    return Err(SweepError::MissingValue(name.to_owned()));
                }
                Some((low, high)) => {
                    doubled(low, high).ok_or_else(|| SweepError::NotARange(part.to_owned()))?
                }
                None => vec![part.to_owned()],
            };
            for value in found {
                if values.contains(&value) {
                    return Err(SweepError::RepeatedValue { name: name.to_owned(), value });
                }
                values.push(value);
            }
        }
        match values.len() {
            count if count > MAX => Err(SweepError::TooManyValues(count)),
            _ => Ok(Sweep { name: name.to_owned(), values }),
        }
    }
}

/// Parts between commas, except those inside formulas: `1ms, max(n, 2)`.
fn parts(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let between = move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    };
    list.split(between).map(str::trim)
}

/// Values of a range, each twice the previous one, and its end: `0.25..4`, `1us..8us`, `1KiB..64KiB`.
fn doubled(low: &str, high: &str) -> Option<Vec<String>> {
    let (low, unit) = with_unit(low)?;
    let (high, high_unit) = with_unit(high)?;
    let is_range = unit == high_unit && low > 0.0 && low <= high && high / low < 2f64.powi(64);
    let values = std::iter::successors(Some(low), |at| Some(at * 2.0));
    let values = values.take_while(|at| *at < high * (1.0 - 1e-9)).chain([high]);
    is_range.then(|| values.map(|at| format!("{}{unit}", number(at, 12))).collect())
}

fn with_unit(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit.trim()))
}

impl Sweep {
    /// The input that the name refers to.
    pub(super) fn target(&self, sketch: &Sketch) -> Result<SweepTarget, Error> {
        let constants = || sketch.constants.iter().map(|constant| constant.name.as_str());
        if constants().any(|name| name == self.name) {
            return Ok(SweepTarget::Constant);
        }
        if let Some((_, target)) = OPTIONS.iter().find(|(name, _)| *name == self.name) {
            return Ok(*target);
        }
        if symbol_of(&self.name).is_some() {
            return Ok(SweepTarget::Parameter);
        }
        let options = OPTIONS.iter().map(|(name, _)| *name);
        let symbols = editable_parameters().map(|(symbol, _)| symbol);
        let symbols = symbols.filter(|symbol| OPTIONS.iter().all(|(name, _)| name != symbol));
        let known = constants().chain(options).chain(symbols);
        Err(Error::unknown("name", &self.name, Input::Sweep, known))
    }
}

impl SweepTarget {
    /// Sets the value in a what-if, if the target is one of its options.
    pub(super) fn change(self, what_if: &mut WhatIf, value: &str) -> Result<(), Error> {
        match self {
            SweepTarget::Latency => what_if.latency = factor(value)?,
            SweepTarget::Bandwidth => what_if.bandwidth = divisor(value)?,
            SweepTarget::Overhead => what_if.overhead = factor(value)?,
            SweepTarget::Progress => what_if.progress = Some(ProgressKind::named(value)?),
            SweepTarget::EagerLimit => what_if.eager_limit = Some(value.parse::<Bytes>()?),
            SweepTarget::Constant | SweepTarget::RanksPerNode | SweepTarget::Parameter => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn values_are_lists_and_ranges_with_units() {
        let of = |text: &str| text.parse::<Sweep>().unwrap().values.join(" ");
        assert_eq!(of("scale-latency = 0.25..2"), "0.25 0.5 1 2");
        assert_eq!(of("L=1.5us..7us, 9us"), "1.5us 3us 6us 7us 9us");
        assert_eq!(of("eager-limit=1KiB..4KiB"), "1KiB 2KiB 4KiB");
        assert_eq!(of("n=max(2, p),3"), "max(2, p) 3");
        for text in ["", "n", "n=", "=1"] {
            assert_eq!(Sweep::read(text), Err(SweepError::NotASweep(text.to_owned())));
        }
        for range in ["4..2", "1us..2ms", "0..2", "a..b"] {
            let error = SweepError::NotARange(range.to_owned());
            assert_eq!(Sweep::read(&format!("n={range}")), Err(error));
        }
        let name = "n".to_owned();
        assert_eq!(Sweep::read("n=1,"), Err(SweepError::MissingValue(name.clone())));
        let error = SweepError::RepeatedValue { name, value: "1".to_owned() };
        assert_eq!(Sweep::read("n=1,1"), Err(error));
        assert_eq!("n".parse::<Sweep>().unwrap_err().place, Input::Sweep.into());
    }

    #[test]
    fn constants_of_the_sketch_take_precedence() {
        let sketch = Sketch::read("[let]\nprogress = 3\n[[step]]\ncompute = 1\n").unwrap();
        let of = |name: &str| {
            Sweep { name: name.to_owned(), values: vec!["1".to_owned()] }.target(&sketch)
        };
        assert_eq!(of("progress").unwrap(), SweepTarget::Constant);
        assert_eq!(of("isend.o_s").unwrap(), SweepTarget::Parameter);
        assert_eq!(of("ranks-per-node").unwrap(), SweepTarget::RanksPerNode);
        assert!(of("scale-latncy").unwrap_err().help.to_string().contains("scale-latency"));
    }
}

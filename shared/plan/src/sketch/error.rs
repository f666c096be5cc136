//! Errors of sketches.

use super::edit::actions;
use crate::expression::{HELP, Mistake};
use crate::toml_text::{TomlError, TomlMistake};
use loggia_model::Error;
use loggia_model::error::{Input, Place};
use std::fmt;

/// A mistake in a sketch, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SketchError {
    pub mistake: SketchMistake,
    /// Line and column; the input, for a constant that replaces one of the sketch.
    pub place: Place,
}

/// A mistake in a sketch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SketchMistake {
    TooLong,
    Toml(TomlMistake),
    ExpectedFormula,
    ExpectedSteps,
    /// The sides of a grid are one to three numbers.
    ExpectedSides,
    /// A grid with both `cells` and `block`, or neither.
    GridExtent,
    TooManyRanksPerNode,
    /// A name that exists already, or has other characters than letters, digits and `_`.
    InvalidName(String),
    /// A constant to be replaced is not in the sketch.
    UnknownConstant {
        name: String,
        known: Vec<String>,
    },
    /// A constant is used above its line.
    ConstantBelow(String),
    /// An unknown name in a formula.
    UnknownName {
        name: String,
        known: Vec<String>,
    },
    Formula(Mistake),
    NoStep,
    TooManySteps,
    NestedTooDeep,
    /// A step with several actions, or none.
    NotOneAction(Vec<String>),
    /// A key that the action of its step does not take.
    KeyOfAnotherAction {
        key: String,
        action: String,
        allowed: Vec<&'static str>,
    },
    NeedsGrid {
        action: String,
        dimensions: usize,
    },
    IncompleteWavefront {
        missing: &'static str,
    },
}

impl From<TomlError> for SketchError {
    fn from(TomlError { mistake, place }: TomlError) -> Self {
        SketchError { mistake: SketchMistake::Toml(mistake), place }
    }
}

impl From<SketchError> for Error {
    fn from(SketchError { mistake, place }: SketchError) -> Self {
        use SketchMistake::*;
        let (message, help) = match mistake {
            Toml(mistake) => return TomlError { mistake, place }.into(),
            UnknownConstant { name, known } => {
                if known.is_empty() {
                    let message = format!("this sketch has no constants, and so no `{name}`");
                    return Error::new(message, Input::Let, "add it below [let]");
                }
                let known = known.iter().map(String::as_str);
                return Error::unknown("constant of this sketch", &name, Input::Let, known);
            }
            UnknownName { name, known } => {
                return Error::unknown("name", &name, place, known.iter().map(String::as_str));
            }
            Formula(mistake) => return Error::new(mistake.to_string(), place, HELP),
            InvalidName(name) => {
                let help = "use letters, digits and _, and a name that is not known already";
                return Error::new(format!("`{name}` cannot be a name"), place, help);
            }
            ConstantBelow(name) => {
                let help = "move it above this line: a constant may use only constants above it";
                return Error::new(format!("`{name}` is not known yet at this line"), place, help);
            }
            NotOneAction(found) => {
                let message = match found.as_slice() {
                    [] => "this step has no action".to_owned(),
                    found => format!("a step has one action; this one has {}", found.join(", ")),
                };
                let help = format!("give one of {}", actions().collect::<Vec<_>>().join(", "));
                return Error::new(message, place, help);
            }
            KeyOfAnotherAction { key, action, allowed } => {
                let help = format!("its options: {}", allowed.join(", "));
                return Error::new(format!("{action} has no option `{key}`"), place, help);
            }
            NeedsGrid { action, dimensions } => {
                let message = match dimensions {
                    1 => format!("{action} needs a grid"),
                    least => format!("{action} needs a grid of {least} dimensions or more"),
                };
                let help = "write [grid] and cells = [4096, 4096], or block = [64, 64]";
                return Error::new(message, place, help);
            }
            IncompleteWavefront { missing } => {
                let help =
                    "write, for example, wavefront = \"8 * face\", blocks = 8, work = \"50us\"";
                return Error::new(format!("this wavefront has no `{missing}`"), place, help);
            }
            TooLong => ("this sketch is longer than 64 KiB", "shorten it"),
            ExpectedFormula => {
                ("expected a number or a formula", "such as \"2ns * cells\", \"64KiB\" or 8")
            }
            ExpectedSteps => ("expected steps", STEPS),
            ExpectedSides => (
                "expected one to three numbers",
                "such as [4096, 4096]: one number for each of one to three dimensions",
            ),
            GridExtent => (
                "a grid has either cells or a block",
                "cells = [4096, 4096] divides these among the ranks, block = [64, 64] is each \
                 rank's",
            ),
            TooManyRanksPerNode => ("too many ranks for a node", "write, for example, 8"),
            NoStep => (
                "this sketch has no step",
                "write the steps of an iteration, such as [[step]] and compute = \"1ms / p\"",
            ),
            TooManySteps => {
                ("this sketch has too many steps", "repeat steps with times, or join similar steps")
            }
            NestedTooDeep => ("steps are nested too deeply", STEPS),
        };
        Error::new(message, place, help)
    }
}

const STEPS: &str = "write each as [[step]], or several in one as steps = [{ … }, { … }]";

impl fmt::Display for SketchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Error::from(self.clone()).fmt(f)
    }
}

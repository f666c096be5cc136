//! Remedies of errors.

use super::{Input, nearest, one_line};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// A remedy: a sequence of texts, inputs and proposals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remedy(pub Vec<Part>);

/// A part of a remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Words(String),
    /// An input, with its proposed value, if any.
    Input(Input, Option<String>),
    /// Allowed values of an input.
    Choose {
        /// Words similar to the given one, nearest first.
        near: Vec<String>,
        /// The known words.
        known: Vec<String>,
    },
    /// Parameters to assume, each with an example value.
    Assume(Vec<Assumption>),
}

/// A parameter and an example value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    pub parameter: String,
    pub value: String,
}

impl Remedy {
    /// Appends a part.
    #[must_use]
    pub fn then(mut self, part: impl Into<Part>) -> Self {
        self.0.push(part.into());
        self
    }

    /// The known words, the nearest first.
    pub(super) fn choose<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        let near = nearest(word, &known);
        let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
        Remedy(vec![Part::Choose { near: owned(near), known: owned(known) }])
    }

    /// Without parameters to assume, for a reader who has fields for them.
    #[must_use]
    pub fn without_assumptions(&self) -> Self {
        let parts = self.0.iter().filter(|part| !matches!(part, Part::Assume(_)));
        Remedy(parts.cloned().collect())
    }

    /// Whether the remedy is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As text; `name` gives the name of an input.
    pub fn worded(&self, name: &impl Fn(Input, Option<&str>) -> String) -> String {
        self.0.iter().map(|part| one_line(part.worded(name))).collect()
    }
}

impl Part {
    /// As text; `name` gives the name of an input.
    pub fn worded(&self, name: &impl Fn(Input, Option<&str>) -> String) -> String {
        match self {
            Part::Words(words) => words.clone(),
            Part::Input(input, value) => name(*input, value.as_deref()),
            Part::Choose { near, known } => choice(near, known),
            Part::Assume(all) => {
                let set = |one: &Assumption| name(Input::Set, Some(&one.to_string()));
                format!(" (such as {})", all.iter().map(set).collect::<Vec<_>>().join(" "))
            }
        }
    }
}

fn choice(near: &[String], known: &[String]) -> String {
    match (near, known) {
        (_, []) => "no value is possible here".to_owned(),
        ([], _) => format!("known: {}", known.join(", ")),
        _ if known.len() > near.len() => {
            format!("did you mean {}? known: {}", near.join(" or "), known.join(", "))
        }
        _ => format!("did you mean {}?", near.join(" or ")),
    }
}

impl Display for Assumption {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.parameter, self.value)
    }
}

impl Display for Remedy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(&super::neutral))
    }
}

impl From<String> for Part {
    fn from(words: String) -> Self {
        Part::Words(one_line(words))
    }
}

impl From<&str> for Part {
    fn from(words: &str) -> Self {
        words.to_owned().into()
    }
}

impl From<Input> for Part {
    fn from(input: Input) -> Self {
        Part::Input(input, None)
    }
}

impl<T: Into<String>> From<(Input, T)> for Part {
    fn from((input, value): (Input, T)) -> Self {
        Part::Input(input, Some(value.into()))
    }
}

impl From<Vec<Assumption>> for Part {
    fn from(all: Vec<Assumption>) -> Self {
        Part::Assume(all)
    }
}

impl From<String> for Remedy {
    fn from(words: String) -> Self {
        if words.is_empty() { Remedy::default() } else { Remedy::default().then(words) }
    }
}

impl From<&str> for Remedy {
    fn from(words: &str) -> Self {
        words.to_owned().into()
    }
}

impl From<&String> for Remedy {
    fn from(words: &String) -> Self {
        words.clone().into()
    }
}

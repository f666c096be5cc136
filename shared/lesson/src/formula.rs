//! Formulas and conditions, as in sketches, over named quantities or paths of a report.
//!
//! A path is a name such as `time_us`, with parts after it: `terms[L].total_us`,
//! `strategies[pipelined].time_us`, `points[{2 * procs}].efficiency`.

use crate::error::LessonError;
use loggia_model::Error;
use loggia_plan::expression::{Expression, Kind};

/// A formula over names.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula(Expression);

impl Formula {
    /// # Errors
    /// The mistake, without a place.
    pub fn parse(text: &str, known: &dyn Fn(&str) -> bool) -> Result<Self, Error> {
        let kind = |name: &str| known(name).then_some(Kind::Number);
        // Numbers of a lesson are in µs, bytes or without unit: any kind is accepted.
        let any = [Kind::Number, Kind::Time, Kind::Size];
        let mut first_error = None;
        for result_kind in any {
            match Expression::parse(text, result_kind, &kind) {
                Ok(expression) => return Ok(Formula(expression)),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        let not_a_formula = || LessonError::NotAFormula(text.to_owned());
        Err(first_error
            .map_or_else(not_a_formula, |error| LessonError::Formula(error.mistake))
            .into())
    }

    pub fn value(&self, names: &dyn Fn(&str) -> Option<f64>) -> f64 {
        self.0.at(&|name| names(name).unwrap_or(f64::NAN))
    }

    /// The name, if the formula is a single name.
    pub fn as_name(&self) -> Option<String> {
        let text = self.0.to_string();
        let is_word = text.trim().chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_word && text.trim().starts_with(char::is_alphabetic)).then(|| text.trim().to_owned())
    }
}

impl std::fmt::Display for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A conjunction of comparisons: `a < b and c >= 2 * d`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition(Vec<(Formula, Relation, Formula)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
}

const RELATIONS: [(&str, Relation); 5] = [
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("==", Relation::Equal),
    ("<", Relation::Less),
    (">", Relation::More),
];

impl Condition {
    /// # Errors
    /// The mistake, without a place.
    pub fn parse(text: &str, known: &dyn Fn(&str) -> bool) -> Result<Self, Error> {
        text.split(" and ").map(|part| comparison(part, known)).collect::<Result<_, _>>().map(Self)
    }

    pub fn holds(&self, names: &dyn Fn(&str) -> Option<f64>) -> bool {
        self.0.iter().all(|(left, relation, right)| {
            let (left, right) = (left.value(names), right.value(names));
            match relation {
                Relation::Less => left < right,
                Relation::AtMost => left <= right,
                Relation::More => left > right,
                Relation::AtLeast => left >= right,
                Relation::Equal => left == right,
            }
        })
    }
}

fn comparison(
    text: &str,
    known: &dyn Fn(&str) -> bool,
) -> Result<(Formula, Relation, Formula), Error> {
    let comparison = RELATIONS.into_iter().find_map(|(sign, relation)| {
        text.split_once(sign).map(|(left, right)| (left, relation, right))
    });
    let (left, relation, right) =
        comparison.ok_or_else(|| LessonError::NotACondition(text.to_owned()))?;
    Ok((Formula::parse(left, known)?, relation, Formula::parse(right, known)?))
}

/// A formula over paths of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    formula: Formula,
    /// The paths; the formula uses the names q0, q1, … for them.
    paths: Vec<Path>,
}

impl Quantity {
    /// # Errors
    /// The mistake, without a place.
    pub fn parse(text: &str, known: &dyn Fn(&str) -> bool) -> Result<Self, Error> {
        let mut paths = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let word = match c {
                c if c.is_alphabetic() => path_text(rest),
                c if c.is_ascii_digit() || c == '.' => number_text(rest),
                c => &rest[..c.len_utf8()],
            };
            let is_call = rest[word.len()..].trim_start().starts_with('(');
            if c.is_alphabetic() && !is_call {
                plain += &format!("q{}", paths.len());
                paths.push(Path::parse(word, known)?);
            } else {
                plain += word;
            }
            rest = &rest[word.len()..];
        }
        let count = paths.len();
        let is_path = |name: &str| path_index(name).is_some_and(|at| at < count);
        Ok(Quantity { formula: Formula::parse(&plain, &is_path)?, paths })
    }

    /// The value; `look` gives the value at a path.
    ///
    /// # Errors
    /// If `look` fails.
    pub fn value(&self, look: &mut dyn FnMut(&Path) -> Result<f64, Error>) -> Result<f64, Error> {
        let values: Vec<f64> = self.paths.iter().map(look).collect::<Result<_, _>>()?;
        let at = |name: &str| values.get(path_index(name)?).copied();
        Ok(self.formula.value(&at))
    }

    /// The path, if the quantity is a single path.
    pub fn as_path(&self) -> Option<&Path> {
        self.paths.first().filter(|_| self.paths.len() == 1 && self.formula.as_name().is_some())
    }

    pub fn paths(&self) -> &[Path] {
        &self.paths
    }
}

/// The index of a path from its name (q0, q1, …).
fn path_index(name: &str) -> Option<usize> {
    name.strip_prefix('q')?.parse().ok()
}

/// The path of a number in a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Path(pub Vec<Part>);

/// A part of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A key of an object.
    Key(String),
    /// An element of a list, by name, number of ranks, or index.
    Element(String),
    /// An element of a list, by a computed number of ranks.
    Computed(Formula),
}

impl Path {
    fn parse(text: &str, known: &dyn Fn(&str) -> bool) -> Result<Self, Error> {
        let mut parts = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix('[') {
                let open = || LessonError::OpenBracket(text.to_owned());
                let (index, after) = inner.split_once(']').ok_or_else(open)?;
                let computed = index.strip_prefix('{').and_then(|index| index.strip_suffix('}'));
                parts.push(match computed {
                    Some(formula) => Part::Computed(Formula::parse(formula, known)?),
                    None => Part::Element(index.to_owned()),
                });
                rest = after;
                continue;
            }
            let key = rest.trim_start_matches('.');
            let end = key.find(['.', '[']).unwrap_or(key.len());
            parts.push(Part::Key(key[..end].to_owned()));
            rest = &key[end..];
        }
        Ok(Path(parts))
    }

    /// This path with another last key.
    #[must_use]
    pub fn sibling(&self, key: &str) -> Path {
        let mut parts = self.0.clone();
        if let Some(last) = parts.last_mut() {
            *last = Part::Key(key.to_owned());
        }
        Path(parts)
    }

    pub fn last_key(&self) -> Option<&str> {
        match self.0.last() {
            Some(Part::Key(key)) => Some(key),
            _ => None,
        }
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, part) in self.0.iter().enumerate() {
            match part {
                Part::Key(key) if at == 0 => write!(f, "{key}")?,
                Part::Key(key) => write!(f, ".{key}")?,
                Part::Element(name) => write!(f, "[{name}]")?,
                Part::Computed(formula) => write!(f, "[{{{formula}}}]")?,
            }
        }
        Ok(())
    }
}

/// The path at the start of a text: names, dots and brackets.
fn path_text(text: &str) -> &str {
    let mut end = 0;
    let mut is_inside = false;
    for c in text.chars() {
        let is_in_path = is_inside || c.is_alphanumeric() || matches!(c, '_' | '.' | '[');
        if !is_in_path {
            break;
        }
        is_inside = match c {
            '[' => true,
            ']' => false,
            _ => is_inside,
        };
        end += c.len_utf8();
    }
    &text[..end]
}

/// The number at the start of a text, with its unit.
fn number_text(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '.')).unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn paths_are_evaluated_in_a_formula() {
        let quantity =
            Quantity::parse("2 / terms[o_s].total_us + max(time_us, 3)", &|_| false).unwrap();
        let mut paths = Vec::new();
        let value = quantity.value(&mut |path| {
            paths.push(path.to_string());
            Ok(4.0)
        });
        assert_eq!(
            (value.unwrap(), paths),
            (4.5, vec!["terms[o_s].total_us".to_owned(), "time_us".to_owned()])
        );
        assert!(quantity.as_path().is_none());
        let ranks = Quantity::parse("points[{2 * procs}].efficiency", &|name| name == "procs");
        assert_eq!(ranks.unwrap().as_path().unwrap().to_string(), "points[{2 * procs}].efficiency");
        assert!(Quantity::parse("points[{ranks}].efficiency", &|_| false).is_err());
    }

    #[test]
    fn all_comparisons_must_hold() {
        let names = |name: &str| match name {
            "a" => Some(2.0),
            "b" => Some(3.0),
            _ => None,
        };
        let holds = |text: &str| {
            Condition::parse(text, &|name| names(name).is_some()).map(|c| c.holds(&names))
        };
        assert!(holds("a < b and a + 1 == b and abs(a - b) <= 1").unwrap());
        assert!(!holds("a < b and b < a").unwrap());
        assert!(holds("a").is_err() && holds("a < c").is_err());
    }
}

//! Texts with computed numbers: `One byte more takes {b/a} times as long`.
//!
//! The model checks a typed number: `{100*o/t = 92}` shows `92`; a lesson in which the model
//! computes another number is refused.

use crate::error::LessonError;
use crate::formula::Formula;
use loggia_model::Error;
use loggia_model::units::words::{THOUSANDS, number, whole};
use std::ops::Range;

/// A text with computed numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    parts: Vec<Part>,
    /// The source of the text.
    pub written: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Words(String),
    Computed(Formula),
    /// A typed number that the model must confirm.
    Confirmed {
        formula: Formula,
        typed: String,
        value: f64,
    },
}

/// A typed number that the model contradicts.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    pub formula: String,
    pub typed: String,
    pub computed: f64,
}

impl Text {
    /// # Errors
    /// If a brace is not closed or a formula is invalid; without a place.
    pub fn parse(text: &str, known: &dyn Fn(&str) -> bool) -> Result<Self, Error> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((words, after)) = rest.split_once('{') {
            parts.push(Part::Words(words.to_owned()));
            let (formula, after) = after.split_once('}').ok_or(LessonError::OpenBrace)?;
            parts.push(computed(formula, known)?);
            rest = after;
        }
        parts.push(Part::Words(rest.to_owned()));
        Ok(Text { parts, written: text.to_owned() })
    }

    /// The text with computed numbers.
    pub fn filled(&self, names: &dyn Fn(&str) -> Option<f64>) -> String {
        let part = |part: &Part| match part {
            Part::Words(words) => spaced(words),
            Part::Computed(formula) => shown(formula.value(names)),
            Part::Confirmed { typed, .. } => spaced(typed),
        };
        self.parts.iter().map(part).collect()
    }

    /// Typed numbers that the model contradicts.
    pub fn contradictions(&self, names: &dyn Fn(&str) -> Option<f64>) -> Vec<Contradiction> {
        let part = |part: &Part| match part {
            Part::Confirmed { formula, typed, value } => {
                let computed = formula.value(names);
                let is_right = (computed - value).abs() <= half_of_last_digit(typed) * 1.01;
                (!is_right).then(|| Contradiction {
                    formula: formula.to_string(),
                    typed: typed.clone(),
                    computed,
                })
            }
            _ => None,
        };
        self.parts.iter().filter_map(part).collect()
    }

    /// The words between the computed numbers.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Words(words) => Some(words.as_str()),
            _ => None,
        })
    }
}

fn computed(text: &str, known: &dyn Fn(&str) -> bool) -> Result<Part, Error> {
    let (formula, typed) = match text.split_once('=') {
        Some((formula, typed)) => (formula, Some(typed.trim())),
        None => (text, None),
    };
    let formula = Formula::parse(formula.trim(), known)?;
    let Some(typed) = typed else { return Ok(Part::Computed(formula)) };
    let value = typed
        .replace([',', ' '], "")
        .replace('−', "-")
        .parse()
        .map_err(|_| LessonError::NotANumber(typed.to_owned()))?;
    Ok(Part::Confirmed { formula, typed: typed.to_owned(), value })
}

/// The text with [`THOUSANDS`] instead of commas between groups of three digits.
fn spaced(words: &str) -> String {
    let mut parts = words.split(',');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.chars().take_while(char::is_ascii_digit).count();
        let is_number = digits == 3 && text.ends_with(|c: char| c.is_ascii_digit());
        text.push(if is_number { THOUSANDS } else { ',' });
        text.push_str(part);
    }
    text
}

/// A number with three digits and grouped thousands.
pub fn shown(value: f64) -> String {
    if value.abs() < 999.5 || !value.is_finite() {
        return number(value, 3).replace('-', "−");
    }
    whole(value)
}

/// Half a unit of the last digit of a typed number.
fn half_of_last_digit(typed: &str) -> f64 {
    let decimals = typed.split_once('.').map_or(0, |(_, after)| after.len());
    0.5 * libm::pow(10.0, -(decimals as f64))
}

/// Typed numbers with a unit of time, percentages and factors.
pub fn typed_results(words: &str) -> Vec<(Range<usize>, f64)> {
    let mut results = Vec::new();
    let mut at = 0;
    while let Some(offset) = words[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + offset;
        let is_in_word =
            words[..start].chars().next_back().is_some_and(|c| c.is_alphabetic() || c == '_');
        let rest = &words[start..];
        let length = rest
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
            .unwrap_or(rest.len());
        let digits = rest[..length].trim_end_matches(['.', ',']);
        let after = rest[digits.len()..].trim_start_matches([' ', '\u{a0}']);
        let is_result = ["µs", "ns", "ms", "%", "times"].iter().any(|unit| after.starts_with(unit));
        let is_factor = words[..start].ends_with('×');
        if let (true, Ok(value)) =
            ((is_result || is_factor) && !is_in_word, digits.replace(',', "").parse())
        {
            results.push((start..start + digits.len(), value));
        }
        at = start + length.max(1);
    }
    results
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn names(name: &str) -> Option<f64> {
        (name == "t").then_some(48.7)
    }

    #[test]
    fn numbers_are_filled_in() {
        let text = Text::parse("{t} µs, or {100*t} ns {t = 49}", &|name| name == "t").unwrap();
        assert_eq!(text.filled(&names), "48.7 µs, or 4\u{202f}870 ns 49");
        assert!(text.contradictions(&names).is_empty());
        assert!(Text::parse("{s}", &|_| false).is_err() && Text::parse("{t", &|_| true).is_err());
    }

    #[test]
    fn a_typed_number_is_checked_to_its_last_digit() {
        let text = Text::parse("{t = 48.6} {t = 48.7}", &|_| true).unwrap();
        let [wrong] = &text.contradictions(&names)[..] else { panic!("one") };
        assert_eq!((wrong.typed.as_str(), wrong.computed), ("48.6", 48.7));
    }

    #[test]
    fn numbers_are_grouped() {
        for (value, text) in
            [(1_234_567.0, "1 234 567"), (999.6, "1 000"), (-1.52, "−1.52"), (0.0796, "0.0796")]
        {
            assert_eq!(shown(value), text.replace(' ', "\u{202f}"));
        }
        let typed = spaced("1,048,576 bytes on 64, 128, 256 ranks; 2,5 or 2,5000");
        assert_eq!(typed, "1\u{202f}048\u{202f}576 bytes on 64, 128, 256 ranks; 2,5 or 2,5000");
    }

    #[test]
    fn typed_results_have_units() {
        let values = |text| typed_results(text).into_iter().map(|(_, v)| v).collect::<Vec<_>>();
        assert_eq!(
            values("the T3D of 1993: 16 B take 48.7 µs, ×2.5, 3 times, 92%"),
            [48.7, 2.5, 3.0, 92.0]
        );
        assert!(values("lesson 3 has 5 steps; x3 µs").is_empty());
    }
}

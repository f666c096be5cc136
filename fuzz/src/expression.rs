//! Formulas of sketches, and formulas of lessons over a report.

use loggia_lesson::formula::{Condition, Formula, Quantity};
use loggia_plan::expression::{Expression, Kind, literals};

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let kind = |name: &str| match name {
        "p" | "cells" => Some(Kind::Number),
        "t" => Some(Kind::Time),
        "m" => Some(Kind::Size),
        _ => None,
    };
    let value = |name: &str| if name == "p" { 4.0 } else { 0.5 };
    for kind_of_result in [Kind::Number, Kind::Time, Kind::Size] {
        match Expression::parse(text, kind_of_result, &kind) {
            Ok(read) => {
                let reparsed = Expression::parse(&read.to_string(), kind_of_result, &kind);
                let [first, reparsed] =
                    [&read, &reparsed.expect("a printed expression can be read")]
                        .map(|expression| expression.at(&value));
                assert_eq!(first.to_bits(), reparsed.to_bits(), "{text}");
                assert!(!read.has("absent"));
            }
            Err(error) => {
                assert!(error.at <= text.len() && text.is_char_boundary(error.at), "{error:?}");
                assert!(!error.mistake.to_string().is_empty());
            }
        }
    }
    for literal in literals(text) {
        assert!(text.get(literal.at.clone()).is_some(), "{literal:?}");
    }
    let known = |name: &str| name == "p";
    let number = |name: &str| known(name).then_some(4.0);
    if let Ok(formula) = Formula::parse(text, &known) {
        let _ = (formula.value(&number), formula.as_name());
    }
    if let Ok(condition) = Condition::parse(text, &known) {
        let _ = condition.holds(&number);
    }
    if let Ok(quantity) = Quantity::parse(text, &known) {
        let _ = quantity.value(&mut |path| Ok(path.to_string().len() as f64));
        let _ = quantity.as_path().map(|path| path.sibling("low_us"));
    }
}

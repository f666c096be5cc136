//! Conditions on a score: `allreduce.median>20%`, `all.inside<85%`.

use super::{ALL, Errors, MESSAGE, Score};
use crate::error::ScoreError;
use loggia_model::Error;
use loggia_model::signature::Operation;
use serde::Serialize;
use std::str::FromStr;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// A condition on a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// As typed.
    text: String,
    op: &'static str,
    statistic: Statistic,
    is_above: bool,
    limit: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
enum Statistic {
    Median,
    P95,
    Maximum,
    Inside,
}

/// The result of checking a condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConditionResult {
    /// As typed.
    pub condition: String,
    pub holds: bool,
    pub value: f64,
}

impl FromStr for Condition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let invalid = || ScoreError::NotACondition(text.to_owned());
        let at = text.find(['<', '>']).ok_or_else(invalid)?;
        let is_above = text[at..].starts_with('>');
        let (subject, limit) = (text[..at].trim(), text[at + 1..].trim());
        let (op, statistic) = subject.rsplit_once('.').ok_or_else(invalid)?;
        let percent: f64 = limit
            .strip_suffix('%')
            .and_then(|number| number.trim().parse().ok())
            .filter(|percent: &f64| percent.is_finite())
            .ok_or_else(invalid)?;
        let statistic = statistic.parse().map_err(|_| {
            let known = Statistic::VARIANTS.iter().map(|known| known.into()).collect();
            ScoreError::UnknownStatistic { name: statistic.to_owned(), known }
        })?;
        let op = match op {
            ALL => ALL,
            MESSAGE => MESSAGE,
            op => Operation::named(op)
                .map_err(|_| {
                    let known = Operation::ALL.iter().map(|op| op.name());
                    let known = [ALL, MESSAGE].into_iter().chain(known).collect();
                    ScoreError::UnknownOperation { name: op.to_owned(), known }
                })?
                .name(),
        };
        Ok(Condition { text: text.to_owned(), op, statistic, is_above, limit: percent / 100.0 })
    }
}

impl Condition {
    /// Checks the condition on a score.
    ///
    /// # Errors
    /// If no predicted points match the condition.
    pub fn check(&self, score: &Score) -> Result<ConditionResult, ScoreError> {
        let value = score.errors(self.op).and_then(|errors| self.statistic.of(errors));
        let value = value.ok_or_else(|| {
            let predicted = score.operations.iter().map(|errors| errors.op).collect();
            ScoreError::NoPoints { condition: self.text.clone(), predicted }
        })?;
        let holds = if self.is_above { value > self.limit } else { value < self.limit };
        Ok(ConditionResult { condition: self.text.clone(), holds, value })
    }
}

impl Statistic {
    fn of(self, errors: &Errors) -> Option<f64> {
        match self {
            Statistic::Median => errors.median,
            Statistic::P95 => errors.p95,
            Statistic::Maximum => errors.maximum,
            Statistic::Inside => errors.inside,
        }
    }
}

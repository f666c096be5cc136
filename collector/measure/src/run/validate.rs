//! Compares the models with measurements that the fit did not use: sizes between those of the
//! signature, exchanges that overlap with computation (Chen et al. 2009, Figure 5 and Section 2.2),
//! and collective operations with other sizes and numbers of ranks.

mod barrier;
mod collectives;
mod pairs;
mod rounds;

use super::commands::dismiss;
use super::machine::Ranks;
use crate::measure::examine_clock;
use crate::progress_bar::remark;
use crate::run::Failure;
use crate::transport::Transport;
use collectives::CollectiveCheck;
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::signature::Signature;
use loggia_model::stats::quantile::median;
use loggia_model::units::{Bytes, Micros, Procs};
use pairs::PairCheck;
use rounds::Rounds;
use serde::Serialize;
use std::collections::BTreeMap;

/// The checks, and the errors of each model.
#[derive(Serialize)]
pub struct Validation {
    pub signature: String,
    pub checks: Vec<Check>,
    pub models: Vec<Score>,
}

#[derive(Serialize)]
pub struct Check {
    #[serde(flatten)]
    pub subject: Subject,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub procs: Option<Procs>,
    pub bytes: Bytes,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compute_us: Option<Micros>,
    pub measured_us: Micros,
    pub predictions: BTreeMap<&'static str, Predicted>,
}

/// The subject of checks; all checks of a subject make one score.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Subject {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    pub what: CheckKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op: Option<&'static str>,
}

impl Subject {
    /// The heading in the report.
    pub fn words(&self) -> String {
        let parts = [self.tier.as_deref(), Some(self.what.words()), self.op];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckKind {
    PingPong,
    /// Time until the receiver completes, while the sender computes.
    SenderComputes,
    /// Time until the sender completes, while the receiver computes.
    ReceiverComputes,
    /// Time of a collective operation, until the last rank completes.
    Collective,
}

impl CheckKind {
    fn words(self) -> &'static str {
        match self {
            CheckKind::PingPong => "ping-pong",
            CheckKind::SenderComputes => "delivery, sender computes",
            CheckKind::ReceiverComputes => "sender completes, receiver computes",
            CheckKind::Collective => "collective",
        }
    }
}

#[derive(Clone, Copy, Serialize)]
pub struct Predicted {
    pub time_us: Micros,
    /// (predicted − measured)/measured
    pub error: f64,
}

impl Predicted {
    fn of(time_us: Micros, measured: Micros) -> Self {
        Predicted { time_us, error: time_us.0 / measured.0 - 1.0 }
    }
}

/// The errors of a model over all sizes.
#[derive(Serialize)]
pub struct Score {
    #[serde(flatten)]
    pub subject: Subject,
    pub model: &'static str,
    pub checks: usize,
    pub median_error: f64,
    pub largest_error: f64,
}

/// Validates a signature on this machine, as rank 0, within a time limit. A few rounds are made anyway.
pub fn validate(
    transport: &mut dyn Transport,
    signature: &Signature,
    max_seconds: Option<f64>,
) -> Result<Validation, Failure> {
    let result = validated(transport, signature, max_seconds);
    if !matches!(result, Err(Failure::Failed(_))) {
        dismiss(transport).map_err(Failure::Failed)?;
    }
    result
}

fn validated(
    transport: &mut dyn Transport,
    signature: &Signature,
    max_seconds: Option<f64>,
) -> Result<Validation, Failure> {
    if transport.ranks() < 2 {
        return Err(super::too_few_ranks().into());
    }
    let ranks = Ranks::identify(transport)?;
    for difference in ranks.differences_from(signature) {
        remark(&format!("! {difference}"));
    }
    let clock = examine_clock(transport);
    let mut pairs = Vec::new();
    for pair in ranks.tier_pairs() {
        match signature.tier(Some(pair.name)) {
            Ok(tier) => {
                let route = Route::of(signature, Some(&tier.name), None)?;
                pairs.push(PairCheck { pair, route, signature });
            }
            Err(_) => {
                remark(&format!(
                    "! {} has no tier {}; it is not validated",
                    signature.title, pair.name
                ));
            }
        }
    }
    let first = pairs.iter().find(|pair| pair.pair.are_first());
    let usual_latency = first.and_then(|pair| pair.part().latency);
    let group = transport.has_collectives().then_some(CollectiveCheck {
        signature,
        clock: &clock,
        usual_latency,
    });
    let of_pairs = pairs.iter().map(PairCheck::part);
    let parts: Vec<_> = of_pairs.chain(group.as_ref().map(CollectiveCheck::part)).collect();
    let mut rounds = Rounds::of(&parts, max_seconds);
    let mut checks = Vec::new();
    for pair in &pairs {
        checks.extend(pair.checks(transport, &clock, &mut rounds)?);
    }
    if let Some(group) = group {
        checks.extend(group.checks(transport, &mut rounds)?);
    }
    rounds.end();
    if checks.is_empty() {
        return Err(nothing_compared(signature).into());
    }
    let models = scores(&checks);
    Ok(Validation { signature: signature.name.clone(), checks, models })
}

fn nothing_compared(signature: &Signature) -> Error {
    let tiers: Vec<&str> = signature.tiers.iter().map(|tier| tier.name.as_str()).collect();
    let message = match &tiers[..] {
        [] => "no collective operation of this signature can be measured on these ranks".to_owned(),
        tiers => {
            format!(
                "no tier of this signature can be measured here; its tiers: {}",
                tiers.join(", ")
            )
        }
    };
    Error::new(
        message,
        signature.name.clone(),
        "start as many ranks and nodes as in the measurement of the signature",
    )
}

fn scores(checks: &[Check]) -> Vec<Score> {
    let mut errors: BTreeMap<(&Subject, &'static str), Vec<f64>> = BTreeMap::new();
    for check in checks {
        for (model, predicted) in &check.predictions {
            errors.entry((&check.subject, *model)).or_default().push(predicted.error.abs());
        }
    }
    let score = |((subject, model), errors): ((&Subject, &'static str), Vec<f64>)| Score {
        subject: subject.clone(),
        model,
        checks: errors.len(),
        median_error: median(&errors).unwrap_or_default(),
        largest_error: errors.iter().copied().fold(0.0, f64::max),
    };
    let mut scores: Vec<Score> = errors.into_iter().map(score).collect();
    scores
        .sort_by(|a, b| a.subject.cmp(&b.subject).then(a.median_error.total_cmp(&b.median_error)));
    scores
}

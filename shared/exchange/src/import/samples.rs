//! Converts the numbers of a run into samples.

use super::nccl;
use super::options::{About, ImportOptions, Question, operation_of_name, value_for};
use super::run::{BenchmarkKind, Condition, DATATYPE, Numbers, Run, Tool};
use super::tier::TierName;
use loggia_model::signature::{Operation, Quantity, Reach, Samples};
use loggia_model::units::{Bytes, Procs};

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RunOutcome {
    /// Samples of a tier or a collective operation.
    Samples(Vec<Samples>),
    /// Information is missing.
    Question(Question),
    /// The run is not used; the reason.
    Unused(String),
}

/// The default tier.
pub(super) fn default_tier() -> TierName {
    TierName { name: "network".to_owned(), reach: Reach::Inter }
}

/// The tier of a run's messages.
pub(super) fn tier(run: &Run, options: &ImportOptions) -> TierName {
    known_tier(run, options).unwrap_or_else(default_tier)
}

/// The tier, from the file, the user or the number of ranks per node.
pub(super) fn known_tier(run: &Run, options: &ImportOptions) -> Option<TierName> {
    let tier_by_nodes = || match (run.kind.procs(), run.per_node) {
        (Some(_), Some(1)) => Some(default_tier()),
        (Some(2), Some(_)) => Some(TierName { name: "node".to_owned(), reach: Reach::Intra }),
        _ => None,
    };
    run.tier.clone().or_else(|| value_for(&options.tier, run).cloned()).or_else(tier_by_nodes)
}

/// A run's numbers as samples.
pub(super) fn convert(run: &Run, options: &ImportOptions) -> RunOutcome {
    let result = match &run.kind {
        BenchmarkKind::Collective { .. } => collective(run, options),
        _ => point_to_point(run, options),
    };
    match result {
        Ok(samples) => RunOutcome::Samples(samples),
        Err(other) => other,
    }
}

/// Number of ranks.
fn procs(run: &Run, options: &ImportOptions) -> Result<Procs, RunOutcome> {
    let known = run.kind.procs().map(Procs).or(run.procs);
    let known = known.or_else(|| value_for(&options.ranks, run).copied().map(Procs));
    match known {
        Some(procs) if procs.0 < 2 => {
            Err(RunOutcome::Unused(format!("{} ranks cannot exchange messages", procs.0)))
        }
        Some(procs) => Ok(procs),
        None => Err(RunOutcome::Question(Question::of(run, About::Ranks))),
    }
}

fn point_to_point(run: &Run, options: &ImportOptions) -> Result<Vec<Samples>, RunOutcome> {
    let procs = Some(procs(run, options)?).filter(|procs| procs.0 != 2);
    let (quantity, depth) = match run.kind {
        BenchmarkKind::Message | BenchmarkKind::ConcurrentMessage { .. } => {
            (Quantity::EndToEnd, None)
        }
        BenchmarkKind::Stream { window, directions: 1, .. } => (Quantity::Gap, window),
        BenchmarkKind::Stream { window, .. } => (Quantity::GapBothWays, window),
        BenchmarkKind::Exchange { neighbours } => (Quantity::Exchange, Some(u32::from(neighbours))),
        BenchmarkKind::SendCall => (Quantity::SendOverhead, None),
        BenchmarkKind::RecvCall => (Quantity::RecvOverhead, None),
        BenchmarkKind::Latency => (Quantity::Latency, None),
        BenchmarkKind::Put => (Quantity::Put, None),
        BenchmarkKind::Get => (Quantity::Get, None),
        BenchmarkKind::Gap | BenchmarkKind::Collective { .. } => (Quantity::Gap, None),
    };
    let style = match (&run.style, &run.kind) {
        (Some(style), _) => style.as_str(),
        (None, BenchmarkKind::Stream { .. }) => "isend",
        (None, BenchmarkKind::Put) => "put",
        (None, BenchmarkKind::Get) => "get",
        (None, _) => "send",
    };
    let tier = tier(run, options).name;
    let samples = run.numbers.iter().map(|(condition, numbers)| Samples {
        tier: Some(tier.clone()),
        style: Some(style.to_owned()),
        procs,
        bytes: condition.bytes,
        depth,
        ..samples(run, quantity, *condition, numbers)
    });
    Ok(samples.collect())
}

/// The operation of a run without one: given by the user, or from the file name.
pub(super) fn operation(run: &Run, options: &ImportOptions) -> Option<Operation> {
    value_for(&options.op, run).copied().or_else(|| operation_of_name(run))
}

fn collective(run: &Run, options: &ImportOptions) -> Result<Vec<Samples>, RunOutcome> {
    let BenchmarkKind::Collective { op, bytes_are, is_nonblocking, on_gpus } = &run.kind else {
        return Ok(Vec::new());
    };
    let known = match op {
        Some(op) => Operation::named(op)
            .map_err(|_| RunOutcome::Unused(format!("a signature cannot hold {op}")))?,
        None => operation(run, options)
            .ok_or_else(|| RunOutcome::Question(Question::of(run, About::Operation)))?,
    };
    let procs = procs(run, options)?;
    let style = match (is_nonblocking, on_gpus) {
        (_, true) => Some("gpus"),
        (true, _) => Some("nonblocking"),
        _ => None,
    };
    let bytes_of = |bytes: Bytes| {
        let default_bytes_are = match run.tool {
            Tool::Nccl => nccl::bytes_are(known),
            _ => known.bytes_are(),
        };
        let bytes_are = bytes_are.unwrap_or(default_bytes_are);
        let whole = bytes_are.to_whole(known, procs, bytes.count());
        Bytes(known.bytes_are().of_whole(known, procs, whole).round() as u64)
    };
    let samples = run.numbers.iter().map(|(condition, numbers)| Samples {
        op: Some(known.name().to_owned()),
        style: style.map(str::to_owned),
        procs: Some(procs),
        bytes: condition.bytes.map(bytes_of),
        ..samples(run, Quantity::Collective, *condition, numbers)
    });
    Ok(samples.collect())
}

fn samples(run: &Run, quantity: Quantity, condition: Condition, numbers: &Numbers) -> Samples {
    let lines = match (numbers.line, numbers.last) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}–{last}"),
    };
    let kept = match numbers.each {
        0 | 1 => String::new(),
        each => format!(", 1 of {each} kept"),
    };
    let datatype = run.fact(DATATYPE).map_or(String::new(), |name| format!(" ({name})"));
    Samples {
        per_node: run.per_node,
        statistic: condition.statistic,
        times: numbers.times.clone(),
        tool: Some(format!("{}{datatype}", run.name())),
        source: format!("{}:{lines}{kept}", run.file),
        ..Samples::raw(quantity)
    }
}

//! Converts the numbers of a run into samples.

use super::nccl;
use super::options::{About, ImportOptions, Question, of, operation_of_name};
use super::run::{BenchmarkKind, Condition, DATATYPE, Numbers, Run, Tool};
use super::tier::TierName;
use loggia_model::signature::{Operation, Quantity, Reach, Samples};
use loggia_model::units::{Bytes, Procs};

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RunOutcome {
    /// Samples of a tier, or of a collective operation.
    Samples(Vec<Samples>),
    /// Information is missing.
    Question(Question),
    /// Not used, with the reason.
    Unused(String),
}

/// The default tier.
pub(super) fn unsaid_tier() -> TierName {
    TierName { name: "network".to_owned(), reach: Reach::Inter }
}

/// The tier of a run's messages.
pub(super) fn tier(run: &Run, options: &ImportOptions) -> TierName {
    known_tier(run, options).unwrap_or_else(unsaid_tier)
}

/// The tier, from the file, the user or the number of ranks per node.
pub(super) fn known_tier(run: &Run, options: &ImportOptions) -> Option<TierName> {
    let by_nodes = || match (run.what.procs(), run.per_node) {
        (Some(_), Some(1)) => Some(unsaid_tier()),
        (Some(2), Some(_)) => Some(TierName { name: "node".to_owned(), reach: Reach::Intra }),
        _ => None,
    };
    run.tier.clone().or_else(|| of(&options.tier, run).cloned()).or_else(by_nodes)
}

/// A run's numbers as samples.
pub(super) fn count(run: &Run, options: &ImportOptions) -> RunOutcome {
    let of_run = match &run.what {
        BenchmarkKind::Collective { .. } => collective(run, options),
        _ => between_two(run, options),
    };
    match of_run {
        Ok(samples) => RunOutcome::Samples(samples),
        Err(other) => other,
    }
}

/// Number of ranks.
fn procs(run: &Run, options: &ImportOptions) -> Result<Procs, RunOutcome> {
    let known = run.what.procs().map(Procs).or(run.procs);
    let known = known.or_else(|| of(&options.ranks, run).copied().map(Procs));
    match known {
        Some(procs) if procs.0 < 2 => {
            Err(RunOutcome::Unused(format!("{} ranks exchange nothing", procs.0)))
        }
        Some(procs) => Ok(procs),
        None => Err(RunOutcome::Question(Question::of(run, About::Ranks))),
    }
}

fn between_two(run: &Run, options: &ImportOptions) -> Result<Vec<Samples>, RunOutcome> {
    let procs = Some(procs(run, options)?).filter(|procs| procs.0 != 2);
    let (quantity, depth) = match run.what {
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
    let style = match (&run.style, &run.what) {
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

/// The operation of a run whose output lacks it: given by the user, or else by the file's name.
pub(super) fn operation(run: &Run, options: &ImportOptions) -> Option<Operation> {
    of(&options.op, run).copied().or_else(|| operation_of_name(run))
}

fn collective(run: &Run, options: &ImportOptions) -> Result<Vec<Samples>, RunOutcome> {
    let BenchmarkKind::Collective { op, bytes_are, is_nonblocking, on_gpus } = &run.what else {
        return Ok(Vec::new());
    };
    let known = match op {
        Some(op) => Operation::named(op)
            .map_err(|_| RunOutcome::Unused(format!("a signature has no form of {op}")))?,
        None => operation(run, options)
            .ok_or_else(|| RunOutcome::Question(Question::of(run, About::Operation)))?,
    };
    let procs = procs(run, options)?;
    let style = match (is_nonblocking, on_gpus) {
        (_, true) => Some("gpus"),
        (true, _) => Some("nonblocking"),
        _ => None,
    };
    let counted = |bytes: Bytes| {
        let of_tool = match run.tool {
            Tool::Nccl => nccl::bytes_are(known),
            _ => known.bytes_are(),
        };
        let bytes_are = bytes_are.unwrap_or(of_tool);
        let whole = bytes_are.to_whole(known, procs, bytes.count());
        Bytes(known.bytes_are().of_whole(known, procs, whole).round() as u64)
    };
    let samples = run.numbers.iter().map(|(condition, numbers)| Samples {
        op: Some(known.name().to_owned()),
        style: style.map(str::to_owned),
        procs: Some(procs),
        bytes: condition.bytes.map(counted),
        ..samples(run, Quantity::Collective, *condition, numbers)
    });
    Ok(samples.collect())
}

fn samples(run: &Run, quantity: Quantity, of: Condition, numbers: &Numbers) -> Samples {
    let lines = match (numbers.line, numbers.last) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}–{last}"),
    };
    let kept = match numbers.each {
        0 | 1 => String::new(),
        each => format!(", one of {each} kept"),
    };
    let datatype = run.fact(DATATYPE).map_or(String::new(), |name| format!(" ({name})"));
    Samples {
        per_node: run.per_node,
        statistic: of.statistic,
        times: numbers.times.clone(),
        tool: Some(format!("{}{datatype}", run.name())),
        source: format!("{}:{lines}{kept}", run.file),
        ..Samples::raw(quantity)
    }
}

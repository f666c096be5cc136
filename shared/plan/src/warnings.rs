//! The warnings of a plan: what limits its result.

use super::concrete::{ConcreteAction, ConcreteStep, Instance};
use super::cost::{CostBasis, StepCost};
use super::plan::{Point, SumCheck};
use super::request::Request;
use loggia_model::units::Procs;
use loggia_model::units::words::{number, percent, size};

/// Relative difference from which the analytic sum is reported as inexact.
const INEXACT: f64 = 0.1;

/// The sketch has no time on one rank, so efficiency is relative to more ranks.
pub(super) fn no_serial_run(baseline: Procs) -> Option<String> {
    (baseline.0 > 1).then(|| {
        format!("The sketch has no time on 1 rank; efficiency is relative to {}.", baseline.ranks())
    })
}

/// A what-if changes parameters of messages, and the machine has none.
pub(super) fn without_effect(request: &Request, has_messages: bool) -> Option<String> {
    (!has_messages && !request.what_if.is_nothing()).then(|| {
        format!(
            "The what-if has no effect: {} has no parameters of messages, only closed forms of collective \
             operations.",
            request.machine.name
        )
    })
}

/// Some p are beyond the measured range. With R_N, contention for the network card is modelled.
pub(super) fn extrapolated(points: &[Point], measured: Procs, has_card: bool) -> Option<String> {
    points.iter().any(|point| point.extrapolates).then(|| measured.beyond(has_card))
}

/// Ranks per node are not set, and R_N is known.
pub(super) fn ranks_per_node_unset(
    ranks: Option<u32>,
    has_card: bool,
    usual: Option<u32>,
) -> Option<String> {
    let usual = usual.map(|usual| format!(", such as {usual}")).unwrap_or_default();
    (has_card && ranks.is_none()).then(|| {
        format!(
            "Each rank has a node, and its network card, of its own; set the ranks per node{usual} to \
             let ranks share it."
        )
    })
}

/// Collective operations are not measured, or their times are estimates.
pub(super) fn unmeasured(request: &Request, points: &[Point]) -> Vec<String> {
    let mut warnings = Vec::new();
    if request.machine.collectives.is_empty() && request.sketch.has_collectives() {
        warnings.push(
            "No collective operation was measured on this machine; their times follow from their \
             algorithms."
                .to_owned(),
        );
    }
    let is_estimate = |step: &&StepCost| step.from == Some(CostBasis::Estimate);
    let first = points.iter().find(|point| point.steps.iter().any(|step| is_estimate(&step)));
    if let Some(first) = first {
        let steps = points.iter().flat_map(|point| &point.steps).filter(is_estimate);
        warnings.push(format!(
            "From {} on, {} is an estimate: the closed form is exact only under LogGP on one tier.",
            first.procs.ranks(),
            operations(steps)
        ));
    }
    warnings
}

/// A wavefront on a grid whose third dimension is divided.
pub(super) fn layers(instances: &[Instance]) -> Option<String> {
    let is_layered = |instance: &&Instance| {
        let decomposition = instance.scope.decomposition();
        has_wavefront(&instance.steps)
            && decomposition.is_some_and(|of| of.ranks.get(2).is_some_and(|layers| *layers > 1))
    };
    let first = instances.iter().find(is_layered)?;
    Some(format!(
        "From {} on, the third dimension is divided, too; a wavefront runs along the first two, in \
         all layers at once.",
        first.procs.ranks()
    ))
}

fn has_wavefront(steps: &[ConcreteStep]) -> bool {
    steps.iter().any(|step| match &step.action {
        ConcreteAction::Steps(steps) => has_wavefront(steps),
        action => matches!(action, ConcreteAction::Wavefront { .. }),
    })
}

/// The analytic sum differs from the simulation at the largest simulated p.
pub(super) fn inexact_sum(check: Option<&SumCheck>) -> Option<String> {
    let SumCheck { procs, simulated_us, sum_us } = check?;
    let error = sum_us.0 / simulated_us.0 - 1.0;
    (error.abs() > INEXACT).then(|| {
        format!(
            "At p = {}, the analytic sum differs from the simulation by {}; it may differ as \
             much beyond. Simulate up to {} for a closer result.",
            procs.0,
            percent(error),
            Procs(procs.0.saturating_mul(4)).ranks()
        )
    })
}

/// Ranks have blocks of different sizes, or no block.
pub(super) fn uneven(instances: &[Instance]) -> Vec<String> {
    let joined = |all: Vec<String>| all.join(" × ");
    let uneven = |has_idle: bool| {
        let mut found = instances.iter().filter_map(move |instance| {
            let of = instance.scope.decomposition()?;
            (!of.is_even && of.has_idle == has_idle).then_some((instance.procs.0, of))
        });
        let first = found.next();
        first.map(|(procs, of)| (procs, of, found.count()))
    };
    let mut warnings = Vec::new();
    if let Some((procs, of, more)) = uneven(false) {
        let ranks = joined(of.ranks.iter().map(u32::to_string).collect());
        let block = joined(of.block.iter().map(|side| number(*side as f64, 9)).collect());
        let more = match more {
            0 => String::new(),
            more => format!(" The same holds for {more} more p."),
        };
        warnings.push(format!(
            "{procs} ranks, {ranks}, do not divide the grid evenly; all wait for the largest block, \
             {block}.{more}"
        ));
    }
    if let Some((procs, of, _)) = uneven(true) {
        let ranks = joined(of.ranks.iter().map(u32::to_string).collect());
        warnings.push(format!(
            "{procs} ranks, {ranks}, exceed the cells along a dimension; some ranks have no work."
        ));
    }
    warnings
}

/// Collective operations outside their measurements.
pub(super) fn unmeasured_operations(points: &[Point]) -> Option<String> {
    let mut with = points.iter().filter(|point| point.extrapolated().next().is_some());
    let first = with.next()?.procs.0;
    let last = with.next_back().map_or(first, |point| point.procs.0);
    let steps = points.iter().flat_map(Point::extrapolated);
    Some(format!(
        "Extrapolated from measurements at other sizes or numbers of ranks: {}, at p = {}.",
        operations(steps),
        range(first, last)
    ))
}

/// The names of the steps' operations.
fn operations<'a>(steps: impl Iterator<Item = &'a StepCost>) -> String {
    let mut names: Vec<&str> = steps.filter_map(|step| step.what.split(',').next()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

fn range(first: u32, last: u32) -> String {
    if first == last { first.to_string() } else { format!("{first} to {last}") }
}

/// Some message sizes are outside the measured range.
pub(super) fn unmeasured_sizes(points: &[Point]) -> Option<String> {
    let with = || points.iter().filter(|point| !point.beyond.is_empty());
    let (first, last) = (with().next()?.procs.0, with().next_back()?.procs.0);
    let all = || with().flat_map(|point| &point.beyond);
    let (low, high) = (all().min()?, all().max()?);
    let sizes = if low == high { size(*low) } else { format!("{} to {}", size(*low), size(*high)) };
    let procs = range(first, last);
    Some(format!("Messages of {sizes}, as at p = {procs}, are outside the measured sizes."))
}

//! Parameters from the output of other benchmarks: one number per size, mostly without a spread.
//!
//! # Formula
//! - EEL: RTT/2 of 8 bytes, or of the nearest printed size; the median over tools
//! - Hockney's line, as for Loggia's own round trips
//! - S: the sizes between which the end-to-end time jumps most clearly
//! - G: the slope of the least-squares line through sizes above S: of streams, or of single
//!   messages if there are no streams or single messages take significantly less per byte
//! - g: the time per message of a stream of 8 bytes
//! - L = EEL − o_s − o_r, if a tool prints both calls
//! - g(m) = T(m) − L
//!
//! A single number has no interval. Times of short messages lie on a line, so their residuals give
//! an interval.

mod series;

/// Calls contain the transfer if the fitted factor of their times is below this; a larger factor is
/// scatter.
const CONTAINED: f64 = 0.9;

use super::evidence::unusable;
use super::{end_to_end, latency};
use loggia_model::model::fit::Fit;
use loggia_model::signature::{Curve, DepthPoint, Parameter, Point, Quality, Samples, Tier};
use loggia_model::stats::CONFIDENCE;
use loggia_model::stats::estimate::Estimate;
use loggia_model::stats::quality::{Tolerances, judge};
use loggia_model::stats::quantile::median;
use loggia_model::units::words::{number, unsigned_percent};
use loggia_model::units::{Bytes, Magnitude, Micros, MicrosPerByte};
use series::{Series, Times};
use std::collections::BTreeMap;

/// Parameters of a tier by one benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct OfTool {
    /// Tool and benchmark.
    pub tool: String,
    /// EEL.
    pub end_to_end_latency: Option<Parameter<Micros>>,
    /// G.
    pub gap_per_byte: Option<Parameter<MicrosPerByte>>,
    /// S.
    pub eager_limit: Option<Parameter<Bytes>>,
}

/// Parameters of a tier from each benchmark alone: tools differ by up to a third.
#[must_use]
pub fn by_tool(tier: &str, samples: &[Samples]) -> Vec<OfTool> {
    let parameters = |series: &Series| OfTool {
        tool: series.tool.clone(),
        end_to_end_latency: end_to_end_latency(std::slice::from_ref(series)),
        gap_per_byte: gap_per_byte(std::slice::from_ref(series)),
        eager_limit: eager_limit(series),
    };
    series::of_tier(tier, samples).iter().map(parameters).collect()
}

/// Sets the unknown parameters of a tier.
pub(super) fn fill(samples: &[Samples], tier: &mut Tier) {
    let all = series::of_tier(&tier.name, samples);
    if all.is_empty() {
        return;
    }
    let with_rtt = || all.iter().filter(|series| !series.ends.is_empty());
    let longest = with_rtt().max_by_key(|series| series.ends.len());
    set_if_unknown(&mut tier.end_to_end_latency, end_to_end_latency(&all));
    set_if_unknown(&mut tier.gap_per_byte, gap_per_byte(&all));
    gaps(&all, tier);
    for series in &all {
        overheads(series, tier);
    }
    let has_calls =
        |series: &&Series| !series.send_calls.is_empty() && !series.recv_calls.is_empty();
    for series in with_rtt().filter(has_calls) {
        set_if_unknown(&mut tier.latency, latency_of(series));
    }
    for series in with_rtt() {
        without_transfer(series, tier);
    }
    if let (None, Some(latency)) = (&tier.gap_by_size, value(tier.latency.as_ref()))
        && let Some(series) = longest
    {
        let source = "T(m) − L, from printed RTT/2";
        tier.gap_by_size = latency::gaps(&series.all(&series.ends), latency, source);
    }
    let Some(longest) = longest else { return };
    if tier.styles.iter().all(|style| style.startup.is_none()) {
        hockney(longest, tier);
    }
    for series in longest_by_style(&all) {
        if tier.styles.iter().all(|style| style.name.0 != series.style) {
            hockney(series, tier);
        }
    }
    if let Some(limit) = eager_limit(longest) {
        let progress = tier.progress.get_or_insert_default();
        set_if_unknown(&mut progress.eager_limit, Some(limit));
    }
}

fn hockney(series: &Series, tier: &mut Tier) {
    let ends = series.all(&series.ends);
    let Some((startup, per_byte, line)) = end_to_end::line(&ends) else { return };
    let source = format!("{line}, by {}", series.tool);
    let style = tier.style_or_new(&series.style);
    style.startup = Some(parameter(startup, source.clone()));
    style.per_byte = Some(parameter(per_byte, source));
}

/// Printed RTT/2 by size, of the tool with the most sizes. Other tools supply the sizes beyond its range.
pub(super) fn ends(tier: &str, samples: &[Samples]) -> BTreeMap<u64, Estimate> {
    let all = series::of_tier(tier, samples);
    let longest = all.iter().max_by_key(|series| series.ends.len());
    longest.map_or(BTreeMap::new(), |longest| with_other_sizes(longest, &all))
}

/// The ends of a series, and those of the others in its send mode beyond its range of sizes.
fn with_other_sizes(longest: &Series, all: &[Series]) -> BTreeMap<u64, Estimate> {
    let mut ends = longest.measured_ends();
    let is_other = |other: &&Series| other.style == longest.style && other.tool != longest.tool;
    let mut others: Vec<&Series> = all.iter().filter(is_other).collect();
    others.sort_by_key(|series| std::cmp::Reverse(series.ends.len()));
    for other in others {
        let range = ends.keys().next().copied().zip(ends.keys().next_back().copied());
        let is_beyond = |size: u64| range.is_none_or(|(first, last)| size < first || size > last);
        ends.extend(other.measured_ends().into_iter().filter(|(size, _)| is_beyond(*size)));
    }
    ends
}

/// RTT/2 by send mode, each from the benchmark with the most sizes; others supply the sizes beyond its
/// range.
pub(super) fn ends_by_style(
    tier: &str,
    samples: &[Samples],
) -> Vec<(String, BTreeMap<u64, Estimate>)> {
    ends_of_pairs(tier, samples, 1)
}

/// RTT/2 of concurrent pairs by send mode, each from the benchmark with the most sizes.
pub(super) fn ends_of_pairs(
    tier: &str,
    samples: &[Samples],
    pairs: u32,
) -> Vec<(String, BTreeMap<u64, Estimate>)> {
    let all = series::of_pairs(tier, samples, pairs);
    let longest = longest_by_style(&all);
    let of = |series: &Series| (series.style.clone(), with_other_sizes(series, &all));
    longest.into_iter().map(of).collect()
}

/// Time per message in streams of concurrent pairs, by size; with the tool.
pub(super) fn streams_of_pairs(
    tier: &str,
    samples: &[Samples],
    pairs: u32,
) -> Vec<(String, BTreeMap<u64, Estimate>)> {
    let all = series::of_pairs(tier, samples, pairs).into_iter();
    let all = all.filter(|series| !series.gaps.is_empty());
    all.map(|series| (series.tool.clone(), series.all(&series.gaps))).collect()
}

/// The benchmark with the most RTT/2 values, for each send mode.
fn longest_by_style(all: &[Series]) -> Vec<&Series> {
    let mut longest: Vec<&Series> = Vec::new();
    for series in all.iter().filter(|series| !series.ends.is_empty()) {
        match longest.iter_mut().find(|known| known.style == series.style) {
            Some(known) if known.ends.len() > series.ends.len() => {}
            Some(known) => *known = series,
            None => longest.push(series),
        }
    }
    longest
}

/// The send mode with the most RTT/2 values.
pub(super) fn style_of_ends(tier: &str, samples: &[Samples]) -> Option<String> {
    let all = series::of_tier(tier, samples);
    let longest = all.into_iter().filter(|series| !series.ends.is_empty());
    let usual = |series: &Series| (series.ends.len(), series.style == "send");
    longest.max_by_key(usual).map(|series| series.style)
}

/// Sets a parameter that has no value.
fn set_if_unknown<U>(known: &mut Option<Parameter<U>>, result: Option<Parameter<U>>) {
    let is_known = known.as_ref().is_some_and(|known| known.value.is_some());
    if !is_known && result.is_some() {
        *known = result;
    }
}

fn value<U: Copy>(parameter: Option<&Parameter<U>>) -> Option<U> {
    parameter?.value
}

/// A printed number as a parameter. Without a spread it is uncertain and has no bounds.
fn parameter<U: Magnitude>(estimate: Estimate, source: String) -> Parameter<U> {
    let judgement = judge(&estimate, &Tolerances::default());
    if !(estimate.value.is_finite() && estimate.value > 0.0) {
        return unusable(format!("{source}; {}", judgement.reason));
    }
    let is_bounded = estimate.low.is_finite() && estimate.high.is_finite();
    let bound = |bound: f64| is_bounded.then(|| U::from_magnitude(bound.max(0.0)));
    let is_good = judgement.quality == Quality::Good;
    let source = match (is_good, is_bounded) {
        (true, _) => source,
        (false, true) => format!("{source}; {}", judgement.reason),
        (false, false) => format!("{source}; one number without a spread"),
    };
    Parameter {
        value: Some(U::from_magnitude(estimate.value)),
        low: bound(estimate.low),
        high: bound(estimate.high),
        quality: if is_good { Quality::Good } else { Quality::Uncertain },
        source,
    }
}

/// The median over benchmarks, with bounds that include all of them.
fn median_estimate(all: &[Estimate]) -> Option<Estimate> {
    let value = median(&all.iter().map(|estimate| estimate.value).collect::<Vec<_>>())?;
    let is_bounded = |estimate: &Estimate| estimate.low.is_finite() && estimate.high.is_finite();
    if !all.iter().any(is_bounded) {
        return Some(Estimate::unbounded(value));
    }
    let bounds = all.iter().map(|estimate| {
        if is_bounded(estimate) { *estimate } else { Estimate::exact(estimate.value) }
    });
    Some(bounds.fold(Estimate::exact(value), |all, estimate| all.widened_to(&estimate)))
}

fn end_to_end_latency(all: &[Series]) -> Option<Parameter<Micros>> {
    let eel = |series: &Series| Some((series.tool.clone(), series.at_small(&series.ends)?));
    let result: Vec<(String, (u64, Estimate))> = all.iter().filter_map(eel).collect();
    let (tool, (size, _)) = result.first()?;
    let estimate = median_estimate(&result.iter().map(|(_, (_, time))| *time).collect::<Vec<_>>())?;
    let source = match result.len() {
        1 => format!("RTT/2 of {size} bytes, by {tool}"),
        several => format!("RTT/2 of {size} bytes, median of {several} benchmarks"),
    };
    Some(parameter(estimate, source))
}

/// End of the name of a benchmark that prints a line through its streams instead of their times.
pub const FITTED_LINE: &str = ", line g + G s";

/// The slope of long messages in one benchmark, with the source.
fn slope(series: &Series, times: &Times, quantity: &str) -> Option<(Estimate, String)> {
    let through = series.long(times).map(|(line, from, to)| (line.slope(CONFIDENCE), from, to));
    let method = if through.is_some() { "least squares over" } else { "slope between two" };
    let (slope, from, to) = through.or_else(|| Series::between_two(times))?;
    let words = match series.tool.strip_suffix(FITTED_LINE) {
        Some(tool) => format!("slope of the line g + G s over {from} to {to} bytes, by {tool}"),
        None => format!("{method} {quantity} of {from} to {to} bytes, by {}", series.tool),
    };
    Some((slope, words)).filter(|(slope, _)| slope.value > 0.0)
}

fn gap_per_byte(all: &[Series]) -> Option<Parameter<MicrosPerByte>> {
    let narrowest = |result: Vec<(Estimate, String)>| {
        result.into_iter().min_by(|a, b| a.0.relative_width().total_cmp(&b.0.relative_width()))
    };
    let streams = all.iter().filter_map(|series| slope(series, &series.gaps, "streams"));
    let single = all.iter().filter_map(|series| slope(series, &series.ends, "RTT/2"));
    let (stream, single) = (narrowest(streams.collect()), narrowest(single.collect()));
    let (estimate, source) = match (stream, single) {
        (Some(stream), Some(single)) if single.0.high < stream.0.low => {
            let words =
                format!("{}; streams take more per byte: {}", single.1, number(stream.0.value, 3));
            (single.0, words)
        }
        (stream, single) => stream.or(single)?,
    };
    Some(parameter(estimate, source))
}

fn gaps(all: &[Series], tier: &mut Tier) {
    let streams: Vec<(&Series, (u64, Estimate))> =
        all.iter().filter_map(|series| Some((series, series.at_small(&series.gaps)?))).collect();
    let minimum = streams.iter().min_by(|a, b| a.1.1.value.total_cmp(&b.1.1.value));
    let Some((series, (size, gap))) = minimum else { return };
    let in_flight = |series: &Series| match series.depth {
        Some(depth) => format!(", {depth} in flight"),
        None => String::new(),
    };
    let source = |series: &Series| match series.tool.strip_suffix(FITTED_LINE) {
        Some(tool) => format!("line g + G s at {size} bytes, by {tool}"),
        None => format!("stream of {size} bytes{}, by {}", in_flight(series), series.tool),
    };
    set_if_unknown(&mut tier.gap, Some(parameter(*gap, source(series))));
    if tier.gap_by_depth.is_empty() {
        let point = |(series, (_, gap)): &(&Series, (u64, Estimate))| {
            let depth = series.depth?;
            Some(DepthPoint { depth, gap: parameter(*gap, source(series)) })
        };
        tier.gap_by_depth = streams.iter().filter_map(point).collect();
        tier.gap_by_depth.sort_by_key(|point| point.depth);
        tier.gap_by_depth.dedup_by_key(|point| point.depth);
    }
}

/// Sets o_s(m) and o_r(m) as printed.
fn overheads(series: &Series, tier: &mut Tier) {
    let curve = |times: &Times, call: &str| {
        let point = |(size, time): (&u64, &f64)| Point {
            bytes: Bytes(*size),
            value: Micros(*time),
            low: None,
            high: None,
        };
        (!times.is_empty()).then(|| Curve {
            points: times.iter().map(point).collect(),
            fixed: None,
            per_byte: None,
            quality: Quality::Uncertain,
            source: format!("{call}, by {}; one mean per size, without a spread", series.tool),
        })
    };
    let send = curve(&series.send_calls, "send call");
    let recv = curve(&series.recv_calls, "receive call");
    if send.is_none() && recv.is_none() {
        return;
    }
    let style = tier.style_or_new(&series.style);
    style.send_overhead = style.send_overhead.take().or(send);
    style.recv_overhead = style.recv_overhead.take().or(recv);
}

/// Blocking calls above the eager limit return after the transfer. For sizes where o_s + L + o_r
/// exceeds RTT/2, the transfer is subtracted, so that models do not count the bytes twice.
fn without_transfer(series: &Series, tier: &mut Tier) {
    let Some(latency) = value(tier.latency.as_ref()) else { return };
    let per_byte = value(tier.gap_per_byte.as_ref()).unwrap_or_default();
    let Some(style) = tier.styles.iter_mut().find(|style| style.name.0 == series.style) else {
        return;
    };
    let (Some(send), Some(recv)) = (&mut style.send_overhead, &mut style.recv_overhead) else {
        return;
    };
    let mut smallest = None;
    for (to, from) in send.points.iter_mut().zip(&mut recv.points) {
        let end = series.ends.get(&to.bytes.0).filter(|_| to.bytes == from.bytes);
        let Some(end) = end else { continue };
        let bytes = per_byte.of(to.bytes.after_the_first());
        let calls = to.value + from.value;
        let fit = Fit::to(Micros(*end), calls, (latency, 1.0), bytes);
        if fit.calls < CONTAINED {
            smallest = smallest.or(Some(to.bytes.0));
            (to.value, from.value) = (to.value * fit.calls, from.value * fit.calls);
        }
    }
    if let Some(bytes) = smallest {
        let note = format!(
            "; from {bytes} bytes on, o_s + L + o_r is more than RTT/2: these calls contain the \
             transfer, which is taken out of them"
        );
        send.source.push_str(&note);
        recv.source.push_str(&note);
    }
}

/// L from a benchmark that prints round trips and both calls.
fn latency_of(series: &Series) -> Option<Parameter<Micros>> {
    let (size, eel) = series.at_small(&series.ends)?;
    let (_, send) = series.at_small(&series.send_calls)?;
    let (_, recv) = series.at_small(&series.recv_calls)?;
    let source = format!(
        "EEL − o_s − o_r at {size} bytes = {} − {} − {}, by {}",
        number(eel.value, 4),
        number(send.value, 4),
        number(recv.value, 4),
        series.tool
    );
    let result = latency::residual([eel, send, recv], None, source.clone());
    // A value without a spread is kept without bounds.
    let latency = eel.value - send.value - recv.value;
    let is_unbounded = result.value.is_none() && latency > 0.0;
    Some(if is_unbounded { parameter(Estimate::unbounded(latency), source) } else { result })
}

fn eager_limit(series: &Series) -> Option<Parameter<Bytes>> {
    let switch = series.switch()?;
    let (below, above) = (switch.below, switch.above);
    Some(Parameter {
        value: Some(below),
        low: Some(below),
        high: Some(Bytes(above.0 - 1)),
        quality: Quality::Uncertain,
        source: format!(
            "a message takes {} longer from {} bytes on, {} bytes do not yet, by {}; no size \
             between was tried",
            unsigned_percent(switch.jump),
            above.0,
            below.0,
            series.tool
        ),
    })
}

//! Fits to outputs that were measured on a link of known delay and bandwidth.

use crate::{fixtures, import, read};
use loggia_exchange::import::{BenchmarkKind, ImportOptions, ImportResult};
use loggia_model::signature::Statistic;

/// Time per byte on a link of 1 Gbit/s, including headers, in µs.
const GAP_PER_BYTE: f64 = 0.00805;

/// Sizes and printed times that the fit uses.
fn rows(name: &str, text: &[u8], is_used: fn(&BenchmarkKind) -> bool) -> Vec<(f64, f64)> {
    let read = read(name, text);
    let runs = read.runs.iter().filter(|run| is_used(&run.kind));
    let numbers = runs.flat_map(|run| &run.numbers).filter_map(|(condition, numbers)| {
        let is_mean = matches!(condition.statistic, Statistic::Mean | Statistic::Reported);
        Some((condition.bytes?.count(), numbers.times.first()?.0)).filter(|_| is_mean)
    });
    numbers.collect()
}

/// Slope by ordinary least squares.
fn slope(rows: &[(f64, f64)]) -> f64 {
    let count = rows.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| rows.iter().map(value).sum::<f64>() / count;
    let (x, y) = (mean(|row| row.0), mean(|row| row.1));
    let covariance: f64 = rows.iter().map(|row| (row.0 - x) * (row.1 - y)).sum();
    covariance / rows.iter().map(|row| (row.0 - x) * (row.0 - x)).sum::<f64>()
}

#[test]
fn parameters_of_a_known_link_are_found() {
    for (name, text) in fixtures().into_iter().filter(|(name, _)| name.contains("link200us1gbit")) {
        let ImportResult { by_tool, .. } = import(&name, &text, &ImportOptions::default());
        for report in &by_tool {
            let gap = report.gap_per_byte_us.map_or("no G".to_owned(), |gap| {
                format!("G {gap:.6}, error {:+.1}%", (gap / GAP_PER_BYTE - 1.0) * 100.0)
            });
            println!(
                "{}: {gap}, EEL {:?}, S {:?}",
                report.tool, report.end_to_end_latency_us, report.eager_limit
            );
        }
        let messages = rows(&name, &text, |kind| *kind == BenchmarkKind::Message);
        let short = messages.iter().find(|(size, _)| *size == 8.0).or(messages.first());
        let eel = by_tool.first().and_then(|report| report.end_to_end_latency_us);
        if let (Some((_, row)), Some(eel)) = (short, eel) {
            assert!((eel / row - 1.0).abs() <= 0.03, "{name}: EEL {eel}, row {row}");
        }
        if !name.starts_with("osu") {
            continue;
        }
        let streams = rows(&name, &text, |kind| matches!(kind, BenchmarkKind::Stream { .. }));
        let all = if streams.is_empty() { messages } else { streams };
        let largest = all.iter().map(|row| row.0).fold(0.0, f64::max);
        let switch = by_tool.first().and_then(|report| report.eager_limit);
        let from = switch.map_or(largest / 16.0, |range| range.high.count() + 1.0);
        let above: Vec<(f64, f64)> = all.into_iter().filter(|row| row.0 >= from).collect();
        let gap = by_tool.first().and_then(|report| report.gap_per_byte_us).unwrap();
        let least_squares = slope(&above);
        assert!(
            (gap / least_squares - 1.0).abs() <= 0.02,
            "{name}: G {gap}, least squares {least_squares}"
        );
        if name.contains("latency") {
            let range = switch.unwrap();
            assert!(range.low.0 >= 32768 && range.high.0 < 65536, "{name}: S {range:?}");
        }
    }
}

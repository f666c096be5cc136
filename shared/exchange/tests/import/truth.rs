//! What is fitted to outputs from a link whose delay and speed are known.

use crate::{fixtures, made, read};
use loggia_exchange::import::{BenchmarkKind, ImportOptions, ImportResult};
use loggia_model::signature::Statistic;

/// A byte takes so long on a link of 1 Gbit/s, with its headers.
const GAP_PER_BYTE: f64 = 0.00805;

/// The rows that are fitted to: sizes and times, as printed.
fn rows(name: &str, text: &[u8], of: fn(&BenchmarkKind) -> bool) -> Vec<(f64, f64)> {
    let read = read(name, text);
    let runs = read.runs.iter().filter(|run| of(&run.what));
    let numbers = runs.flat_map(|run| &run.numbers).filter_map(|(condition, numbers)| {
        let is_mean = matches!(condition.statistic, Statistic::Mean | Statistic::Reported);
        Some((condition.bytes?.count(), numbers.times.first()?.0)).filter(|_| is_mean)
    });
    numbers.collect()
}

/// Ordinary least squares, by the definition's own sums.
fn slope(rows: &[(f64, f64)]) -> f64 {
    let count = rows.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| rows.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|row| row.0), mean(|row| row.1));
    let above: f64 = rows.iter().map(|row| (row.0 - x) * (row.1 - y)).sum();
    above / rows.iter().map(|row| (row.0 - x) * (row.0 - x)).sum::<f64>()
}

#[test]
fn a_known_link_is_found() {
    for (name, text) in fixtures().into_iter().filter(|(name, _)| name.contains("link200us1gbit")) {
        let ImportResult { by_tool, .. } = made(&name, &text, &ImportOptions::default());
        for one in &by_tool {
            let gap = one.gap_per_byte_us.map_or("no G".to_owned(), |gap| {
                format!("G {gap:.6}, {:+.1}% off", (gap / GAP_PER_BYTE - 1.0) * 100.0)
            });
            println!(
                "{}: {gap}, EEL {:?}, S {:?}",
                one.tool, one.end_to_end_latency_us, one.eager_limit
            );
        }
        let messages = rows(&name, &text, |what| *what == BenchmarkKind::Message);
        let short = messages.iter().find(|(size, _)| *size == 8.0).or(messages.first());
        let eel = by_tool.first().and_then(|one| one.end_to_end_latency_us);
        if let (Some((_, row)), Some(eel)) = (short, eel) {
            assert!((eel / row - 1.0).abs() <= 0.03, "{name}: EEL {eel}, its row {row}");
        }
        if !name.starts_with("osu") {
            continue;
        }
        let floods = rows(&name, &text, |what| matches!(what, BenchmarkKind::Stream { .. }));
        let all = if floods.is_empty() { messages } else { floods };
        let largest = all.iter().map(|row| row.0).fold(0.0, f64::max);
        let switch = by_tool.first().and_then(|one| one.eager_limit);
        let from = switch.map_or(largest / 16.0, |range| range.high.count() + 1.0);
        let above: Vec<(f64, f64)> = all.into_iter().filter(|row| row.0 >= from).collect();
        let gap = by_tool.first().and_then(|one| one.gap_per_byte_us).unwrap();
        let own = slope(&above);
        assert!((gap / own - 1.0).abs() <= 0.02, "{name}: G {gap}, least squares {own}");
        if name.contains("latency") {
            let range = switch.unwrap();
            assert!(range.low.0 >= 32768 && range.high.0 < 65536, "{name}: S {range:?}");
        }
    }
}

//! Measurements of real machines, predicted from a part of them: at the measured points, with every
//! other size left out, and on more ranks. `cargo test -p loggia-model --test truth -- --nocapture`
//! prints the table.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use loggia_model::measured::{Basis, MeasuredTime, ranks};
use loggia_model::signature::{Operation, Point, Statistic, Table};
use loggia_model::stats::quantile::median;
use loggia_model::units::{Bytes, Micros, Procs};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/truth");

/// The tables of collective operations of each file; empty if the files are absent.
fn files() -> Vec<(String, Vec<Table>)> {
    let Ok(folder) = fs::read_dir(FOLDER) else {
        println!("skipped: predictions of real measurements, as {FOLDER} is absent");
        return Vec::new();
    };
    let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    files
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "tsv"))
        .map(|path| (name(path), tables(&fs::read_to_string(path).unwrap())))
        .filter(|(_, tables)| !tables.is_empty())
        .collect()
}

fn tables(text: &str) -> Vec<Table> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let mut by: BTreeMap<(Operation, u32, u32), Vec<Point>> = BTreeMap::new();
    for line in lines {
        let cells: BTreeMap<&str, &str> = header.iter().copied().zip(line.split('\t')).collect();
        let number = |name: &str| cells[name].parse::<u32>().unwrap();
        let Some(Ok(op)) = cells.get("op").map(|op| Operation::named(op)) else { continue };
        let time = Micros(cells["time_us"].parse().unwrap());
        let point = Point {
            bytes: Bytes(cells["bytes"].parse().unwrap()),
            value: time,
            low: None,
            high: None,
        };
        by.entry((op, number("ranks"), number("per_node"))).or_default().push(point);
    }
    let table = |((op, procs, per_node), mut points): (_, Vec<Point>)| {
        points.sort_by_key(|point| point.bytes);
        Table {
            op: Some(op),
            tier: None,
            style: None,
            procs: Some(Procs(procs)),
            per_node: Some(per_node),
            pairs: None,
            statistic: Statistic::Mean,
            points,
            source: String::new(),
        }
    };
    by.into_iter().map(table).collect()
}

fn predict(tables: &[Table], op: Operation, procs: Procs, bytes: Bytes) -> Option<MeasuredTime> {
    ranks::at(&ranks::columns(tables, op), op, procs, bytes)
}

/// Errors as factors, and number of intervals that contain the measured time.
#[derive(Default)]
struct Score {
    errors: Vec<f64>,
    held: usize,
    widths: Vec<f64>,
}

impl Score {
    fn add(&mut self, reading: &MeasuredTime, truth: Micros) {
        let time = reading.time;
        self.errors.push((time.value.0 / truth.0).ln().abs().exp() - 1.0);
        self.held += usize::from((time.low.0..=time.high.0).contains(&truth.0));
        self.widths.push(time.high.0 / time.low.0);
    }

    fn median(&self) -> f64 {
        median(&self.errors).unwrap_or_default()
    }

    fn held(&self) -> f64 {
        self.held as f64 / self.errors.len().max(1) as f64
    }

    fn line(&self, title: &str) {
        println!(
            "{title:<58} {:>4} points, median {:>5.1}%, maximum {:>6.1}%, held {:>3.0}%, width x{:.2}",
            self.errors.len(),
            100.0 * self.median(),
            100.0 * self.errors.iter().copied().fold(0.0, f64::max),
            100.0 * self.held(),
            median(&self.widths).unwrap_or_default()
        );
    }
}

#[test]
fn measured_points_are_reproduced() {
    for (name, tables) in files() {
        let mut score = Score::default();
        for table in &tables {
            for point in &table.points {
                let reading =
                    predict(&tables, table.op.unwrap(), table.procs.unwrap(), point.bytes);
                let reading = reading.unwrap();
                assert_eq!(reading.basis, Basis::Measured);
                score.add(&reading, point.value);
            }
        }
        score.line(&name);
        assert!(score.errors.iter().all(|error| *error < 1e-9));
    }
}

/// Interpolation by a straight line in log-log scale, for comparison.
fn log_log_line(points: &[Point], bytes: Bytes) -> f64 {
    let above = points.partition_point(|point| point.bytes < bytes);
    let [a, b] = [&points[above - 1], &points[above]];
    let x = |bytes: Bytes| (bytes.0 as f64).max(0.5).ln();
    let share = (x(bytes) - x(a.bytes)) / (x(b.bytes) - x(a.bytes));
    (a.value.0.ln() * (1.0 - share) + b.value.0.ln() * share).exp()
}

#[test]
fn every_other_size_is_predicted() {
    let mut all = Score::default();
    for (name, tables) in files() {
        let (mut ours, mut by_line) = (Score::default(), Vec::new());
        for (table, parity) in tables.iter().flat_map(|table| [(table, 0), (table, 1)]) {
            let kept = table.points.iter().enumerate().filter(|(i, _)| i % 2 == parity);
            let kept = Table { points: kept.map(|(_, p)| *p).collect(), ..table.clone() };
            let inner = kept.points[0].bytes..kept.points[kept.points.len() - 1].bytes;
            for point in table.points.iter().filter(|point| inner.contains(&point.bytes)) {
                if kept.points.iter().any(|known| known.bytes == point.bytes) {
                    continue;
                }
                let (op, procs) = (table.op.unwrap(), table.procs.unwrap());
                let reading = predict(std::slice::from_ref(&kept), op, procs, point.bytes).unwrap();
                assert_eq!(reading.basis, Basis::Interpolated);
                ours.add(&reading, point.value);
                all.add(&reading, point.value);
                by_line.push(
                    (log_log_line(&kept.points, point.bytes) / point.value.0).ln().abs().exp()
                        - 1.0,
                );
            }
        }
        let by_line = median(&by_line).unwrap();
        ours.line(&format!("{name} (log-log line: {:.1}%)", 100.0 * by_line));
        assert!(ours.median() <= 1.2 * by_line, "{name}: {} against {by_line}", ours.median());
    }
    if !all.errors.is_empty() {
        all.line("every other size left out");
        assert!(all.held() >= 0.85 && median(&all.widths).unwrap() < 2.0);
    }
}

/// Three simple extrapolations from the times on two numbers of ranks, for comparison.
fn simple_extrapolations([a, b]: [(f64, f64); 2], p: f64) -> [f64; 3] {
    let between = |x: fn(f64) -> f64| (x(p) - x(a.0)) / (x(b.0) - x(a.0));
    [
        a.1 + (b.1 - a.1) * between(f64::log2),
        a.1 + (b.1 - a.1) * between(|p| p),
        a.1 * (b.1 / a.1).powf(between(f64::log2)),
    ]
}

#[test]
fn more_ranks_are_extrapolated() {
    let mut all = Score::default();
    for (name, tables) in files() {
        let few: Vec<Table> =
            tables.iter().filter(|t| t.procs.is_some_and(|p| p.0 <= 32)).cloned().collect();
        for table in tables.iter().filter(|t| t.procs.is_some_and(|p| p.0 > 32)) {
            let (op, procs) = (table.op.unwrap(), table.procs.unwrap());
            let (mut ours, mut by_rules) = (Score::default(), [vec![], vec![], vec![]]);
            for point in &table.points {
                let reading = predict(&few, op, procs, point.bytes).unwrap();
                assert_eq!(reading.basis, Basis::Extrapolated);
                ours.add(&reading, point.value);
                all.add(&reading, point.value);
                let known = [8, 32].map(|p| {
                    let reading = predict(&few, op, Procs(p), point.bytes).unwrap();
                    (f64::from(p), reading.time.value.0)
                });
                for (errors, time) in
                    by_rules.iter_mut().zip(simple_extrapolations(known, f64::from(procs.0)))
                {
                    errors.push((time.max(1e-9) / point.value.0).ln().abs().exp() - 1.0);
                }
            }
            let best = by_rules.iter().filter_map(|errors| median(errors)).fold(f64::MAX, f64::min);
            let title = format!("{name} {} {} (rules: {:.1}%)", op.name(), procs.0, 100.0 * best);
            ours.line(&title);
            assert!(ours.median() <= (1.1 * best).max(0.1), "{title}");
        }
    }
    if !all.errors.is_empty() {
        all.line("8 and 32 ranks → more");
        assert!(all.held() >= 0.85 && median(&all.widths).unwrap() < 2.0);
    }
}

/// The kept points of the tables of a file; all other points are predicted.
struct Cut {
    title: &'static str,
    /// Whether a point is kept, by p, index of its size, and number of sizes.
    keeps: fn(u32, usize, usize) -> bool,
    /// Maximum median width of the intervals; none if too little is known.
    width: Option<f64>,
}

const CUTS: [Cut; 9] = [
    Cut { title: "every third size", keeps: |_, i, _| i % 3 == 0, width: Some(2.2) },
    Cut { title: "without the 6 smallest", keeps: |_, i, _| i >= 6, width: Some(6.0) },
    Cut { title: "without the 4 largest", keeps: |_, i, n| i + 4 < n, width: Some(4.0) },
    Cut { title: "first and last", keeps: |_, i, n| i == 0 || i + 1 == n, width: Some(9.0) },
    Cut { title: "first alone", keeps: |_, i, _| i == 0, width: None },
    Cut { title: "8 ranks alone", keeps: |p, _, _| p == 8, width: Some(6.0) },
    Cut { title: "the most ranks alone", keeps: |p, _, _| p > 500, width: Some(15.0) },
    Cut { title: "32 and more", keeps: |p, _, _| p >= 32, width: Some(8.0) },
    Cut { title: "8 and the most", keeps: |p, _, _| p == 8 || p > 60, width: Some(4.0) },
];

#[test]
fn parts_predict_the_other_points() {
    for cut in &CUTS {
        let mut all = Score::default();
        for (name, tables) in files() {
            let mut score = Score::default();
            let parts = |kept: bool| {
                let part = |table: &Table| {
                    let (procs, count) = (table.procs.unwrap().0, table.points.len());
                    let points = table.points.iter().enumerate();
                    let points = points.filter(|(i, _)| (cut.keeps)(procs, *i, count) == kept);
                    Table { points: points.map(|(_, point)| *point).collect(), ..table.clone() }
                };
                tables.iter().map(part).collect::<Vec<_>>()
            };
            let (kept, predicted) = (parts(true), parts(false));
            for table in &predicted {
                let (op, procs) = (table.op.unwrap(), table.procs.unwrap());
                for point in &table.points {
                    let Some(reading) = predict(&kept, op, procs, point.bytes) else { continue };
                    score.add(&reading, point.value);
                    all.add(&reading, point.value);
                }
            }
            if !score.errors.is_empty() {
                score.line(&format!("{}: {name}", cut.title));
            }
        }
        if !all.errors.is_empty() {
            all.line(cut.title);
            assert!(all.held() >= 0.85, "{}", cut.title);
            let width = median(&all.widths).unwrap();
            assert!(cut.width.is_none_or(|most| width <= most), "{}: x{width:.2}", cut.title);
        }
    }
}

//! Errors of predictions compared with measured results, and conditions on scores.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use loggia_exchange::error::ScoreError;
use loggia_exchange::import::options::PerFile;
use loggia_exchange::import::{ImportOptions, Importer, TierName, make};
use loggia_exchange::score::{Condition, Score, predicted};
use loggia_model::library;
use loggia_model::measured::Basis;
use loggia_model::signature::Signature;
use std::fs;
use std::path::{Path, PathBuf};

fn imported(rows: &str) -> Signature {
    let text = format!("op,ranks,per_node,bytes,time_us\n{rows}");
    let mut importer = Importer::default();
    importer.file("results.csv", text.as_bytes()).unwrap();
    make(&importer.finish(), &ImportOptions::default()).signature.unwrap()
}

const ROWS: &str = "p2p,2,1,8,2\np2p,2,1,64,3\nbcast,4,,64,10\nbcast,8,,64,14\nbarrier,8,,,5\n";

/// The prediction of a measured size is the measurement, so its error would be 0.
#[test]
fn results_that_the_signature_holds_are_predicted_from_the_others() {
    let signature = imported(ROWS);
    for table in &signature.tables {
        for point in &table.points {
            let (time, basis) = predicted(&signature, &signature, table, point.bytes).unwrap();
            assert!((time.value.0 / point.value.0 - 1.0).abs() < 1e-9, "{time:?}");
            assert!(time.low <= point.value && point.value <= time.high, "{time:?}");
            assert_eq!(basis, Basis::Measured);
        }
    }
    let score = Score::of(&signature, &signature);
    assert_eq!((score.points, score.in_signature), (5, 5));
    assert_eq!(score, Score::left_out(&signature));
    assert!(score.all.maximum.unwrap() > 0.1, "{:?}", score.all);
    assert!(score.all.worst.iter().all(|point| point.basis != Basis::Measured));
    let operations: Vec<(&str, usize)> =
        score.operations.iter().map(|errors| (errors.op, errors.points)).collect();
    assert_eq!(operations, [("p2p", 2), ("bcast", 2)]);
    assert_eq!((score.unanswered[0].op, score.unanswered[0].points), ("barrier", 1));
}

/// Another run of the same benchmark is compared with the measured times.
#[test]
fn repeated_measurements_are_independent() {
    let again = imported("p2p,2,1,8,2.1\np2p,2,1,64,3\nbcast,4,1,64,10\nbcast,8,,64,13.5\n");
    let score = Score::of(&imported(ROWS), &again);
    assert_eq!((score.points, score.in_signature), (4, 1), "bcast on 4 nodes is another condition");
    let bases: Vec<(&str, u64, Basis)> =
        score.all.worst.iter().map(|point| (point.op, point.bytes.0, point.basis)).collect();
    assert!(bases.contains(&("p2p", 8, Basis::Measured)), "{bases:?}");
    assert!(bases.contains(&("p2p", 64, Basis::Extrapolated)), "{bases:?}");
}

/// Twice and half the measurement have the same error.
#[test]
fn errors_are_ratios() {
    let signature = imported(ROWS);
    let measured = imported("p2p,2,1,8,4\np2p,2,1,64,1.5\nbcast,4,,64,10.01\nallreduce,4,,64,9\n");
    let score = Score::of(&signature, &measured);
    let p2p = score.errors("p2p").unwrap();
    assert!((p2p.median.unwrap() - 1.0).abs() < 1e-9 && p2p.inside == Some(0.0), "{p2p:?}");
    let bcast = score.errors("bcast").unwrap();
    assert_eq!((bcast.points, bcast.worst[0].basis), (1, Basis::Measured));
    assert_eq!((score.unanswered[0].op, score.unanswered[0].points), ("allreduce", 1));
}

#[test]
fn the_five_worst_points_are_listed() {
    let rows = |time: fn(u32) -> u32| -> String {
        (1..=40).map(|bytes| format!("p2p,2,1,{bytes},{}\n", time(bytes))).collect()
    };
    let score = Score::of(&imported(&rows(|_| 10)), &imported(&rows(|bytes| 10 * bytes)));
    let p2p = score.errors("p2p").unwrap();
    assert_eq!((p2p.points, p2p.worst.len()), (40, 5));
    let worst: Vec<f64> = p2p.worst.iter().map(|point| (point.error + 1.0).round()).collect();
    assert_eq!(worst, [40.0, 39.0, 38.0, 37.0, 36.0]);
    assert!((p2p.p95.unwrap() - 37.0).abs() < 1e-9, "two of 40 points are worse");
}

#[test]
fn a_model_predicts_without_measurements() {
    let t3d = library::load("cray-t3d").unwrap();
    let score = Score::of(&t3d, &imported("p2p,2,1,16,63.7\nalltoall,64,,512,2856.34\n"));
    assert_eq!(score.all.points, 2);
    assert!(score.all.worst.iter().all(|point| point.basis == Basis::Published));
    assert!(score.errors("alltoall").unwrap().maximum.unwrap() < 1e-4);
}

#[test]
fn conditions_are_checked() {
    let signature = imported(ROWS);
    let score = Score::of(&signature, &imported("p2p,2,1,8,4\nbcast,4,,64,10.01\n"));
    for (condition, holds) in [
        ("p2p.median>20%", true),
        ("p2p.median > 100.1 %", false),
        ("broadcast.maximum>1%", false),
        ("all.p95>99%", true),
        ("all.inside<60%", true),
        ("bcast.inside<85%", false),
    ] {
        let checked = condition.parse::<Condition>().unwrap().check(&score).unwrap();
        assert_eq!(checked.holds, holds, "{condition}: {checked:?}");
    }
    let unknown = "alltoall.median>1%".parse::<Condition>().unwrap().check(&score).unwrap_err();
    let condition = "alltoall.median>1%".to_owned();
    assert_eq!(unknown, ScoreError::NoPoints { condition, predicted: vec!["p2p", "bcast"] });
    for (text, help) in [
        ("p2p", "such as"),
        ("median>20%", "such as"),
        ("p2p.median>20", "such as"),
        ("p2p.mean>20%", "median"),
        ("bcst.median>20%", "bcast"),
    ] {
        let error = text.parse::<Condition>().unwrap_err();
        assert!(error.help.to_string().contains(help), "{text}: {error}");
    }
}

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");

/// Each table of `shared/truth`, and each run of Netgauge; empty if the files are missing.
fn real() -> Vec<(String, Signature)> {
    let folders = [("truth", "tsv"), ("machines/netgauge", "out")];
    let paths = folders.into_iter().flat_map(|(folder, end)| {
        let files = Path::new(SHARED).join(folder).read_dir().into_iter().flatten();
        let files = files.map(|entry| entry.unwrap().path());
        files.filter(move |path| path.extension().is_some_and(|own| own == end)).collect::<Vec<_>>()
    });
    let tier = vec![PerFile { file: None, value: TierName::parse("network").unwrap() }];
    let options = ImportOptions { tier, ..ImportOptions::default() };
    let import = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut importer = Importer::default();
        importer.file(&name, &fs::read(&path).unwrap()).unwrap();
        let signature = make(&importer.finish(), &options).complete(&options).unwrap().0;
        (name, signature)
    };
    let mut all: Vec<_> = paths.map(import).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    if all.is_empty() {
        println!("skipped: {SHARED} is missing");
    }
    all
}

/// Predicts measured points from all points, and from every other point.
/// `cargo test -p loggia-exchange --test score -- --nocapture` prints the table.
#[test]
fn imported_real_measurements_are_predicted() {
    for (name, whole) in real() {
        for table in &whole.tables {
            for point in &table.points {
                let (time, _) = predicted(&whole, &whole, table, point.bytes).unwrap();
                let error = (time.value.0 / point.value.0 - 1.0).abs();
                let is_inside = time.low <= point.value && point.value <= time.high;
                assert!(error < 1e-9 && is_inside, "{name}: {} B", point.bytes.0);
            }
        }
        let (mut points, mut inside) = (0.0, 0.0);
        for parity in [0, 1] {
            let with = |is_kept: fn(bool) -> bool| {
                let mut half = whole.clone();
                for table in &mut half.tables {
                    let mut index = 0;
                    table.points.retain(|_| {
                        index += 1;
                        is_kept(index % 2 == parity)
                    });
                }
                half.tables.retain(|table| !table.points.is_empty());
                half
            };
            let (kept, omitted) = (with(|is_kept| is_kept), with(|is_kept| !is_kept));
            let score = Score::of(&kept, &omitted);
            assert_eq!(score.in_signature, 0, "{name}");
            let total = score.all.points as f64;
            points += total;
            inside += score.all.inside.unwrap() * total;
        }
        println!("{name:<60} {points:>5} omitted points, {:>4.0}% inside", 100.0 * inside / points);
        assert!(inside >= 0.85 * points, "{name}: {inside} of {points}");
    }
}

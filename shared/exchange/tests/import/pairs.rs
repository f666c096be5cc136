//! Concurrent pairs between two nodes: measured times, predictions between them, and the rate of the
//! network card, R_N.

use crate::{import, read};
use loggia_exchange::import::{BenchmarkKind, ImportOptions};
use loggia_model::Signature;
use loggia_model::measured::{Basis, Doubt};
use loggia_model::model::{Route, pairs};
use loggia_model::signature::Statistic;
use loggia_model::units::{Bytes, Procs};
use std::fs;

const BLUE_WATERS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/truth/bluewaters-pairs.tsv");

/// Whether a row is kept.
type Filter = fn(&Row) -> bool;

/// Pairs, bytes, µs.
type Row = (u32, u64, f64);

fn rows(text: &str) -> Vec<Row> {
    let lines = text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let row = |line: &str| -> Row {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap();
        (cell().parse().unwrap(), cell().parse().unwrap(), cell().parse().unwrap())
    };
    lines.map(row).collect()
}

fn imported(rows: &[Row]) -> Signature {
    let lines = rows.iter().map(|(pairs, bytes, time)| format!("{pairs}\t{bytes}\t{time}\n"));
    let text = format!("pairs\tbytes\ttime_us\n{}", lines.collect::<String>());
    let signature =
        import("pairs.tsv", text.as_bytes(), &ImportOptions::default()).signature.unwrap();
    signature.validate().unwrap();
    signature
}

fn predicted(signature: &Signature, pairs: u32, bytes: u64) -> loggia_model::model::Prediction {
    let route = Route::of(signature, None, None).unwrap();
    pairs::predict(&route, None, Bytes(bytes), pairs).unwrap().prediction
}

/// Mean and maximum error over rows.
fn error(signature: &Signature, rows: &[Row]) -> (f64, f64) {
    let errors: Vec<f64> = rows
        .iter()
        .map(|(pairs, bytes, time)| {
            (predicted(signature, *pairs, *bytes).time().unwrap().0 / time - 1.0).abs()
        })
        .collect();
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    (mean, errors.iter().copied().fold(0.0, f64::max))
}

fn rate(signature: &Signature) -> f64 {
    let card = signature.tiers[0].node_gap_per_byte.as_ref().unwrap();
    1.0 / card.value.unwrap().0
}

/// Kept and omitted rows.
fn split(rows: &[Row], is_kept: impl Fn(&Row) -> bool) -> (Vec<Row>, Vec<Row>) {
    rows.iter().copied().partition(is_kept)
}

fn truth() -> Option<Vec<Row>> {
    let text = fs::read_to_string(BLUE_WATERS).ok();
    if text.is_none() {
        eprintln!("skipped: {BLUE_WATERS} is missing");
    }
    text.map(|text| rows(&text))
}

#[test]
fn measured_times_are_predicted_exactly() {
    let Some(rows) = truth() else { return };
    let signature = imported(&rows);
    for (pairs, bytes, time) in &rows {
        let prediction = predicted(&signature, *pairs, *bytes);
        assert!((prediction.time().unwrap().0 / time - 1.0).abs() < 1e-9, "{pairs} {bytes}");
        assert_eq!(prediction.basis, Basis::Measured);
    }
    // A fit of all rendezvous times gives 7.14 GB/s; the largest messages of 16 pairs give 6.66 GB/s.
    let rate = rate(&signature);
    assert!((6600.0..7300.0).contains(&rate), "{rate}");
    assert_eq!(signature.tiers[0].ranks_per_node, Some(16));
}

/// Issue 24: one pair, and all pairs at the largest size, predict all other times.
#[test]
fn one_pair_and_the_largest_size_predict_the_rest() {
    let Some(rows) = truth() else { return };
    let largest = rows.iter().map(|(_, bytes, _)| *bytes).max().unwrap();
    let (kept, omitted) = split(&rows, |(pairs, bytes, _)| *pairs == 1 || *bytes == largest);
    let signature = imported(&kept);
    let (mean, maximum) = error(&signature, &omitted);
    println!(
        "Blue Waters, {} of {} times: mean error {:.1}%, largest {:.0}%; R_N {:.0} MB/s",
        omitted.len(),
        rows.len(),
        mean * 100.0,
        maximum * 100.0,
        rate(&signature)
    );
    assert!(mean <= 0.12, "{mean}");
    let within = omitted.iter().filter(|(pairs, bytes, time)| {
        let total = predicted(&signature, *pairs, *bytes).total.unwrap();
        total.low.0 <= *time && *time <= total.high.0
    });
    assert!(
        within.count() as f64 >= 0.9 * omitted.len() as f64,
        "too few times inside their intervals"
    );
    let prediction = predicted(&signature, 16, 8192);
    assert_eq!(prediction.basis, Basis::Interpolated);
    assert!(format!("{:?}", prediction.warnings).contains("PairsFrom"), "{prediction:?}");
    assert!(!prediction.is_extrapolated());
}

/// Fewer pairs, or half of the sizes, predict the omitted times.
#[test]
fn other_subsets_predict_the_rest() {
    let Some(rows) = truth() else { return };
    let largest = rows.iter().map(|(_, bytes, _)| *bytes).max().unwrap();
    let parts: [(&str, Filter, f64); 4] = [
        ("1 and 16 pairs", |row| matches!(row.0, 1 | 16), 0.10),
        ("1, 2, 4, 8 and 16 pairs", |row| row.0.is_power_of_two(), 0.05),
        ("every other size", |row| row.0 == 1 || row.1.trailing_zeros() % 2 == 0, 0.05),
        ("1 pair, and 16 at 256 KiB", |row| row.0 == 1 || (row.0, row.1) == (16, 262_144), 0.15),
    ];
    assert_eq!(largest, 262_144);
    for (name, is_kept, maximum) in parts {
        let (kept, omitted) = split(&rows, is_kept);
        let (mean, _) = error(&imported(&kept), &omitted);
        println!("from {name}: mean error {:.1}% of {} times", mean * 100.0, omitted.len());
        assert!(mean <= maximum, "{name}: {mean}");
    }
}

/// T = α + n s / min(R_N, n R_b), with a step between protocols: R_b 5, R_N 12 GB/s.
fn max_rate(pairs: u32, bytes: u64) -> f64 {
    let latency = if bytes <= 8192 { 2.0 } else { 6.0 };
    latency + bytes as f64 * f64::max(1.0 / 5000.0, f64::from(pairs) / 12_000.0)
}

#[test]
fn parameters_of_a_synthetic_machine_are_found() {
    let sizes = (2..=20).map(|power| 1u64 << power);
    let all: Vec<Row> =
        sizes.flat_map(|s| [1, 2, 3, 4, 8, 16, 32, 64].map(|n| (n, s, max_rate(n, s)))).collect();
    let (kept, omitted) = split(&all, |row| row.0 == 1 || row.1 == 1 << 20);
    let signature = imported(&kept);
    let (mean, maximum) = error(&signature, &omitted);
    println!("synthetic machine: mean error {:.1}%, largest {:.0}%", mean * 100.0, maximum * 100.0);
    assert!(mean <= 0.12, "{mean}");
    assert!((rate(&signature) / 12_000.0 - 1.0).abs() < 0.02, "{}", rate(&signature));
    let route = Route::of(&signature, None, None).unwrap();
    assert_eq!(pairs::filled_by(&route), Some(3));
    let beyond = predicted(&signature, 128, 1 << 20);
    assert!((beyond.time().unwrap().0 / max_rate(128, 1 << 20) - 1.0).abs() < 0.02);
    assert!(format!("{:?}", beyond.warnings).contains(&format!("{:?}", Doubt::AbovePairs(64))));
}

/// Output of osu_mbw_mr, which prints the total rate of all pairs.
fn mbw_mr(pairs: u32) -> String {
    let row = |power: u32| {
        let bytes = 1u64 << power;
        let time = bytes as f64 * f64::max(1.0 / 5000.0, f64::from(pairs) / 12_000.0) + 0.05;
        let rate = f64::from(pairs) * bytes as f64 / time;
        format!("{bytes:<10}{rate:>18.2}{:>18.2}\n", rate * 1e6 / bytes as f64)
    };
    format!(
        "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n\
         # [ pairs: {pairs} ] [ window size: 64 ]\n# Datatype: MPI_CHAR.\n\
         # Size                  MB/s        Messages/s\n{}",
        (0..=22).map(row).collect::<String>()
    )
}

#[test]
fn osu_mbw_mr_gives_the_rate_of_the_card() {
    let text: String = [1, 2, 4, 8, 16].map(mbw_mr).concat();
    let result = import("osu_mbw_mr.txt", text.as_bytes(), &ImportOptions::default());
    let signature = result.signature.unwrap();
    assert!((rate(&signature) / 12_000.0 - 1.0).abs() < 0.01, "{}", rate(&signature));
    let pair = signature.tiers[0].gap_per_byte.as_ref().unwrap().value.unwrap();
    assert!((1.0 / pair.0 / 5000.0 - 1.0).abs() < 0.01, "{pair:?}");
    assert_eq!(signature.tiers[0].ranks_per_node, Some(16));
    assert!(result.unknown.iter().all(|unknown| !unknown.symbols.contains("R_N")));
}

#[test]
fn osu_multi_lat_is_a_table_of_pairs() {
    let rows = |pairs: u32| -> String {
        (0..=20)
            .map(|power| format!("{:<10}{:>18.2}\n", 1u64 << power, max_rate(pairs, 1 << power)))
            .collect()
    };
    let single = format!(
        "# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n{}",
        rows(1)
    );
    let concurrent = format!(
        "# OSU MPI Multi Latency Test v7.4\n# [ pairs: 8 ]\n# Size       Avg Latency(us)\n{}",
        rows(8)
    );
    let signature = import("osu.txt", (single + &concurrent).as_bytes(), &ImportOptions::default())
        .signature
        .unwrap();
    assert!((rate(&signature) / 12_000.0 - 1.0).abs() < 0.02, "{}", rate(&signature));
    let prediction = predicted(&signature, 8, 65_536);
    assert_eq!(prediction.basis, Basis::Measured);
}

/// File and console output of Netgauge's one_one.
#[test]
fn netgauge_one_one_is_a_table_of_pairs() {
    let file = "## Netgauge v2.4.6 - mode mpi - 8 processes\n##\n## A...message size [byte]\n##\n\
                8 - 0.10 0.20 0.15 0.40 (0.01 2) - 2.00 2.20 2.10 9.00 (0.30 4) - 7.1 29.1 30.4 32.0\n\
                65536 - 9.0 9.1 9.1 9.9 (0.1 1) - 40.00 42.00 41.00 60.00 (3.00 7) - 8738.1 12483.0 12787.5 13107.2\n";
    let content = read("ng.out.0", file.as_bytes());
    let run = &content.runs[0];
    assert_eq!(run.kind, BenchmarkKind::ConcurrentMessage { pairs: Some(4) });
    assert_eq!((run.version.as_deref(), run.procs), (Some("2.4.6"), Some(Procs(8))));
    let medians: Vec<_> = run
        .numbers
        .iter()
        .filter(|(condition, _)| condition.statistic == Statistic::Median)
        .map(|(condition, numbers)| (condition.bytes.unwrap().0, numbers.times[0].0))
        .collect();
    assert_eq!(medians, [(8, 2.1), (65_536, 41.0)]);
    let console = "# Info:   (0): Netgauge v2.4.6 MPI enabled (P=2, threadlevel=0) (netgauge -m mpi -x one_one )\n\
                   8 bytes \t -> 1.20 us \t == 53.33 Mbit/s\n";
    let content = read("ng.txt", console.as_bytes());
    assert_eq!(content.runs[0].kind, BenchmarkKind::Message);
    let (condition, numbers) = content.runs[0].numbers.iter().next().unwrap();
    assert_eq!((condition.statistic, numbers.times[0].0), (Statistic::Reported, 1.2));
}

/// IMB's multi mode: concurrent groups of two ranks.
#[test]
fn imb_multi_ping_pong_is_a_table_of_pairs() {
    let rows = |pairs: u32| -> String {
        let row = |power: u32| {
            let time = max_rate(pairs, 1 << power);
            format!(
                "{:>13} {:>12} {time:>12.2} {time:>12.2} {time:>12.2} {:>12.2}\n",
                1u64 << power,
                1000,
                1.0
            )
        };
        (0..=20).map(row).collect()
    };
    let header = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n";
    let text = format!(
        "# Benchmarking Multi-PingPong\n# ( 1 groups of 2 processes each running simultaneous )\n{header}{}\n\
         # Benchmarking Multi-PingPong\n# ( 8 groups of 2 processes each running simultaneous )\n{header}{}",
        rows(1),
        rows(8)
    );
    let signature =
        import("imb.txt", text.as_bytes(), &ImportOptions::default()).signature.unwrap();
    assert!((rate(&signature) / 12_000.0 - 1.0).abs() < 0.02, "{}", rate(&signature));
}

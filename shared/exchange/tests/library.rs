//! The measured machines of the library, imported again from the benchmarks' outputs: the library
//! has the same numbers, with as many points as fit into a link.
//!
//! `LIBRARY=write cargo test -p loggia-exchange --test library` writes the numbers into the library
//! files; author, date and software of the measurement are edited by hand.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use loggia_exchange::import::options::PerFile;
use loggia_exchange::import::{ImportOptions, Importer, TierName, make};
use loggia_link::RECOMMENDED_LENGTH;
use loggia_link::state::State;
use loggia_model::json;
use loggia_model::library::{self, Found};
use loggia_model::measured::{self, MeasuredTime};
use loggia_model::signature::{Point, Signature, Table};
use loggia_model::units::{Bytes, Micros};
use std::path::{Path, PathBuf};
use std::{env, fs};

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");
const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../model/library");

/// The raw output of a machine.
enum RawOutput {
    /// A file of Netgauge.
    Netgauge(&'static str),
    /// A folder of OSU outputs, and the number of ranks of the collective operations.
    Osu(&'static str, u32),
    /// A plain table.
    Table(&'static str),
}

/// Each measured machine of the library, with its raw output.
const RAW: [(&str, RawOutput); 15] = [
    ("alps", RawOutput::Netgauge("alps__2022_07_13_16_53_49")),
    ("deep-est", RawOutput::Netgauge("deep-est__2022_05_05_17_00_11")),
    ("piz-daint", RawOutput::Netgauge("daint__2022_05_19_13_03_39")),
    ("blue-waters", RawOutput::Table("bluewaters-pairs.tsv")),
    ("azure-hbv2", RawOutput::Netgauge("azure_hbv2_rush_hour__2022_03_25_17_01_24")),
    (
        "azure-hc44rs",
        RawOutput::Netgauge("azure_hpc44rs_azure_rush_same_rack__2022_03_18_22_04_11"),
    ),
    ("azure-f72s", RawOutput::Netgauge("azure_F72s_v2_short__2022_03_28_17_31_51")),
    ("oracle-vm", RawOutput::Netgauge("oracle__2022_07_08_21_16_56")),
    ("aws-c5n-metal", RawOutput::Netgauge("aws_c5n.metal_cluster__2022_03_22_21_54_00")),
    ("aws-c5n-18xlarge", RawOutput::Osu("c5n.18xlarge", 32)),
    ("aws-c5-18xlarge", RawOutput::Netgauge("aws-normal_c5.18xlarge_cluster__2022_03_26_10_07_26")),
    ("gcp-c2", RawOutput::Netgauge("gcp__2022_06_08_17_01_09")),
    ("polaris-gpu-mpi", RawOutput::Table("polaris-osu-setup0.tsv")),
    ("polaris-nccl", RawOutput::Table("polaris-nccl-2.18-setup1.tsv")),
    ("aws-p5-48xlarge", RawOutput::Osu("p5.48xlarge", 32)),
];

impl RawOutput {
    /// The files, by name.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let shared = Path::new(SHARED);
        let paths = match self {
            RawOutput::Netgauge(name) => vec![shared.join(format!("machines/netgauge/{name}.out"))],
            RawOutput::Osu(folder, _) => in_folder(&shared.join("machines/aws-osu").join(folder)),
            RawOutput::Table(name) => vec![shared.join("truth").join(name)],
        };
        let read = |path: PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(&path).unwrap())
        };
        paths.into_iter().map(read).collect()
    }

    fn options(&self) -> ImportOptions {
        let network = PerFile { file: None, value: TierName::parse("network").unwrap() };
        let ranks = match self {
            RawOutput::Osu(_, ranks) => vec![PerFile { file: None, value: *ranks }],
            _ => Vec::new(),
        };
        ImportOptions { tier: vec![network], ranks, ..ImportOptions::default() }
    }

    fn import(&self) -> Signature {
        let mut importer = Importer::default();
        for (name, text) in self.files() {
            importer.file(&name, &text).unwrap();
        }
        let options = self.options();
        let mut signature = make(&importer.finish(), &options).complete(&options).unwrap().0;
        let table = signature.tables.iter_mut().find(|table| table.op.is_none());
        if let (Some(point), Some(table)) = (self.long_message(), table) {
            table.points.push(point);
        }
        signature
    }

    /// The ping-pong of 16 MiB whose rate the source gives separately, if any.
    fn long_message(&self) -> Option<Point> {
        let RawOutput::Netgauge(name) = self else { return None };
        let machines = fs::read_to_string(Path::new(SHARED).join("machines/machines.tsv")).unwrap();
        let file = format!(" {}.", name.replace("__", "/"));
        let (_, rate) = machines.lines().find(|line| line.contains(&file))?.split_once("16 MiB")?;
        let (rate, _) = rate.trim_start_matches(" ping-pong").split_once("Gb/s").unwrap();
        let rate: f64 = rate.trim().parse().unwrap();
        // 1 GB/s is 1000 bytes per µs.
        let value = Micros((16.0 * 1_048_576.0 / (rate / 8.0 * 1000.0) * 10.0).round() / 10.0);
        Some(Point { bytes: Bytes(16 << 20), value, low: None, high: None })
    }
}

fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Whether the raw outputs are available.
fn is_available() -> bool {
    let is_available = Path::new(SHARED).join("machines").is_dir();
    if !is_available {
        eprintln!("skipped: {SHARED}/machines is missing");
    }
    is_available
}

/// Maximum relative error of omitted points predicted from the kept points: of RTT/2, and of
/// overheads, whose means per size scatter more.
const TIME_ERROR: f64 = 0.03;
const OVERHEAD_ERROR: f64 = 0.15;
/// Machines whose times scatter between sizes, with factors for the maximum error.
const SCATTERING: [(&str, f64); 2] = [("azure-f72s", 4.0), ("oracle-vm", 4.0)];

/// Factor for the maximum error of a machine.
fn scatter(name: &str) -> f64 {
    SCATTERING.into_iter().find(|(known, _)| *known == name).map_or(1.0, |(_, times)| times)
}

/// Whether the table has RTT/2 of a single pair.
fn is_of_one_pair(table: &Table) -> bool {
    table.op.is_none() && table.pairs.is_none()
}

/// Interpolates a time at a size from some points.
type Interpolate<'a> = &'a dyn Fn(&[Point], Bytes) -> Option<MeasuredTime>;

/// A subset of points that predicts the others within an error: the point with the largest error is
/// added repeatedly.
fn essential_points(points: &[Point], error: f64, interpolate: Interpolate) -> Vec<Point> {
    let mut kept: Vec<usize> =
        if points.len() < 3 { (0..points.len()).collect() } else { vec![0, points.len() - 1] };
    let relative_error = |kept: &[usize], index: usize| {
        let known: Vec<Point> = kept.iter().map(|index| points[*index]).collect();
        let predicted = interpolate(&known, points[index].bytes).unwrap().time.value.0;
        (predicted / points[index].value.0 - 1.0).abs()
    };
    loop {
        let omitted = (0..points.len()).filter(|index| !kept.contains(index));
        let worst = omitted.map(|index| (index, relative_error(&kept, index)));
        let worst = worst.filter(|(_, relative_error)| *relative_error > error);
        let Some((index, _)) = worst.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        kept.push(index);
        kept.sort_unstable();
    }
    kept.into_iter().map(|index| points[index]).collect()
}

/// The expected library file: the imported numbers with the texts of the existing file.
fn expected(file: &Signature, imported: &Signature) -> Signature {
    let Signature { mut tiers, collectives, mut tables, .. } = imported.clone();
    // Percentiles come from other outputs of the same source.
    for tier in &mut tiers {
        let known = file.tiers.iter().find(|known| known.name == tier.name);
        tier.noise = tier.noise.take().or_else(|| known?.noise.clone());
        // g(m) of PLogP is T(m) − L: redundant with the table, and a link has no space for both.
        if tables.iter().any(|table| table.tier.as_ref() == Some(&tier.name)) {
            tier.gap_by_size = None;
        }
        for style in &mut tier.styles {
            for curve in [&mut style.send_overhead, &mut style.recv_overhead].into_iter().flatten()
            {
                let error = OVERHEAD_ERROR * scatter(&file.name);
                curve.points = essential_points(&curve.points, error, &measured::sizes::at);
            }
        }
    }
    // Each time is one printed number, without an interval.
    let error = TIME_ERROR * scatter(&file.name);
    for table in tables.iter_mut().filter(|table| table.op.is_none()) {
        table.points.iter_mut().for_each(|point| (point.low, point.high) = (None, None));
    }
    for table in tables.iter_mut().filter(|table| is_of_one_pair(table)) {
        table.points = essential_points(&table.points, error, &measured::sizes::at);
    }
    // Times of several pairs are interpolated relative to a model based on the times of one pair.
    let single_pair = tables.iter().find(|table| is_of_one_pair(table)).cloned();
    for table in &mut tables {
        let (Some(single_pair), Some(pairs)) = (&single_pair, table.pairs) else { continue };
        table.points = essential_points(&table.points, error, &|known, bytes| {
            measured::pairs::at(&single_pair.points, vec![(pairs, known)], pairs, bytes)
        });
    }
    let imported = Signature { tiers, collectives, tables, samples: Vec::new(), ..file.clone() };
    let (link, omitted) = loggia_link::encode(&State::of(imported));
    let is_complete = !omitted.iter().any(|part| part.contains("measured times of"));
    assert!(
        is_complete && link.len() <= RECOMMENDED_LENGTH,
        "{}: {} {omitted:?}",
        file.name,
        link.len()
    );
    loggia_link::decode(&link).unwrap().signatures.remove(0)
}

#[test]
fn every_measured_machine_equals_its_raw_output() {
    let named: Vec<&str> = RAW.iter().map(|(name, _)| *name).collect();
    let measured = library::ENTRIES.iter().filter(|entry| entry.found == Found::Measured);
    assert_eq!(measured.map(|entry| entry.name).collect::<Vec<_>>(), named);
    if !is_available() {
        return;
    }
    if env::var_os("LIBRARY").is_some() {
        for name in library::names() {
            let text = json::to_json(&library::load(name).unwrap());
            fs::write(format!("{LIBRARY}/{name}.json"), text).unwrap();
        }
    }
    for (name, from) in &RAW {
        let file = library::load(name).unwrap();
        let expected = expected(&file, &from.import());
        if env::var_os("LIBRARY").is_some() {
            fs::write(format!("{LIBRARY}/{name}.json"), json::to_json(&expected)).unwrap();
            continue;
        }
        assert_eq!(file, expected, "{name}");
    }
}

/// Predictions at measured sizes equal the measurements, except for the error of omitted points and
/// 0.5% for the rounding of a link.
#[test]
fn every_measured_time_is_predicted_within_its_error() {
    if !is_available() {
        return;
    }
    let mut compared = 0;
    for (name, from) in &RAW {
        let machine = library::load(name).unwrap();
        for imported in from.import().tables {
            let same = |table: &&Table| {
                (table.op, &table.tier, table.procs, table.pairs)
                    == (imported.op, &imported.tier, imported.procs, imported.pairs)
            };
            let Some(table) = machine.tables.iter().find(same) else { continue };
            for point in &imported.points {
                let predicted = match table.pairs {
                    Some(pairs) => {
                        let tier = machine.tier(table.tier.as_deref()).unwrap();
                        machine.measured_pairs(tier, table.style.as_deref(), pairs, point.bytes)
                    }
                    None => measured::sizes::at(&table.points, point.bytes),
                };
                let predicted = predicted.unwrap().time.value.0;
                let relative_error = (predicted / point.value.0 - 1.0).abs();
                let max_error = match table.op {
                    None if scatter(name) > 1.0 => 0.18,
                    None => TIME_ERROR + 0.01,
                    Some(_) => 0.02,
                };
                assert!(
                    relative_error <= max_error,
                    "{name} {:?} {:?} {point:?}: {predicted}",
                    table.op,
                    table.pairs
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}

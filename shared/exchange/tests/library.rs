//! The measured machines of the library, imported again from what the benchmarks printed: the numbers
//! are the library's, with as many points as a link holds.
//!
//! `LIBRARY=write cargo test -p loggia-exchange --test library` writes the numbers into the library's
//! files; who measured them, when and with which software is written there by hand.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use loggia_exchange::import::options::PerFile;
use loggia_exchange::import::{ImportOptions, Importer, TierName, make};
use loggia_link::DIGNIFIED_LENGTH;
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

/// What a machine is imported from.
enum From {
    /// A file of Netgauge.
    Netgauge(&'static str),
    /// A folder of OSU's outputs; collective operations ran on so many ranks.
    Osu(&'static str, u32),
    /// A plain table.
    Table(&'static str),
}

/// Each measured machine of the library, with its raw output.
const RAW: [(&str, From); 15] = [
    ("alps", From::Netgauge("alps__2022_07_13_16_53_49")),
    ("deep-est", From::Netgauge("deep-est__2022_05_05_17_00_11")),
    ("piz-daint", From::Netgauge("daint__2022_05_19_13_03_39")),
    ("blue-waters", From::Table("bluewaters-pairs.tsv")),
    ("azure-hbv2", From::Netgauge("azure_hbv2_rush_hour__2022_03_25_17_01_24")),
    ("azure-hc44rs", From::Netgauge("azure_hpc44rs_azure_rush_same_rack__2022_03_18_22_04_11")),
    ("azure-f72s", From::Netgauge("azure_F72s_v2_short__2022_03_28_17_31_51")),
    ("oracle-vm", From::Netgauge("oracle__2022_07_08_21_16_56")),
    ("aws-c5n-metal", From::Netgauge("aws_c5n.metal_cluster__2022_03_22_21_54_00")),
    ("aws-c5n-18xlarge", From::Osu("c5n.18xlarge", 32)),
    ("aws-c5-18xlarge", From::Netgauge("aws-normal_c5.18xlarge_cluster__2022_03_26_10_07_26")),
    ("gcp-c2", From::Netgauge("gcp__2022_06_08_17_01_09")),
    ("polaris-gpu-mpi", From::Table("polaris-osu-setup0.tsv")),
    ("polaris-nccl", From::Table("polaris-nccl-2.18-setup1.tsv")),
    ("aws-p5-48xlarge", From::Osu("p5.48xlarge", 32)),
];

impl From {
    /// The files, by name.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let shared = Path::new(SHARED);
        let paths = match self {
            From::Netgauge(name) => vec![shared.join(format!("machines/netgauge/{name}.out"))],
            From::Osu(folder, _) => in_folder(&shared.join("machines/aws-osu").join(folder)),
            From::Table(name) => vec![shared.join("truth").join(name)],
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
            From::Osu(_, ranks) => vec![PerFile { file: None, value: *ranks }],
            _ => Vec::new(),
        };
        ImportOptions { tier: vec![network], ranks, ..ImportOptions::default() }
    }

    fn import(&self) -> Signature {
        let mut reading = Importer::default();
        for (name, text) in self.files() {
            reading.file(&name, &text).unwrap();
        }
        let options = self.options();
        let mut signature = make(&reading.finish(), &options).complete(&options).unwrap().0;
        let table = signature.tables.iter_mut().find(|table| table.op.is_none());
        if let (Some(point), Some(table)) = (self.long_message(), table) {
            table.points.push(point);
        }
        signature
    }

    /// The ping-pong of 16 MiB whose rate the same source gives beside the output, if it does.
    fn long_message(&self) -> Option<Point> {
        let From::Netgauge(name) = self else { return None };
        let machines = fs::read_to_string(Path::new(SHARED).join("machines/machines.tsv")).unwrap();
        let file = format!(" {}.", name.replace("__", "/"));
        let (_, rate) = machines.lines().find(|line| line.contains(&file))?.split_once("16 MiB")?;
        let (rate, _) = rate.trim_start_matches(" ping-pong").split_once("Gb/s").unwrap();
        let rate: f64 = rate.trim().parse().unwrap();
        // A GB/s is 1000 bytes a µs.
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

/// Whether the raw outputs are there.
fn is_there() -> bool {
    let there = Path::new(SHARED).join("machines").is_dir();
    if !there {
        eprintln!("skipped: {SHARED}/machines is not there");
    }
    there
}

/// The points that are left out are predicted from the others to within this part: RTT/2, and
/// overheads, whose means per size scatter by more than that.
const TIME_ERROR: f64 = 0.03;
const OVERHEAD_ERROR: f64 = 0.15;
/// Of machines whose times scatter from size to size, so many times as much.
const SCATTERING: [(&str, f64); 2] = [("azure-f72s", 4.0), ("oracle-vm", 4.0)];

/// How much more than usual is left out of that machine.
fn scatter(name: &str) -> f64 {
    SCATTERING.into_iter().find(|(known, _)| *known == name).map_or(1.0, |(_, times)| times)
}

/// Whether it is RTT/2 of a single pair.
fn is_of_one_pair(table: &Table) -> bool {
    table.op.is_none() && table.pairs.is_none()
}

/// Predicts a time at a size from some points.
type Read<'a> = &'a dyn Fn(&[Point], Bytes) -> Option<MeasuredTime>;

/// Of the points of a curve, those that tell the others well enough: the farthest off is taken in,
/// until none is too far.
fn corners(points: &[Point], error: f64, read: Read) -> Vec<Point> {
    let mut kept: Vec<usize> =
        if points.len() < 3 { (0..points.len()).collect() } else { vec![0, points.len() - 1] };
    let off = |kept: &[usize], place: usize| {
        let known: Vec<Point> = kept.iter().map(|place| points[*place]).collect();
        let told = read(&known, points[place].bytes).unwrap().time.value.0;
        (told / points[place].value.0 - 1.0).abs()
    };
    loop {
        let others = (0..points.len()).filter(|place| !kept.contains(place));
        let worst = others.map(|place| (place, off(&kept, place)));
        let worst = worst.filter(|(_, off)| *off > error);
        let Some((place, _)) = worst.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        kept.push(place);
        kept.sort_unstable();
    }
    kept.into_iter().map(|place| points[place]).collect()
}

/// What the library should hold of a machine: the imported numbers, under the words of its file.
fn expected(words: &Signature, imported: &Signature) -> Signature {
    let Signature { mut tiers, collectives, mut tables, .. } = imported.clone();
    // Percentiles are not in these outputs, but in others of the same source.
    for tier in &mut tiers {
        let known = words.tiers.iter().find(|known| known.name == tier.name);
        tier.noise = tier.noise.take().or_else(|| known?.noise.clone());
        // g(m) of PLogP is T(m) − L: the table says the same, and a link has no place for both.
        if tables.iter().any(|table| table.tier.as_ref() == Some(&tier.name)) {
            tier.gap_by_size = None;
        }
        for style in &mut tier.styles {
            for curve in [&mut style.send_overhead, &mut style.recv_overhead].into_iter().flatten()
            {
                let error = OVERHEAD_ERROR * scatter(&words.name);
                curve.points = corners(&curve.points, error, &measured::sizes::at);
            }
        }
    }
    // Each is one printed number. The scatter of a curve that rises from size to size is no interval.
    let error = TIME_ERROR * scatter(&words.name);
    for table in tables.iter_mut().filter(|table| table.op.is_none()) {
        table.points.iter_mut().for_each(|point| (point.low, point.high) = (None, None));
    }
    for table in tables.iter_mut().filter(|table| is_of_one_pair(table)) {
        table.points = corners(&table.points, error, &measured::sizes::at);
    }
    // Those of several pairs are read as their deviation from a rule on those of one.
    let one = tables.iter().find(|table| is_of_one_pair(table)).cloned();
    for table in &mut tables {
        let (Some(one), Some(pairs)) = (&one, table.pairs) else { continue };
        table.points = corners(&table.points, error, &|known, bytes| {
            measured::pairs::at(&one.points, vec![(pairs, known)], pairs, bytes)
        });
    }
    let whole = Signature { tiers, collectives, tables, samples: Vec::new(), ..words.clone() };
    let (link, omitted) = loggia_link::encode(&State::of(whole));
    let is_whole = !omitted.iter().any(|what| what.contains("measured times of"));
    assert!(
        is_whole && link.len() <= DIGNIFIED_LENGTH,
        "{}: {} {omitted:?}",
        words.name,
        link.len()
    );
    loggia_link::decode(&link).unwrap().signatures.remove(0)
}

#[test]
fn every_measured_machine_is_what_its_raw_output_says() {
    let named: Vec<&str> = RAW.iter().map(|(name, _)| *name).collect();
    let measured = library::ENTRIES.iter().filter(|entry| entry.found == Found::Measured);
    assert_eq!(measured.map(|entry| entry.name).collect::<Vec<_>>(), named);
    if !is_there() {
        return;
    }
    if env::var_os("LIBRARY").is_some() {
        for name in library::names() {
            let as_written = json::to_json(&library::load(name).unwrap());
            fs::write(format!("{LIBRARY}/{name}.json"), as_written).unwrap();
        }
    }
    for (name, from) in &RAW {
        let words = library::load(name).unwrap();
        let expected = expected(&words, &from.import());
        if env::var_os("LIBRARY").is_some() {
            fs::write(format!("{LIBRARY}/{name}.json"), json::to_json(&expected)).unwrap();
            continue;
        }
        assert_eq!(words, expected, "{name}");
    }
}

/// What a reader gets at a measured size is what was measured there, although points are left out:
/// those that the others tell, and half a hundredth for the steps in which a link tells numbers.
#[test]
fn every_measured_time_is_answered_as_it_was_measured() {
    if !is_there() {
        return;
    }
    let mut compared = 0;
    for (name, from) in &RAW {
        let machine = library::load(name).unwrap();
        for whole in from.import().tables {
            let same = |table: &&Table| {
                (table.op, &table.tier, table.procs, table.pairs)
                    == (whole.op, &whole.tier, whole.procs, whole.pairs)
            };
            let Some(table) = machine.tables.iter().find(same) else { continue };
            for point in &whole.points {
                let told = match table.pairs {
                    Some(pairs) => {
                        let tier = machine.tier(table.tier.as_deref()).unwrap();
                        machine.measured_pairs(tier, table.style.as_deref(), pairs, point.bytes)
                    }
                    None => measured::sizes::at(&table.points, point.bytes),
                };
                let told = told.unwrap().time.value.0;
                let off = (told / point.value.0 - 1.0).abs();
                let open = match table.op {
                    None if scatter(name) > 1.0 => 0.18,
                    None => TIME_ERROR + 0.01,
                    Some(_) => 0.02,
                };
                assert!(off <= open, "{name} {:?} {:?} {point:?}: {told}", table.op, table.pairs);
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}

//! The result of an import: signature and report.

use super::importer::BEFORE_FIRST_OUTPUT;
use super::options::{ImportOptions, Question, value_for};
use super::plain;
use super::reader::{LeftOut, Read};
use super::run::{BenchmarkKind, Run, Tool};
use super::samples::{self, RunOutcome};
use crate::error::ImportError;
use loggia_fit::printed::OfTool;
use loggia_fit::{collective, printed};
use loggia_model::signature::{
    Machine, Operation, Origin, Range, Reach, Samples, Signature, Tier, listing, short_name,
};
use loggia_model::units::{Bytes, Procs};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;

/// Maximum length of a source from comments of plain tables.
const LONGEST_SOURCE: usize = 15_000;

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImportResult {
    /// The signature; `None` if no numbers were read.
    #[serde(skip)]
    pub signature: Option<Signature>,
    pub files: Vec<FileReport>,
    /// Questions about missing information.
    pub questions: Vec<Question>,
    /// Parameters by benchmark.
    pub by_tool: Vec<ByTool>,
    /// Unknown parameters, with tools that measure them.
    pub unknown: Vec<Unknown>,
    /// A value for one file that applies to no file.
    #[serde(skip)]
    pub unmatched: Option<ImportError>,
}

/// The report on a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileReport {
    pub file: String,
    /// The runs that were read.
    pub taken: Vec<RunReport>,
    /// Left-out lines.
    pub left_out: Vec<LeftOut>,
}

/// The report on a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    pub tool: Tool,
    /// Tool, version and benchmark.
    pub benchmark: String,
    /// First line.
    pub line: u64,
    pub what: BenchmarkKind,
    /// Number of ranks, if known.
    pub procs: Option<Procs>,
    /// The tier of the messages, possibly assumed.
    pub tier: Option<String>,
    /// Total number of measured times.
    pub numbers: u64,
    /// Sizes, as the tool counts them.
    pub bytes: Option<Range<Bytes>>,
    /// Why the run is not used.
    pub unused: Option<String>,
}

/// Parameters of a tier from one benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ByTool {
    pub tier: String,
    /// Tool and benchmark.
    pub tool: String,
    /// EEL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_to_end_latency_us: Option<f64>,
    /// G.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_per_byte_us: Option<f64>,
    /// S.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eager_limit: Option<Range<Bytes>>,
}

/// Unknown parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unknown {
    /// The tier; `None` for collective operations.
    pub tier: Option<String>,
    /// The parameters' symbols, or operations.
    pub symbols: String,
    /// Tools that measure them.
    #[serde(deserialize_with = "measured_by")]
    pub help: MeasuredBy,
}

/// Tools that measure a parameter. Deserialisation accepts only the known texts.
pub type MeasuredBy = &'static str;

/// Symbols of parameters, and benchmarks that measure them.
const MEASURED_BY: [(&[&str], &str); 7] = [
    (&["EEL", "t_s", "t_b"], "a ping-pong: osu_latency, IMB PingPong, NetPIPE, Netgauge, logp_mpi"),
    (&["G"], "long messages: osu_bw, or a ping-pong up to at least 1 MB"),
    (
        &["g"],
        "a streaming bandwidth test of short messages: osu_bw, IMB Uniband, Netgauge, logp_mpi",
    ),
    (&["o_s", "o_r", "L"], "the times of the calls: Netgauge loggp, logp_mpi; or loggia collect"),
    (&["S"], "sizes below and above the eager limit; or loggia collect"),
    (
        &["1/R_N"],
        "several concurrent pairs between two nodes: osu_mbw_mr, osu_multi_lat, a table with pairs",
    ),
    (&["progress", "O'"], "communication that overlaps with computation: loggia collect"),
];

/// Benchmarks that measure collective operations.
const OF_FORMS: &str = "osu_*, IMB, ReproMPI or SKaMPI, preferably at several numbers of ranks";

/// Looks up a text of [`MEASURED_BY`].
fn measured_by<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MeasuredBy, D::Error> {
    let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
    let mut known = MEASURED_BY.iter().map(|(_, help)| *help).chain([OF_FORMS]);
    known
        .find(|help| **help == *text)
        .ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not a known measurement")))
}

/// Makes a signature from the content of files.
#[must_use]
pub fn make(read: &Read, options: &ImportOptions) -> ImportResult {
    let mut all: Vec<Samples> = Vec::new();
    let mut questions = Vec::new();
    let mut files: Vec<FileReport> = Vec::new();
    for name in &read.files {
        let left_out = read.left_out.iter().filter(|left| left.file == *name).cloned();
        let mut taken = Vec::new();
        for run in read.runs.iter().filter(|run| run.file == *name) {
            let mut report = run_report(run, options);
            match samples::convert(run, options) {
                RunOutcome::Samples(samples) => {
                    report.procs =
                        samples.first().and_then(|samples| samples.procs).or(report.procs);
                    all.extend(samples);
                }
                RunOutcome::Question(question) => {
                    report.unused = Some(format!("it does not state {}", question.about.words()));
                    questions.push(question);
                }
                RunOutcome::Unused(reason) => report.unused = Some(reason),
            }
            taken.push(report);
        }
        files.push(FileReport { file: name.clone(), taken, left_out: left_out.collect() });
    }
    let mut signature = signature(read, options, all);
    let by_tool = by_tool(&signature);
    let unknown = unknown(&signature);
    notes(&mut signature, read, options);
    let has_samples = !signature.samples.is_empty();
    let unmatched = options.unmatched(read);
    let signature = has_samples.then_some(signature);
    ImportResult { signature, files, questions, by_tool, unknown, unmatched }
}

impl ImportResult {
    /// The signature, if no information is missing.
    ///
    /// # Errors
    /// A value for a file that does not exist, the first open question, or that no results were
    /// found.
    pub fn complete(self, options: &ImportOptions) -> Result<(Signature, Self), ImportError> {
        if let Some(error) = &self.unmatched {
            return Err(error.clone());
        }
        if let Some(error) = Question::unanswered(&self.questions).filter(|_| !options.leaves_out) {
            return Err(error);
        }
        let no_results = || {
            let file = self.files.first().map_or(String::new(), |file| file.file.clone());
            let left_out = || self.files.iter().flat_map(|file| &file.left_out);
            let known = left_out().find(|left| left.why != BEFORE_FIRST_OUTPUT);
            if let Some(left) = known {
                let place = format!("{}:{}", left.file, left.line);
                return ImportError::NothingRead { place, reason: left.why.clone() };
            }
            let taken =
                || self.files.iter().flat_map(|file| file.taken.iter().map(move |run| (file, run)));
            let unused =
                taken().find_map(|(file, run)| Some((file, run.line, run.unused.clone()?)));
            if let Some((file, line, reason)) = unused {
                return ImportError::NothingRead { place: format!("{}:{line}", file.file), reason };
            }
            let tools = Tool::ALL.iter().map(|tool| tool.name()).collect();
            ImportError::UnknownFormat { file, tools }
        };
        let signature = self.signature.clone().ok_or_else(no_results)?;
        Ok((signature, self))
    }
}

fn run_report(run: &Run, options: &ImportOptions) -> RunReport {
    let sizes = || run.numbers.keys().filter_map(|condition| condition.bytes);
    let procs = run.kind.procs().map(Procs).or(run.procs);
    let mut kind = run.kind.clone();
    if let BenchmarkKind::Collective { op: op @ None, .. } = &mut kind {
        *op = samples::operation(run, options).map(|op| op.name().to_owned());
    }
    RunReport {
        tool: run.tool,
        benchmark: run.name(),
        line: run.line,
        what: kind,
        procs: procs.or_else(|| value_for(&options.ranks, run).copied().map(Procs)),
        tier: run.kind.is_between_two().then(|| samples::tier(run, options).name),
        numbers: run.count(),
        bytes: sizes().min().zip(sizes().max()).map(|(low, high)| Range { low, high }),
        unused: None,
    }
}

/// The signature fitted to the samples.
fn signature(read: &Read, options: &ImportOptions, samples: Vec<Samples>) -> Signature {
    let mut tiers: Vec<Tier> = Vec::new();
    let mut remarks = Vec::new();
    for run in read.runs.iter().filter(|run| run.kind.is_between_two()) {
        let tier = samples::tier(run, options);
        let is_new = tiers.iter().all(|known| known.name != tier.name);
        let has = |samples: &Samples| samples.tier.as_deref() == Some(tier.name.as_str());
        if is_new && samples.iter().any(has) {
            let fitted = loggia_fit::tier(&tier.name, tier.reach, &samples);
            tiers.push(fitted.tier);
            remarks.extend(fitted.remarks);
        }
    }
    let forms = collective::collectives(&samples);
    remarks.extend(forms.remarks);
    let stem = read.files.first().map(|file| stem(file));
    let name = options.name.clone().or(stem).unwrap_or_else(|| "imported".to_owned());
    Signature {
        loggia: Signature::VERSION,
        title: options.title.clone().unwrap_or_else(|| name.clone()),
        name: signature_name(&name),
        origin: origin(read, options),
        machine: machine(read, options),
        collection: None,
        notes: remarks,
        tiers,
        collectives: forms.collectives,
        tables: loggia_fit::tables(&samples),
        samples,
        tiers_before_change: Vec::new(),
    }
}

/// A file name without folders and extension.
fn stem(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or("imported");
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if stem.is_empty() { "imported".to_owned() } else { stem.to_owned() }
}

/// A name spelled like names of signatures, without repeated separators.
fn signature_name(name: &str) -> String {
    let short = short_name(name);
    let words: Vec<&str> = short.split('-').filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "imported".to_owned() } else { words.join("-") }
}

fn origin(read: &Read, options: &ImportOptions) -> Origin {
    let fact = |name| read.fact(name).map(str::to_owned);
    let or = |known: Option<String>, default: &str| known.unwrap_or_else(|| default.to_owned());
    let mut tools: Vec<String> = Vec::new();
    for run in &read.runs {
        let version = run.version.as_deref().unwrap_or_default();
        let tool = format!("{} {version}", run.tool.name()).trim().to_owned();
        if !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    let files = match read.files.as_slice() {
        [file] => file.clone(),
        several => format!("{} files", several.len()),
    };
    let mut sources: Vec<&str> = Vec::new();
    for source in read.runs.iter().filter_map(|run| run.fact(plain::SOURCE)) {
        let length: usize = sources.iter().map(|known| known.len()).sum();
        if !sources.contains(&source) && length + source.len() <= LONGEST_SOURCE {
            sources.push(source);
        }
    }
    let source = if sources.is_empty() { "" } else { ": " }.to_owned() + &sources.join("; ");
    Origin::Measurement {
        tool: tools.join(", "),
        method: format!("imported by Loggia {} from {files}{source}", env!("CARGO_PKG_VERSION")),
        host: or(options.host.clone().or_else(|| fact("host")), "an unnamed machine"),
        command: or(fact("command"), "unknown"),
        date: or(options.date.clone().or_else(|| fact("date")), "undated"),
    }
}

fn machine(read: &Read, options: &ImportOptions) -> Machine {
    let fact = |name| read.fact(name).map(str::to_owned);
    Machine {
        nodes: options.nodes,
        processors: fact("processors"),
        library: fact("mpi"),
        ..Machine::default()
    }
}

fn by_tool(signature: &Signature) -> Vec<ByTool> {
    let of_tier = |tier: &Tier| {
        let name = tier.name.clone();
        let report = |of: OfTool| ByTool {
            tier: name.clone(),
            tool: of.tool,
            end_to_end_latency_us: of.end_to_end_latency.and_then(|eel| eel.value).map(|us| us.0),
            gap_per_byte_us: of.gap_per_byte.and_then(|gap| gap.value).map(|us| us.0),
            eager_limit: of
                .eager_limit
                .and_then(|limit| Some(Range { low: limit.low?, high: limit.high? })),
        };
        let has_values = |report: &ByTool| {
            report.end_to_end_latency_us.is_some() || report.gap_per_byte_us.is_some()
        };
        let all = printed::by_tool(&tier.name, &signature.samples).into_iter().map(report);
        all.filter(has_values).collect::<Vec<_>>()
    };
    signature.tiers.iter().flat_map(of_tier).collect()
}

/// Unknown parameters, with tools that measure them.
fn unknown(signature: &Signature) -> Vec<Unknown> {
    let mut unknown = Vec::new();
    for tier in &signature.tiers {
        let entries = listing::entries(tier).into_iter();
        let known: BTreeSet<String> = entries
            .filter(|entry| entry.value != listing::Value::None)
            .map(|entry| entry.symbol)
            .collect();
        for (symbols, help) in MEASURED_BY {
            // R_N exists only between nodes.
            let is_applicable = |symbol: &str| symbol != "1/R_N" || tier.reach == Reach::Inter;
            let is_absent = |symbol: &&str| is_applicable(symbol) && !known.contains(*symbol);
            let absent: Vec<&str> = symbols.iter().copied().filter(is_absent).collect();
            if !absent.is_empty() {
                let (tier, symbols) = (Some(tier.name.clone()), absent.join(", "));
                unknown.push(Unknown { tier, symbols, help });
            }
        }
    }
    let no_form: Vec<&str> = Operation::ALL
        .iter()
        .filter(|op| signature.collective(**op).is_none())
        .map(|op| op.name())
        .collect();
    if !no_form.is_empty() {
        unknown.push(Unknown { tier: None, symbols: no_form.join(", "), help: OF_FORMS });
    }
    unknown
}

/// Notes of the signature.
fn notes(signature: &mut Signature, read: &Read, options: &ImportOptions) {
    for run in &read.runs {
        let is_unnamed = matches!(run.kind, BenchmarkKind::Collective { op: None, .. });
        if let Some(op) = samples::operation(run, options)
            && is_unnamed
            && value_for(&options.op, run).is_none()
        {
            let (file, op) = (&run.file, op.name());
            let note =
                format!("{file} does not name its operation; {op} is taken from the file name");
            if !signature.notes.contains(&note) {
                signature.notes.push(note);
            }
        }
    }
    let is_tier_assumed = read
        .runs
        .iter()
        .any(|run| run.kind.is_between_two() && samples::known_tier(run, options).is_none());
    if is_tier_assumed && !signature.tiers.is_empty() {
        signature.notes.push(format!(
            "the files do not state whether the two ranks share a node; tier {} is assumed",
            samples::default_tier().name
        ));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::super::importer::Importer;
    use super::super::options::PerFile;
    use super::super::tier::TierName;
    use super::*;
    use loggia_fit::refit;
    use loggia_model::signature::Quality;
    use loggia_model::units::MicrosPerByte;
    use std::fmt::Write;

    /// T(m) = 2 + 0.001 m, plus 8 above 4 KiB.
    fn latency() -> String {
        let mut text = "# OSU MPI Latency Test v7.4\n# Size  Avg Latency(us)\n".to_owned();
        for size in (0..=20).map(|k| 1u64 << k) {
            let handshake = if size > 4096 { 8.0 } else { 0.0 };
            let _ = writeln!(text, "{size:<10}{:>18.3}", 2.0 + 0.001 * size as f64 + handshake);
        }
        text
    }

    fn barrier(time: f64) -> String {
        format!("# OSU MPI Barrier Latency Test v7.4\n# Avg Latency(us)\n{time:>18.2}\n")
    }

    fn import(files: &[(&str, String)], options: &ImportOptions) -> ImportResult {
        let mut importer = Importer::default();
        for (name, text) in files {
            importer.file(name, text.as_bytes()).unwrap();
        }
        make(&importer.finish(), options)
    }

    fn ranks(all: &[(&str, u32)]) -> ImportOptions {
        let per_file =
            |(file, value): &(&str, u32)| PerFile { file: Some((*file).to_owned()), value: *value };
        ImportOptions { ranks: all.iter().map(per_file).collect(), ..ImportOptions::default() }
    }

    #[test]
    fn a_ping_pong_gives_eel_gap_and_eager_limit() {
        let node = TierName::parse("node").unwrap();
        let options = ImportOptions {
            tier: vec![PerFile { file: None, value: node }],
            ..ImportOptions::default()
        };
        let result = import(&[("results/my lat.txt", latency())], &options);
        let signature = result.signature.unwrap();
        signature.validate().unwrap();
        assert_eq!(signature.name, "my-lat");
        let tier = &signature.tiers[0];
        assert_eq!(tier.name, "node");
        let eel = tier.end_to_end_latency.as_ref().unwrap();
        assert_eq!(eel.value.map(|time| (time.0 - 2.008).abs() < 1e-9), Some(true));
        let gap = tier.gap_per_byte.as_ref().unwrap();
        let MicrosPerByte(each) = gap.value.unwrap();
        assert!((each - 0.001).abs() < 1e-9, "{each}");
        assert_eq!(gap.quality, Quality::Good);
        let limit = tier.progress.as_ref().unwrap().eager_limit.as_ref().unwrap();
        assert_eq!((limit.low, limit.high), (Some(Bytes(4096)), Some(Bytes(8191))));
        assert!(signature.notes.is_empty(), "{:?}", signature.notes);
        let absent: Vec<&str> =
            result.unknown.iter().map(|unknown| unknown.symbols.as_str()).collect();
        assert_eq!(absent[..2], ["g", "o_s, o_r, L"]);
    }

    #[test]
    fn refit_gives_the_same_parameters() {
        let files = [("lat.txt", latency()), ("a-2p", barrier(3.0)), ("b-8p", barrier(9.0))];
        let signature = import(&files, &ranks(&[("2p", 2), ("8p", 8)])).signature.unwrap();
        let refitted = refit(&signature).unwrap();
        assert_eq!(refitted.tiers, signature.tiers);
        assert_eq!(refitted.collectives, signature.collectives);
    }

    #[test]
    fn forms_cover_the_given_numbers_of_ranks() {
        let files = [("a-2p", barrier(3.0)), ("a-4p", barrier(6.0)), ("a-16p", barrier(12.1))];
        let options = ranks(&[("a-2p", 2), ("a-4p", 4), ("a-16p", 16)]);
        let signature = import(&files, &options).signature.unwrap();
        let form = signature.collective(Operation::Barrier).unwrap();
        assert_eq!((form.procs.low, form.procs.high), (Procs(2), Procs(16)));
        assert!(form.source.contains("T0 = a log p"), "{}", form.source);
        let at = |p| form.startup.at(Procs(p)).value;
        assert!((at(8) - 9.0).abs() < 0.1, "{}", at(8));
    }

    #[test]
    fn one_number_of_ranks_gives_a_form_for_this_number() {
        let signature = import(&[("a", barrier(5.0))], &ranks(&[("a", 7)])).signature.unwrap();
        let form = signature.collective(Operation::Barrier).unwrap();
        assert_eq!((form.procs.low, form.startup.at(Procs(7)).value), (Procs(7), 5.0));
        assert_eq!(form.quality, Quality::Uncertain);
    }

    #[test]
    fn files_without_results_give_no_signature() {
        let result = import(&[("x", "hello\n".to_owned())], &ImportOptions::default());
        assert_eq!(result.signature, None);
        let Err(ImportError::UnknownFormat { tools, .. }) =
            result.complete(&ImportOptions::default())
        else {
            panic!()
        };
        assert!(tools.contains(&"SKaMPI"), "{tools:?}");
    }
}

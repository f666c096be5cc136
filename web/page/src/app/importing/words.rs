//! Texts of the import dialog. Those shared with the command are in
//! [`loggia_exchange::import::words`].

use loggia_exchange::import::options::About;
use loggia_model::units::words::counted;

pub(crate) const PASTED: &str = "pasted text";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const TITLE: &str = "Import";
pub(crate) const LOST: &str = "the import failed";
pub(crate) const NOT_LOADED: &str = "the file reader could not be loaded";
pub(crate) const NOT_LOADED_HELP: &str = "check the connection, then drop the files again";
pub(crate) const LOST_HELP: &str = "try again with fewer files, or use the command `loggia import`";
pub(crate) const PROGRAM: &str = "these files include a trace";
pub(crate) const PROGRAM_HELP: &str = "close this, then drop only the trace's files to replay it";

pub(crate) const MISSING: &str = "Missing information";
pub(crate) const FOR_ALL: &str = "Default number of ranks";
pub(crate) const BY_NAMES: &str = "Use the numbers in file names";
pub(crate) const NO_OPERATION: &str = "unknown";
pub(crate) const LEAVE_OUT: &str = "Leave out runs with missing information";
pub(crate) const TIER_QUESTION: &str = "Where were the two ranks?";
pub(crate) const ASSUMED: &str = "The files do not tell where the two ranks were. The signature assumes \
    different nodes and notes this.";
/// Choices of a tier: value and label.
pub(crate) const TIERS: [(&str, &str); 3] = [
    ("", "unknown: network assumed"),
    ("network", "network, between nodes"),
    ("node", "inside a node"),
];
pub(crate) const SINGLE: &str = "Exceptions for single files";
pub(crate) const AS_ABOVE: &str = "as above";

pub(crate) const READ: &str = "What was read";
pub(crate) const READ_COLUMNS: [&str; 6] =
    ["Benchmark", "Measures", "Ranks", "Sizes", "Numbers", "Taken as"];
pub(crate) const NETWORK_ASSUMED: &str = " (assumed)";
pub(crate) const UNKNOWN_RANKS: &str = "?";

pub(crate) const BY_TOOL: &str = "Parameters by benchmark";
pub(crate) const BY_TOOL_COLUMNS: [&str; 5] = ["Benchmark", "Tier", "EEL, µs", "G", "S"];

pub(crate) const UNKNOWN: &str = "Unknown parameters";
pub(crate) const UNKNOWN_COLUMNS: [&str; 3] = ["Unknown", "Of", "Measured by"];
pub(crate) const NOTES: &str = "Notes of the signature";
pub(crate) const COLLECTIVES: &str = "collective operations";

pub(crate) const ONTO: &str = "Additions";
pub(crate) const ONTO_COLUMNS: [&str; 5] =
    ["Parameter", "Of", "Change", "Result", "In these files"];

pub(crate) const NAMES: &str = "Name of the machine";
pub(crate) const NAME_FIELD: &str = "Name";
pub(crate) const TITLE_FIELD: &str = "Title";
pub(crate) const NODES_FIELD: &str = "Nodes";
pub(crate) const NODES_UNKNOWN: &str = "unknown";
pub(crate) const DATE_FIELD: &str = "Date of the measurement";
pub(crate) const DATE_UNKNOWN: &str = "as in the files";

pub(crate) const ADD: &str = "Add to";
pub(crate) const ADD_TO: &str = "One of your machines to add to";
pub(crate) const OPEN: &str = "Open as a new machine";
pub(crate) const NO_SIGNATURE: &str = "The files hold no parameter of a signature yet.";

/// Progress while files are read.
pub(crate) fn reading(files: usize) -> String {
    match files {
        1 => "Reading a file …".to_owned(),
        n => format!("Reading {n} files …"),
    }
}

/// The number of results found, as a sentence.
pub(crate) fn found(numbers: u64, benchmarks: usize, files: usize) -> String {
    format!(
        "{} by {} in {}. Drop more files here to add them.",
        counted(numbers, "number"),
        counted(benchmarks, "benchmark"),
        counted(files, "file")
    )
}

/// A question, as a sentence.
pub(crate) fn question(about: About) -> &'static str {
    match about {
        About::Ranks => "On how many ranks did it run?",
        About::Operation => "Which operation was timed?",
    }
}

/// File, line and benchmark of a question.
pub(crate) fn place(file: &str, line: u64, benchmark: &str) -> String {
    format!("{file}:{line} · {benchmark}")
}

/// The value that the file's name suggests.
pub(crate) fn perhaps(value: &str) -> String {
    format!("{value}, from the file's name")
}

/// Why the result cannot be opened yet.
pub(crate) fn open_questions(count: usize) -> String {
    let questions = match count {
        1 => "1 question is open".to_owned(),
        n => format!("{n} questions are open"),
    };
    format!("{questions}. Answer above, or leave out runs with missing information.")
}

/// Numbers of added and of unchanged parameters of a machine.
pub(crate) fn onto(machine: &str, added: usize, kept: usize) -> String {
    format!("Additions to {machine}: {added} added, {kept} unchanged")
}

/// Between the lower and the upper end of a range of sizes.
pub(crate) const TO: &str = " to ";

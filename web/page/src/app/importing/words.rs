//! The words of an import. What the command says, too, is in [`loggia_exchange::import::words`].

use loggia_exchange::import::said::About;

pub(crate) const PASTED: &str = "pasted text";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const TITLE: &str = "Import";
pub(crate) const LOST: &str = "the thread that reads files could not go on";
pub(crate) const LOST_HELP: &str = "try again, with fewer files at once, or use `loggia import`";
pub(crate) const PROGRAM: &str = "among these files are those of a traced program";
pub(crate) const PROGRAM_HELP: &str = "close this, and drop them alone to replay it";

pub(crate) const UNSAID: &str = "What the files do not say";
pub(crate) const FOR_ALL: &str = "On how many ranks did they run, where nothing else is said?";
pub(crate) const BY_NAMES: &str = "Believe the files' names";
pub(crate) const NO_OPERATION: &str = "not said";
pub(crate) const LEAVE_OUT: &str = "Leave out what is not said";
pub(crate) const WAY_ASKED: &str = "Which way did messages between two ranks go?";
pub(crate) const ASSUMED: &str = "No file says it: they are taken to have gone over the network, and \
    the signature's notes say that this was assumed.";
/// The choices of a way: the name that is told, what is written on it.
pub(crate) const WAYS: [(&str, &str); 3] = [
    ("", "not known: network assumed"),
    ("network", "network, between nodes"),
    ("node", "inside a node"),
];
pub(crate) const SINGLE: &str = "Another way in single files";
pub(crate) const AS_ABOVE: &str = "as above";

pub(crate) const READ: &str = "What was read";
pub(crate) const READ_COLUMNS: [&str; 6] =
    ["Benchmark", "Measures", "Ranks", "Sizes", "Numbers", "Taken as"];
pub(crate) const NETWORK_ASSUMED: &str = " (assumed)";
pub(crate) const UNKNOWN_RANKS: &str = "?";

pub(crate) const BY_TOOL: &str = "What each benchmark tells for itself";
pub(crate) const BY_TOOL_COLUMNS: [&str; 5] = ["Benchmark", "Tier", "EEL, µs", "G, µs/byte", "S"];

pub(crate) const UNKNOWN: &str = "What these files do not tell";
pub(crate) const UNKNOWN_COLUMNS: [&str; 3] = ["Not known", "Of", "What would tell it"];
pub(crate) const KNOW: &str = "What the signature will say of itself";
pub(crate) const COLLECTIVES: &str = "collective operations";

pub(crate) const ONTO: &str = "What it would add";
pub(crate) const ONTO_COLUMNS: [&str; 5] =
    ["Parameter", "Of", "What happens", "Then", "In these files"];

pub(crate) const NAMES: &str = "What it is called";
pub(crate) const NAME_FIELD: &str = "Name";
pub(crate) const TITLE_FIELD: &str = "Title";
pub(crate) const NODES_FIELD: &str = "Nodes";
pub(crate) const NODES_UNSAID: &str = "not said";

pub(crate) const OPEN: &str = "Open as a new machine";
pub(crate) const NO_SIGNATURE: &str = "There is nothing yet that a signature could hold.";

/// While files are read.
pub(crate) fn reading(files: usize) -> String {
    match files {
        1 => "Reading a file …".to_owned(),
        n => format!("Reading {n} files …"),
    }
}

/// What was found, in a sentence.
pub(crate) fn found(numbers: u64, benchmarks: usize, files: usize) -> String {
    let each = |count: usize, one: &str| match count {
        1 => format!("1 {one}"),
        n => format!("{n} {one}s"),
    };
    format!(
        "{numbers} numbers by {} in {}. More files can be dropped on this.",
        each(benchmarks, "benchmark"),
        each(files, "file")
    )
}

/// What is asked.
pub(crate) fn question(about: About) -> &'static str {
    match about {
        About::Ranks => "On how many ranks did it run?",
        About::Operation => "Which operation was timed?",
    }
}

/// Where something begins, and what it is.
pub(crate) fn place(file: &str, line: u64, benchmark: &str) -> String {
    format!("{file}:{line} · {benchmark}")
}

/// What a file's name suggests.
pub(crate) fn perhaps(value: &str) -> String {
    format!("{value}, as the file's name has it")
}

/// Why nothing can be opened yet.
pub(crate) fn open_questions(count: usize) -> String {
    let asked = match count {
        1 => "1 question is open".to_owned(),
        n => format!("{n} questions are open"),
    };
    format!("{asked}: answer above, or leave out what is not said.")
}

/// Adds it to a machine.
pub(crate) fn add_to(machine: &str) -> String {
    format!("Add to {machine}")
}

/// What adding it to a machine would do.
pub(crate) fn onto(machine: &str, added: usize, kept: usize) -> String {
    format!("What it would add to {machine}: {added} added, {kept} kept as they were")
}

/// From a size to another.
pub(crate) const TO: &str = " to ";

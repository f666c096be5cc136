//! Texts of the view Replay.

pub(crate) const INTRO: &str = "Trace an MPI program, then predict its time on this machine: with half \
    the latency, twice the bandwidth, or independent progress.";
pub(crate) const COMMAND: &str = "loggia trace -- mpirun -n 4 ./app";
pub(crate) const FILES: &str = "Then drop the folder loggia-trace, its files, or a ZIP of it here. Traces of \
    liballprof and SimGrid and GOAL files work, too. Files stay on your machine.";
pub(crate) const EXAMPLE: &str = "Try an example: halo exchange of two ranks";
pub(crate) const FOLDER: &str = "Open a trace's folder …";
pub(crate) const FOLDER_HINT: &str = "as written by loggia trace";
pub(crate) const STAYS: &str = "The trace stays on your machine. A link holds the settings only.";
pub(crate) const ESTIMATE: &str = "Estimated from the critical path:";
pub(crate) const SIMULATING: &str = "Simulating:";
pub(crate) const SIMULATED: &str = "Simulated:";
pub(crate) const MEASURED: &str = "measured";
pub(crate) const ERROR: &str = "error";
pub(crate) const CHANGE: &str = "change compared with the traced run";
pub(crate) const SCALED: &str = "scaled";
pub(crate) const CALLS: &str = "calls";
pub(crate) const OPERATIONS: &str = "Time by call";
pub(crate) const OPERATIONS_MEAN: &str = "Sum over all ranks: measured above, predicted below.";
pub(crate) const OPERATION_COLUMNS: [&str; 5] =
    ["Call", "Calls", "Measured, µs", "Predicted, µs", ""];
pub(crate) const ALGORITHMS: &str = "Algorithms of collective operations";
pub(crate) const ALGORITHM_COLUMNS: [&str; 6] =
    ["Operation", "Ranks", "Bytes", "Algorithm", "Chosen by", "Time"];

/// Suffix for further files.
pub(crate) fn more_files(more: usize) -> String {
    match more {
        0 => String::new(),
        1 => " and another file".to_owned(),
        more => format!(" and {more} more files"),
    }
}

/// Description of two bars, for screen readers.
pub(crate) fn pair(measured: &str, predicted: &str) -> String {
    match measured {
        "" => format!("predicted {predicted}"),
        measured => format!("measured {measured}, predicted {predicted}"),
    }
}

/// The source of the choice of an algorithm.
pub(crate) fn chooser(name: &str) -> &str {
    match name {
        "asked" => "you",
        "signature" => "the machine: its measured times match this algorithm",
        default => default,
    }
}

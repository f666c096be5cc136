//! Texts that several views share; those of one view are in its `words.rs`. Errors, warnings,
//! sources and notes come from `loggia_model`, which shares them with the command.

pub(crate) mod inputs;

use loggia_link::state::View;
use loggia_model::measured::Basis;
use loggia_model::model::REST;
use loggia_model::signature::Operation;

pub(crate) const TABLE: &str = "Table";
pub(crate) const NAME: &str = "Loggia";
pub(crate) const QUESTION: &str = "What will this message pattern cost on that machine?";
pub(crate) const BEGIN: &str = "New here? Start with lesson 1";
pub(crate) const FIRST_LESSON: &str = "four-numbers";
pub(crate) const MACHINES: &str = "Machines";
pub(crate) const FIND_MACHINE: &str = "Find a machine";
pub(crate) const NO_MACHINE: &str = "No machine contains these words.";
pub(crate) const NEW_MACHINE: &str = "New machine …";
pub(crate) const OPENED: &str = "Opened here";
pub(crate) const CHANGED: &str = "with changed values";
pub(crate) const UNDATED: &str = "without a date";
pub(crate) const NOTES: &str = "Notes on these numbers";
pub(crate) const DISMISS: &str = "Dismiss";
pub(crate) const SOURCE: &str = "Source";

pub(crate) const VIEWS: &str = "Views";
pub(crate) const OPEN: &str = "Open a file …";
pub(crate) const OPEN_HINT: &str = "or drop it anywhere, or paste a link or a file's text: \
    signatures, traces, and what OSU, IMB, NetPIPE and others print";
pub(crate) const PROJECTOR: &str = "Projector mode";
pub(crate) const KEYS_TITLE: &str = "Keys";
pub(crate) const KEYS_LABEL: &str = "Keyboard shortcuts";
pub(crate) const CLOSE: &str = "Close";
/// Digits open views.
pub(crate) const KEYS: [(&str, &str); 7] = [
    ("Ctrl Z", "undo"),
    ("Ctrl Shift Z", "redo"),
    ("R", "reset all parameters"),
    ("H", "hide or reveal the answers; a link keeps them hidden"),
    ("P", "projector mode: larger, without controls"),
    ("?", "this list"),
    ("Tab, arrows", "move between controls; move a slider"),
];
/// Title of the question while the answers are hidden.
pub(crate) const QUESTION_TITLE: &str = "Question";
pub(crate) const HIDDEN: &str = "The answers are hidden. What do you expect?";
pub(crate) const REVEAL: &str = "Reveal";
pub(crate) const WATCHING: &str = "This machine is being measured. Its signature opens here when it \
    is ready.";
pub(crate) const LOADING: &str = "Loading this view …";
pub(crate) const NOT_LOADED: &str =
    "This part of the page could not be loaded. Check the connection, then try again.";
pub(crate) const TRY_AGAIN: &str = "Try again";
pub(crate) const LINK_NOT_LOADED: &str = "the link reader could not be loaded";
pub(crate) const LINK_NOT_LOADED_HELP: &str = "check the connection, then open the link again";
pub(crate) const PARAMETERS: &str = "Parameters";
pub(crate) const RESET_ALL: &str = "Reset all";
/// Notice of a changed machine.
pub(crate) const SCALED_TIMES: &str =
    "Measured times and closed forms are scaled to the changed parameters, term by term.";
pub(crate) const UNDO: &str = "Undo";
pub(crate) const REDO: &str = "Redo";

pub(crate) const SIGNATURE_COLUMNS: [&str; 6] =
    ["Parameter", "Value", "Interval", "Unit", "Quality", "Source"];
pub(crate) const NO_TIERS: &str = "This source has no point-to-point parameters.";

pub(crate) const TIER: &str = "Tier";
pub(crate) const STYLE: &str = "Send mode";
pub(crate) const RULES: &str = "Simulation model";
pub(crate) const MODEL: &str = "Model";
pub(crate) const OPERATION: &str = "Operation";
pub(crate) const BY: &str = " by ";
pub(crate) const NO_NUMBER: &str = "no number";
pub(crate) const MEASURED_CHIP: &str = "measured";
pub(crate) const ERROR: &str = "; error of this answer: ";
pub(crate) const DIFFERENCE: &str = "; difference of this answer: ";

/// A text that the command prints within a line, as a sentence.
pub(crate) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

/// Explanation of a basis.
pub(crate) fn of_basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Measured => "Measured at this size and number of ranks.",
        Basis::Interpolated => "Interpolated between measured sizes or numbers of ranks.",
        Basis::Scaled => "Scaled from the time before a parameter was changed, term by term.",
        Basis::Extrapolated => "Extrapolated beyond the measured sizes or numbers of ranks.",
        Basis::Modelled => "Computed by a model from its parameters.",
        Basis::Published => "Computed from numbers that a paper published.",
    }
}
pub(crate) const TERMS: &str = "Terms";
pub(crate) const TERM_COLUMNS: [&str; 5] = ["Term", "Count", "Each", "µs", "Source"];

pub(crate) const COPY: &str = "Copy link";
pub(crate) const COPIED: &str = "Copied";
pub(crate) const COPIED_LOCAL: &str =
    "Copied: it opens on this machine only. For others, see Share.";
pub(crate) const NOT_COPIED: &str = "Not allowed here: copy the address instead";

pub(crate) const OVERLAP_OF: &str = "of a message's ";
pub(crate) const OVERLAP_EXPLAINED: &str = " end-to-end latency (8 bytes): the sender's CPU is free to \
    compute. This is the overlap potential EEL − o_s";
pub(crate) const OVERLAP_SOURCE: &str = "EEL − o_s";
pub(crate) const BOTH_SIDES: &str = " if one CPU both sends and receives: EEL − (o_s + o_r)";
pub(crate) const FREE: &str = "free";
pub(crate) const WHY_NOT: &str = "Why there is no prediction";

/// Title of a view.
pub(crate) const fn view(view: View) -> &'static str {
    match view {
        View::Signature => "Signature",
        View::Message => "Message",
        View::Protocols => "Protocols",
        View::Overlap => "Overlap",
        View::Collectives => "Collectives",
        View::Simulate => "Simulate",
        View::Compare => "Compare",
        View::Plan => "Plan",
        View::Replay => "Replay",
        View::Figures => "Figures",
        View::Lessons => "Lessons",
    }
}

/// Title of the browser's tab: `18.65 µs · Message · Cray T3D – Loggia`.
pub(crate) fn tab_title(number: Option<&str>, view: &str, machine: &str) -> String {
    let words: Vec<&str> = number.into_iter().chain([view, machine]).collect();
    format!("{} – Loggia", words.join(" · "))
}

/// Label of the button that resets a parameter.
pub(crate) fn reset(symbol: &str) -> String {
    format!("Reset {symbol}")
}

/// Suffix of a size-dependent parameter.
pub(crate) fn at_size(size: &str) -> String {
    format!(" at {size}")
}

/// A range given by the source.
pub(crate) fn range(low: &str, high: &str) -> String {
    format!("reported: {low} to {high}")
}

/// A symbol as part of an `id`.
pub(crate) fn plain(symbol: &str) -> String {
    symbol.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Number of samples in the signature.
pub(crate) fn samples(count: usize) -> String {
    format!("fitted to {count} measured times, which a file keeps and a link does not")
}

/// A cost that grows with the size.
pub(crate) fn line(fixed: &str, each: &str) -> String {
    format!("{fixed} + {each} per byte")
}

/// The button that removes a machine from the page.
pub(crate) fn remove(machine: &str) -> String {
    format!("Remove {machine}")
}

/// The ends of a curve, each a time and its size.
pub(crate) fn from_to(first: (&str, &str), last: (&str, &str)) -> String {
    format!("{} at {} to {} at {}", first.0, first.1, last.0, last.1)
}

/// Meaning of a symbol.
pub(crate) fn meaning(symbol: &str) -> &'static str {
    match symbol {
        "o" => "overhead",
        "o_s" => "send overhead",
        "o_r" => "receive overhead",
        "o_s1" => "send overhead of a request or reply",
        "o_r1" => "receive overhead of a request or reply",
        "L" => "network latency",
        REST => "not explained by the parameters",
        "G" => "gap per byte",
        "g" => "gap between messages",
        "EEL" => "end-to-end latency",
        "g(m)" => "gap at this size",
        "t_s" | "T0" => "startup",
        "t_b" => "transmission per byte",
        "t_c" => "arithmetic per byte",
        "computation" => "computation",
        "s_s" => "send overhead in a node",
        "s_r" => "receive overhead in a node",
        "S" => "gap per byte in a node",
        "1/R_N" => "gap per byte of a node's network card",
        "O'" => "control message",
        "O_i" => "initiation",
        "O_c" => "copy",
        FREE => "left for computing",
        _ => "",
    }
}

/// Meaning of an editable parameter: LoGH's S is not editable, the eager limit is.
pub(crate) fn parameter(symbol: &str) -> &'static str {
    match symbol {
        "S" => "eager limit",
        symbol => meaning(symbol),
    }
}

/// The effect of an operation.
pub(crate) fn operation(op: Operation) -> &'static str {
    match op {
        Operation::Barrier => "each rank waits for all others",
        Operation::Bcast => "sends one rank's vector to all",
        Operation::Gather => "sends a block from each rank to one",
        Operation::Scatter => "sends a block from one rank to each",
        Operation::Reduce => "adds all vectors, at one rank",
        Operation::Allreduce => "adds all vectors, at every rank",
        Operation::Scan => "adds the vectors of all lower ranks and of its own",
        Operation::Allgather => "sends a block from each rank to all",
        Operation::ReduceScatter => "adds all vectors; each rank gets a block of the sum",
        Operation::Alltoall => "sends a block from each rank to each (total exchange)",
    }
}

/// Number of models that need unknown parameters.
pub(crate) fn impossible_models(count: usize) -> String {
    match count {
        1 => "1 model needs unknown parameters".to_owned(),
        n => format!("{n} models need unknown parameters"),
    }
}

/// Length of a link.
pub(crate) fn link_length(characters: usize, too_long: bool) -> String {
    match too_long {
        false => format!("{characters} characters"),
        true => format!("{characters} characters: some programs cut off links of this length"),
    }
}

/// The simulator has failed.
pub(crate) fn lost(failure: &str) -> String {
    format!(
        "The simulator failed. The run may need more memory than a browser allows. If so, run \
         `loggia simulate`. {failure}"
    )
}

pub(crate) const SIMULATOR_NOT_LOADED: &str =
    "The simulator could not be loaded. Check the connection, then run again.";

pub(crate) const NO_THREAD: &str =
    "This browser cannot start the simulator. Update it, or use another one.";

pub(crate) const AGAIN: &str = "Run again";

/// File name of a pasted schedule.
pub(crate) const PASTED: &str = "pasted.goal";

pub(crate) const SHARE: &str = "Share …";

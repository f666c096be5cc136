//! Texts of exported files and of the share dialog.

use crate::draw::figure::{Figure, Ink, Unit};
use crate::draw::steps::Axis;
use loggia_link::figures::PanelUnit;

pub(crate) const TITLE: &str = "Share";
pub(crate) const LINK: &str = "Link";
pub(crate) const LINK_LABEL: &str = "Link to this page";
pub(crate) const AS_CODE: &str = "QR code";
pub(crate) const CODE: &str = "The link as a QR code";
pub(crate) const NO_CODE: &str = "The link is too long for a QR code.";
pub(crate) const LEFT_OUT: &str = "The link leaves out";
pub(crate) const PUBLIC: &str = "Public address of the explorer";
pub(crate) const PUBLIC_EXAMPLE: &str = "https://example.org/loggia/";
pub(crate) const LOCAL: &str = "This page runs on your machine, so the link and its QR code open only \
    here. Give the address under which others open Loggia, or send the page as one file.";
pub(crate) const AS_TEXT: &str = "As text";
pub(crate) const MARKDOWN: &str = "Copy as Markdown";
pub(crate) const MARKDOWN_HINT: &str = "title, question, answer and tables of the open view, and \
    the link";
pub(crate) const AS_FILE: &str = "As a file";
pub(crate) const ONE_FILE: &str = "Save as one file";
pub(crate) const ONE_FILE_HINT: &str = "this page as it is, with everything in it: opens from disk, \
    needs no server, keeps the measured samples";
pub(crate) const JSON: &str = "Save signature";
pub(crate) const JSON_HINT: &str =
    "the signature with your changes, for the command and other programs";
pub(crate) const FOR_OTHERS: &str = "For other programs";
pub(crate) const WAIT: &str = "…";
pub(crate) const SAVED: &str = "Saved";
pub(crate) const NOT_SAVED: &str = "The file could not be saved. Check the connection and whether \
    the browser lets the page save files.";
pub(crate) const KEEP: &str = "Save picture";
pub(crate) const OPEN: &str = "Open in Loggia";

/// Header of the bounds of a line.
pub(crate) const BOUNDS: [&str; 2] = ["low", "high"];
/// Header of single values with bounds.
pub(crate) const POINT: [&str; 3] = ["point", "point low", "point high"];
/// Header of spans.
pub(crate) const SPAN: [&str; 6] =
    ["place", "towards", "activity", "message", "start (us)", "end (us)"];

/// Header of the timeline's name, if there are several.
pub(crate) const NAME: &str = "of";
/// Header of activities and messages.
pub(crate) const BUSY: [&str; 6] =
    ["rank", "towards", "activity", "start (us)", "end (us)", "critical"];
/// Header of intervals of a long run.
pub(crate) const INTERVAL: [&str; 7] =
    ["rank", "processor", "towards", "activity", "operation", "start (us)", "end (us)"];
/// Header of aggregated cells.
pub(crate) const CELL: [&str; 8] =
    ["first rank", "ranks", "start (us)", "end (us)", "compute", "send", "receive", "control"];
pub(crate) const MESSAGE: &str = "message";
/// Header of a map.
pub(crate) const FASTEST: [&str; 3] = ["message size (bytes)", "ranks", "fastest"];
/// Header of the ranks of a bar.
pub(crate) const RANKS: [&str; 2] = ["first rank", "ranks"];
pub(crate) const COMPUTATION_US: &str = "computation (us)";
pub(crate) const COMPUTATION_NS: &str = "computation (ns)";
/// Headers of the sender and the receiver.
pub(crate) const RATIOS: [&str; 2] = ["send overlap ratio", "receive overlap ratio"];

/// Header of the pieces of a curve.
pub(crate) fn pieces(parameter: &str) -> [String; 5] {
    [
        in_us(&format!("{parameter} from")),
        in_us(&format!("{parameter} to")),
        in_us("time"),
        "slope".to_owned(),
        "jumps".to_owned(),
    ]
}

/// Header of bars.
pub(crate) fn bars(unit: PanelUnit) -> [String; 3] {
    ["bar".to_owned(), "part".to_owned(), format!("value ({})", unit.name())]
}

pub(crate) fn in_us(name: &str) -> String {
    format!("{name} (us)")
}

/// Machine and view, or machine and picture.
pub(crate) fn titled(machine: &str, what: &str) -> String {
    format!("{machine}: {what}")
}

/// Header of an axis, with its unit.
pub(crate) fn along(axis: Axis) -> &'static str {
    match axis {
        Axis::Bytes => FASTEST[0],
        Axis::Procs => "ranks",
        Axis::Count => "messages",
        Axis::Compute => COMPUTATION_NS,
        Axis::Depth => "messages in flight",
        Axis::Ranks => "ranks",
    }
}

/// The unit in a column's header.
pub(crate) fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Time => " (us)",
        Unit::Rate => " (bytes/us)",
        Unit::Ratio | Unit::Share => "",
    }
}

/// Names of the lines; a line without a label has the name of its colour.
pub(crate) fn series(figure: &Figure) -> Vec<String> {
    let name = |ink: Ink, label: &str| match label {
        "" => ink.name().to_owned(),
        label => label.to_owned(),
    };
    figure.lines.iter().map(|line| name(line.ink, &line.label)).collect()
}

//! Words of axes and plots.

use super::figure::{Figure, Unit};
use super::steps::Axis;
use loggia_model::units::words::{percent, rate, share, time};
use loggia_model::units::{BytesPerMicro, Micros};

/// A slider's quantity.
pub(crate) fn quantity(axis: Axis) -> &'static str {
    match axis {
        Axis::Bytes => "Message size",
        Axis::Procs => "Ranks",
        Axis::Count => "Messages",
        Axis::Compute => "Computation per message",
        Axis::Depth => "Messages in flight",
        Axis::Ranks => "Ranks",
    }
}

/// Title of a horizontal axis.
pub(crate) fn axis_title(axis: Axis) -> &'static str {
    match axis {
        Axis::Bytes => "message size",
        Axis::Procs => "ranks p",
        Axis::Count => "messages N",
        Axis::Compute => "computation c per message",
        Axis::Depth => "messages in flight q",
        Axis::Ranks => "ranks p",
    }
}

/// Title of a vertical axis.
pub(crate) fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Time => "time",
        Unit::Rate => "bandwidth",
        Unit::Ratio => "measured / predicted",
        Unit::Share => "efficiency",
    }
}

/// Keyboard use of a plot without a handle.
pub(crate) const READ: &str = "values of the lines: press the arrow keys";

/// A value of a vertical axis, with its unit.
pub(crate) fn value_in(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Time => time(Micros(value)),
        Unit::Rate => rate(BytesPerMicro(value)),
        Unit::Ratio => percent(value - 1.0),
        Unit::Share => share(value),
    }
}

/// A measured point outside a line, in a read-out.
pub(crate) fn measured(label: &str) -> String {
    if label.is_empty() { "measured".to_owned() } else { format!("{label}, measured") }
}

/// Values of the lines at the handle.
pub(crate) fn at(axis: Axis, value: &str, time: &str) -> String {
    format!("{}: {time}", place(axis, value))
}

/// Position of the handle.
pub(crate) fn place(axis: Axis, value: &str) -> String {
    match axis {
        Axis::Bytes => value.to_owned(),
        Axis::Count => format!("N = {value}"),
        Axis::Compute => format!("c = {value}"),
        Axis::Procs | Axis::Ranks => format!("p = {value}"),
        Axis::Depth => format!("q = {value}"),
    }
}

/// Meaning of the shaded area.
pub(crate) fn shade(axis: Axis) -> &'static str {
    match axis {
        Axis::Bytes => {
            "shaded: overheads are clamped outside the marks, between which they are reported"
        }
        Axis::Procs => "shaded: outside the ranks to which the closed form was fitted",
        Axis::Count | Axis::Compute | Axis::Depth | Axis::Ranks => {
            "shaded: outside what was measured"
        }
    }
}

/// Description of a plot, for screen readers.
pub(crate) fn picture(figure: &Figure, title: &str, answer: &str) -> String {
    let (what, over) = (unit(figure.unit), axis_title(figure.axis));
    let names = figure.lines.iter().map(|line| line.label.as_str());
    let lines: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    let milestones: Vec<&str> = figure.milestones.iter().map(|m| m.label.as_str()).collect();
    let marked = match milestones.as_slice() {
        [] => String::new(),
        all => format!(" Marked: {}.", all.join(", ")),
    };
    let lines = lines.join(", ");
    let scales = if figure.unit == Unit::Share { "" } else { ", both logarithmic" };
    format!("{title}: {what} over {over}{scales}. Lines: {lines}.{marked} {answer}")
}

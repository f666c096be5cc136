//! The result of `loggia collect` as text.

use super::collectives;
use super::table::{remarks, table};
use loggia_collect::measure::SMALL;
use loggia_collect::run::Options;
use loggia_model::Signature;
use loggia_model::measured::validation::{Errors, Proposal};
use loggia_model::signature::{Curve, Parameter, ProgressKind, Quality, Tier};
use loggia_model::units::words::{error, number, per_byte_unit, size};
use loggia_model::units::{Magnitude, MicrosPerByte};
use std::fmt::Write as _;

pub(crate) fn summary(signature: &Signature, options: &Options) -> String {
    let mut text = String::new();
    for tier in &signature.tiers {
        let path = tier.path.as_deref().unwrap_or_default();
        let _ = writeln!(text, "{} ({path})", tier.name);
        let (rows, reasons): (Vec<Row>, Vec<Option<String>>) =
            lines(tier).into_iter().map(|line| (line.row, line.reason)).unzip();
        let header = ["", "value>", "interval>", "unit", "", ""];
        let _ = write!(text, "{}{}", table(&header, rows), remarks(reasons.into_iter().flatten()));
        text.push('\n');
    }
    if !signature.collectives.is_empty() {
        let _ = writeln!(text, "{}", collectives::forms(signature));
    }
    text.push_str(&validated(signature));
    text.push_str(&remarks(&signature.notes));
    let file = options.output.display();
    let _ = write!(text, "written to {file}; view it with: loggia serve {file} --open");
    text
}

/// The cross-validated error of each table, and proposals for further measurements.
fn validated(signature: &Signature) -> String {
    let validations = signature.validations();
    if validations.is_empty() {
        return String::new();
    }
    let cells = |errors: Option<Errors>| match errors {
        Some(errors) => [error(errors.median), error(errors.maximum), error(errors.held)],
        None => ["", "", ""].map(str::to_owned),
    };
    let rows = validations.iter().map(|validation| {
        let operation = validation.op.map_or_else(
            || format!("RTT/2, {}", validation.tier.as_deref().unwrap_or_default()),
            |op| op.name().to_owned(),
        );
        let [sizes, ranks] = [validation.sizes, validation.ranks].map(cells);
        [
            operation,
            sizes[0].clone(),
            sizes[1].clone(),
            sizes[2].clone(),
            ranks[0].clone(),
            ranks[1].clone(),
        ]
    });
    let header = [
        "",
        "median>",
        "maximum>",
        "inside interval>",
        "largest p: median>",
        "largest p: maximum>",
    ];
    let mut text = format!(
        "prediction error: each size predicted from the other sizes; the largest p from the smaller \
         ones\n{}",
        table(&header, rows)
    );
    for (place, proposal) in signature.proposals(PROPOSALS).iter().enumerate() {
        let first = if place == 0 { "measure next: " } else { "              " };
        let _ = writeln!(text, "{first}{}", proposed(proposal));
    }
    text.push('\n');
    text
}

/// Maximum number of proposed measurements.
const PROPOSALS: usize = 3;

fn proposed(proposal: &Proposal) -> String {
    let operation = match (proposal.op, &proposal.tier) {
        (Some(op), _) => op.name(),
        (None, Some(tier)) => &format!("RTT/2, {tier},"),
        (None, None) => "RTT/2",
    };
    let ranks = proposal.procs.map(|procs| format!(" on {} ranks", procs.0)).unwrap_or_default();
    let width = number(proposal.width, 3);
    format!(
        "{operation} of {}{ranks}; the bounds of its interval differ by a factor of {width}",
        size(proposal.bytes)
    )
}

type Row = [String; 6];

/// A row of the table, and the reason if the parameter is unusable.
struct Line {
    row: Row,
    reason: Option<String>,
}

fn lines(tier: &Tier) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut add = |line: Option<Line>| lines.extend(line);
    add(row("EEL", "µs", tier.end_to_end_latency.as_ref()));
    add(row("L", "µs", tier.latency.as_ref()));
    add(row("g", "µs", tier.gap.as_ref()));
    add(gap_per_byte(tier.gap_per_byte.as_ref()));
    for style in &tier.styles {
        add(curve_row(&format!("o_s {}", style.name.0), style.send_overhead.as_ref()));
        add(curve_row(&format!("o_r {}", style.name.0), style.recv_overhead.as_ref()));
    }
    let Some(progress) = &tier.progress else { return lines };
    add(row("S", "bytes", progress.eager_limit.as_ref()));
    add(row("O'", "µs", progress.control_overhead.as_ref()));
    add(curve_row("O_i", progress.initiation.as_ref()));
    add(curve_row("O_c", progress.copy.as_ref()));
    let kind = progress.kind.map(|kind| match kind {
        ProgressKind::Dependent => "dependent (DCP)",
        ProgressKind::Independent => "independent (ICP)",
    });
    let transfers: Vec<String> = progress
        .transfer
        .iter()
        .map(|t| format!("{} from {} bytes", t.transfer.symbol(), t.from.0))
        .collect();
    if let Some(kind) = kind {
        let kind_and_protocols = [kind.to_owned(), transfers.join(", ")].join("; ");
        let cells = ["progress".to_owned(), kind_and_protocols, String::new(), String::new()];
        lines.push(line(cells, progress.quality, &progress.source, String::new()));
    }
    lines
}

fn line(cells: [String; 4], quality: Quality, source: &str, more: String) -> Line {
    let [symbol, value, interval, unit] = cells;
    let words = quality.words();
    let reason = (quality == Quality::Unusable).then(|| format!("{symbol}: {source}"));
    Line { row: [symbol, value, interval, unit, words.to_owned(), more], reason }
}

fn row<U: Magnitude>(symbol: &str, unit: &str, parameter: Option<&Parameter<U>>) -> Option<Line> {
    row_in(symbol, (1.0, unit), parameter?)
}

fn gap_per_byte(parameter: Option<&Parameter<MicrosPerByte>>) -> Option<Line> {
    let parameter = parameter?;
    row_in("G", per_byte_unit(parameter.value.unwrap_or_default()), parameter)
}

/// A row with values in units of this size.
fn row_in<U: Magnitude>(symbol: &str, unit: (f64, &str), parameter: &Parameter<U>) -> Option<Line> {
    let (size, unit) = unit;
    let [value, low, high] = [parameter.value, parameter.low, parameter.high]
        .map(|v| v.map_or("—".to_owned(), |v| number(v.magnitude() / size, 4)));
    let interval = if parameter.low.is_some() { format!("{low}–{high}") } else { String::new() };
    let cells = [symbol.to_owned(), value, interval, unit.to_owned()];
    Some(line(cells, parameter.quality, &parameter.source, String::new()))
}

fn curve_row(symbol: &str, curve: Option<&Curve>) -> Option<Line> {
    let curve = curve?;
    let point =
        |bytes: u64| curve.points.iter().find(|p| p.bytes.0 >= bytes).or(curve.points.last());
    let at = point(SMALL as u64);
    let value = at.map_or("—".to_owned(), |p| match p.bytes.0 as usize {
        SMALL => number(p.value.0, 4),
        _ => format!("{} at {}", number(p.value.0, 4), size(p.bytes)),
    });
    let interval = at.and_then(|p| Some((p.low?, p.high?)));
    let interval =
        interval.map(|(low, high)| format!("{}–{}", number(low.0, 4), number(high.0, 4)));
    let last = curve.points.last().filter(|last| at.is_some_and(|at| at.bytes != last.bytes));
    let more =
        last.map_or(String::new(), |p| format!("{} at {}", number(p.value.0, 4), size(p.bytes)));
    let cells = [symbol.to_owned(), value, interval.unwrap_or_default(), "µs".to_owned()];
    Some(line(cells, curve.quality, &curve.source, more))
}

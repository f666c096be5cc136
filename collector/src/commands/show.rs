//! `loggia show SIG`

use crate::cli::OfSignature;
use crate::report::collectives;
use crate::report::table::table;
use crate::report::{Failure, Output};
use crate::source::load_with;
use loggia_model::codec;
use loggia_model::signature::{
    Curve, Defaults, Machine, Parameter, Progress, Signature, Style, Tier, Verdict,
};
use loggia_model::units::words::{number, size};
use loggia_model::units::{Bytes, Magnitude};
use std::fmt::Write;

pub(crate) fn run(args: &OfSignature, output: &mut Output) -> Result<(), Failure> {
    let signature = load_with(&args.sig, Defaults::default(), &args.assume.set)?;
    if output.is_json() {
        return output.text(&codec::to_json(&signature));
    }
    output.text(&describe(&signature))
}

fn describe(signature: &Signature) -> String {
    let mut text = format!("{} ({})\n", signature.title, signature.name);
    let _ = writeln!(text, "{}", signature.origin.summary());
    let _ = writeln!(text, "{}", machine(&signature.machine));
    for tier in &signature.tiers {
        let _ = write!(text, "\n{}\n{}", tier.name, table(&PARAMETERS, parameters(tier)));
    }
    if !signature.collectives.is_empty() {
        let _ = write!(text, "\n{}", collectives::forms(signature));
    }
    if !signature.samples.is_empty() {
        let times: usize = signature.samples.iter().map(|s| s.times.len()).sum();
        let _ = writeln!(text, "\n{times} measured times are kept beside the forms (--json)");
    }
    if !signature.notes.is_empty() {
        text.push('\n');
    }
    for note in &signature.notes {
        let _ = writeln!(text, "* {note}");
    }
    text
}

fn machine(machine: &Machine) -> String {
    let nodes = machine.nodes.map(|n| format!("{n} nodes"));
    let cores = machine.cores_per_node.filter(|n| *n > 1).map(|n| format!("{n} processors a node"));
    let library = match (&machine.library, &machine.library_version) {
        (Some(library), Some(version)) => Some(format!("{library} {version}")),
        (library, _) => library.clone(),
    };
    [machine.processors.clone(), nodes, cores, machine.network.clone(), library]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" · ")
}

const PARAMETERS: [&str; 5] = ["", "value>", "unit", "verdict", "source"];

type Row = [String; 5];

fn row(symbol: &str, value: String, unit: &str, verdict: Verdict, source: &str) -> Row {
    let verdict = format!("{verdict:?}").to_lowercase();
    [symbol.to_owned(), value, unit.to_owned(), verdict, source.to_owned()]
}

fn parameter<U: Magnitude>(symbol: &str, unit: &str, of: Option<&Parameter<U>>) -> Option<Row> {
    let of = of?;
    let value = match of.interval() {
        None => "—".to_owned(),
        Some(i) if i.is_bounded() => format!(
            "{} ({}–{})",
            number(i.value.magnitude(), 6),
            number(i.low.magnitude(), 6),
            number(i.high.magnitude(), 6)
        ),
        Some(i) => number(i.value.magnitude(), 6),
    };
    Some(row(symbol, value, unit, of.verdict, &of.source))
}

fn curve(symbol: &str, of: Option<&Curve>) -> Option<Row> {
    let of = of?;
    let value = match (of.fixed, of.points.as_slice()) {
        (Some(fixed), _) => match of.per_byte {
            Some(each) => format!("{} + {} a byte", number(fixed.0, 6), number(each.0, 6)),
            None => number(fixed.0, 6),
        },
        (None, []) => "—".to_owned(),
        (None, [first, .., last]) if first.value != last.value => {
            let at = |bytes: Bytes| size(bytes);
            format!(
                "{}–{} ({}–{})",
                number(first.value.0, 6),
                number(last.value.0, 6),
                at(first.bytes),
                at(last.bytes)
            )
        }
        (None, [first, ..]) => number(first.value.0, 6),
    };
    Some(row(symbol, value, "µs", of.verdict, &of.source))
}

fn parameters(tier: &Tier) -> Vec<Row> {
    let depth = |point: &loggia_model::signature::DepthPoint| {
        parameter(&format!("g, {} under way", point.depth), "µs", Some(&point.gap))
    };
    let of_tier = [
        parameter("L", "µs", tier.latency.as_ref()),
        parameter("g", "µs", tier.gap.as_ref()),
        parameter("G", "µs/byte", tier.gap_per_byte.as_ref()),
        parameter("EEL", "µs", tier.end_to_end_latency.as_ref()),
        curve("g(m)", tier.gap_by_size.as_ref()),
    ];
    of_tier
        .into_iter()
        .flatten()
        .chain(tier.gap_by_depth.iter().filter_map(depth))
        .chain(tier.progress.iter().flat_map(progress))
        .chain(tier.styles.iter().flat_map(style))
        .collect()
}

fn style(style: &Style) -> Vec<Row> {
    let name = &style.name.0;
    [
        curve(&format!("{name} o_s"), style.send_overhead.as_ref()),
        curve(&format!("{name} o_r"), style.recv_overhead.as_ref()),
        parameter(&format!("{name} t_s"), "µs", style.startup.as_ref()),
        parameter(&format!("{name} t_b"), "µs/byte", style.per_byte.as_ref()),
        parameter(&format!("{name} S"), "bytes", style.eager_limit.as_ref()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn progress(progress: &Progress) -> Vec<Row> {
    let say =
        |symbol: &str, word: String| row(symbol, word, "", progress.verdict, &progress.source);
    let transfers = progress
        .transfer
        .iter()
        .map(|t| say("transfer", format!("{} from {}", t.transfer.symbol(), size(t.from))));
    [
        parameter("S", "bytes", progress.eager_limit.as_ref()),
        progress.kind.map(|kind| say("progress", kind.symbol().to_owned())),
        parameter("O'", "µs", progress.control_overhead.as_ref()),
        curve("O_i", progress.initiation.as_ref()),
        curve("O_c", progress.copy.as_ref()),
    ]
    .into_iter()
    .flatten()
    .chain(transfers)
    .collect()
}

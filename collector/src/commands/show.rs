//! `loggia show SIG`

use crate::cli::OfSignature;
use crate::report::collectives;
use crate::report::table::table;
use crate::report::{Failure, Output};
use crate::source::load_with;
use loggia_model::codec;
use loggia_model::signature::listing::{self, Value};
use loggia_model::signature::{Defaults, Machine, Signature, Tier};
use loggia_model::units::words::{number, size};
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

fn parameters(tier: &Tier) -> impl Iterator<Item = [String; 5]> {
    listing::entries(tier).into_iter().map(|entry| {
        let symbol = match &entry.style {
            Some(style) => format!("{style} {}", entry.symbol),
            None => entry.symbol.clone(),
        };
        let verdict = format!("{:?}", entry.verdict).to_lowercase();
        [symbol, words(&entry.value), entry.unit.to_owned(), verdict, entry.source]
    })
}

fn words(value: &Value) -> String {
    let six = |value: f64| number(value, 6);
    match value {
        Value::None => "—".to_owned(),
        Value::Number(i) if i.is_bounded() => {
            format!("{} ({}–{})", six(i.value), six(i.low), six(i.high))
        }
        Value::Number(i) => six(i.value),
        Value::Line(fixed, each) => format!("{} + {} a byte", six(fixed.0), six(each.0)),
        Value::Points(points) => match points.as_slice() {
            [first, .., last] if first.value != last.value => {
                let sizes = format!("{}–{}", size(first.bytes), size(last.bytes));
                format!("{}–{} ({sizes})", six(first.value.0), six(last.value.0))
            }
            [first, ..] => six(first.value.0),
            [] => "—".to_owned(),
        },
        Value::Word(word) => word.clone(),
    }
}

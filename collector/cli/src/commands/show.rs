//! `loggia show SIG`

use crate::cli::SignatureArgs;
use crate::report::table::table;
use crate::report::{Failure, Output, collectives, parameters};
use crate::source::load_with;
use loggia_model::json;
use loggia_model::signature::{Defaults, Machine, Operation, Signature};
use loggia_model::units::words::{counted, size};
use std::fmt::Write;

pub(crate) fn run(args: &SignatureArgs, output: &mut Output) -> Result<(), Failure> {
    let signature = load_with(&args.sig, Defaults::default(), &args.assume.set)?;
    if output.is_json() {
        return output.text(&json::to_json(&signature));
    }
    output.text(&describe(&signature))
}

/// The contents of a signature, as text.
pub(super) fn describe(signature: &Signature) -> String {
    let mut text = format!("{} ({})\n", signature.title, signature.name);
    let _ = writeln!(text, "{}", signature.origin.summary());
    let _ = writeln!(text, "{}", machine(&signature.machine));
    for tier in &signature.tiers {
        let _ = write!(text, "\n{}", parameters::of(tier));
    }
    if !signature.collectives.is_empty() {
        let _ = write!(text, "\n{}", collectives::forms(signature));
    }
    if !signature.tables.is_empty() {
        let _ = write!(text, "\nmeasured tables, used for predictions\n{}", tables(signature));
    }
    if !signature.samples.is_empty() {
        let times: usize = signature.samples.iter().map(|s| s.times.len()).sum();
        let _ = writeln!(text, "\n{times} measured times are stored as samples (--json)");
    }
    if !signature.notes.is_empty() {
        text.push('\n');
    }
    for note in &signature.notes {
        let _ = writeln!(text, "* {note}");
    }
    text
}

fn tables(signature: &Signature) -> String {
    let rows = signature.tables.iter().map(|measured| {
        let operation = measured.op.map_or("RTT/2", Operation::name).to_owned();
        let place = measured.procs.map(|procs| format!("{} ranks", procs.0));
        let place = place.or_else(|| measured.tier.clone()).unwrap_or_default();
        let each = measured.per_node.map(|each| format!("{each} per node"));
        let pairs = measured.pairs.map(|pairs| format!("{pairs} pairs"));
        let each = each.or(pairs).unwrap_or_default();
        let sizes = measured.points.first().zip(measured.points.last());
        let sizes = sizes.map(|(first, last)| match first.bytes == last.bytes {
            true => size(first.bytes),
            false => format!("{}–{}", size(first.bytes), size(last.bytes)),
        });
        let count = measured.points.len().to_string();
        [operation, place, each, count, sizes.unwrap_or_default()]
    });
    table(&["", "", "", "sizes>", ""], rows)
}

fn machine(machine: &Machine) -> String {
    let nodes = machine.nodes.map(|count| counted(count, "node"));
    let cores =
        machine.cores_per_node.filter(|n| *n > 1).map(|n| format!("{n} processors per node"));
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

//! `loggia show SIG`

use crate::cli::OfSignature;
use crate::report::{Failure, Output, collectives, parameters};
use crate::source::load_with;
use loggia_model::json;
use loggia_model::signature::{Defaults, Machine, Signature};
use std::fmt::Write;

pub(crate) fn run(args: &OfSignature, output: &mut Output) -> Result<(), Failure> {
    let signature = load_with(&args.sig, Defaults::default(), &args.assume.set)?;
    if output.is_json() {
        return output.text(&json::to_json(&signature));
    }
    output.text(&describe(&signature))
}

fn describe(signature: &Signature) -> String {
    let mut text = format!("{} ({})\n", signature.title, signature.name);
    let _ = writeln!(text, "{}", signature.origin.summary());
    let _ = writeln!(text, "{}", machine(&signature.machine));
    for tier in &signature.tiers {
        let _ = write!(text, "\n{}", parameters::of(tier));
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

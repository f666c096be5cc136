//! `loggia list`

use crate::cli::List as Args;
use crate::report::table::table;
use crate::report::{Failure, Output};
use loggia_model::library::{self, ENTRIES, Entry, Group};
use loggia_model::{Error, Signature};
use serde_json::json;

/// A built-in machine, listed and loaded.
type Listed = (&'static Entry, Signature);

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let load = |entry: &'static Entry| library::load(entry.name).map(|loaded| (entry, loaded));
    let found = ENTRIES.iter().filter(|entry| args.word.iter().all(|word| entry.contains(word)));
    let listed: Vec<Listed> = found.map(load).collect::<Result<_, _>>()?;
    if listed.is_empty() {
        let query = args.word.join(" ");
        let help = "run `loggia list` without a word to list all machines";
        return Err(Error::new(format!("no machine contains `{query}`"), "WORD", help).into());
    }
    let entries: Vec<_> = listed.iter().map(entry).collect();
    output.print(&entries, || {
        let groups = Group::ALL.into_iter().filter_map(|group| of_group(group, &listed));
        let groups: Vec<String> = groups.collect();
        format!(
            "{}\n`loggia show NAME` prints the parameters of a machine with their sources.",
            groups.join("\n")
        )
    })
}

fn entry((entry, signature): &Listed) -> serde_json::Value {
    json!({
        "name": entry.name,
        "title": entry.title,
        "source": signature.origin.summary(),
        "group": entry.group,
        "year": entry.year,
        "network": entry.network,
        "found": entry.found,
    })
}

fn of_group(group: Group, listed: &[Listed]) -> Option<String> {
    let rows: Vec<_> = listed.iter().filter(|(entry, _)| entry.group == group).map(row).collect();
    let header = ["name", "machine", "year", "network", "numbers", "collectives"];
    (!rows.is_empty()).then(|| format!("{group}\n{}", table(&header, rows)))
}

fn row((entry, signature): &Listed) -> [String; 6] {
    let mut ops: Vec<&str> = signature.collectives.iter().map(|form| form.op.name()).collect();
    for op in signature.tables.iter().filter_map(|table| table.op) {
        if !ops.contains(&op.name()) {
            ops.push(op.name());
        }
    }
    let ops = match ops.len() {
        0 => "—".to_owned(),
        1..=2 => ops.join(" "),
        n => format!("{n} operations"),
    };
    let (name, title, network) = (entry.name, entry.title, entry.network);
    [
        name.to_owned(),
        title.to_owned(),
        entry.year.to_string(),
        network.to_owned(),
        entry.found.to_string(),
        ops,
    ]
}

//! `loggia compare`

use crate::cli::Compare;
use crate::report::table::table;
use crate::report::{Failure, Output};
use crate::source::load;
use loggia_model::compare::{self, Overtaking, Standing};
use loggia_model::model::Route;
use loggia_model::model::composition::Question;
use loggia_model::signature::{BytesAre, Operation};
use loggia_model::units::words::{number, size, time};
use loggia_model::units::{Bytes, Procs};
use loggia_model::{Error, Signature};
use serde::Serialize;

#[derive(Serialize)]
struct Answer<'a> {
    machines: Vec<&'a str>,
    p2p: Vec<Messages>,
    collectives: Vec<Together>,
}

/// One message of a size on each machine.
#[derive(Serialize)]
struct Messages {
    bytes: Bytes,
    standings: Vec<Standing>,
}

/// An operation on each machine.
#[derive(Serialize)]
struct Together {
    op: &'static str,
    procs: Procs,
    bytes: Bytes,
    bytes_are: BytesAre,
    standings: Vec<Standing>,
    overtakings: Vec<Overtaking>,
}

pub(crate) fn run(args: &Compare, output: &mut Output) -> Result<(), Failure> {
    let loaded: Vec<Signature> = args.sigs.iter().map(|sig| load(sig)).collect::<Result<_, _>>()?;
    let machines: Vec<&Signature> = loaded.iter().collect();
    let ways: Vec<_> = machines.iter().map(|m| (*m, Route::of(m, None, None))).collect();
    let messages = |bytes| Messages { bytes, standings: compare::message(&ways, bytes) };
    let collectives = match args.procs {
        None => Vec::new(),
        Some(procs) => asked(args.op, &machines)
            .map(|op| together(&machines, op, procs, args.bytes))
            .collect::<Result<_, _>>()?,
    };
    let answer = Answer {
        machines: machines.iter().map(|machine| machine.name.as_str()).collect(),
        p2p: match args.op {
            None => compare::sizes(args.bytes).into_iter().map(messages).collect(),
            Some(_) => Vec::new(),
        },
        collectives,
    };
    output.answer(&answer, || {
        let over_sizes = answer.p2p.iter().map(|row| (size(row.bytes), row.standings.as_slice()));
        let over_ops =
            answer.collectives.iter().map(|row| (heading(row), row.standings.as_slice()));
        let overtaken = answer.collectives.iter().flat_map(|row| {
            row.overtakings.iter().map(|found| sentence(row.op, found, &answer.machines))
        });
        let rows: Vec<_> = over_sizes.chain(over_ops).map(|(name, all)| line(name, all)).collect();
        let names = answer.machines.iter().map(|name| format!("{name}>"));
        let header: Vec<String> = std::iter::once(String::new()).chain(names).collect();
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        let mut text = format!("{}\n", table(&header, rows));
        text.extend(overtaken);
        text
    })
}

/// The operation asked about, or all that any machine reports.
fn asked<'a>(
    op: Option<Operation>,
    machines: &'a [&'a Signature],
) -> impl Iterator<Item = Operation> + use<'a> {
    let reported = move |candidate: &Operation| {
        op.map_or_else(
            || machines.iter().any(|machine| machine.collective(*candidate).is_some()),
            |op| op == *candidate,
        )
    };
    Operation::ALL.into_iter().filter(reported)
}

fn together(
    machines: &[&Signature],
    op: Operation,
    procs: Procs,
    bytes: Bytes,
) -> Result<Together, Error> {
    let bytes = if op == Operation::Barrier { Bytes(0) } else { bytes };
    let question = Question::of(machines[0], op, procs, bytes, None)?;
    Ok(Together {
        op: op.name(),
        procs,
        bytes,
        bytes_are: question.bytes_are,
        standings: compare::operation(machines, &question),
        overtakings: compare::overtakings(machines, &question),
    })
}

fn heading(row: &Together) -> String {
    let of = (row.bytes.0 > 0).then(|| format!(" of {}", size(row.bytes)));
    format!("{}{}, p = {}", row.op, of.unwrap_or_default(), row.procs.0)
}

/// A row of the table: times, ranks and ratios.
fn line(name: String, standings: &[Standing]) -> Vec<String> {
    let cell = |standing: &Standing| {
        let (Some(taken), Some(rank)) = (standing.time, standing.rank) else {
            return "—".to_owned();
        };
        let ratio = standing.ratio.map(|ratio| format!(", ×{}", number(ratio, 3)));
        let beyond = if standing.extrapolated { "!" } else { "" };
        format!("{}{beyond} ({rank}.{})", time(taken), ratio.unwrap_or_default())
    };
    std::iter::once(name).chain(standings.iter().map(cell)).collect()
}

fn sentence(op: &str, found: &Overtaking, names: &[&str]) -> String {
    let Overtaking { at, ahead, behind } = found;
    format!("{op}: from p = {} on, {} overtakes {}\n", at.0, names[*ahead], names[*behind])
}

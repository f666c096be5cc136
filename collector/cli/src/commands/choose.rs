//! `loggia choose`

use crate::cli::Choose;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use crate::source::load;
use loggia_model::model::composition::{CollectiveMethod, Question};
use loggia_model::model::crossover::{Crossover, crossovers_in_bytes, crossovers_in_procs};
use loggia_model::signature::Range;
use loggia_model::units::words::{number, size, time};
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_report::collective::{CollectiveQuery, Times};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    query: CollectiveQuery<'a>,
    best: Option<&'static str>,
    ranking: Vec<Ranked>,
    crossovers_bytes: Vec<Crossover<Bytes>>,
    crossovers_procs: Vec<Crossover<Procs>>,
    /// The range of p in which all formulas were fitted; the search for crossovers covers it.
    crossovers_procs_range: Range<Procs>,
}

#[derive(Serialize)]
struct Ranked {
    name: &'static str,
    #[serde(flatten)]
    times: Times,
    /// Time divided by the best time.
    ratio: Option<f64>,
}

impl Ranked {
    fn of(method: &CollectiveMethod, best: Option<Micros>) -> Self {
        let times = Times::of(method);
        let ratio = times.time_us.zip(best).map(|(time, best)| time.0 / best.0);
        Ranked { name: method.name, times, ratio }
    }
}

pub(crate) fn run(args: &Choose, output: &mut Output) -> Result<(), Failure> {
    let signature = load(&args.sig)?;
    let question = Question::of(&signature, args.op, args.procs, args.bytes, args.bytes_are)?;
    let methods = question.ranking(&signature)?;
    let (searched, crossovers_procs) = crossovers_in_procs(&signature, &question)?;
    let best = methods.first().and_then(CollectiveMethod::time);
    let report = Report {
        query: CollectiveQuery::of(&signature, &question),
        best: best.and(methods.first()).map(|method| method.name),
        ranking: methods.iter().map(|method| Ranked::of(method, best)).collect(),
        crossovers_bytes: crossovers_in_bytes(&signature, &question)?,
        crossovers_procs,
        crossovers_procs_range: searched,
    };
    output.print(&report, || {
        let or_dash = |t: Option<Micros>| t.map_or("—".to_owned(), time);
        let rows = report.ranking.iter().map(|method| {
            [
                method.name.to_owned(),
                or_dash(method.times.time_us),
                method.ratio.map_or("—".to_owned(), |r| format!("×{}", number(r, 3))),
                or_dash(method.times.startup_us),
                or_dash(method.times.transmission_us),
                or_dash(method.times.compute_us),
            ]
        });
        let mut notes: Vec<String> = report
            .ranking
            .iter()
            .flat_map(|method| {
                method.times.warnings.iter().map(move |w| format!("{}: {w}", method.name))
            })
            .collect();
        notes.dedup();
        let [over_size, over_procs] = match report.ranking.len() {
            1 => ["the signature has no other method for this operation\n", ""].map(str::to_owned),
            _ => [
                crossings("size", &report.crossovers_bytes, |at| size(*at)),
                crossings(
                    &format!("p between {} and {}", searched.low.0, searched.high.0),
                    &report.crossovers_procs,
                    |at| format!("p = {}", at.0),
                ),
            ],
        };
        format!(
            "{} · {} · p = {} · {} {}\n\n{}\n{}{}{}",
            signature.title,
            question.op.name(),
            question.procs.0,
            size(question.bytes),
            question.bytes_are.words(),
            table(&["", "time>", "", "startup>", "transmission>", "computation>"], rows),
            over_size,
            over_procs,
            remarks(&notes)
        )
    })
}

/// One sentence per crossover.
fn crossings<U>(over: &str, found: &[Crossover<U>], format_size: impl Fn(&U) -> String) -> String {
    if found.is_empty() {
        return format!("the fastest method is the same at every {over}\n");
    }
    found
        .iter()
        .map(|c| {
            let beyond = if c.extrapolated { " (extrapolated)" } else { "" };
            format!("from {}, {} is faster than {}{beyond}\n", format_size(&c.at), c.to, c.from)
        })
        .collect()
}

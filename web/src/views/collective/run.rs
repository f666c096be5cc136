//! One algorithm, message by message: its space-time diagram, what leads to its end, and what would
//! change that.

use super::Question;
use super::ranks::Ranks;
use super::sensitivity::sensitivity;
use crate::draw::figure::Ink;
use crate::draw::ranks::{MOST_MARKS, ink, marks};
use crate::draw::ways::Asked;
use crate::text::{self, collectives as words};
use crate::views::later::Props;
use crate::views::parts::{self, Part};
use crate::views::problem::{reason, warnings};
use crate::views::{quantity, rich};
use loggia_model::Error;
use loggia_model::collective::{Algorithm, algorithms, named};
use loggia_model::model::Warning;
use loggia_model::simulate::algorithm::Field;
use loggia_model::simulate::answer::{Answer, CriticalPath, Sensitivity};
use loggia_model::simulate::ask::Ask;
use loggia_model::simulate::record::Record;
use loggia_model::units::words::{size, time};
use loggia_model::units::{Bytes, Interval, Micros, Procs};
use yew::{Html, component, html, use_memo};

/// Runs of more ranks are not shown here.
const MOST_RANKS: Procs = Procs(64);

/// Runs of more operations than these would hold the page.
const MOST_OPS: u128 = 20_000;

/// What a run on up to 64 ranks says.
struct Shown {
    algorithm: &'static Algorithm,
    /// Whether the reader has chosen it; else it is the fastest.
    is_chosen: bool,
    procs: Procs,
    bytes: Bytes,
    answer: Answer,
    path: CriticalPath,
    sensitivity: Sensitivity,
    warnings: Vec<Warning>,
    /// What is drawn, on as many ranks as a picture has room for.
    record: Record,
}

/// The algorithm that is asked about, or else the fastest.
fn algorithm(ask: &Ask, how: &str) -> Result<(&'static Algorithm, bool), Error> {
    if let Ok(chosen) = named(ask.question.op, how) {
        return Ok((chosen, true));
    }
    let ranking = ask.field()?.ranking(&ask.question)?;
    let fastest = ranking.first().map(|first| (first.algorithm, false));
    fastest.ok_or_else(|| ask.question.no_way())
}

fn on(asked: &Asked, procs: Procs) -> Asked {
    Asked { procs: procs.min(asked.procs), ..asked.clone() }
}

/// Halves the ranks until it fits.
fn fitting(asked: &Asked, fits: impl Fn(&Asked) -> bool) -> Asked {
    let halves =
        std::iter::successors(Some(asked.procs.0), |p| Some(p / 2)).take_while(|p| *p >= 2);
    let found = halves.map(|p| on(asked, Procs(p))).find(|asked| fits(asked));
    found.unwrap_or_else(|| on(asked, Procs(2)))
}

impl Shown {
    fn of(question: &Question) -> Result<Self, Error> {
        let machine = &*question.machine;
        let asked = on(&question.asked, MOST_RANKS);
        let (algorithm, is_chosen) = algorithm(&asked.of(machine)?, &question.how)?;
        let operations = |asked: &Asked| -> Option<u128> {
            let ask = asked.of(machine).ok()?;
            Some(ask.field().ok()?.operations(&ask.question, algorithm))
        };
        let asked = fitting(&asked, |asked| operations(asked).is_none_or(|ops| ops <= MOST_OPS));
        // A message is a send, a flight and a receive: two operations, three marks.
        let most = 2 * MOST_MARKS as u128 / 3;
        let drawn = fitting(&asked, |asked| operations(asked).is_none_or(|ops| ops <= most));
        let ask = asked.of(machine)?;
        let bytes = ask.field()?.ask(&ask.question, algorithm)?.bytes;
        let run = |field: &Field| {
            field.simulated(&ask.question, algorithm, |run| {
                let answer = run.answer(&run.run());
                (answer, run.critical_path(), run.sensitivity(), run.warnings.clone())
            })
        };
        let (answer, path, sensitivity, warnings) = run(&ask.field()?)?;
        let ask = drawn.of(machine)?;
        let record = ask.field()?.simulated(&ask.question, algorithm, |run| run.record())?;
        let procs = asked.procs;
        Ok(Shown {
            algorithm,
            is_chosen,
            procs,
            bytes,
            answer,
            path,
            sensitivity,
            warnings,
            record,
        })
    }
}

#[component]
pub(super) fn Run(props: &Props) -> Html {
    let question = Question::of(&props.page);
    let shown = use_memo(question.clone(), Shown::of);
    let body = match &*shown {
        Err(why) => reason(why),
        Ok(shown) => body(&question, shown),
    };
    html! {
        <section class="panel whole" id="run" aria-labelledby="run-title">
            <h2 id="run-title">{ words::RUN }</h2>
            { body }
        </section>
    }
}

fn body(question: &Question, shown: &Shown) -> Html {
    let Shown { algorithm, answer, record, .. } = shown;
    let end = answer.time_us.unwrap_or_default();
    let parts = parts_of(&shown.path);
    html! {
        <>
            <p class="asked">{ asked(question, shown) }</p>
            { notes(question, shown) }
            <Ranks record={record.clone()} label={words::diagram(algorithm.name, record.ranks)} />
            { legend(record) }
            <div class="spread">
                <div class="answered">
                    <h3>{ words::PATH }</h3>
                    <p>{ words::path(shown.path.steps.len()) }</p>
                    { parts::bar(&parts) }
                    <div class="scroll">{ parts::table(&parts) }</div>
                </div>
                { sensitivity(&shown.sensitivity, end) }
            </div>
            { warnings(&shown.warnings) }
        </>
    }
}

/// "binomial on 64 ranks, 512 B in the vector: 1.2 ms"
fn asked(question: &Question, shown: &Shown) -> Html {
    let Shown { algorithm, procs, bytes, answer, .. } = shown;
    let counted = question.asked.op.bytes_are().words();
    let taken = answer.time_us.map_or(text::NO_NUMBER.to_owned(), time);
    html! {
        <>
            <b>{ algorithm.name }</b>
            { words::on_ranks(procs.0, &size(*bytes), counted) }
            <b>{ quantity::micros("simulate.time_us", answer.time_us, taken) }</b>
            { format!(" ({}). ", answer.rules) }{ algorithm.summary }
        </>
    }
}

/// Where what is shown is not quite what was asked.
fn notes(question: &Question, shown: &Shown) -> Html {
    let fastest = (!shown.is_chosen).then(|| words::fastest(&question.how));
    let fewer = (shown.procs < question.asked.procs)
        .then(|| words::fewer_run(question.asked.procs.0, shown.procs.0));
    let drawn = (shown.record.ranks < shown.procs.0)
        .then(|| words::fewer_drawn(shown.procs.0, shown.record.ranks, marks(&shown.record)));
    let alone = (algorithms(question.asked.op).len() == 1).then(|| words::ONLY_ONE.to_owned());
    let all: Vec<String> = [fastest, fewer, drawn, alone].into_iter().flatten().collect();
    html! { <p class="aside">{ all.join(" ") }</p> }
}

fn legend(record: &Record) -> Html {
    let mut shown = Vec::new();
    for span in &record.spans {
        if !shown.contains(&span.activity) {
            shown.push(span.activity);
        }
    }
    let item = |activity| {
        html! { <li>{ rich::swatch(ink(activity)) }{ words::activity(activity) }</li> }
    };
    html! {
        <ul class="heat-legend">
            { for shown.into_iter().map(item) }
            <li>{ words::CRITICAL }</li>
        </ul>
    }
}

/// What the time to the end is made of.
fn parts_of(path: &CriticalPath) -> Vec<Part> {
    let part = |(i, term): (usize, &loggia_model::simulate::answer::Term)| {
        let each = |count: i64| {
            (count as f64, Interval::exact(Micros(term.time_us) * (1.0 / count as f64)))
        };
        Part {
            symbol: term.symbol,
            ink: Ink::of(term.symbol),
            counted: Some(term.count.map_or((1.0, Interval::exact(Micros(term.time_us))), each)),
            time: Some(Micros(term.time_us)),
            path: format!("simulate.critical_path.terms.{i}.time_us"),
            source: words::ON_THE_PATH.to_owned(),
        }
    };
    path.terms.iter().enumerate().map(part).collect()
}

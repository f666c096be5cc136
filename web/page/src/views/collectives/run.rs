//! A simulated run of one algorithm: space-time diagram, critical path, sensitivity.

use super::ranks::Ranks;
use super::sensitivity::sensitivity;
use super::slices::{SlicedWork, Start, use_slices};
use super::{Question, words};
use crate::draw::algorithms::CollectiveQuestion;
use crate::draw::figure::Ink;
use crate::draw::ranks::{MAX_MARKS, ink, marks};
use crate::machines::Machine;
use crate::memo::memoized;
use crate::notices::{reason, warnings};
use crate::runs::words::rules_title;
use crate::tables::table::folded;
use crate::tables::terms::{self, Part};
use crate::tables::{quantity, rich};
use crate::text;
use crate::views::Props;
use loggia_model::Error;
use loggia_model::model::Warning;
use loggia_model::units::words::{size, time};
use loggia_model::units::{Bytes, Interval, Micros, Procs};
use loggia_simulate::collective::{Algorithm, algorithms, named};
use loggia_simulate::record::Record;
use loggia_simulate::request::CollectiveRequest;
use loggia_simulate::result::{CriticalPath, Sensitivity, SimulationResult};
use std::rc::Rc;
use yew::{Html, component, html};

/// Maximum number of ranks of a run in this view.
const MAX_RANKS: Procs = Procs(64);

/// Maximum number of operations that can run without blocking the page.
const MAX_OPS: u128 = 20_000;

/// The inputs of the run.
#[derive(Clone)]
struct RunInputs {
    machine: Machine,
    algorithm: &'static Algorithm,
    /// Whether the reader has chosen the algorithm; otherwise it is the fastest.
    is_chosen: bool,
    /// The question, on up to 64 ranks.
    collective: CollectiveQuestion,
    /// The question with as few ranks as fit a picture.
    drawn: CollectiveQuestion,
}

/// The result of the run.
struct Outcome {
    chosen: RunInputs,
    bytes: Bytes,
    answer: SimulationResult,
    path: CriticalPath,
    sensitivity: Sensitivity,
    warnings: Vec<Warning>,
    record: Record,
}

/// Simulates one run after the other.
struct RunWork {
    question: Question,
    chosen: Option<RunInputs>,
    record: Option<Record>,
    shown: Option<Rc<Result<Outcome, Error>>>,
}

impl SlicedWork for RunWork {
    type Partial = (Question, Option<Rc<Result<Outcome, Error>>>);

    fn step(&mut self) -> bool {
        let done = self.advance();
        if let Err(why) = done {
            self.shown = Some(Rc::new(Err(why)));
        }
        self.shown.is_none()
    }

    fn partial(&self) -> Self::Partial {
        (self.question.clone(), self.shown.clone())
    }
}

impl RunWork {
    fn advance(&mut self) -> Result<(), Error> {
        let Some(chosen) = &self.chosen else {
            self.chosen = Some(RunInputs::of(&self.question)?);
            return Ok(());
        };
        match self.record.take() {
            None => self.record = Some(chosen.record()?),
            Some(record) => self.shown = Some(Rc::new(Ok(chosen.shown(record)?))),
        }
        Ok(())
    }
}

/// The chosen algorithm, or else the fastest.
fn algorithm(
    request: &CollectiveRequest,
    method: &str,
) -> Result<(&'static Algorithm, bool), Error> {
    if let Ok(chosen) = named(request.question.op, method) {
        return Ok((chosen, true));
    }
    let ranking = request.algorithm_model()?.ranking(&request.question)?;
    let fastest = ranking.first().map(|first| (first.algorithm, false));
    fastest.ok_or_else(|| request.question.nothing_known(request.signature))
}

fn limited_to(collective: &CollectiveQuestion, procs: Procs) -> CollectiveQuestion {
    CollectiveQuestion { procs: procs.min(collective.procs), ..collective.clone() }
}

/// Halves p until the run fits.
fn fitting(
    collective: &CollectiveQuestion,
    fits: impl Fn(&CollectiveQuestion) -> bool,
) -> CollectiveQuestion {
    let halves =
        std::iter::successors(Some(collective.procs.0), |p| Some(p / 2)).take_while(|p| *p >= 2);
    let found =
        halves.map(|p| limited_to(collective, Procs(p))).find(|collective| fits(collective));
    found.unwrap_or_else(|| limited_to(collective, Procs(2)))
}

impl RunInputs {
    fn of(question: &Question) -> Result<Self, Error> {
        let machine = question.machine.clone();
        let collective = limited_to(&question.collective, MAX_RANKS);
        let (algorithm, is_chosen) = algorithm(&collective.of(&machine)?, &question.method)?;
        let operations = |collective: &CollectiveQuestion| -> Option<u128> {
            let request = collective.of(&machine).ok()?;
            Some(request.algorithm_model().ok()?.operations(&request.question, algorithm))
        };
        let within = |most: u128| move |ops: u128| ops <= most;
        let collective =
            fitting(&collective, |collective| operations(collective).is_none_or(within(MAX_OPS)));
        // A message has two operations and three marks: send, flight, receive.
        let room = within(2 * MAX_MARKS as u128 / 3);
        let drawn = fitting(&collective, |collective| operations(collective).is_none_or(&room));
        Ok(RunInputs { machine, algorithm, is_chosen, collective, drawn })
    }

    fn record(&self) -> Result<Record, Error> {
        let request = self.drawn.of(&self.machine)?;
        request.algorithm_model()?.simulated(&request.question, self.algorithm, |run| run.record())
    }

    fn shown(&self, record: Record) -> Result<Outcome, Error> {
        let request = self.collective.of(&self.machine)?;
        let model = request.algorithm_model()?;
        let (answer, path, sensitivity, warnings) =
            model.simulated(&request.question, self.algorithm, |run| {
                let answer = run.answer(&run.run());
                (answer, run.critical_path(), run.sensitivity(), run.warnings())
            })?;
        let bytes = model.bytes(&request.question);
        Ok(Outcome { chosen: self.clone(), bytes, answer, path, sensitivity, warnings, record })
    }
}

#[component]
pub(super) fn Run(props: &Props) -> Html {
    let question = Question::of(&props.page);
    let seen = use_slices(Start::AfterPause, question.clone(), |question| {
        let question = question.clone();
        Some(RunWork { question, chosen: None, record: None, shown: None })
    });
    seen.map(|seen| memoized(seen, |seen| panel(&seen.0, seen.1.as_deref()))).unwrap_or_default()
}

fn panel(about: &Question, shown: Option<&Result<Outcome, Error>>) -> Html {
    let (body, more) = match shown {
        None => return html! {},
        Some(Err(why)) => (reason(why), why.message.clone()),
        Some(Ok(shown)) => {
            let RunInputs { algorithm, collective, .. } = &shown.chosen;
            (body(about, shown), words::run_of(algorithm.name, collective.procs.0))
        }
    };
    folded("run", html! { { words::RUN } }, more, body)
}

fn body(question: &Question, shown: &Outcome) -> Html {
    let Outcome { chosen: RunInputs { algorithm, .. }, answer, record, .. } = shown;
    let end = answer.time_us.unwrap_or_default();
    let parts = parts_of(&shown.path);
    html! {
        <>
            <p class="asked">{ headline(question, shown) }</p>
            { notes(question, shown) }
            <Ranks record={record.clone()} label={words::diagram(algorithm.name, record.ranks)} />
            { legend(record) }
            <div class="spread">
                <div class="answered">
                    <h3>{ words::PATH }</h3>
                    <p>{ words::path(shown.path.steps.len()) }</p>
                    { terms::bar(&parts) }
                    <div class="scroll path" role="group" tabindex="0" aria-label={crate::text::TABLE}>{ terms::table(&parts) }</div>
                </div>
                { sensitivity(&shown.sensitivity, end) }
            </div>
            { warnings(&shown.warnings) }
        </>
    }
}

/// "binomial on 64 ranks, 512 B in the vector: 1.2 ms"
fn headline(question: &Question, shown: &Outcome) -> Html {
    let Outcome { chosen: RunInputs { algorithm, collective, .. }, bytes, answer, .. } = shown;
    let counted = question.collective.op.bytes_are().words();
    let time_text = answer.time_us.map_or(text::NO_NUMBER.to_owned(), time);
    html! {
        <>
            <b>{ algorithm.name }</b>
            { words::on_ranks(collective.procs.0, &size(*bytes), counted) }
            <b>{ quantity::micros("simulate.time_us", answer.time_us, time_text) }</b>
            { format!(" ({}). ", rules_title(answer.rules)) }{ algorithm.summary }
        </>
    }
}

/// Differences between the run and the question.
fn notes(question: &Question, shown: &Outcome) -> Html {
    let RunInputs { is_chosen, collective: CollectiveQuestion { procs, .. }, .. } = shown.chosen;
    let fastest = (!is_chosen).then(|| words::fastest(&question.method));
    let fewer = (procs < question.collective.procs)
        .then(|| words::fewer_run(question.collective.procs.0, procs.0));
    let drawn = (shown.record.ranks < procs.0)
        .then(|| words::fewer_drawn(procs.0, shown.record.ranks, marks(&shown.record)));
    let alone = (algorithms(question.collective.op).len() == 1).then(|| words::ONLY_ONE.to_owned());
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
        html! { <li>{ rich::swatch(ink(activity)) }{ crate::draw::ranks::activity(activity) }</li> }
    };
    html! {
        <ul class="heat-legend">
            { for shown.into_iter().map(item) }
            <li>{ words::CRITICAL }</li>
        </ul>
    }
}

/// The terms of the completion time.
fn parts_of(path: &CriticalPath) -> Vec<Part> {
    let part = |(i, term): (usize, &loggia_simulate::result::Term)| {
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

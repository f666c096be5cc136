//! Collective operations on each machine.

use super::cells::{cell, headline, name};
use super::grid::grid;
use super::question::collective_question;
use super::{Side, words};
use crate::draw::steps::Axis;
use crate::fields::amount::Amount;
use crate::fields::chips::Chip;
use crate::fields::route::{self, chip};
use crate::memo::memoized;
use crate::notices::reason;
use crate::state::{Action, Page};
use crate::tables::scroll::Scroll;
use crate::tables::table::folded_part;
use crate::text;
use loggia_model::Signature;
use loggia_model::compare::{self, Overtaking, RankedTime, overtakings};
use loggia_model::model::collective::form_of;
use loggia_model::model::composition::Question;
use loggia_model::signature::Operation;
use loggia_model::units::words::size;
use yew::{Callback, Html, html};

/// Times of all operations that any machine reports, on the selected number of processes, with
/// verdicts; empty if nothing is comparable.
pub(super) fn judged_operations(
    page: &Page,
    side: &Side,
) -> Vec<(usize, Operation, Vec<RankedTime>)> {
    let all: Vec<&Signature> = side.machines.iter().map(|machine| &**machine).collect();
    let op = page.operation().unwrap_or(Operation::Alltoall);
    let Ok(form) = form_of(&page.machine, op) else { return Vec::new() };
    let procs = page.procs(form);
    let row = |(index, op): (usize, Operation)| {
        let question = collective_question(&all, op, procs, page.bytes()).ok()?;
        Some((index, op, judged_times(&all, &question, side)))
    };
    reported(&all).into_iter().enumerate().filter_map(row).collect()
}

/// Operations that any machine reports.
fn reported(all: &[&Signature]) -> Vec<Operation> {
    let is_reported = |op: &Operation| all.iter().any(|m| m.collective(*op).is_some());
    Operation::ALL.into_iter().filter(is_reported).collect()
}

fn judged_times(all: &[&Signature], question: &Question, side: &Side) -> Vec<RankedTime> {
    let mut standings = compare::operation(all, question);
    side.numbers.judge(&mut standings);
    standings
}

/// The selected operation, all operations, and the fastest machines; `None` if no machine reports
/// an operation.
pub(super) fn operations(page: &Page, side: &Side, on_action: &Callback<Action>) -> Option<Html> {
    let all: Vec<&Signature> = side.machines.iter().map(|machine| &**machine).collect();
    if reported(&all).is_empty() {
        return None;
    }
    let op = page.operation().unwrap_or(Operation::Alltoall);
    let body = match form_of(&page.machine, op) {
        Err(why) => reason(&why),
        Ok(form) => {
            let procs = page.procs(form);
            match collective_question(&all, op, procs, page.bytes()) {
                Err(why) => reason(&why),
                Ok(question) => answered(&question, &all, side, page, on_action),
            }
        }
    };
    Some(html! {
        <section class="panel" id="compare-collectives" aria-labelledby="compare-collectives-title">
            <h2 id="compare-collectives-title">{ words::OPERATIONS }</h2>
            { body }
        </section>
    })
}

fn answered(
    question: &Question,
    all: &[&Signature],
    side: &Side,
    page: &Page,
    on_action: &Callback<Action>,
) -> Html {
    let procs = question.procs;
    let index = reported(all).iter().position(|op| *op == question.op).unwrap_or_default();
    let standings = judged_times(all, question, side);
    let of = html! {
        <>
            { " for " }<b>{ question.op.name() }</b>{ of_bytes(question) }{ " " }
            { words::on(procs.0) }
        </>
    };
    html! {
        <>
            <Amount axis={Axis::Procs} id="procs" value={u64::from(procs.0)} on_action={on_action.clone()} />
            { chooser(page, question.op, on_action) }
            { headline(&format!("compare.collectives.{index}"), &standings, &side.headings(), of) }
            { overtaking(question, all, &side.titles) }
            { table(question, side, page) }
            { memoized((question.op, side.clone()), |(op, side)| grid(*op, side)) }
        </>
    }
}

fn of_bytes(question: &Question) -> String {
    match question.op {
        Operation::Barrier => String::new(),
        _ => format!(" of {} {}", size(question.bytes), question.bytes_are.words()),
    }
}

/// Operations of the selected machine.
fn chooser(page: &Page, chosen: Operation, on_action: &Callback<Action>) -> Html {
    let chip = |op: Operation| chip(op.name(), op.name(), text::operation(op), op == chosen);
    let chips: Vec<Chip> = page.machine.collectives.iter().map(|form| chip(form.op)).collect();
    route::operations(chips, on_action)
}

/// Changes of the order of machines over p.
fn overtaking(question: &Question, all: &[&Signature], titles: &[String]) -> Html {
    let found = overtakings(all, question);
    let item = |found: &Overtaking| {
        let Overtaking { at, ahead, behind } = *found;
        html! { <li>{ words::overtakes(at.0, &titles[ahead], &titles[behind]) }</li> }
    };
    let text = match found.as_slice() {
        [] => html! { <p>{ words::NO_OVERTAKING }</p> },
        some => html! { <ul>{ for some.iter().map(item) }</ul> },
    };
    let (op, of) = (question.op.name(), size(question.bytes));
    html! {
        <section class="why overtaking">
            <h3>{ words::OVERTAKING }</h3>
            <p class="quiet">{ words::over_procs(op, &of) }</p>
            { text }
        </section>
    }
}

/// A row per operation, a column per machine.
fn table(question: &Question, side: &Side, page: &Page) -> Html {
    let has_any = |i: &usize| !side.machines[*i].collectives.is_empty();
    let shown: Vec<usize> = (0..side.machines.len()).filter(has_any).collect();
    let head =
        |i: &usize| html! { <th scope="col" class="number">{ name(*i, &side.titles[*i]) }</th> };
    let row = |(index, op, standings): (usize, Operation, Vec<RankedTime>)| {
        let cells = shown.iter().map(|i| {
            let path = format!("compare.collectives.{index}.standings.{i}");
            cell(&path, &standings[*i], side.is_one_machine())
        });
        let class = (op == question.op).then_some("asked-for");
        html! {
            <tr {class} key={index}>
                <th scope="row">{ op.name() }</th>
                { for cells }
            </tr>
        }
    };
    let rows = judged_operations(page, side);
    let more = words::operations(rows.len(), shown.len());
    let inside = html! {
        <>
            <Scroll label={words::OPERATIONS}>
                <table class="parts standings">
                    <caption class="unseen">{ words::OPERATIONS }</caption>
                    <thead>
                        <tr>
                            <th scope="col">{ text::OPERATION }</th>
                            { for shown.iter().map(head) }
                        </tr>
                    </thead>
                    <tbody>{ for rows.into_iter().map(row) }</tbody>
                </table>
            </Scroll>
            <p class="aside">{ words::KEY }</p>
        </>
    };
    folded_part(html! { { words::ALL_OPERATIONS } }, more, inside)
}

//! Collective operations on each machine.

use super::Side;
use super::grid::grid;
use super::standing::{cell, headline, name};
use crate::draw::steps::Axis;
use crate::state::{Action, Page};
use crate::text;
use crate::views::amount::Amount;
use crate::views::chips::Chip;
use crate::views::problem::reason;
use crate::views::still::still;
use crate::views::way::{self, chip};
use loggia_model::compare::{self, Overtaking, Standing, overtakings};
use loggia_model::model::collective::form_of;
use loggia_model::model::composition::Question;
use loggia_model::signature::Operation;
use loggia_model::units::words::size;
use loggia_model::units::{Bytes, Procs};
use loggia_model::{Error, Signature};
use yew::{Callback, Html, html};

/// A question of an operation; a barrier carries no bytes.
pub(super) fn ask(
    machines: &[&Signature],
    op: Operation,
    procs: Procs,
    bytes: Bytes,
) -> Result<Question, Error> {
    let bytes = if op == Operation::Barrier { Bytes(0) } else { bytes };
    Question::of(machines[0], op, procs, bytes, None)
}

/// The panel: the operation asked about, all operations, who wins where.
pub(super) fn operations(page: &Page, side: &Side, on_action: &Callback<Action>) -> Html {
    let all: Vec<&Signature> = side.machines.iter().map(|machine| &**machine).collect();
    let op = page.operation().unwrap_or(Operation::Alltoall);
    let body = match form_of(&page.machine, op) {
        Err(why) => reason(&why),
        Ok(form) => {
            let procs = page.procs(form);
            match ask(&all, op, procs, page.bytes()) {
                Err(why) => reason(&why),
                Ok(question) => answered(&question, &all, side, page, on_action),
            }
        }
    };
    html! {
        <section class="panel" id="compare-collectives" aria-labelledby="compare-collectives-title">
            <h2 id="compare-collectives-title">{ text::compare::OPERATIONS }</h2>
            { body }
        </section>
    }
}

fn answered(
    question: &Question,
    all: &[&Signature],
    side: &Side,
    page: &Page,
    on_action: &Callback<Action>,
) -> Html {
    let procs = question.procs;
    let ops: Vec<Operation> = Operation::ALL
        .into_iter()
        .filter(|op| all.iter().any(|m| m.collective(*op).is_some()))
        .collect();
    let index = ops.iter().position(|op| *op == question.op).unwrap_or_default();
    let standings = compare::operation(all, question);
    let of = html! {
        <>
            { " for " }<b>{ question.op.name() }</b>{ of_bytes(question) }{ " " }
            { text::compare::on(procs.0) }
        </>
    };
    html! {
        <>
            <Amount axis={Axis::Procs} id="procs" value={u64::from(procs.0)} on_action={on_action.clone()} />
            { chooser(page, question.op, on_action) }
            { headline(&format!("compare.collectives.{index}"), &standings, &side.titles, of) }
            { overtaking(question, all, &side.titles) }
            { table(&ops, question, all, side, page) }
            { still((question.op, side.clone()), |(op, side)| grid(*op, side)) }
        </>
    }
}

fn of_bytes(question: &Question) -> String {
    match question.op {
        Operation::Barrier => String::new(),
        _ => format!(" of {} {}", size(question.bytes), question.bytes_are.words()),
    }
}

/// The operations of the machine in question.
fn chooser(page: &Page, chosen: Operation, on_action: &Callback<Action>) -> Html {
    let chip = |op: Operation| chip(op.name(), op.name(), text::operation(op), op == chosen);
    let chips: Vec<Chip> = page.machine.collectives.iter().map(|form| chip(form.op)).collect();
    way::operations(chips, on_action)
}

/// Where machines overtake each other over p.
fn overtaking(question: &Question, all: &[&Signature], titles: &[String]) -> Html {
    let found = overtakings(all, question);
    let item = |found: &Overtaking| {
        let Overtaking { at, ahead, behind } = *found;
        html! { <li>{ text::compare::overtakes(at.0, &titles[ahead], &titles[behind]) }</li> }
    };
    let said = match found.as_slice() {
        [] => html! { <p>{ text::compare::NO_OVERTAKING }</p> },
        some => html! { <ul>{ for some.iter().map(item) }</ul> },
    };
    let (op, of) = (question.op.name(), size(question.bytes));
    html! {
        <section class="why overtaking">
            <h3>{ text::compare::OVERTAKING }</h3>
            <p class="quiet">{ text::compare::over_procs(op, &of) }</p>
            { said }
        </section>
    }
}

/// Operations by machines.
fn table(
    ops: &[Operation],
    question: &Question,
    all: &[&Signature],
    side: &Side,
    page: &Page,
) -> Html {
    let shown: Vec<usize> = (0..all.len()).filter(|i| !all[*i].collectives.is_empty()).collect();
    let head =
        |i: &usize| html! { <th scope="col" class="number">{ name(*i, &side.titles[*i]) }</th> };
    let row = |(index, op): (usize, &Operation)| {
        let asked = ask(all, *op, question.procs, page.bytes()).ok()?;
        let standings: Vec<Standing> = compare::operation(all, &asked);
        let cells = shown
            .iter()
            .map(|i| cell(&format!("compare.collectives.{index}.standings.{i}"), &standings[*i]));
        let class = (*op == question.op).then_some("asked-for");
        Some(html! {
            <tr {class} key={index}>
                <th scope="row">{ op.name() }</th>
                { for cells }
            </tr>
        })
    };
    html! {
        <>
            <div class="scroll">
                <table class="parts standings">
                    <caption class="unseen">{ text::compare::OPERATIONS }</caption>
                    <thead>
                        <tr>
                            <th scope="col">{ text::OPERATION }</th>
                            { for shown.iter().map(head) }
                        </tr>
                    </thead>
                    <tbody>{ for ops.iter().enumerate().filter_map(row) }</tbody>
                </table>
            </div>
            <p class="aside">{ text::compare::KEY }</p>
        </>
    }
}

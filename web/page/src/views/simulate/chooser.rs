//! What runs, and by which rules.

use super::question;
use crate::browser::{self, Files};
use crate::draw::steps::Axis;
use crate::state::{Action, Page};
use crate::text::{self, simulate as words};
use crate::views::amount::Amount;
use crate::views::chips::{Chip, choice};
use crate::views::problem::reason;
use crate::views::way::{chip, operations, way};
use loggia_model::model::Route;
use loggia_model::rules::Rules;
use loggia_model::signature::Operation;
use loggia_simulate::collective::{Algorithm, algorithms};
use yew::{Callback, Event, Html, html};

pub(super) fn chooser(page: &Page, on_action: &Callback<Action>) -> Html {
    let runs = match &page.program {
        Some(goal) => html! {
            <p class="opened">
                <b>{ goal.name().0 }</b>
                <button type="button" onclick={on_action.reform(|_| Action::Program(None))}>
                    { words::BACK }
                </button>
                <small>{ words::NOT_IN_LINK }</small>
            </p>
        },
        None => algorithm(page, on_action),
    };
    let route = match page.route() {
        Ok(route) => html! { <>{ way(&route, on_action) }{ rules(page, &route, on_action) }</> },
        Err(why) => reason(&why),
    };
    html! { <div class="runs">{ runs }{ route }{ picker(on_action) }</div> }
}

/// Operation, algorithm and ranks.
fn algorithm(page: &Page, on_action: &Callback<Action>) -> Html {
    let (op, name) = (question::operation(page), question::algorithm(page));
    let ops: Vec<Chip> = Operation::ALL
        .into_iter()
        .map(|other| chip(other.name(), other.name(), text::operation(other), other == op))
        .collect();
    let algorithm = |algorithm: &Algorithm| Chip {
        is_possible: !algorithm.needs_nodes,
        hint: match algorithm.needs_nodes {
            true => format!("{}: {}", algorithm.summary, words::NEEDS_NODES),
            false => algorithm.summary.to_owned(),
        },
        ..chip(algorithm.name, algorithm.name, "", algorithm.name == name)
    };
    let all: Vec<Chip> = algorithms(op).iter().map(algorithm).collect();
    let algorithms = choice("algorithm", words::ALGORITHM, all, on_action, |name| {
        Action::Ask("algorithm", name)
    });
    let value = u64::from(question::procs(page).0);
    html! {
        <>
            <Amount axis={Axis::Procs} id="procs" {value} on_action={on_action.clone()} />
            { operations(ops, on_action) }
            { algorithms }
        </>
    }
}

pub(super) fn rules(page: &Page, route: &Route, on_action: &Callback<Action>) -> Html {
    let chosen = question::rules(page, route);
    let chip = |rules: Rules| {
        let model = rules.model();
        let is_possible = model.is_none_or(|model| model.is_possible(route));
        let missing = model.filter(|_| !is_possible).map(|model| route.missing(model).message);
        Chip {
            is_possible,
            hint: missing.unwrap_or_else(|| words::rules(rules).to_owned()),
            ..chip(rules.name(), rules.name(), "", Some(rules) == chosen)
        }
    };
    let chips: Vec<Chip> = Rules::ALL.into_iter().map(chip).collect();
    choice("rules", words::RULES, chips, on_action, |name| Action::Ask("rules", name))
}

/// Opens a schedule's file, or those of a trace.
pub(super) fn picker(on_action: &Callback<Action>) -> Html {
    let on_action = on_action.clone();
    let on_pick = move |event: Event| {
        let files = browser::picked(&event);
        if !files.is_empty() {
            on_action.emit(Action::Program(Some(Files(files))));
        }
    };
    html! {
        <label class="picker">
            <input type="file" id="goal" multiple=true onchange={on_pick} />
            <span>{ words::OPEN }</span>
            <small>{ words::OPEN_HINT }</small>
        </label>
    }
}

//! Fields of a simulation: operation, algorithm, ranks, simulation model.

use super::words;
use crate::draw::steps::Axis;
use crate::fields::amount::Amount;
use crate::fields::chips::{Chip, choice};
use crate::fields::ranks_per_node::RanksPerNode;
use crate::fields::route::{chip, operations, route_choices};
use crate::notices::reason;
use crate::runs::fields::{picker, rules};
use crate::runs::request;
use crate::state::{Action, Page};
use crate::text;
use loggia_model::placement::Placement;
use loggia_model::signature::Operation;
use loggia_simulate::collective::{Algorithm, algorithms};
use yew::{Callback, Html, html};

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
        Ok(route) => {
            html! { <>{ route_choices(&route, on_action) }{ rules(page, &route, on_action) }</> }
        }
        Err(why) => reason(&why),
    };
    html! { <div class="runs">{ runs }{ ranks_per_node(page, on_action) }{ route }{ picker(on_action) }</div> }
}

/// Ranks per node, as `--nodes block:k` of the command. Other placements cannot be edited.
fn ranks_per_node(page: &Page, on_action: &Callback<Action>) -> Html {
    let nodes = page.inputs.nodes.as_deref();
    let (value, other) = match nodes.map(|nodes| (nodes, Placement::parse(nodes))) {
        None => (Some(1), None),
        Some((_, Ok(Placement::Block(each)))) => (Some(each), None),
        Some((nodes, _)) => (None, Some(words::placed(nodes))),
    };
    let on_set = on_action.reform(|each: u32| {
        let nodes = if each == 1 { String::new() } else { format!("block:{each}") };
        Action::SetInput("nodes", nodes)
    });
    html! { <RanksPerNode {value} {on_set}>{ other }</RanksPerNode> }
}

/// Operation, algorithm and ranks.
fn algorithm(page: &Page, on_action: &Callback<Action>) -> Html {
    let nodes = page.inputs.nodes.as_ref();
    let (op, name) = (request::operation(page), request::algorithm(page));
    let ops: Vec<Chip> = Operation::ALL
        .into_iter()
        .map(|other| chip(other.name(), other.name(), text::operation(other), other == op))
        .collect();
    let algorithm = |algorithm: &Algorithm| Chip {
        is_possible: !algorithm.needs_nodes || nodes.is_some(),
        hint: match algorithm.needs_nodes && nodes.is_none() {
            true => format!("{}: {}", algorithm.summary, words::NEEDS_NODES),
            false => algorithm.summary.to_owned(),
        },
        ..chip(algorithm.name, algorithm.name, "", algorithm.name == name)
    };
    let all: Vec<Chip> = algorithms(op).iter().map(algorithm).collect();
    let algorithms = choice("algorithm", words::ALGORITHM, all, on_action, |name| {
        Action::SetInput("algorithm", name)
    });
    let value = u64::from(request::procs(page).0);
    html! {
        <>
            <Amount axis={Axis::Procs} id="procs" {value} on_action={on_action.clone()} />
            { operations(ops, on_action) }
            { algorithms }
        </>
    }
}

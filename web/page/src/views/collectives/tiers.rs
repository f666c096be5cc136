//! Algorithms on nodes with two tiers, compared with the network alone.

use super::slices::{SlicedWork, Start, use_slices};
use super::{Question, words};
use crate::draw::algorithms::{CollectiveQuestion, ink};
use crate::fields::chips::choice;
use crate::fields::route::chip;
use crate::notices::reason;
use crate::state::Action;
use crate::tables::scroll::Scroll;
use crate::tables::table::bar_cell;
use crate::tables::{quantity, rich};
use crate::views::Props;
use loggia_model::Error;
use loggia_model::signature::Reach;
use loggia_model::units::Micros;
use loggia_model::units::words::time;
use loggia_simulate::algorithm::Modelled;
use std::rc::Rc;
use yew::{Callback, Html, component, html};

/// Default ranks per node: the processors of a hypernode.
const USUAL: &str = "block:8";

/// Placements offered as options.
const PLACES: [&str; 4] = ["block:2", "block:4", "block:8", "block:16"];

/// Algorithms, fastest first.
type Ranking = Result<Vec<Modelled>, Error>;

fn ranking(question: &Question, nodes: Option<&str>) -> Ranking {
    let collective = CollectiveQuestion {
        nodes: nodes.map(str::to_owned),
        tier: None,
        ..question.collective.clone()
    };
    let request = collective.of(&question.machine)?;
    request.algorithm_model()?.ranking(&request.question)
}

/// Computes both rankings: on nodes, and on the network alone.
struct TierWork {
    question: Question,
    nodes: String,
    found: [Option<Rc<Ranking>>; 2],
}

impl SlicedWork for TierWork {
    type Partial = [Option<Rc<Ranking>>; 2];

    fn step(&mut self) -> bool {
        let TierWork { question, nodes, found } = self;
        match found {
            [placed @ None, _] => *placed = Some(Rc::new(ranking(question, Some(nodes)))),
            [_, flat] => *flat = Some(Rc::new(ranking(question, None))),
        }
        found.iter().any(Option::is_none)
    }

    fn partial(&self) -> Self::Partial {
        self.found.clone()
    }
}

/// Nothing for a signature with one tier.
#[component]
pub(super) fn Tiers(props: &Props) -> Html {
    let question = Question::of(&props.page);
    let nodes = props.page.inputs.nodes.clone().unwrap_or_else(|| USUAL.to_owned());
    let has = |reach| question.machine.tiers.iter().any(|tier| tier.reach == reach);
    let has_card = question.machine.tiers.iter().any(|tier| tier.node_gap_per_byte.is_some());
    let two = has(Reach::Inter) && (has(Reach::Intra) || has_card);
    let depends = (question.clone(), nodes.clone(), two);
    let found = use_slices(Start::AfterPause, depends, |(question, nodes, two)| {
        let (question, nodes) = (question.clone(), nodes.clone());
        two.then(|| TierWork { question, nodes, found: [None, None] })
    });
    let Some([Some(placed), Some(flat)]) = found.as_deref() else { return html! {} };
    let body = match (&**placed, &**flat) {
        (Ok(placed), Ok(flat)) => table(&question, placed, flat),
        (Err(why), _) | (_, Err(why)) => reason(why),
    };
    let is_chosen = props.page.inputs.nodes.is_some();
    html! {
        <section class="panel whole" id="tiers" aria-labelledby="tiers-title">
            <h2 id="tiers-title">{ words::TIERS }</h2>
            <p class="aside">{ words::TIERS_SHOW }</p>
            { places(is_chosen.then_some(nodes.as_str()), &props.on_action) }
            { (!is_chosen).then(|| html! { <p class="aside">{ words::assumed_placement(&nodes) }</p> }) }
            { body }
        </section>
    }
}

/// Choice of a placement, as for the command's `--nodes`.
fn places(chosen: Option<&str>, on_action: &Callback<Action>) -> Html {
    let mut all = vec![chip("", words::NOT_PLACED, "", chosen.is_none())];
    all.extend(PLACES.map(|place| chip(place, &words::place(place), place, chosen == Some(place))));
    if let Some(other) = chosen.filter(|chosen| !PLACES.contains(chosen)) {
        all.push(chip(other, &words::place(other), other, true));
    }
    choice("nodes", words::NODES, all, on_action, |value| Action::SetInput("nodes", value))
}

fn table(question: &Question, placed: &[Modelled], flat: &[Modelled]) -> Html {
    let times = placed.iter().chain(flat).map(|one| one.time.value);
    let longest = times.fold(Micros(0.0), Micros::max);
    let row = |(i, one): (usize, &Modelled)| {
        let name = one.algorithm.name;
        let alone = flat.iter().find(|other| other.algorithm.name == name);
        let here = one.time.value;
        let path = format!("predict.collective.nodes.ranking.{i}.time_us");
        let flat_path = format!("predict.collective.flat.{name}.time_us");
        let class = (i == 0).then_some("best");
        html! {
            <tr {class} key={name} data-algorithm={name}>
                <th scope="row">
                    { rich::swatch(ink(question.collective.op, name)) }{ name }
                    <small>{ one.algorithm.summary }</small>
                </th>
                { bar_cell(Some(here), longest, i == 0) }
                <td class="number">{ quantity::micros(&path, Some(here), time(here)) }</td>
                <td class="number">
                    { alone.map_or(html! { "—" }, |other| {
                        quantity::micros(&flat_path, Some(other.time.value), time(other.time.value))
                    }) }
                </td>
                <td class="number">{ alone.map(|other| words::gain(other.time.value.0 / here.0)) }</td>
            </tr>
        }
    };
    let [name, placed_words, flat_words, gain] = words::TIER_COLUMNS;
    html! {
        <Scroll>
            <table class="parts ranking">
                <caption class="unseen">{ words::TIERS }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ name }</th>
                        <td class="bar-cell" />
                        <th scope="col" class="number">{ placed_words }</th>
                        <th scope="col" class="number">{ flat_words }</th>
                        <th scope="col" class="number">{ gain }</th>
                    </tr>
                </thead>
                <tbody>{ for placed.iter().enumerate().map(row) }</tbody>
            </table>
        </Scroll>
    }
}

//! One message on each machine, over its size.

pub(crate) mod figure;

use super::cells::{cell, headline, name};
use super::{Side, words};
use crate::comparison::{leads, short_names, shown};
use crate::draw::figure::Ink;
use crate::draw::steps::Axis;
use crate::machines::Machine;
use crate::notices::reason;
use crate::plots::plot::Plot;
use crate::state::{Action, Page, set};
use crate::tables::scroll::Scroll;
use figure::{MachineRoute, figure};
use loggia_model::compare::{self, RankedTime};
use loggia_model::model::Route;
use loggia_model::units::words::size;
use loggia_model::units::{Bytes, Micros};
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html, use_memo};

/// The routes: the selected tier and send mode, if a machine has them.
fn routes<'a>(
    machines: &'a [Machine],
    tier: Option<&str>,
    style: Option<&str>,
) -> Vec<MachineRoute<'a>> {
    machines.iter().map(|machine| (&**machine, Route::near(machine, tier, style))).collect()
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) page: Page,
    pub(super) on_action: Callback<Action>,
    pub(super) side: Side,
}

/// Times of each size on each machine, with verdicts.
pub(super) fn standings(page: &Page, side: &Side) -> Vec<(Bytes, Vec<RankedTime>)> {
    let (tier, style) = (page.inputs.tier.as_deref(), page.inputs.style.as_deref());
    let routes = routes(&side.machines, tier, style);
    let of = |bytes: Bytes| {
        let mut standings = compare::message(&routes, bytes);
        side.numbers.judge(&mut standings);
        (bytes, standings)
    };
    compare::sizes(page.bytes()).into_iter().map(of).collect()
}

#[component]
pub(super) fn Messages(props: &Props) -> Html {
    let Props { page, on_action, side } = props;
    let Side { machines, .. } = side;
    let (tier, style) = (page.inputs.tier.clone(), page.inputs.style.clone());
    let picture =
        use_memo((machines.clone(), tier.clone(), style.clone()), |(machines, tier, style)| {
            figure(&routes(machines, tier.as_deref(), style.as_deref()), &short_names(machines))
                .map(|(figure, leads)| (Rc::new(figure), leads))
        });
    let (sizes, rows): (Vec<Bytes>, Vec<Vec<RankedTime>>) =
        standings(page, side).into_iter().unzip();
    let selected = sizes.iter().position(|size| *size == page.bytes()).unwrap_or_default();
    let standings = &rows[selected];
    let of_fastest = || compare::fastest(standings).and_then(|i| standings[i].time);
    let answer = standings[0].time.or_else(of_fastest);
    let on_move = on_action.reform(|bytes| set(Axis::Bytes, bytes));
    let plot = (*picture).clone().map(|(figure, found)| {
        html! {
            <>
                <Plot
                    title={words::MESSAGES}
                    {figure}
                    at={page.bytes().0}
                    dots={dots(standings)}
                    answer={answer}
                    {on_move}
                />
                { leads(&found, &shown(machines), Axis::Bytes) }
            </>
        }
    });
    let of = html! { <>{ " for " }<b>{ size(page.bytes()) }</b></> };
    html! {
        <section class="panel" id="compare-p2p" aria-labelledby="compare-p2p-title">
            <h2 id="compare-p2p-title">{ words::MESSAGES }</h2>
            { headline(&format!("compare.p2p.{selected}"), standings, &side.headings(), of) }
            { plot }
            { table(&sizes, &rows, side, page) }
            { machines_without_time(standings) }
        </section>
    }
}

fn dots(standings: &[RankedTime]) -> Vec<(Ink, Micros)> {
    let dot = |(i, standing): (usize, &RankedTime)| Some((Ink::of_machine(i), standing.time?));
    standings.iter().enumerate().filter_map(dot).rev().collect()
}

/// A row per machine, a column per size.
fn table(sizes: &[Bytes], rows: &[Vec<RankedTime>], side: &Side, page: &Page) -> Option<Html> {
    let (titles, of_runs) = (&side.titles, side.is_one_machine());
    let has_time = |i: usize| rows.iter().any(|row| row[i].time.is_some());
    let shown: Vec<usize> = (0..titles.len()).filter(|i| has_time(*i)).collect();
    let head = |bytes: &Bytes| {
        let class = if *bytes == page.bytes() { "number asked-for" } else { "number" };
        html! { <th scope="col" {class}>{ size(*bytes) }</th> }
    };
    let row = |machine: usize| {
        let cells = rows.iter().enumerate().map(|(i, row)| {
            cell(&format!("compare.p2p.{i}.standings.{machine}"), &row[machine], of_runs)
        });
        html! {
            <tr key={machine}>
                <th scope="row">{ name(machine, &titles[machine]) }</th>
                { for cells }
            </tr>
        }
    };
    (!shown.is_empty()).then(|| {
        html! {
            <>
                <Scroll>
                    <table class="parts standings">
                        <caption class="unseen">{ words::MESSAGES }</caption>
                        <thead>
                            <tr>
                                <th scope="col">{ words::MACHINE }</th>
                                { for sizes.iter().map(head) }
                            </tr>
                        </thead>
                        <tbody>{ for shown.into_iter().map(row) }</tbody>
                    </table>
                </Scroll>
                <p class="aside">{ words::KEY }</p>
            </>
        }
    })
}

/// Machines without a time, and why.
fn machines_without_time(standings: &[RankedTime]) -> Option<Html> {
    let errors: Vec<_> = standings.iter().filter_map(|standing| standing.error.as_ref()).collect();
    let item = |error: &&loggia_model::Error| html! { <li>{ reason(error) }</li> };
    (!errors.is_empty()).then(|| {
        html! {
            <details class="without">
                <summary>{ words::WITHOUT }{ format!(": {}", errors.len()) }</summary>
                <ul>{ for errors.iter().map(item) }</ul>
            </details>
        }
    })
}

//! The map of the fastest algorithm over sizes and processes.

use super::crossings::Crossings;
use super::slices::{SlicedWork, Start, use_slices};
use super::{Question, words};
use crate::browser;
use crate::draw::algorithms::{self, CollectiveQuestion};
use crate::draw::heat::{self, place};
use crate::draw::steps::Axis;
use crate::draw::words::axis_title;
use crate::machines::Machine;
use crate::memo::{Shared, memoized};
use crate::plots::surface::use_colours;
use crate::sharing::Data;
use crate::sharing::export::Export;
use crate::state::Action;
use crate::tables::rich;
use crate::tables::scroll::Scroll;
use crate::views::Props;
use loggia_model::signature::Operation;
use loggia_model::units::Bytes;
use web_sys::PointerEvent;
use yew::{Html, component, html, use_effect_with, use_node_ref};

/// Computes one cell after the other.
struct MapWork {
    machine: Machine,
    collective: CollectiveQuestion,
    map: heat::Map,
    order: std::vec::IntoIter<(usize, usize)>,
}

/// Operation and map so far.
type Partial = (Operation, heat::Map);

impl SlicedWork for MapWork {
    type Partial = Partial;

    fn step(&mut self) -> bool {
        let Some((column, row)) = self.order.next() else { return false };
        let cell = self.collective.at(Axis::Bytes, self.map.columns[column]);
        let cell = cell.at(Axis::Procs, self.map.rows[row]);
        let winner = cell.of(&self.machine).ok().and_then(|request| request.winner());
        self.map.set((column, row), winner);
        self.order.len() > 0
    }

    fn partial(&self) -> Self::Partial {
        (self.collective.op, self.map.clone())
    }
}

#[component]
pub(super) fn Map(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let Question { machine, collective, .. } = Question::of(page);
    // The map does not depend on the selected size and processes.
    let anywhere = collective.at(Axis::Bytes, 1).at(Axis::Procs, 2);
    let seen =
        use_slices(Start::Immediately, (machine.clone(), anywhere), |(machine, collective)| {
            let map = heat::Map::new();
            let order = map.order().into_iter();
            (collective.op != Operation::Barrier).then(|| MapWork {
                machine: machine.clone(),
                collective: collective.clone(),
                map,
                order,
            })
        });
    let (area, canvas) = (use_node_ref(), use_node_ref());
    let colours = use_colours();
    {
        let canvas = canvas.clone();
        use_effect_with((seen.clone(), colours), move |(seen, colours)| {
            if let Some((seen, colours)) = seen.as_deref().zip((**colours).as_ref()) {
                let (op, map) = seen;
                let pixels = map.pixels(|name| colours.of(heat::ink(*op, name)));
                // Without a canvas, the table still has the values.
                let _ = browser::put_pixels(&canvas, map.columns.len() as u32, &pixels);
            }
        });
    }
    let Some(seen) = seen.filter(|seen| seen.0 == collective.op) else { return html! {} };
    let (op, map) = &*seen;
    if map.is_whole() && map.winners().is_empty() {
        return html! {};
    }
    let described = described(*op, map);
    if let (true, [(only, _)]) = (map.is_whole(), map.winners().as_slice()) {
        return panel(html! { <p class="only">{ words::throughout(only, op.name()) }</p> });
    }
    let on_point = {
        let (canvas, on_action, map) = (canvas.clone(), on_action.clone(), map.clone());
        move |event: PointerEvent| {
            let Some((x, y)) = browser::pressed_in(&event, &canvas) else { return };
            let cell = |values: &[u64], share: f64| {
                let last = values.len() - 1;
                values[((share * values.len() as f64) as usize).min(last)]
            };
            let (bytes, procs) = (cell(&map.columns, x), cell(&map.rows, y));
            on_action.emit(Action::SizeAndProcs(Bytes(bytes), Axis::procs(procs)));
        }
    };
    panel(html! {
        <>
            <p class="aside">{ words::map(op.name(), machine.collective(*op).is_some()) }</p>
            <div class="heat-and-words">
                <figure class="heat" ref={area.clone()}>
                    <div class="heat-up" aria-hidden="true">{ memoized(seen.clone(), |seen| ticks(&seen.1.rows, Axis::Procs)) }</div>
                    <div class="heat-area" onpointerdown={on_point.clone()} onpointermove={on_point}>
                        <canvas
                            ref={canvas}
                            role="img"
                            aria-label={described}
                            data-whole={map.is_whole().to_string()}
                        />
                        { overlay(&seen, &collective) }
                    </div>
                    <div class="heat-along" aria-hidden="true">{ memoized(seen.clone(), |seen| ticks(&seen.1.columns, Axis::Bytes)) }</div>
                </figure>
                <div class="heat-words">
                    { memoized(seen.clone(), |seen| legend(seen.0, &seen.1)) }
                    <Crossings ..props.clone() />
                </div>
            </div>
            <Export title={words::MAP} {area} data={Data::Fastest(seen.clone())} />
            <details class="data">
                <summary>{ words::AS_TABLE }</summary>
                <Scroll>{ memoized(seen.clone(), |seen| table(&seen.1)) }</Scroll>
            </details>
        </>
    })
}

fn panel(body: Html) -> Html {
    html! {
        <section class="panel whole" id="fastest" aria-labelledby="fastest-title">
            <h2 id="fastest-title">{ words::MAP }</h2>
            { body }
        </section>
    }
}

/// Position of a value among the cells, in percent.
fn percent(values: &[u64], value: u64) -> f64 {
    100.0 * (place(values, value) + 0.5) / values.len() as f64
}

/// From this percentage on, a label ends at its tick, so that it stays inside the map.
const ENDS_AT: f64 = 95.0;

/// Powers of the base as ticks, as many as fit, and the title of ranks.
fn ticks(values: &[u64], axis: Axis) -> Html {
    let shown = |value: &&u64| match axis {
        Axis::Procs => value.is_power_of_two() && value.trailing_zeros() % 2 == 1,
        _ => value.is_power_of_two() && value.trailing_zeros().is_multiple_of(4),
    };
    let tick = |value: &u64| {
        let at = percent(values, *value);
        let (x, y) = match axis {
            Axis::Procs => ("100%".to_owned(), format!("{:.2}%", 100.0 - at)),
            _ => (format!("{at:.2}%"), "1em".to_owned()),
        };
        let class = if at > ENDS_AT { "tick last" } else { "tick" };
        html! { <text {class} {x} {y}>{ axis.words(*value) }</text> }
    };
    // Sizes have units. The style turns the title.
    let title = (axis == Axis::Procs).then(|| {
        html! { <text class="axis-title" x="0.6em" y="50%">{ axis_title(axis) }</text> }
    });
    html! { <svg>{ for values.iter().filter(shown).map(tick) }{ title.unwrap_or_default() }</svg> }
}

/// Names inside large regions, once the map is complete.
fn names(map: &heat::Map) -> Html {
    const DEEP: usize = 1;
    let name = |(name, _): (&'static str, usize)| {
        let ((column, row), depth) = map.middle(name)?;
        let x = percent(&map.columns, map.columns[column]);
        let y = 100.0 - percent(&map.rows, map.rows[row]);
        let class = match x {
            ..20.0 => "heat-name start",
            80.0.. => "heat-name end",
            _ => "heat-name",
        };
        (depth >= DEEP).then(|| {
            html! {
                <text {class} x={format!("{x:.2}%")} y={format!("{y:.2}%")}>
                    { algorithms::name(name) }
                </text>
            }
        })
    };
    let shown = map.winners().into_iter().filter(|_| map.is_whole());
    shown.filter_map(name).collect()
}

/// Names, and the position of the question.
fn overlay(seen: &Shared<Partial>, collective: &CollectiveQuestion) -> Html {
    let (_, map) = &**seen;
    let x = format!("{:.2}%", percent(&map.columns, collective.bytes.0));
    let y = format!("{:.2}%", 100.0 - percent(&map.rows, collective.procs.0.into()));
    html! {
        <svg class="heat-over" aria-hidden="true">
            { memoized(seen.clone(), |seen| names(&seen.1)) }
            <line class="hair" x1={x.clone()} x2={x.clone()} y1="0" y2="100%" />
            <line class="hair" x1="0" x2="100%" y1={y.clone()} y2={y.clone()} />
            <circle class="knob" cx={x} cy={y} r="6" />
        </svg>
    }
}

/// Colours with names and shares of the map.
fn legend(op: Operation, map: &heat::Map) -> Html {
    let winners = map.winners();
    let all: usize = winners.iter().map(|(_, count)| count).sum();
    let item = |(name, count): &(&'static str, usize)| {
        html! {
            <li key={*name} data-algorithm={*name}>
                { rich::swatch(heat::ink(op, name)) }{ algorithms::name(name) }
                <small>{ words::share(*count as f64 / all as f64) }</small>
            </li>
        }
    };
    html! { <ul class="heat-legend">{ for winners.iter().map(item) }</ul> }
}

fn described(op: Operation, map: &heat::Map) -> String {
    let names: Vec<&str> =
        map.winners().into_iter().map(|(name, _)| algorithms::name(name)).collect();
    words::described(op.name(), &names.join(", "))
}

/// The map as a table: a row per power of two, every other column.
fn table(map: &heat::Map) -> Html {
    let columns = || {
        let every = |(_, value): &(usize, &u64)| {
            value.is_power_of_two() && value.trailing_zeros().is_multiple_of(2)
        };
        map.columns.iter().enumerate().filter(every)
    };
    let head =
        |(_, value): (usize, &u64)| html! { <th scope="col">{ Axis::Bytes.words(*value) }</th> };
    let row = |(row, procs): (usize, &u64)| {
        let cell = |(column, _): (usize, &u64)| {
            let name = map.at(column, row).flatten().map_or("—", algorithms::name);
            html! { <td>{ name }</td> }
        };
        html! { <tr><th scope="row">{ format!("p = {procs}") }</th>{ for columns().map(cell) }</tr> }
    };
    let rows = map.rows.iter().enumerate().filter(|(_, procs)| procs.is_power_of_two());
    html! {
        <table class="parts winners-table">
            <caption class="unseen">{ words::MAP }</caption>
            <thead><tr><td />{ for columns().map(head) }</tr></thead>
            <tbody>{ for rows.map(row) }</tbody>
        </table>
    }
}

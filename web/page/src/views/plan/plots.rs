//! Plots of a plan: time, efficiency, and parts of an iteration.

use super::figure::{Planned, efficiency, time};
use super::results::MachinePlan;
use super::words as text;
use crate::draw::figure::Ink;
use crate::draw::iteration::PARTS;
use crate::draw::steps::{Axis, nearest_of};
use crate::memo::Shared;
use crate::plots::plot::Plot;
use crate::sharing::Data;
use crate::sharing::export::Whole;
use crate::state::Action;
use crate::tables::{rich, table};
use loggia_model::units::Procs;
use loggia_plan::plan::{Plan, Point};
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, MouseEvent, html};

pub(super) fn pictures(
    known: &MachinePlan,
    plan: &Shared<Plan>,
    at: usize,
    on_action: &Callback<Action>,
) -> Html {
    let Some(point) = plan.points.get(at) else { return html! {} };
    let one = Planned { plan, ink: Ink::Total, label: String::new() };
    let (Some(times), Some(shares)) = (time(plan), efficiency(&[one], Some(point))) else {
        return html! {};
    };
    let shade = times.known.map(|_| AttrValue::from(text::shade(plan)));
    let procs: Vec<u64> = plan.points.iter().map(|point| u64::from(point.procs.0)).collect();
    let on_move = {
        let now = u64::from(point.procs.0);
        on_action.reform(move |to| Action::Procs(Axis::procs(nearest_of(&procs, now, to))))
    };
    let dots = vec![(Ink::Total, point.time_us)];
    let class = if known.is_whole { "pictures" } else { "pictures estimated" };
    html! {
        <div {class}>
            <section class="over">
                <h3>{ text::TIME }</h3>
                <Plot
                    title={text::TIME}
                    figure={Rc::new(times)}
                    at={u64::from(point.procs.0)}
                    {dots}
                    answer={point.time_us}
                    shade={shade.clone()}
                    {on_move}
                />
            </section>
            <section class="over">
                <h3>{ text::EFFICIENCY_TITLE }</h3>
                <Plot title={text::EFFICIENCY_TITLE} figure={Rc::new(shares)} {shade} />
            </section>
        </div>
    }
}

/// Parts of an iteration, one column per number of ranks.
pub(super) fn split(plan: &Shared<Plan>, at: usize, on_action: &Callback<Action>) -> Html {
    let legend = PARTS.iter().map(|part| {
        html! { <li>{ rich::swatch(part.ink) }{ part.words }</li> }
    });
    let count = plan.points.len();
    let on_procs = on_action.reform(Action::Procs);
    let ends = [plan.points.first(), plan.points.last()]
        .map(|point| point.map(|point| Axis::Ranks.words(point.procs.0.into())));
    let [first, last] = ends.map(Option::unwrap_or_default);
    let column = |(i, point): (usize, &Point)| column(i, point, i == at, &on_procs);
    let inside = html! {
        <>
            <p class="aside">{ text::SPLIT_MEANS }</p>
            <ul class="legend">{ for legend }</ul>
            <Whole title={text::SPLIT} data={Data::Plan(plan.clone())}>
                <svg
                    class="stacks columns"
                    viewBox={format!("0 0 {count} 100")}
                    preserveAspectRatio="none"
                    role="img"
                    aria-label={text::columns(count)}
                >
                    { for plan.points.iter().enumerate().map(column) }
                </svg>
                <p class="ends"><span>{ text::ranks(&first) }</span><span>{ text::ranks(&last) }</span></p>
            </Whole>
        </>
    };
    let shown = format!("{} to {}", text::ranks(&first), text::ranks(&last));
    table::folded("plan-split", html! { { text::SPLIT } }, shown, inside)
}

fn column(i: usize, point: &Point, is_chosen: bool, on_procs: &Callback<Procs>) -> Html {
    let whole = point.time_us.0.max(f64::MIN_POSITIVE);
    let shares = PARTS.each_ref().map(|part| (part.words, (part.of)(&point.parts) / whole));
    let mut floor = 100.0;
    let part = |(ink, share): (Ink, f64)| {
        let height = 100.0 * share.max(0.0);
        floor -= height;
        (height > 0.0).then(|| {
            html! {
                <rect
                    class={format!("ink-{}", ink.name())}
                    x={format!("{:.2}", i as f64 + 0.04)}
                    y={format!("{floor:.3}")}
                    width="0.92"
                    height={format!("{height:.3}")}
                />
            }
        })
    };
    let drawn: Html = PARTS
        .iter()
        .map(|part| part.ink)
        .zip(shares.map(|(_, share)| share))
        .filter_map(part)
        .collect();
    let procs = point.procs;
    let on_click = on_procs.reform(move |_: MouseEvent| procs);
    let words = text::column(point, &shares);
    let class = if is_chosen { "column looked" } else { "column" };
    html! {
        <g {class} onclick={on_click}>
            <title>{ words }</title>
            <rect class="ground" x={i.to_string()} y="0" width="1" height="100" />
            { drawn }
        </g>
    }
}

//! Blocking and non-blocking send modes: the time that the latter leaves to compute.

pub(crate) mod figure;

use super::words as text;
use crate::draw::figure::{Figure, Ink};
use crate::draw::steps::Axis;
use crate::machines::Machine;
use crate::memo::memoized;
use crate::notices::reason;
use crate::plots::plot::Plot;
use crate::state::{Action, Page, set};
use crate::tables::scroll::Scroll;
use crate::tables::{quantity, rich};
use figure::figure;
use loggia_model::model::Route;
use loggia_model::model::blocking::{
    OverlapTime, SIDES, SendModePair, missing, overlap_times, send_mode_pairs,
};
use loggia_model::timeline::Lane;
use loggia_model::units::Micros;
use loggia_model::units::words::{number, size, time};
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html, use_memo};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) page: Page,
    pub(super) on_action: Callback<Action>,
}

#[component]
pub(super) fn Blocking(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let pictures = use_pictures(page);
    let Ok(route) = page.route() else { return html! {} };
    let body = match send_mode_pairs(&route).first() {
        None => reason(&missing(&route)),
        Some(pair) => html! {
            <>
                <p class="asked">{ text::pair_of_modes(pair) }</p>
                <div class="sides">
                    { for SIDES.into_iter().zip(pictures).map(|(side, picture)| {
                        one_side(pair, side, picture, page, on_action)
                    }) }
                </div>
                { memoized((page.machine.clone(), page.inputs.tier.clone(), page.inputs.style.clone()), |(machine, tier, style)| {
                    table(machine, tier.as_deref(), style.as_deref())
                }) }
            </>
        },
    };
    html! {
        <section class="panel" id="blocking" aria-labelledby="blocking-title">
            <h2 id="blocking-title">{ text::BLOCKING }</h2>
            { body }
        </section>
    }
}

/// Plots of both sides, computed again only if something other than the size has changed.
#[yew::hook]
fn use_pictures(page: &Page) -> [Option<Rc<Figure>>; 2] {
    let depends = (page.machine.clone(), page.inputs.tier.clone(), page.inputs.style.clone());
    let pictures = use_memo(depends, |(machine, tier, style)| {
        let route = Route::of(machine, tier.as_deref(), style.as_deref()).ok();
        let first = route.and_then(|route| send_mode_pairs(&route).into_iter().next());
        SIDES.map(|side| figure(first.as_ref()?, side).map(Rc::new))
    });
    (*pictures).clone()
}

fn one_side(
    pair: &SendModePair,
    side: Lane,
    picture: Option<Rc<Figure>>,
    page: &Page,
    on_action: &Callback<Action>,
) -> Html {
    let at = pair.overlap_time(side, page.bytes()).zip(picture);
    let shown = match at {
        None => html! { <p class="aside">{ text::not_both(side, pair) }</p> },
        Some((chance, figure)) => {
            let ink = if side == Lane::Sender { Ink::Send } else { Ink::Recv };
            let dots = vec![(ink, chance.non_blocking_us), (ink, chance.blocking_us)];
            let on_move = on_action.reform(|bytes| set(Axis::Bytes, bytes));
            let left = chance.chance_us.max(Micros(0.0));
            html! {
                <>
                    <p>
                        <b>{ if left.0 > 0.0 { time(left) } else { text::NOTHING.to_owned() } }</b>
                        { text::left(&size(chance.bytes)) }
                        { format!("{} − {}", time(chance.blocking_us), time(chance.non_blocking_us)) }
                    </p>
                    <Plot
                        title={text::side(side)}
                        {figure}
                        at={page.bytes().0}
                        {dots}
                        answer={Some(left)}
                        {on_move}
                    />
                </>
            }
        }
    };
    html! { <div class="side"><h3>{ text::side(side) }</h3>{ shown }</div> }
}

/// All sizes at which both overheads are known.
fn table(machine: &Machine, tier: Option<&str>, style: Option<&str>) -> Html {
    let Ok(route) = Route::of(machine, tier, style) else { return html! {} };
    let Some(pair) = send_mode_pairs(&route).into_iter().next() else { return html! {} };
    let is_of_them = |chance: &OverlapTime| chance.blocking == pair.blocking.name.0;
    let rows: Vec<(usize, OverlapTime)> = overlap_times(&route)
        .into_iter()
        .enumerate()
        .filter(|(_, chance)| is_of_them(chance))
        .collect();
    let head = |words: String| html! { <th scope="col" class="number">{ words }</th> };
    let [blocking, non_blocking] = [pair.blocking, pair.non_blocking].map(|s| s.name.0.clone());
    html! {
        <details class="more">
            <summary>{ text::BY_SIZE }</summary>
            <Scroll>
                <table class="parts">
                    <thead>
                        <tr>
                            <th scope="col">{ text::OVERHEAD }</th>
                            { head(text::SIZE.to_owned()) }
                            { head(text::micros(&blocking)) }
                            { head(text::micros(&non_blocking)) }
                            { head(text::micros(text::TIME_LEFT)) }
                        </tr>
                    </thead>
                    <tbody>{ for rows.iter().map(|(i, chance)| row(*i, chance)) }</tbody>
                </table>
            </Scroll>
        </details>
    }
}

fn row(i: usize, chance: &OverlapTime) -> Html {
    let symbol = if chance.side == Lane::Sender { "o_s" } else { "o_r" };
    let cell = |name: &str, value: Micros| {
        let path = format!("metrics.overlap_chances[{i}].{name}");
        html! {
            <td class="number">{ quantity::micros(&path, Some(value), number(value.0, 4)) }</td>
        }
    };
    html! {
        <tr key={i}>
            <th scope="row">{ rich::swatch(Ink::of(symbol)) }{ rich::symbol(symbol) }</th>
            <td class="number">{ size(chance.bytes) }</td>
            { cell("blocking_us", chance.blocking_us) }
            { cell("non_blocking_us", chance.non_blocking_us) }
            { cell("chance_us", chance.chance_us) }
        </tr>
    }
}

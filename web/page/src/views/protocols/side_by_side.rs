//! All protocols on one time axis.

use super::{ends, select, words as text};
use crate::draw::moments::round_up;
use crate::notices::reason;
use crate::plots::space_time::{Axis, SpaceTime};
use crate::sharing::Data;
use crate::sharing::export::Whole;
use crate::state::Action;
use crate::tables::quantity;
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::protocol::{self, Protocol};
use loggia_model::signature::Transfer;
use loggia_model::units::words::time;
use loggia_model::units::{Bytes, Micros};
use yew::{Callback, Html, html};

/// The four protocols, to select one; nothing if none is possible.
pub(super) fn side_by_side(
    route: &Route,
    chosen: Transfer,
    bytes: Bytes,
    on_action: &Callback<Action>,
) -> Html {
    let all = Transfer::ALL.map(|t| (t, protocol::predict(route, t, bytes)));
    let last = all
        .iter()
        .filter_map(|(_, found)| Some(found.as_ref().ok()?.timeline.last()))
        .reduce(Micros::max);
    let Some(last) = last else { return html! {} };
    let until = round_up(last);
    let row = |(transfer, found): &(Transfer, Result<Protocol, Error>)| {
        row(*transfer, found.as_ref(), until, *transfer == chosen, on_action)
    };
    let timeline = |(transfer, found): &(Transfer, Result<Protocol, Error>)| {
        Some((transfer.symbol().to_owned(), found.as_ref().ok()?.timeline.clone()))
    };
    let data = Data::Timelines(all.iter().filter_map(timeline).collect());
    html! {
        <section class="all-four" aria-labelledby="all-four-title">
            <h3 id="all-four-title">{ text::ALL_FOUR }</h3>
            <Whole title={text::ALL_FOUR} {data} class="all-four">
                { for all.iter().map(row) }
                <div class="one"><span></span><Axis {until} /></div>
            </Whole>
            { for remarks(&all, chosen) }
        </section>
    }
}

/// Remarks on the protocols that are not selected: those on the selected one are above.
fn remarks(
    all: &[(Transfer, Result<Protocol, Error>)],
    chosen: Transfer,
) -> impl Iterator<Item = Html> {
    let of = |wanted: bool| {
        let some = all.iter().filter(move |(transfer, _)| (*transfer == chosen) == wanted);
        let found = some.filter_map(|(_, found)| found.as_ref().ok());
        found.flat_map(|found| &found.delivery.warnings).map(ToString::to_string)
    };
    let shown: Vec<String> = of(true).collect();
    let mut others: Vec<String> = of(false).filter(|remark| !shown.contains(remark)).collect();
    others.sort_unstable();
    others.dedup();
    others.into_iter().map(|remark| html! { <p class="aside">{ remark }</p> })
}

fn row(
    transfer: Transfer,
    found: Result<&Protocol, &Error>,
    until: Micros,
    is_chosen: bool,
    on_action: &Callback<Action>,
) -> Html {
    let on_click = on_action.reform(move |_| select(transfer));
    let shown = match found {
        Err(why) => reason(why),
        Ok(found) => html! {
            <SpaceTime
                label={text::described(found)}
                timeline={found.timeline.clone()}
                {until}
                ends={ends(found)}
                is_small=true
            />
        },
    };
    html! {
        <div class="one" key={transfer.symbol()}>
            <button type="button" aria-pressed={is_chosen.to_string()} onclick={on_click} title={transfer.words()}>
                <b>{ transfer.symbol() }</b>
                { found.ok().map(times) }
            </button>
            { shown }
        </div>
    }
}

/// Both times, in short.
fn times(found: &Protocol) -> Html {
    let path = found.transfer.symbol().to_ascii_lowercase();
    let quantity_of = |name: &str, value: Option<Micros>| {
        let path = format!("predict.protocol[{path}].{name}_us");
        quantity::micros(&path, value, value.map_or(crate::text::NO_NUMBER.to_owned(), time))
    };
    html! {
        <span class="times">
            <small>{ text::SEND_COMPLETES }</small>{ quantity_of("sender", found.sender.time()) }
            <small>{ text::DELIVERED }</small>{ quantity_of("delivery", found.delivery.time()) }
        </span>
    }
}

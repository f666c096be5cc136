//! The same exchange on other machines, on one time axis.

use super::{ends, words as text};
use crate::comparison::{ComparedMachine, all, chooser, panel, refused};
use crate::draw::moments::round_up;
use crate::plots::space_time::{Axis, SpaceTime, legend};
use crate::sharing::Data;
use crate::sharing::export::Whole;
use crate::state::Page;
use crate::tables::quantity;
use crate::views::Props;
use loggia_model::Error;
use loggia_model::protocol::{self, Protocol};
use loggia_model::signature::Transfer;
use loggia_model::units::Micros;
use loggia_model::units::words::{difference, time};
use yew::{Html, html};

/// A machine and its result.
type MachineResult = (ComparedMachine, Result<Protocol, Error>);

pub(super) fn other_machines(props: &Props, transfer: Transfer) -> Html {
    let Props { page, on_action } = props;
    let inside = || html! { <>{ chooser(page, on_action) }{ diagrams(page, transfer) }</> };
    panel(page, on_action, inside)
}

fn diagrams(page: &Page, transfer: Transfer) -> Html {
    let answer = |shown: ComparedMachine| {
        let route = shown.route(&page.inputs);
        let found = route.and_then(|route| protocol::predict(&route, transfer, page.bytes()));
        (shown, found)
    };
    let answers: Vec<MachineResult> = all(page).into_iter().map(answer).collect();
    let found: Vec<(&ComparedMachine, &Protocol)> =
        answers.iter().filter_map(|(shown, found)| Some((shown, found.as_ref().ok()?))).collect();
    let last = found.iter().map(|(_, found)| found.timeline.last()).reduce(Micros::max);
    let first = found.first().filter(|(shown, _)| shown.is_first()).map(|(_, found)| *found);
    let until = last.map(round_up);
    let drawn = until.zip(found.last()).map(|(until, (_, any))| {
        let timeline = |(shown, found): &(&ComparedMachine, &Protocol)| {
            (shown.title.clone(), found.timeline.clone())
        };
        let data = Data::Timelines(found.iter().map(timeline).collect());
        html! {
            <>
                <p class="asked">{ text::compared_with(transfer) }</p>
                <Whole title={text::on_each(transfer)} {data} class="all-four others">
                    { for found.iter().map(|(shown, found)| row(shown, found, first, until, page)) }
                    <div class="one"><span></span><Axis {until} /></div>
                </Whole>
                { legend(&any.timeline) }
            </>
        }
    });
    let failed = answers.iter().filter_map(|(shown, found)| Some((shown, found.as_ref().err()?)));
    html! { <>{ drawn.unwrap_or_default() }{ refused(failed).unwrap_or_default() }</> }
}

fn row(
    shown: &ComparedMachine,
    found: &Protocol,
    first: Option<&Protocol>,
    until: Micros,
    page: &Page,
) -> Html {
    let route = shown.route(&page.inputs).ok();
    let style = route.and_then(|route| Some(route.style?.name.0.clone()));
    let label = format!("{}. {}", shown.title, text::described(found));
    let first = first.filter(|_| !shown.is_first());
    let time_with_difference = |words: &'static str,
                                key: &str,
                                value: Option<Micros>,
                                here: Option<Micros>| {
        let path = format!("predict.protocol[{}].{key}_us", shown.machine.name);
        let apart = value.zip(here).map(|(value, here)| difference(value - here));
        html! {
            <>
                <small>{ words }</small>
                { quantity::micros(&path, value, value.map_or(crate::text::NO_NUMBER.to_owned(), time)) }
                <small class="apart">{ apart }</small>
            </>
        }
    };
    let of = |side: fn(&Protocol) -> Option<Micros>| (side(found), first.and_then(side));
    let (sender, sender_here) = of(|found| found.sender.time());
    let (delivery, delivery_here) = of(|found| found.delivery.time());
    html! {
        <div class="one">
            <div class="whose">
                <b>{ shown.name() }</b>{ style.map(|style| html! { <small>{ style }</small> }) }
                <span class="times">
                    { time_with_difference(text::SEND_COMPLETES, "sender", sender, sender_here) }
                    { time_with_difference(text::DELIVERED, "delivery", delivery, delivery_here) }
                </span>
            </div>
            <SpaceTime {label} timeline={found.timeline.clone()} {until} ends={ends(found)} is_small=true />
        </div>
    }
}

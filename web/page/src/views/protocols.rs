//! T, TA, RTA, RAT: the messages of a send, and its two times (Al-Tawil & Moritz 2001, Section
//! 3.2).

mod blocking;
mod comparison;
mod side_by_side;
mod steps;
mod terms;
pub(crate) mod words;

use self::words as text;
use super::Props;
use crate::browser;
use crate::draw::moments::round_up;
use crate::fields::assume::assume;
use crate::fields::chips::{Chip, choice};
use crate::fields::route::{chip, route_choices};
use crate::notices::{reason, warnings};
use crate::plots::space_time::{End, SpaceTime};
use crate::state::{Action, Page};
use crate::tables::formula::formula;
use crate::tables::quantity;
use blocking::Blocking;
use comparison::other_machines;
use loggia_link::state::View;
use loggia_model::model::{Prediction, Route};
use loggia_model::protocol::{self, Protocol};
use loggia_model::signature::Transfer;
use loggia_model::timeline::Lane;
use loggia_model::units::Micros;
use side_by_side::side_by_side;
use steps::Steps;
use terms::{sources, terms};
use yew::{
    Callback, FocusEvent, Html, PointerEvent, UseStateHandle, component, html, use_state_eq,
};

/// The highlighted term, and the side of its equation.
#[derive(Clone, Debug, Default, PartialEq)]
struct Highlight {
    term: Option<String>,
    side: Option<String>,
}

#[component]
pub(crate) fn Protocols(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let highlight = use_state_eq(Highlight::default);
    let step = use_state_eq(|| None::<usize>);
    let chosen = chosen(page);
    let body = match page.route() {
        Err(why) => reason(&why),
        Ok(route) => {
            let answer = match protocol::predict(&route, chosen, page.bytes()) {
                Ok(found) => answered(&found, &route, page, &step, &highlight, on_action),
                Err(why) => html! { <>{ reason(&why) }{ assume(&why, on_action) }</> },
            };
            html! {
                <>
                    <div class="pickers">
                        { protocols(chosen, on_action) }
                        { route_choices(&route, on_action) }
                    </div>
                    { answer }
                    { side_by_side(&route, chosen, page.bytes(), on_action) }
                </>
            }
        }
    };
    let [on_over, on_leave] = by_pointer(&highlight);
    let [on_focus, on_blur] = by_focus(&highlight);
    html! {
        <>
            <section
                class="panel protocols"
                id="protocols"
                aria-labelledby="protocols-title"
                data-lit={highlight.term.clone()}
                data-lit-side={highlight.side.clone()}
                onpointerover={on_over}
                onpointerleave={on_leave}
                onfocusin={on_focus}
                onfocusout={on_blur}
            >
                <h2 id="protocols-title">{ crate::text::view(View::Protocols) }</h2>
                { body }
            </section>
            <Blocking page={page.clone()} on_action={on_action.clone()} />
            { other_machines(props, chosen) }
        </>
    }
}

/// Highlights the term under the pointer.
fn by_pointer(highlight: &UseStateHandle<Highlight>) -> [Callback<PointerEvent>; 2] {
    let (over, leave) = (highlight.clone(), highlight.clone());
    [
        Callback::from(move |event: PointerEvent| over.set(term_at(&event))),
        Callback::from(move |_| leave.set(Highlight::default())),
    ]
}

/// Highlights the term with the focus.
fn by_focus(highlight: &UseStateHandle<Highlight>) -> [Callback<FocusEvent>; 2] {
    let (focus, blur) = (highlight.clone(), highlight.clone());
    [
        Callback::from(move |event: FocusEvent| focus.set(term_at(&event))),
        Callback::from(move |_| blur.set(Highlight::default())),
    ]
}

fn term_at(event: &web_sys::Event) -> Highlight {
    Highlight {
        term: browser::nearest(event, "data-term"),
        side: browser::nearest(event, "data-side"),
    }
}

/// The selected protocol; by default the one this machine uses at the size, or else the one with
/// most messages.
fn chosen(page: &Page) -> Transfer {
    let used = || page.route().ok()?.tier.progress.as_ref()?.transfer_at(page.bytes());
    page.inputs.protocol.or_else(used).unwrap_or(Transfer::Rat)
}

/// The action that selects a protocol.
fn select(transfer: Transfer) -> Action {
    Action::SetInput("protocol", transfer.symbol().to_ascii_lowercase())
}

fn protocols(chosen: Transfer, on_action: &Callback<Action>) -> Html {
    let chip = |t: Transfer| chip(t.symbol(), t.symbol(), t.words(), t == chosen);
    let chips: Vec<Chip> = Transfer::ALL.into_iter().map(chip).collect();
    choice("protocol", text::PROTOCOL, chips, on_action, |symbol| {
        Action::SetInput("protocol", symbol.to_ascii_lowercase())
    })
}

fn answered(
    found: &Protocol,
    route: &Route,
    page: &Page,
    step: &UseStateHandle<Option<usize>>,
    highlight: &UseStateHandle<Highlight>,
    on_action: &Callback<Action>,
) -> Html {
    let [sender, delivery] = protocol::equation_numbers(found.transfer);
    let messages = found.timeline.messages();
    let shown = step.unwrap_or(messages.len()).min(messages.len());
    let timeline = found.timeline.first(shown);
    let latency =
        route.latency().map(|now| [original_latency(page).unwrap_or(now.value), now.value]);
    let on_step = {
        let step = step.clone();
        Callback::from(move |to| step.set(to))
    };
    html! {
        <div class="chosen">
            <p>{ found.transfer.words() }</p>
            <div class="sides">
                { side(Lane::Sender, text::SENDER, sender, &found.sender) }
                { side(Lane::Receiver, text::DELIVERY, delivery, &found.delivery) }
            </div>
            { quantity::basis("predict.protocol", found.sender.basis, None, None) }
            <figure class="protocol">
                <SpaceTime
                    label={text::described(found)}
                    {timeline}
                    until={round_up(found.timeline.last())}
                    ends={ends(found)}
                    {latency}
                    on_latency={on_action.reform(|value| Action::Set("L", value))}
                />
                <Steps transfer={found.transfer} {messages} {shown} {on_step} />
            </figure>
            { terms(found, highlight.term.as_deref()) }
            { warnings(&found.sender.warnings) }
            { sources(found, route) }
        </div>
    }
}

/// L before the reader changed it.
fn original_latency(page: &Page) -> Option<Micros> {
    let inputs = &page.inputs;
    let route = Route::of(&page.original, inputs.tier.as_deref(), inputs.style.as_deref()).ok()?;
    Some(route.latency()?.value)
}

/// Completion times of both sides, if known.
fn ends(found: &Protocol) -> Vec<End> {
    let end =
        |place, words, prediction: &Prediction| Some(End { place, words, at: prediction.time()? });
    let sender = end(Lane::Sender, text::SEND_COMPLETES, &found.sender);
    let delivery = end(Lane::Receiver, text::DELIVERED, &found.delivery);
    sender.into_iter().chain(delivery).collect()
}

/// One of the two times, with its equation.
fn side(place: Lane, title: &str, number: &str, prediction: &Prediction) -> Html {
    let name = if place == Lane::Sender { "sender" } else { "delivery" };
    let path = format!("predict.protocol.{name}");
    html! {
        <div class="side" data-side={place.name()}>
            <h3>{ title }<small>{ text::equation(number) }</small></h3>
            { quantity::answer_named(&format!("{path}_us"), &path, prediction.total) }
            { formula(&path, &prediction.formula(), prediction, None) }
        </div>
    }
}

//! The view Overlap: one message between two sides that compute, by LogGPO (Chen et al. 2009), and
//! methods for many messages (Bell et al. 2003).

mod choices;
mod comparison;
mod forms;
pub(crate) mod messages;
mod missing;
mod sweep;
pub(crate) mod words;

use self::words as text;
use super::Props;
use crate::draw::moments::round_up;
use crate::fields::moment::Moment;
use crate::fields::route::route_choices;
use crate::notices::{reason, warnings};
use crate::plots::space_time::{End, SpaceTime, legend};
use crate::state::{Action, Page};
use crate::tables::{quantity, rich};
use choices::choices;
use comparison::other_machines;
use forms::forms;
use loggia_link::state::View;
use loggia_model::measured::Basis;
use loggia_model::model::exchange::Exchange as Paid;
use loggia_model::model::overlap::{Overlap as Outcome, Programs, overlap};
use loggia_model::model::{Route, loggpo};
use loggia_model::signature::ASSUMED;
use loggia_model::timeline::Lane;
use loggia_model::units::Micros;
use loggia_model::units::words::time;
use messages::Messages;
use missing::missing;
use sweep::Sweep;
use yew::{Callback, Html, component, html};

#[component]
pub(crate) fn Overlap(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let (body, plot) = match page.route() {
        Err(why) => (reason(&why), None),
        Ok(route) => {
            let programs = programs(page);
            match overlap(&route, page.bytes(), &programs) {
                Err(why) => (
                    html! { <>{ pickers(&route, on_action) }{ missing(&route, &why, on_action) }</> },
                    None,
                ),
                Ok(found) => {
                    let until = longest(&route, page);
                    let plot = html! { <Sweep page={page.clone()} {programs} {until} /> };
                    (answered(&found, &route, &programs, until, page, on_action), Some(plot))
                }
            }
        }
    };
    html! {
        <>
            <section class="panel" id="overlap" aria-labelledby="overlap-title">
                <h2 id="overlap-title">{ crate::text::view(View::Overlap) }</h2>
                { body }
            </section>
            { plot.unwrap_or_default() }
            <Messages ..props.clone() />
            { other_machines(props) }
        </>
    }
}

/// The programs of both sides; unset times are 0.
fn programs(page: &Page) -> Programs {
    let inputs = &page.inputs;
    Programs {
        send_at: inputs.send_at.unwrap_or_default(),
        recv_at: inputs.recv_at.unwrap_or_default(),
        send_compute: inputs.send_compute.unwrap_or_default(),
        recv_compute: inputs.recv_compute.unwrap_or_default(),
    }
}

/// Length of the axes: four times the time of a message that both sides wait for.
fn longest(route: &Route, page: &Page) -> Micros {
    let alone = loggpo::predict(route, page.bytes()).and_then(|p| p.time()).unwrap_or_default();
    round_up(alone * 4.0)
}

fn pickers(route: &Route, on_action: &Callback<Action>) -> Html {
    html! { <div class="pickers">{ route_choices(route, on_action) }</div> }
}

fn answered(
    found: &Outcome,
    route: &Route,
    programs: &Programs,
    until: Micros,
    page: &Page,
    on_action: &Callback<Action>,
) -> Html {
    let moment = |name, label, value| {
        html! { <Moment {name} {label} {value} most={until} on_action={on_action.clone()} /> }
    };
    html! {
        <>
            <div class="pickers">
                { choices(found, page.bytes(), on_action) }
                { route_choices(route, on_action) }
            </div>
            <div class="programs">
                { moment("send_at", text::SEND_AT, programs.send_at) }
                { moment("recv_at", text::RECV_AT, programs.recv_at) }
                { moment("send_compute", text::SEND_COMPUTE, programs.send_compute) }
                { moment("recv_compute", text::RECV_COMPUTE, programs.recv_compute) }
            </div>
            <div class="sides">
                { side("send", text::SENDER_OVERHEAD, found.exchange.send, found.ratios[0]) }
                { side("recv", text::RECEIVER_OVERHEAD, found.exchange.recv, found.ratios[1]) }
            </div>
            { quantity::basis("predict.overlap", basis(route), None, None) }
            { diagram(found) }
            { forms(found) }
            { warnings(&found.warnings) }
        </>
    }
}

/// The diagram of the page's question alone.
pub(crate) fn answer_picture(page: &Page) -> Option<Html> {
    let route = page.route().ok()?;
    let found = overlap(&route, page.bytes(), &programs(page)).ok()?;
    Some(diagram(&found))
}

fn diagram(found: &Outcome) -> Html {
    let timeline = found.timeline();
    html! {
        <figure class="protocol">
            <SpaceTime
                label={text::described(found)}
                until={round_up(timeline.last())}
                ends={ends(&found.exchange)}
                timeline={timeline.clone()}
            />
            { legend(&timeline) }
        </figure>
    }
}

/// The basis of the answer: an assumed parameter makes it a modelled one.
fn basis(route: &Route) -> Basis {
    let is_assumed = |symbol: &str| route.source(symbol) == Some(ASSUMED);
    if ["O'", "O_i", "O_c", "S"].into_iter().any(is_assumed) {
        Basis::Modelled
    } else {
        Basis::of_model(route.signature)
    }
}

/// The ends of both waits.
fn ends(exchange: &Paid) -> Vec<End> {
    let end = |place, at| End { place, words: text::CALL_COMPLETES, at };
    vec![end(Lane::Sender, exchange.sender_end), end(Lane::Receiver, exchange.receiver_end)]
}

/// A side's overhead, and its overlap ratio.
fn side(name: &str, title: &str, overhead: Micros, ratio: Option<f64>) -> Html {
    let value = ratio.map(|ratio| ratio.to_string()).unwrap_or_default();
    let path = format!("predict.overlap.{name}_overlap_ratio");
    let shown = html! { { text::ratio(ratio) } };
    html! {
        <div class="side">
            <h3>{ rich::formula(title) }</h3>
            { quantity::large(&format!("predict.overlap.{name}_overhead_us"), overhead) }
            <p class="aside">{ quantity::words(&path, &value, shown) }</p>
        </div>
    }
}

/// A time; a dash if unknown.
fn time_or_dash(value: Option<Micros>) -> String {
    value.map_or("—".to_owned(), time)
}

//! The overlap potential, for machines on which no model of a message is possible (Bell et al.
//! 2003, Section 5.2).

use crate::draw::figure::Ink;
use crate::fields::assume::assume;
use crate::notices::{reason, warnings};
use crate::tables::terms::{self, Part};
use crate::tables::{quantity, rich};
use crate::text;
use crate::views::Props;
use loggia_model::model::metrics::{PointToPoint, point_to_point};
use loggia_model::model::{self, Need, Route};
use loggia_model::units::words::time;
use loggia_model::units::{Bytes, Interval, Micros};
use yew::{Html, html};

/// The size of EEL and overheads in Bell et al. 2003.
const SMALLEST: Bytes = Bytes(8);

/// The overlap potential, and why there is no time.
pub(super) fn overlap(Props { page, on_action }: &Props) -> Html {
    let Ok(route) = page.route() else { return html! {} };
    let known = point_to_point(&route, None).ok();
    let shown = known.as_ref().and_then(|metrics| potential(&route, metrics));
    let why = model::predict(&route, page.inputs.model, page.bytes()).err();
    html! {
        <>
            { shown }
            <section class="why">
                <h3>{ text::WHY_NOT }</h3>
                { why.as_ref().map(reason) }
            </section>
            { why.as_ref().map(|why| assume(why, on_action)) }
        </>
    }
}

fn potential(route: &Route, metrics: &PointToPoint) -> Option<Html> {
    let latency = route.end_to_end_latency()?;
    let send = route.send_overhead(SMALLEST)?.time;
    let left = metrics.overlap_potential?;
    let parts = [
        part("o_s", Ink::Send, send, route),
        part(text::FREE, Ink::Idle, Interval::exact(left), route),
    ];
    let both = metrics.overlap_potential_both.map(|both| {
        html! {
            <p class="aside">
                { quantity::micros("metrics.overlap_potential_both_sides_us", Some(both), time(both)) }
                { rich::formula(text::BOTH_SIDES) }
            </p>
        }
    });
    Some(html! {
        <>
            { quantity::large("metrics.overlap_potential_us", left) }
            <p class="asked">
                { text::OVERLAP_OF }<b>{ time(latency.value) }</b>{ rich::formula(text::OVERLAP_EXPLAINED) }
            </p>
            { terms::bar(&parts) }
            { terms::table(&parts) }
            { both }
            <p class="aside">
                { Need::EndToEndLatency.symbol() }{ ": " }
                { route.source(Need::EndToEndLatency.symbol()) }
            </p>
            { warnings(&metrics.warnings) }
        </>
    })
}

fn part(symbol: &'static str, ink: Ink, time: Interval<Micros>, route: &Route) -> Part {
    Part {
        symbol,
        ink,
        counted: None,
        time: Some(time.value),
        path: String::new(),
        source: route.source(symbol).unwrap_or(text::OVERLAP_SOURCE).to_owned(),
    }
}

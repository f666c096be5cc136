//! The overheads of each send mode as parts of the end-to-end latency.

use super::picture::{PlotInputs, missing, picture};
use super::words;
use crate::draw::figure::Ink;
use crate::tables::rich;
use crate::tables::table::table;
use crate::views::signature::figure::latency::{Segment, bar, length};
use loggia_model::model::metrics::{Superimposed, superimposed};
use loggia_model::model::{Need, Route};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time};
use yew::{Html, component, html};

#[component]
pub(super) fn Latency(of: &PlotInputs) -> Html {
    let Ok(route) = of.route() else { return html! {} };
    let styles = route.tier.styles.iter();
    let all: Vec<(&str, Superimposed)> = styles
        .filter_map(|style| {
            let parts = superimposed(&Route { style: Some(style), ..route })?;
            Some((style.name.0.as_str(), parts))
        })
        .collect();
    let Some((_, first)) = all.first() else {
        let needs = [Need::EndToEndLatency, Need::SendOverhead];
        let lacking: Vec<Need> = needs.into_iter().filter(|need| !route.has(*need)).collect();
        return missing(words::LATENCY, &route.lacks(words::LATENCY, &lacking));
    };
    let longest = all.iter().map(|(_, parts)| length(parts)).fold(Micros(0.0), Micros::max);
    let drawn = html! {
        <div class="bars">
            { for all.iter().map(|(name, parts)| row(name, parts, longest)) }
            { legend() }
        </div>
    };
    let data = table(
        words::LATENCY,
        &words::LATENCY_COLUMNS,
        all.iter().map(|(name, parts)| cells(name, parts)).collect(),
    );
    picture(words::LATENCY, html! { { words::shares(&time(first.end_to_end)) } }, drawn, data)
}

fn row(name: &str, parts: &Superimposed, longest: Micros) -> Html {
    let percent = |share: f64| format!("{:.3}%", share * 100.0);
    let segment = |segment: Segment| {
        let Segment { ink, from, width, top, height } = segment;
        html! {
            <rect
                class={format!("ink-{}", ink.name())}
                x={percent(from)} width={percent(width)}
                y={percent(top)} height={percent(height)}
            />
        }
    };
    let end = percent(parts.end_to_end.0 / longest.0);
    let [_, latency, send, both, free, recv] = words::LATENCY_COLUMNS;
    let mut labels = vec![(latency, parts.end_to_end), (send, parts.send_only), (both, parts.both)];
    labels.push((free, parts.free));
    labels.extend(parts.recv_only.map(|time| (recv, time)));
    html! {
        <>
            <span class="style">{ name }</span>
            <svg class="bar" role="img" aria-label={words::bar(name, &labels)}>
                { for bar(parts, longest).into_iter().map(segment) }
                <line class="end" x1={end.clone()} x2={end} y1="0" y2="100%" />
            </svg>
        </>
    }
}

fn legend() -> Html {
    let item = |(ink, words): (Ink, &'static str)| {
        html! { <li>{ rich::swatch(ink) }{ rich::formula(words) }</li> }
    };
    let items = [(Ink::Send, "o_s"), (Ink::Recv, "o_r"), (Ink::Idle, words::NEITHER)];
    html! { <ul class="legend">{ for items.into_iter().map(item) }<li>{ words::LINE }</li></ul> }
}

fn cells(name: &str, parts: &Superimposed) -> Vec<Html> {
    let Superimposed { end_to_end, send_only, both, free, recv_only } = *parts;
    let times = [Some(end_to_end), Some(send_only), Some(both), Some(free), recv_only];
    let words = times.map(|time| {
        time.map_or(crate::tables::words::NOT_REPORTED.to_owned(), |time| number(time.0, 5))
    });
    [html! { { name } }].into_iter().chain(words.map(|words| html! { { words } })).collect()
}

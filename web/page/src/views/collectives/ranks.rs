//! A space-time diagram of many ranks in SVG.

use super::words;
use crate::browser::Size;
use crate::draw::moments;
use crate::draw::ranks::{Rows, ink};
use crate::plots::surface::{px, use_width};
use crate::sharing::Data;
use crate::sharing::export::Export;
use loggia_simulate::record::{Flight, Record, Span};
use yew::{AttrValue, Html, Properties, component, html, use_memo, use_node_ref};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) record: Record,
    /// Description for screen readers.
    pub(super) label: AttrValue,
}

#[component]
pub(super) fn Ranks(props: &Props) -> Html {
    let area = use_node_ref();
    let size = use_width(&area);
    let picture = use_memo((props.record.clone(), size), |(record, size)| picture(record, *size));
    let Size { width, em, .. } = size;
    let rows = rows(&props.record, size);
    let height = px(rows.bottom() + 2.6 * em);
    let shown = rows.is_visible().then(|| {
        html! {
            <svg
                viewBox={format!("0 0 {width} {height}")}
                {height}
                width="100%"
                role="img"
                aria-label={props.label.clone()}
            >
                { (*picture).clone() }
            </svg>
        }
    });
    let data = Data::Record(props.record.clone());
    html! {
        <>
            <div class="spacetime many" ref={area.clone()}>{ shown }</div>
            <Export title={words::RUN} {area} {data} />
        </>
    }
}

fn rows(record: &Record, Size { width, em, .. }: Size) -> Rows {
    Rows::new(width, em, record.ranks, moments::round_up(record.end))
}

fn picture(record: &Record, size: Size) -> Html {
    let rows = rows(record, size);
    if !rows.is_visible() {
        return html! {};
    }
    let (others, critical): (Vec<&Flight>, Vec<&Flight>) =
        record.flights.iter().partition(|flight| !flight.is_critical);
    html! {
        <>
            { axis(rows, size.em) }
            { for others.into_iter().map(|flight| line(flight, rows)) }
            { for record.spans.iter().map(|span| block(span, rows)) }
            { for critical.into_iter().map(|flight| line(flight, rows)) }
        </>
    }
}

fn axis(rows: Rows, em: f64) -> Html {
    let name = |rank: u32| {
        html! {
            <text class="tick up" x={px(rows.left - 0.6 * em)} y={px(rows.y(rank))}>{ rank }</text>
        }
    };
    let rest = |rank: u32| {
        let y = rows.y(rank);
        html! { <path class="grid" d={format!("M{:.1} {y:.1}H{:.1}", rows.left, rows.right)} /> }
    };
    let tick = |tick: crate::draw::ticks::Tick| {
        let x = rows.x(loggia_model::units::Micros(tick.value));
        let (top, bottom) = (rows.top, rows.bottom());
        html! {
            <>
                <path class="grid" d={format!("M{x:.1} {top:.1}V{bottom:.1}")} />
                <text class="tick" x={px(x)} y={px(bottom + 1.6 * em)}>{ tick.label }</text>
            </>
        }
    };
    let ticks = moments::along(rows.until, rows.right - rows.left, em);
    html! {
        <g aria-hidden="true">
            { for ticks.into_iter().map(tick) }
            { for (0..rows.ranks).map(rest) }
            { for rows.named(em).map(name) }
        </g>
    }
}

fn block(span: &Span, rows: Rows) -> Html {
    let [x, y, width, height] = rows.block(span).map(px);
    let critical = if span.is_critical { " critical" } else { "" };
    let class = format!("work ink-{}{critical}", ink(span.activity).name());
    html! { <rect {class} {x} {y} {width} {height} /> }
}

fn line(flight: &Flight, rows: Rows) -> Html {
    let [x1, y1, x2, y2] = rows.line(flight);
    let class = if flight.is_critical { "flight critical" } else { "flight" };
    html! { <path {class} d={format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}")} /> }
}

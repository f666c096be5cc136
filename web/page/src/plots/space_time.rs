//! A space-time diagram in SVG.

mod latency;
pub(crate) mod words;

use self::words as text;
use super::surface::{px, use_width};
use crate::browser::Size;
use crate::draw::moments;
use crate::draw::spacetime::{Label, Lanes, Mark, Shape, ink, marks};
use crate::sharing::Data;
use crate::sharing::export::Export;
use crate::tables::rich;
use latency::Latency;
use loggia_model::timeline::{Activity, Lane, Timeline};
use loggia_model::units::Micros;
use loggia_model::units::words::time;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_node_ref};

/// The completion time of one side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct End {
    /// The side; the sender's label is above its line, the receiver's below.
    pub(crate) place: Lane,
    pub(crate) words: &'static str,
    pub(crate) at: Micros,
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) timeline: Timeline,
    /// Time at the right end.
    pub(crate) until: Micros,
    pub(crate) ends: Vec<End>,
    /// Description for screen readers.
    pub(crate) label: AttrValue,
    /// Whether it is one of several small ones on one scale, without labels and axis.
    #[prop_or_default]
    pub(crate) is_small: bool,
    /// L now and before the reader changed it, if it can be dragged.
    #[prop_or_default]
    pub(crate) latency: Option<[Micros; 2]>,
    /// Gets L as dragged.
    #[prop_or_default]
    pub(crate) on_latency: Callback<String>,
}

#[component]
pub(crate) fn SpaceTime(props: &Props) -> Html {
    let area = use_node_ref();
    let Size { width, em, .. } = use_width(&area);
    let lanes = match props.is_small {
        true => Lanes::small(width, em, props.until),
        false => Lanes::large(width, em, props.until),
    };
    let picture = lanes.is_visible().then(|| picture(props, width, lanes));
    let export = (!props.is_small).then(|| {
        let data = Data::Timeline(props.timeline.clone());
        html! { <Export title={text::TITLE} area={area.clone()} {data} /> }
    });
    html! { <><div class="spacetime" ref={area}>{ picture }</div>{ export }</> }
}

#[derive(Properties, PartialEq)]
pub(crate) struct AxisProps {
    /// Time at the right end.
    pub(crate) until: Micros,
}

/// The common axis of several small diagrams.
#[component]
pub(crate) fn Axis(props: &AxisProps) -> Html {
    let area = use_node_ref();
    let Size { width, em, .. } = use_width(&area);
    let lanes = Lanes::small(width, em, props.until);
    let picture = lanes.is_visible().then(|| {
        let height = 1.6 * em;
        html! {
            <svg viewBox={format!("0 0 {width} {height}")} height={px(height)} width="100%" aria-hidden="true">
                { axis(lanes, em) }
            </svg>
        }
    });
    html! { <div class="spacetime" ref={area}>{ picture }</div> }
}

/// Meaning of the colours, and of the letters of messages.
pub(crate) fn legend(timeline: &Timeline) -> Html {
    let mut shown: Vec<Activity> = Vec::new();
    for span in &timeline.spans {
        if !shown.contains(&span.activity) {
            shown.push(span.activity);
        }
    }
    let item = |activity: Activity| {
        html! {
            <li>{ rich::swatch(ink(activity)) }{ rich::formula(crate::draw::spacetime::activity(activity)) }</li>
        }
    };
    let is_sent = |name: &str| timeline.spans.iter().any(|span| span.message == name);
    let letters = text::MESSAGES.into_iter().filter(|(name, _)| is_sent(name));
    let letter = |(name, meaning): (&str, &str)| html! { <li>{ name }{ " " }{ meaning }</li> };
    html! {
        <ul class="legend">{ for shown.into_iter().map(item) }{ for letters.map(letter) }</ul>
    }
}

fn picture(props: &Props, width: f64, lanes: Lanes) -> Html {
    let below = if props.is_small { 0.2 } else { 4.2 };
    let height = lanes.bottom() + below * lanes.em;
    let last = [Lane::Sender, Lane::Receiver].map(|place| props.timeline.end(place));
    let shown = marks(&props.timeline, lanes);
    let words = (!props.is_small).then(|| {
        html! { <g aria-hidden="true">{ names(lanes) }{ axis(lanes, lanes.bottom() + 3.4 * lanes.em) }{ for props.ends.iter().map(|end| flag(end, lanes)) }</g> }
    });
    let handle = props.latency.and_then(|latency| {
        let first = props.timeline.spans.iter().find(|s| s.activity == Activity::Latency)?;
        let at = (lanes.x(first.end), lanes.receiver);
        Some(html! { <Latency {at} pixel={lanes.pixel()} {latency} on_change={props.on_latency.clone()} /> })
    });
    html! {
        <svg viewBox={format!("0 0 {width} {height}")} height={px(height)} width="100%">
            <g role="img" aria-label={props.label.clone()}>
                { grid(lanes) }
                { for [lanes.sender, lanes.receiver].into_iter().zip(last).map(|(y, end)| line(lanes, y, end)) }
                { for shown.iter().map(|mark| shape(mark, &props.ends)) }
                { for shown.iter().filter_map(|mark| Some(label(mark, mark.label.as_ref()?))) }
                { words }
            </g>
            { handle }
        </svg>
    }
}

fn grid(lanes: Lanes) -> Html {
    let line = |x: f64| format!("M{x:.1} {:.1}V{:.1}", lanes.sender, lanes.bottom());
    let ticks = moments::along(lanes.end, lanes.right - lanes.left, lanes.em);
    let path: String = ticks.iter().map(|tick| line(lanes.x(Micros(tick.value)))).collect();
    html! { <path class="grid" d={path} /> }
}

/// A processor's line, until its last activity.
fn line(lanes: Lanes, y: f64, end: Micros) -> Html {
    let y = y + lanes.thick / 2.0;
    html! { <path class="grid" d={format!("M{:.1} {y:.1}H{:.1}", lanes.left, lanes.x(end))} /> }
}

fn names(lanes: Lanes) -> Html {
    let name = |place: Lane, y: f64| {
        html! { <text class="place" x="0" y={px(y + lanes.thick / 2.0)}>{ place.name() }</text> }
    };
    html! { <>{ name(Lane::Sender, lanes.sender) }{ name(Lane::Receiver, lanes.receiver) }</> }
}

fn axis(lanes: Lanes, y: f64) -> Html {
    moments::along(lanes.end, lanes.right - lanes.left, lanes.em)
        .into_iter()
        .map(|tick| {
            let x = lanes.x(Micros(tick.value));
            // A label at the edge is not centred.
            let class = if x < lanes.em { "tick start" } else { "tick" };
            html! { <text {class} x={px(x)} y={px(y)}>{ tick.label }</text> }
        })
        .collect()
}

/// A mark at a completion time.
fn flag(end: &End, lanes: Lanes) -> Html {
    let (x, em) = (lanes.x(end.at), lanes.em);
    let (tip, y) = match end.place {
        Lane::Sender => (lanes.sender - 0.9 * em, lanes.sender - 1.1 * em),
        _ => (lanes.bottom() + 0.9 * em, lanes.bottom() + 1.6 * em),
    };
    let base = if end.place == Lane::Sender { lanes.sender + lanes.thick } else { lanes.receiver };
    let is_right = x > (lanes.left + lanes.right) / 2.0;
    let (class, x_words) =
        if is_right { ("end left", x - 0.5 * em) } else { ("end", x + 0.5 * em) };
    html! {
        <>
            <path class="hair" d={format!("M{x:.1} {base:.1}V{tip:.1}")} />
            <text {class} x={px(x_words)} y={px(y)}>
                { end.words }<tspan class="when">{ format!(" {}", time(end.at)) }</tspan>
            </text>
        </>
    }
}

/// A span, with its parameter and the ends that depend on it as attributes.
fn shape(mark: &Mark, ends: &[End]) -> Html {
    let span = mark.span;
    let ink = mark.ink.name();
    let before = |end: &&End| span.activity != Activity::Idle && span.end <= end.at;
    let before: Vec<&str> = ends.iter().filter(before).map(|end| end.place.name()).collect();
    let drawn = match mark.shape {
        Shape::Block { x, y, width, height } => html! {
            <rect class={format!("ink-{ink}")} x={px(x)} y={px(y)} width={px(width)} height={px(height)} />
        },
        Shape::Edge([from, to]) => {
            let path = format!("M{:.1} {:.1}L{:.1} {:.1}", from.0, from.1, to.0, to.1);
            html! {
                <>
                    <path class="reach" d={path.clone()} />
                    <path class={format!("edge line-{ink}")} d={path} />
                </>
            }
        }
        Shape::Band(corners) => {
            let points = corners.map(|(x, y)| format!("{x:.1},{y:.1}")).join(" ");
            html! { <polygon class={format!("band ink-{ink}")} {points} /> }
        }
    };
    html! {
        <g class="span" data-term={span.activity.parameter()} data-before={before.join(" ")}>
            <title>{ text::span(span) }</title>
            { drawn }
        </g>
    }
}

fn label(mark: &Mark, label: &Label) -> Html {
    let (x, y) = label.at;
    let class = match (mark.span.place, label.is_inside) {
        (Lane::Network, false) => "message beside".to_owned(),
        (Lane::Network, true) => format!("message on-{}", mark.ink.name()),
        _ => format!("term on-{}", mark.ink.name()),
    };
    html! {
        <text {class} x={px(x)} y={px(y)} data-term={mark.span.activity.parameter()}>
            { rich::symbol_in_svg(label.words) }
        </text>
    }
}

//! Overlap ratios over computation: each machine's sender, and its receiver dashed.

use super::MachineOverlap;
use crate::browser::Size;
use crate::draw::figure::Ink;
use crate::draw::marker::{APART, RADIUS, corners, places};
use crate::draw::ratios::{Line, axis, both, figure, pixel, ratio};
use crate::draw::scale::{Frame, Log};
use crate::draw::steps::Axis;
use crate::draw::{labels, ticks, words};
use crate::plots::plane;
use crate::plots::reading::use_reading;
use crate::plots::surface::{px, use_size};
use crate::sharing::Data;
use crate::sharing::export::Export;
use crate::views::overlap::words as text;
use loggia_model::model::overlap::Programs;
use loggia_model::timeline::Lane;
use loggia_model::units::Micros;
use std::rc::Rc;
use yew::{Html, Properties, component, html, use_node_ref};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) found: Vec<MachineOverlap>,
    pub(super) programs: Programs,
}

#[component]
pub(super) fn Ratios(props: &Props) -> Html {
    let area = use_node_ref();
    let size = use_size(&area);
    let Props { found, programs } = props;
    let selected = [programs.send_compute, programs.recv_compute];
    let reading = use_reading();
    let Some(x) = axis(found.iter().map(|one| one.longest), selected) else { return html! {} };
    let named = |one: &MachineOverlap| {
        let title = one.shown.title.clone();
        (title, both(&one.overlap, programs, x, one.shown.ink))
    };
    let lines: Rc<Vec<(String, [Line; 2])>> = Rc::new(found.iter().map(named).collect());
    let figure = || Rc::new(figure(&lines, x));
    let read_out = reading.html(&area, figure, frame(found, size), None);
    html! {
        <div class="drawn">
            <p class="aside">{ text::RATIOS }</p>
            <figure class="plot still">
                <div
                    class="plot-area"
                    ref={area.clone()}
                    role="group"
                    tabindex="0"
                    aria-label={words::READ}
                    onpointerenter={reading.on_enter}
                    onfocusin={reading.on_focus}
                >
                    { picture(props, &lines, x, size) }
                    <svg class="overlay" viewBox={format!("0 0 {} {}", size.width, size.height)}>
                        { read_out }
                    </svg>
                </div>
                <Export title={text::RATIOS_TITLE} {area} data={Data::Ratios(lines.clone())} />
            </figure>
        </div>
    }
}

fn frame(found: &[MachineOverlap], Size { width, height, em }: Size) -> Frame {
    let letters = found.iter().map(|one| one.shown.short().chars().count()).max();
    Frame::inside(width, height, em).with_names(letters.unwrap_or_default())
}

fn picture(
    Props { found, programs }: &Props,
    lines: &[(String, [Line; 2])],
    x: Log,
    size: Size,
) -> Option<Html> {
    let (Size { width, height, .. }, frame) = (size, frame(found, size));
    let dots = found.iter().flat_map(|one| current_values(one, programs));
    let label = text::ratios(found.iter().map(|one| (one.shown.title.as_str(), &one.overlap)));
    // The selected machine is drawn last.
    let painted = lines.iter().flat_map(|(_, both)| both).rev();
    frame.is_visible().then(|| {
        html! {
            <svg class="overlay still" viewBox={format!("0 0 {width} {height}")} role="img" aria-label={label}>
                { axes(frame, x) }
                { for painted.map(|line| path(line, frame, x)) }
                { for dots.filter_map(|(ink, place)| dot(ink, place, frame, x)) }
                { names(found, lines, frame, x) }
            </svg>
        }
    })
}

fn axes(frame: Frame, x: Log) -> Html {
    let Frame { left, right, top, em, .. } = frame;
    let along = ticks::along(Axis::Compute, x, (right - left) / em).into_iter();
    let along = along.map(|tick| (frame.x(x, tick.value), tick.label));
    let up = [0.0, 0.25, 0.5, 0.75, 1.0].into_iter();
    let up = up.map(|ratio| (pixel(frame, x, (x.low, ratio)).1, ratio.to_string()));
    html! {
        <g aria-hidden="true">
            { plane::lines(frame, along, up, text::COMPUTATION) }
            <text class="axis-title start" x="0" y={px(top - 1.2 * em)}>{ text::RATIO }</text>
        </g>
    }
}

fn path(line: &Line, frame: Frame, x: Log) -> Html {
    let pixels: Vec<(f64, f64)> = line.points.iter().map(|point| pixel(frame, x, *point)).collect();
    let words: Vec<String> = pixels.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    let idea = if line.side == Lane::Sender { "" } else { " idea" };
    let name = line.ink.name();
    let marks = corners(line.ink).map(|corners| {
        let places = places(&pixels, line.ink, frame.left, APART * frame.em);
        let outline = |(x, y): (f64, f64)| -> String {
            let corner =
                |(a, b): &(f64, f64)| format!("{:.1} {:.1}", x + RADIUS * a, y + RADIUS * b);
            format!("M{}z", corners.iter().map(corner).collect::<Vec<_>>().join("L"))
        };
        let d: String = places.into_iter().map(outline).collect();
        html! { <path class={format!("mark-of line-{name}")} {d} /> }
    });
    html! {
        <>
            <path class={format!("swept{idea} line-{name}")} d={format!("M{}", words.join("L"))} />
            { marks }
        </>
    }
}

/// The current values of both sides.
fn current_values(one: &MachineOverlap, programs: &Programs) -> Vec<(Ink, (f64, f64))> {
    let computes = [(Lane::Sender, programs.send_compute), (Lane::Receiver, programs.recv_compute)];
    let at = |(side, compute): (Lane, Micros)| {
        let ns = compute.0 * 1e3;
        Some((one.shown.ink, (ns, ratio(&one.overlap, programs, side, ns)?)))
    };
    computes.into_iter().filter_map(at).collect()
}

fn dot(ink: Ink, place: (f64, f64), frame: Frame, x: Log) -> Option<Html> {
    let is_seen = (x.low..=x.high).contains(&place.0);
    let (cx, cy) = pixel(frame, x, place);
    is_seen.then(|| {
        html! { <circle class={format!("dot ink-{}", ink.name())} cx={px(cx)} cy={px(cy)} r="4.5" /> }
    })
}

/// Titles of machines at the ends of the senders' lines.
fn names(found: &[MachineOverlap], lines: &[(String, [Line; 2])], frame: Frame, x: Log) -> Html {
    let end = |(_, [sender, _]): &(String, [Line; 2])| {
        sender.points.last().map(|last| pixel(frame, x, *last).1)
    };
    let ends: Vec<(&MachineOverlap, f64)> =
        found.iter().zip(lines).filter_map(|(one, both)| Some((one, end(both)?))).collect();
    let positions: Vec<f64> = ends.iter().map(|(_, y)| *y).collect();
    let spread = labels::spread(&positions, 1.25 * frame.em, frame.top, frame.bottom);
    let name = |((one, y), place): ((&MachineOverlap, f64), f64)| {
        let class = if one.shown.is_first() { "name bold" } else { "name" };
        let label = html! { { one.shown.short() } };
        plane::name(one.shown.ink, (class, label), (frame.right, y), place, frame)
    };
    ends.into_iter().zip(spread).map(name).collect()
}

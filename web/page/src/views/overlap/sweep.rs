//! Overheads over computation, by LogGPO and by LogGP.

use super::words as text;
use crate::browser::Size;
use crate::draw::figure::{Ink, Weight};
use crate::draw::labels;
use crate::draw::scale::Frame;
use crate::draw::sweep::{self as draw, Line};
use crate::draw::words;
use crate::plots::plane;
use crate::plots::reading::use_reading;
use crate::plots::surface::{px, use_size};
use crate::sharing::Data;
use crate::sharing::export::Export;
use crate::state::Page;
use crate::tables::rich;
use loggia_model::model::overlap::{Overlap, Programs, overlap};
use loggia_model::units::Micros;
use std::rc::Rc;
use yew::{Html, Properties, component, html, use_node_ref};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) page: Page,
    pub(super) programs: Programs,
    /// End of the axis of computation.
    pub(super) until: Micros,
}

#[component]
pub(super) fn Sweep(props: &Props) -> Html {
    let area = use_node_ref();
    let size = use_size(&area);
    let swept = sweep_data(props);
    let reading = use_reading();
    let read_out = swept
        .as_ref()
        .map(|(_, sweep)| reading.html(&area, || Rc::new(sweep.figure()), frame(size), None));
    let export = swept.clone().map(|(_, sweep)| {
        html! { <Export title={text::SWEEP} area={area.clone()} data={Data::Sweep(sweep)} /> }
    });
    html! {
        <section class="panel" id="sweep" aria-labelledby="sweep-title">
            <h2 id="sweep-title">{ text::SWEEP }</h2>
            <p class="asked">{ text::SWEPT }</p>
            <figure class="plot still">
                <div
                    class="plot-area"
                    ref={area}
                    role="group"
                    tabindex="0"
                    aria-label={words::READ}
                    onpointerenter={reading.on_enter}
                    onfocusin={reading.on_focus}
                >
                    { swept.and_then(|swept| picture(props, &swept, size)) }
                    <svg class="overlay" viewBox={format!("0 0 {} {}", size.width, size.height)}>
                        { read_out.unwrap_or_default() }
                    </svg>
                </div>
                { export.unwrap_or_default() }
            </figure>
        </section>
    }
}

fn frame(Size { width, height, em }: Size) -> Frame {
    let frame = Frame::inside(width, height, em);
    Frame { right: frame.right - 1.5 * em, ..frame }
}

/// The exchange as selected, and over computation.
type SweepData = (Overlap, Rc<draw::Sweep>);

fn sweep_data(Props { page, programs, until }: &Props) -> Option<SweepData> {
    let route = page.route().ok()?;
    let found = overlap(&route, page.bytes(), programs).ok()?;
    let sweep = draw::sweep(&route, page.bytes(), &found, programs, *until);
    Some((found, Rc::new(sweep)))
}

fn picture(Props { programs, .. }: &Props, (found, sweep): &SweepData, size: Size) -> Option<Html> {
    let (Size { width, height, em }, frame) = (size, frame(size));
    let line = |line: &Line| {
        let class = match line.weight {
            Weight::Bold => format!("swept line-{}", line.ink.name()),
            _ => format!("swept idea line-{}", line.ink.name()),
        };
        html! { <path {class} d={sweep.path(frame, line)} /> }
    };
    frame.is_visible().then(|| {
        html! {
            <svg
                class="overlay still"
                viewBox={format!("0 0 {width} {height}")}
                role="img"
                aria-label={text::sweep(sweep)}
            >
                { plane::axes(sweep.plane, frame, text::COMPUTATION) }
                <text class="axis-title start" x="0" y={px(frame.top - 1.2 * em)}>{ text::OVERHEAD }</text>
                { for sweep.lines.iter().map(line) }
                { names(sweep, frame) }
                { for dots(found, programs).into_iter().map(|dot| circle(dot, sweep, frame)) }
            </svg>
        }
    })
}

/// Labels at the ends of the lines.
fn names(sweep: &draw::Sweep, frame: Frame) -> Html {
    let ends: Vec<(&Line, f64)> = sweep
        .lines
        .iter()
        .filter_map(|line| {
            let (x, y) = line.points.last()?;
            Some((line, sweep.plane.pixel(frame, *x, *y).1))
        })
        .collect();
    let positions: Vec<f64> = ends.iter().map(|(_, y)| *y).collect();
    let places = labels::spread(&positions, 1.25 * frame.em, frame.top, frame.bottom);
    let name = |((line, y), place): ((&Line, f64), f64)| {
        let class = if line.weight == Weight::Bold { "name bold" } else { "name faint" };
        let label = rich::symbol_in_svg(line.label);
        plane::name(line.ink, (class, label), (frame.right, y), place, frame)
    };
    ends.into_iter().zip(places).map(name).collect()
}

/// The current values of both sides.
fn dots(found: &Overlap, programs: &Programs) -> [(Ink, Micros, Micros); 2] {
    [
        (Ink::Send, programs.send_compute, found.exchange.send),
        (Ink::Recv, programs.recv_compute, found.exchange.recv),
    ]
}

fn circle((ink, x, y): (Ink, Micros, Micros), sweep: &draw::Sweep, frame: Frame) -> Html {
    if x > sweep.plane.until {
        return html! {};
    }
    let (x, y) = sweep.plane.pixel(frame, x, y);
    html! { <circle class={format!("dot ink-{}", ink.name())} cx={px(x)} cy={px(y)} r="5.5" /> }
}

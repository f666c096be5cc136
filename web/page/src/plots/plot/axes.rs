//! Labels of axes and lines.

use crate::draw::figure::{Figure, Line, Milestone, Weight};
use crate::draw::scale::Frame;
use crate::draw::ticks::{self, Tick};
use crate::draw::{labels, words};
use crate::plots::label::label;
use crate::plots::plane;
use crate::plots::surface::px;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) figure: Rc<Figure>,
    pub(super) frame: Frame,
}

#[component]
pub(super) fn Axes(Props { figure, frame }: &Props) -> Html {
    let Frame { left, right, top, bottom, em } = *frame;
    let along = |tick: Tick| {
        let x = frame.x(figure.x, tick.value);
        html! { <text class="tick" x={px(x)} y={px(bottom + 1.5 * em)}>{ tick.label }</text> }
    };
    let up = |tick: Tick| {
        let y = frame.y(figure.y, tick.value);
        html! { <text class="tick up" x={px(left - 0.7 * em)} y={px(y)}>{ tick.label }</text> }
    };
    let mark = |value: &f64| {
        let x = frame.x(figure.x, *value);
        let path = format!("M{x:.1} {bottom:.1}l-4 7h8z");
        html! { <path class="mark" d={path} /> }
    };
    html! {
        <g class="axes" aria-hidden="true">
            <path class="axis" d={format!("M{left} {top}V{bottom}H{right}")} />
            { for ticks::along(figure.axis, figure.x, (right - left) / em).into_iter().map(along) }
            { for ticks::up(figure.unit, figure.y, bottom - top).into_iter().map(up) }
            { for figure.marks.iter().map(mark) }
            { milestones(figure, *frame) }
            <text class="axis-title" x={px((left + right) / 2.0)} y={px(bottom + 3.2 * em)}>
                { words::axis_title(figure.axis) }
            </text>
            <text class="axis-title start" x={px(left - 4.0 * em)} y={px(top - 1.2 * em)}>
                { words::unit(figure.unit) }
            </text>
            { names(figure, *frame) }
        </g>
    }
}

/// Labelled values. A label is to the right of its line, unless another line or the edge of the plot
/// is there; each is below the one before.
fn milestones(figure: &Figure, frame: Frame) -> Html {
    let Frame { left, right, top, bottom, em } = frame;
    let places = figure.milestones.iter().map(|one| (frame.x(figure.x, one.at), one));
    let places: Vec<_> = places.filter(|(x, _)| (left..=right).contains(x)).collect();
    let line =
        |(x, _): &(f64, &Milestone)| html! { <path d={format!("M{x:.1} {top:.1}V{bottom:.1}")} /> };
    let label = |(row, (x, one)): (usize, &(f64, &Milestone))| {
        let width = 0.55 * em * one.label.chars().count() as f64;
        let is_free = |from: f64, to: f64| {
            let is_between = |other: f64| from < other && other < to;
            left <= from && to <= right && !places.iter().any(|(other, _)| is_between(*other))
        };
        let is_left = !is_free(*x, x + width) && (is_free(x - width, *x) || x - left > right - x);
        let at = x + if is_left { -0.4 * em } else { 0.4 * em };
        html! {
            <text class={is_left.then_some("end")} x={px(at)} y={px(top + em * (1.0 + 1.3 * row as f64))}>
                { &one.label }
            </text>
        }
    };
    html! {
        <g class="milestone">{ for places.iter().map(line) }{ for places.iter().enumerate().map(label) }</g>
    }
}

/// Labels at the ends of lines.
fn names(figure: &Figure, frame: Frame) -> Html {
    let room = 1.25 * frame.em;
    let mut ends: Vec<(&Line, f64, f64)> = figure
        .lines
        .iter()
        .filter(|line| !line.label.is_empty())
        .filter_map(|line| {
            let (x, y) = line.end()?;
            let (x, y) = (frame.x(figure.x, x), frame.y(figure.y, y));
            (y < frame.bottom + 1.0 && !line.label.is_empty()).then_some((line, x, y))
        })
        .collect();
    let positions: Vec<f64> = ends.iter().map(|(_, _, y)| *y).collect();
    let is_bold = |line: usize| ends[line].0.weight == Weight::Bold;
    let mut shown = labels::shown(&positions, is_bold, room, frame.bottom - frame.top).into_iter();
    ends.retain(|_| shown.next() == Some(true));
    let positions: Vec<f64> = ends.iter().map(|(_, _, y)| *y).collect();
    let places = labels::spread(&positions, room, frame.top, frame.bottom);
    ends.into_iter().zip(places).map(|(end, place)| name(end, place, frame)).collect()
}

fn name((line, x, y): (&Line, f64, f64), place: f64, frame: Frame) -> Html {
    let class = match line.weight {
        Weight::Bold => "name bold",
        Weight::Thin => "name",
        Weight::Faint => "name faint",
    };
    plane::name(line.ink, (class, label(line.ink, &line.label)), (x, y), place, frame)
}

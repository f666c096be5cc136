//! Time or aggregated bandwidth over p or the size, by algorithms or machines.

use super::figure::{Drawing, Series};
use super::slices::{SlicedWork, Start, use_slices};
use super::{Question, machines, words};
use crate::draw::algorithms::{self, ink};
use crate::draw::figure::{Figure, Ink, Line, Unit, Weight};
use crate::draw::steps::Axis;
use crate::fields::chips::{self, OptionChip, choice};
use crate::fields::route::chip;
use crate::machines::Machine;
use crate::memo::memoized;
use crate::plots::plot::Plot;
use crate::state::{Action, Page, set};
use crate::tables::rich;
use crate::text;
use crate::views::Props;
use loggia_link::state::Over;
use loggia_link::state::View;
use loggia_model::model::composition::OWN_FORM;
use loggia_model::signature::Operation;
use loggia_model::units::Micros;
use loggia_simulate::request;
use std::rc::Rc;
use yew::{Callback, Html, component, html, use_memo};

/// Maximum number of lines that are easy to distinguish.
const MAX_LINES: usize = 6;

/// All that the plot depends on.
#[derive(Clone, Debug, PartialEq)]
struct PlotInputs {
    drawing: Drawing,
    machine: Machine,
    series: Vec<Series<Machine>>,
    /// Whether startup and transmission have lines.
    in_parts: bool,
}

/// Computes the lines, from coarse to fine.
struct Lines {
    inputs: PlotInputs,
    values: Vec<u64>,
    /// Lines and values still to compute, in order.
    order: Vec<(usize, usize)>,
    next: usize,
    found: Vec<Vec<Option<Option<f64>>>>,
}

impl Lines {
    fn new(inputs: &PlotInputs) -> Self {
        let form = inputs.machine.collective(inputs.drawing.collective.op);
        let values = inputs.drawing.values(form);
        let mut order = Vec::new();
        for (pass, stride) in [8_usize, 4, 2, 1].into_iter().enumerate() {
            for line in 0..inputs.series.len() {
                let new = |i: &usize| pass == 0 || !i.is_multiple_of(2 * stride);
                order.extend((0..values.len()).step_by(stride).filter(new).map(|i| (line, i)));
            }
        }
        let found = vec![vec![None; values.len()]; inputs.series.len()];
        Lines { inputs: inputs.clone(), values, order, next: 0, found }
    }

    fn line(&self, (series, found): (&Series<Machine>, &Vec<Option<Option<f64>>>)) -> Line {
        let known = self.values.iter().zip(found).filter_map(|(x, y)| Some((*x as f64, (*y)?)));
        Line {
            ink: series.ink,
            weight: series.weight,
            label: series.label.clone(),
            points: known.collect(),
        }
    }
}

impl SlicedWork for Lines {
    type Partial = Option<Rc<Figure>>;

    fn step(&mut self) -> bool {
        if let Some((line, value)) = self.order.get(self.next).copied() {
            let Series { machine, method, .. } = &self.inputs.series[line];
            self.found[line][value] =
                Some(self.inputs.drawing.value(machine, method, self.values[value]));
            self.next += 1;
        }
        self.next < self.order.len()
    }

    fn partial(&self) -> Self::Partial {
        let PlotInputs { drawing, machine, series, in_parts } = &self.inputs;
        let form = machine.collective(drawing.collective.op);
        let (mut lines, band) = match form.filter(|_| *in_parts) {
            Some(form) => drawing.parts(machine, form),
            None => Default::default(),
        };
        lines.extend(series.iter().zip(&self.found).map(|line| self.line(line)));
        // The selected method is drawn last.
        let first = lines.len() - series.len();
        lines[first..].reverse();
        drawing.figure(form, lines, band, drawing.dots(machine)).map(Rc::new)
    }
}

fn axis(page: &Page, op: Operation) -> Axis {
    match page.inputs.over.unwrap_or_default() {
        Over::Bytes if op != Operation::Barrier => Axis::Bytes,
        _ => Axis::Procs,
    }
}

fn plot_inputs(page: &Page) -> PlotInputs {
    let Question { machine, mut collective, method } = Question::of(page);
    let axis = axis(page, collective.op);
    let position = collective.along(axis);
    // The selected position matters only beyond the end of the axis.
    collective = collective.at(axis, position.max(axis.high()));
    let unit = if page.inputs.bandwidth { Unit::Rate } else { Unit::Time };
    let series_of = |method: &str, weight| Series {
        machine: machine.clone(),
        method: method.to_owned(),
        label: algorithms::name(method).to_owned(),
        ink: if weight == Weight::Bold { Ink::Total } else { ink(collective.op, method) },
        weight,
    };
    let mut series = vec![series_of(&method, Weight::Bold)];
    if page.inputs.machines {
        series = machines::series(page, &method);
        collective = collective.counted(&machine);
    } else {
        let others = known_methods(&page.inputs.beside, collective.op)
            .into_iter()
            .filter(|name| **name != method);
        series.extend(others.take(MAX_LINES - 1).map(|name| series_of(name, Weight::Thin)));
    }
    let in_parts = series.len() == 1 && method == OWN_FORM && unit == Unit::Time;
    PlotInputs { drawing: Drawing { collective, axis, unit }, machine, series, in_parts }
}

#[component]
pub(super) fn Picture(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let question = Question::of(page);
    let inputs = plot_inputs(page);
    let at = question.collective.along(inputs.drawing.axis);
    let seen = use_slices(Start::Immediately, inputs.clone(), |inputs| Some(Lines::new(inputs)));
    let dots = use_memo(
        (inputs.series.clone(), question.collective.counted(&question.machine)),
        |(series, collective)| {
            let time = |one: &Series<Machine>| {
                collective.of(&one.machine).ok()?.by(&one.method).ok()?.time()
            };
            series.iter().filter_map(|one| Some((one.ink, time(one)?))).rev().collect::<Vec<_>>()
        },
    );
    let axis = inputs.drawing.axis;
    let on_move = on_action.reform(move |value| set(axis, value));
    let moved = question
        .collective
        .of(&question.machine)
        .ok()
        .and_then(|request| request.question.aggregated_message_bytes());
    let figure = seen.as_deref().cloned().flatten().filter(|figure| figure.axis == axis);
    // The selected method is the last, if its value is known.
    let first = dots.last().filter(|(ink, _)| *ink == Ink::Total);
    let answer: Option<Micros> = first.map(|(_, time)| *time);
    let plot = figure.map(|figure| {
        html! {
            <Plot
                title={text::view(View::Collectives)}
                {figure}
                {at}
                dots={(*dots).clone()}
                {answer}
                {moved}
                shade={words::SHADE}
                {on_move}
            />
        }
    });
    let undefined = page.inputs.bandwidth && moved.is_none();
    html! {
        <div class="drawn">
            { toggles(page, &question, axis, on_action) }
            { plot.unwrap_or_default() }
            if undefined { <p class="aside">{ words::NOT_DEFINED }</p> }
            if !page.inputs.machines {
                { memoized(
                    (page.inputs.beside.clone(), question.collective.op, question.method.clone(), on_action.clone()),
                    |(names, op, method, on_action)| method_chips(names, *op, method, on_action),
                ) }
            }
        </div>
    }
}

/// Choices of axis, quantity and compared methods.
fn toggles(page: &Page, question: &Question, axis: Axis, on_action: &Callback<Action>) -> Html {
    let over = if axis == Axis::Bytes { Over::Bytes } else { Over::Procs };
    let two = |off: &'static str, on: &'static str, is_on: bool| {
        vec![chip("no", off, "", !is_on), chip("yes", on, "", is_on)]
    };
    let inputs = &page.inputs;
    let along = (question.collective.op != Operation::Barrier).then(|| {
        let chips = [(Over::Procs, words::OVER_PROCS), (Over::Bytes, words::OVER_BYTES)]
            .map(|(one, label)| chip(one.name(), label, "", one == over));
        choice("over", words::OVER, chips.to_vec(), on_action, |value| {
            Action::SetInput("over", value)
        })
    });
    let shown = two(words::TIME, words::BANDWIDTH, inputs.bandwidth);
    let shown = choice("bandwidth", words::SHOW, shown, on_action, |value| {
        Action::SetInput("bandwidth", value)
    });
    let compared = two(words::OTHER_ALGORITHMS, words::MACHINES, inputs.machines);
    let compared = choice("machines", words::COMPARE_WITH, compared, on_action, |value| {
        Action::SetInput("machines", value)
    });
    html! { <div class="pickers">{ along.unwrap_or_default() }{ shown }{ compared }</div> }
}

/// The compared methods of this operation; models of messages are ignored.
fn known_methods(names: &[String], op: Operation) -> Vec<&String> {
    let known = request::methods(op);
    names.iter().filter(|name| known.contains(&name.as_str())).collect()
}

/// Check boxes of compared methods, in the colours of their lines.
fn method_chips(
    chosen: &[String],
    op: Operation,
    method: &str,
    on_action: &Callback<Action>,
) -> Html {
    let is_full = known_methods(chosen, op).len() >= MAX_LINES - 1;
    let other = |name: &'static str| {
        let is_chosen = chosen.iter().any(|other| other == name);
        OptionChip {
            name: name.to_owned(),
            label: algorithms::name(name).to_owned(),
            swatch: is_chosen.then(|| rich::swatch(ink(op, name))),
            is_possible: is_chosen || !is_full,
        }
    };
    let all = request::methods(op).into_iter().filter(|name| *name != method);
    chips::others("chips", words::LINES, all.map(other).collect(), chosen, on_action)
}

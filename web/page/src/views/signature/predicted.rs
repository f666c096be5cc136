//! Predicted and measured times: each measured time of the signature predicted from its other ones,
//! or the measured times of another open signature.

use super::words;
use crate::draw::figure::Figure;
use crate::fields::chips::{Chip, Chips};
use crate::machines::Machine;
use crate::plots::plot::Plot;
use crate::tables::quantity;
use crate::tables::scroll::Scroll;
use crate::tables::table::{folded_part, table};
use crate::views::signature::figure::predicted::{figure, residuals};
use loggia_exchange::score::{Compared, Errors, Points, name, place_of};
use loggia_model::units::words::{number, percent, size, time};
use std::rc::Rc;
use yew::{Callback, Html, Properties, UseStateHandle, component, html, use_memo, use_state};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) machine: Machine,
    /// Other open signatures.
    pub(super) others: Vec<Machine>,
}

/// The plots of a table, and the errors over all tables of its operation.
#[derive(Default)]
struct Pictures {
    curve: Option<Rc<Figure>>,
    residuals: Option<Rc<Figure>>,
    points: Vec<Compared>,
    errors: Option<Errors>,
}

impl Pictures {
    fn of(machine: &Machine, measured: &Machine, index: usize) -> Self {
        let tables = &measured.tables;
        let Some(table) = tables.get(index) else { return Pictures::default() };
        let compared = |index: usize| match machine == measured {
            true => Points::left_out(machine, index).compared,
            false => Points::of(machine, measured, &tables[index]).compared,
        };
        let points = compared(index);
        let op = name(table);
        let is_other = |other: &usize| *other != index && name(&tables[*other]) == op;
        let others: Vec<Compared> = (0..tables.len()).filter(is_other).flat_map(compared).collect();
        let all = points.iter().chain(&others);
        let errors = Some(Errors::of(op, all)).filter(|errors| errors.points > 0);
        let residuals = residuals(&points, words::PREDICTED_LINE).map(Rc::new);
        let curve = figure(machine, measured, table, words::PREDICTED_LINE).map(Rc::new);
        Pictures { curve, residuals, points, errors }
    }
}

/// Signatures with measured times, the selected one first. Those of a changed machine do not
/// describe it.
fn sources(props: &Props) -> Vec<Machine> {
    let others = props.others.iter().filter(|other| **other != props.machine);
    let all = std::iter::once(&props.machine).chain(others);
    all.filter(|of| !of.tables.is_empty() && !of.is_changed()).cloned().collect()
}

#[component]
pub(super) fn Predicted(props: &Props) -> Html {
    let sources = sources(props);
    let chosen = use_state(|| None::<Machine>);
    let index = use_state(|| 0_usize);
    let measured = (*chosen).clone().filter(|chosen| sources.contains(chosen));
    let measured = measured.or_else(|| sources.first().cloned());
    let measured = measured.unwrap_or_else(|| props.machine.clone());
    let place = if *index < measured.tables.len() { *index } else { 0 };
    let both = (props.machine.clone(), measured.clone());
    let pictures = use_memo((both, place), |((machine, measured), place)| {
        Pictures::of(machine, measured, *place)
    });
    if sources.is_empty() {
        return html! {};
    }
    let of_itself = measured == props.machine;
    let more = pictures
        .errors
        .as_ref()
        .map(|errors| words::errors_in_short(errors.points, &words::share(errors.median)));
    let of = if of_itself { String::new() } else { words::of_other(&measured.title) };
    let inside = html! {
        <>
            <div class="pickers">
                { (sources.len() > 1).then(|| signature_choice(&sources, &measured, &chosen)) }
                { table_choice(&measured, place, &index) }
            </div>
            <p class="aside">
                { if of_itself { words::PREDICTED_SHOWS } else { words::PREDICTED_SHOWS_OTHER } }
            </p>
            { for pictures.errors.as_ref().map(errors) }
            { for plot(words::PREDICTED, pictures.curve.as_ref()) }
            { for plot(words::RESIDUALS, pictures.residuals.as_ref()) }
            { data(&pictures.points) }
        </>
    };
    html! {
        <section class="picture" id="predicted">
            { folded_part(html! { { words::PREDICTED } }, more.unwrap_or_default() + &of, inside) }
        </section>
    }
}

/// The errors of the predictions of an operation.
fn errors(errors: &Errors) -> Html {
    let shown = |key: &str, value: Option<f64>| {
        let path = format!("score.{}.{key}", errors.op);
        quantity::number(&path, "", value, words::share(value))
    };
    let [median, p95, maximum, end, inside] = words::errors(errors.points);
    let share = errors
        .inside
        .is_some()
        .then(|| html! { <>{ shown("inside", errors.inside) }{ inside }</> });
    html! {
        <p>
            { median }{ shown("median", errors.median) }
            { p95 }{ shown("p95", errors.p95) }
            { maximum }{ shown("maximum", errors.maximum) }
            { end }{ share.unwrap_or_default() }
        </p>
    }
}

fn plot(title: &'static str, figure: Option<&Rc<Figure>>) -> Option<Html> {
    figure.map(|figure| html! { <Plot {title} figure={figure.clone()} /> })
}

/// The choice of the signature with the measured times.
fn signature_choice(
    sources: &[Machine],
    measured: &Machine,
    chosen: &UseStateHandle<Option<Machine>>,
) -> Html {
    let chip = |(place, machine): (usize, &Machine)| Chip {
        value: place.to_string(),
        label: words::run(&machine.title, machine.measured_on()),
        hint: String::new(),
        is_chosen: machine == measured,
        is_possible: true,
    };
    let chips = sources.iter().enumerate().map(chip).collect::<Vec<_>>();
    let (sources, chosen) = (sources.to_vec(), chosen.clone());
    let on_choose = Callback::from(move |place: String| {
        chosen.set(place.parse().ok().and_then(|place: usize| sources.get(place).cloned()));
    });
    html! { <Chips name="measured-by" legend={words::MEASURED_TIMES} {chips} {on_choose} /> }
}

/// The choice of the operation, and of the table of measured times.
fn table_choice(measured: &Machine, place: usize, index: &UseStateHandle<usize>) -> Html {
    let tables = &measured.tables;
    let op = name(&tables[place]);
    let is_first = |i: &usize| tables.iter().position(|t| name(t) == name(&tables[*i])) == Some(*i);
    let chip = |i: usize, label: String, is_chosen: bool| Chip {
        value: i.to_string(),
        label,
        hint: String::new(),
        is_chosen,
        is_possible: true,
    };
    let operations = (0..tables.len()).filter(is_first).map(|i| {
        let other = name(&tables[i]);
        chip(i, words::operation(other), other == op)
    });
    let places = (0..tables.len())
        .filter(|i| name(&tables[*i]) == op)
        .map(|i| chip(i, place_of(&tables[i]), i == place));
    let (operations, places): (Vec<Chip>, Vec<Chip>) = (operations.collect(), places.collect());
    let on_choose = {
        let index = index.clone();
        Callback::from(move |i: String| index.set(i.parse().unwrap_or_default()))
    };
    html! {
        <>
            <Chips name="measured-op" legend={words::OPERATION} chips={operations} on_choose={on_choose.clone()} />
            <Chips name="measured-at" legend={words::MEASURED_AT} chips={places} {on_choose} />
        </>
    }
}

fn data(points: &[Compared]) -> Html {
    let row = |point: &Compared| {
        let cells = [
            size(point.bytes),
            time(point.measured_us),
            time(point.predicted_us),
            crate::tables::words::between(&number(point.low_us.0, 4), &number(point.high_us.0, 4)),
            percent(point.measured_us.0 / point.predicted_us.0 - 1.0),
            point.basis.name().to_owned(),
        ];
        cells.into_iter().map(|words| html! { { words } }).collect()
    };
    let rows = points.iter().map(row).collect();
    html! {
        <details class="data">
            <summary>{ crate::tables::words::DATA }</summary>
            <Scroll>
                { table(words::PREDICTED, &words::PREDICTED_COLUMNS, rows) }
            </Scroll>
        </details>
    }
}

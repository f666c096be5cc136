//! One message on other machines, by several models and send modes.

mod choices;
pub(crate) mod figure;
mod rows;
mod series;

use super::figure::milestones;
use super::words;
use crate::comparison::{all, chooser, leads};
use crate::draw::figure::{Dot, Figure, Ink, Line, Unit};
use crate::draw::leads::Leads;
use crate::draw::steps::Axis;
use crate::fields::chips::Chips;
use crate::fields::route::chip;
use crate::plots::plot::Plot;
use crate::state::{Action, Page, set};
use crate::views::Props;
use choices::choices;
use figure::{dots, figure, line};
use loggia_model::units::{Bytes, Micros};
use rows::Rows;
use series::{Series, series};
use std::rc::Rc;
use yew::{Callback, Html, component, hook, html, use_memo};

#[component]
pub(crate) fn OtherMachines(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let [first, others] = series(page);
    let picture = use_picture(page, &first, &others);
    let all_series: Vec<Series> = first.into_iter().chain(others).collect();
    let (dots, answer) = values_at_handle(&all_series, page);
    let on_move = on_action.reform(|bytes| set(Axis::Bytes, bytes));
    let plot = picture.map(|(figure, found)| {
        html! {
            <>
                <Plot title={crate::comparison::words::OTHER_MACHINES} {figure} at={page.bytes().0} {dots} {answer} {on_move} />
                { leads(&found, &all(page), Axis::Bytes) }
            </>
        }
    });
    html! {
        <>
            { chooser(page, on_action) }
            { choices(page, on_action) }
            <div class="seen">
                <div class="answered"><Rows all_series={Rc::new(all_series)} bytes={page.bytes()} /></div>
                <div class="drawn">{ unit_choice(page, on_action) }{ plot.unwrap_or_default() }</div>
            </div>
        </>
    }
}

fn unit(page: &Page) -> Unit {
    if page.inputs.bandwidth { Unit::Rate } else { Unit::Time }
}

/// Choice of times or bandwidths.
fn unit_choice(page: &Page, on_action: &Callback<Action>) -> Html {
    let is_rate = page.inputs.bandwidth;
    let chips =
        vec![chip("no", words::TIME, "", !is_rate), chip("yes", words::BANDWIDTH, "", is_rate)];
    let on_choose = on_action.reform(|value| Action::SetInput("bandwidth", value));
    html! { <Chips name="unit" legend={words::SHOW} {chips} {on_choose} /> }
}

/// All lines, and the fastest along the axis. Lines of other machines are computed again only if
/// they change, not if a parameter of the selected one does.
#[hook]
fn use_picture(page: &Page, first: &[Series], others: &[Series]) -> Option<(Rc<Figure>, Leads)> {
    let unit = unit(page);
    let selected: Vec<Series> =
        first.iter().chain(others).filter(|series| series.is_selected).cloned().collect();
    let others =
        use_memo((others.to_vec(), unit), |(all_series, unit)| lines_and_dots(all_series, *unit));
    let own =
        use_memo((first.to_vec(), unit), |(all_series, unit)| lines_and_dots(all_series, *unit));
    let picture = use_memo((others, own, selected), |(others, own, selected)| {
        let marked = |series: &Series| Some(milestones(&series.route().ok()?, Some(series.model?)));
        let marked = selected.first().and_then(marked).unwrap_or_default();
        let parts = [&**others, &**own];
        let lines: Vec<Line> = parts.iter().flat_map(|(lines, _)| lines).cloned().collect();
        let dots = parts.iter().flat_map(|(_, dots)| dots).copied();
        let leads = Leads::of(&lines, unit, |ink, bytes| {
            selected.iter().find(|series| series.shown.ink == ink)?.time(Bytes(bytes))
        });
        let figure = figure(lines, dots.collect(), marked, unit)?;
        Some((Rc::new(Figure { marks: leads.marks(), ..figure }), leads))
    });
    (*picture).clone()
}

/// Lines with known values, and measured points.
fn lines_and_dots(all_series: &[Series], unit: Unit) -> (Vec<Line>, Vec<Dot>) {
    let lines = all_series.iter().rev().filter_map(|series| Some(line(&series.drawn()?, unit)));
    let measured = |series: &Series| {
        let samples = &series.shown.machine.samples;
        Some(dots(&loggia_fit::measured(series.tier.as_deref()?, samples), series.shown.ink, unit))
    };
    let dots = all_series
        .iter()
        .filter(|series| series.is_selected)
        .filter_map(measured)
        .flatten()
        .collect();
    (lines.filter(|line| line.end().is_some()).collect(), dots)
}

/// Values at the handle, and the answer of the selected machine.
fn values_at_handle(all_series: &[Series], page: &Page) -> (Vec<(Ink, Micros)>, Option<Micros>) {
    let time = |series: &Series| series.time(page.bytes());
    let dots = all_series.iter().rev().filter_map(|series| Some((series.shown.ink, time(series)?)));
    (dots.collect(), all_series.first().and_then(time))
}

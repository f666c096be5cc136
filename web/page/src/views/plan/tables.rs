//! Tables of a plan: all numbers of ranks, steps, sensitivity, unknown parameters.

use super::results::MachinePlan;
use super::words as text;
use crate::draw::iteration::PARTS;
use crate::memo::Shared;
use crate::tables::scroll::Scroll;
use crate::tables::{quantity, rich, table};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, percent, time};
use loggia_plan::assumption::Assumption;
use loggia_plan::cost::StepCost;
use loggia_plan::plan::{Improvement, Plan, Point};
use loggia_plan::table::how;
use yew::{Html, html};

/// The selected number of ranks.
pub(super) fn point_tables(known: &MachinePlan, plan: &Shared<Plan>, at: usize) -> Html {
    let Some(point) = plan.points.get(at) else { return html! {} };
    let path = |name: &str| known.at(at, name);
    let total = quantity::micros(&path("time_us"), Some(point.time_us), time(point.time_us));
    let title = html! { <>{ text::at(point.procs.0) }{ ": " }{ total }</> };
    let inside = html! {
        <>
            <Scroll label={text::STEPS}>
                { steps(point, &path) }
            </Scroll>
            { what_ifs(point, &path) }
        </>
    };
    table::folded("plan-at", title, text::steps_and_changes(point.steps.len()), inside)
}

fn steps(point: &Point, path: &dyn Fn(&str) -> String) -> Html {
    let row = |(i, step): (usize, &StepCost)| -> Vec<Html> {
        let path = |name: &str| path(&format!("steps.{i}.{name}"));
        let name = html! {
            <>{ &step.what }{ " " }<small>{ text::in_line(step.line) }</small></>
        };
        let whole =
            quantity::micros(&path("time_us"), Some(step.time_us), number(step.time_us.0, 4));
        let parts = PARTS.iter().map(|part| {
            let of = (part.of)(&step.parts);
            html! { { number(of, 4) } }
        });
        let by = step.by.as_deref().zip(step.method());
        let by = by.map_or_else(Html::default, |(by, method)| {
            quantity::words(&path("by"), by, html! { { method } })
        });
        [name, whole].into_iter().chain(parts).chain([by]).collect()
    };
    let rows = point.steps.iter().enumerate().map(row).collect();
    table::table(text::STEPS, &text::STEP_COLUMNS, rows)
}

/// What-ifs of the machine, as bars.
fn what_ifs(point: &Point, path: &dyn Fn(&str) -> String) -> Option<Html> {
    let row = |(i, what_if): (usize, &Improvement)| -> Vec<Html> {
        let gain = point.share(point.time_us.0 - what_if.time_us.0);
        let width = |share: f64| format!("{:.2}%", 100.0 * share.clamp(0.0, 1.0));
        let bar = html! {
            <svg class="gain-bar" aria-hidden="true">
                <rect class="ink-idle" width="100%" height="100%" />
                <rect class="ink-total" width={width(1.0 - gain)} height="100%" />
            </svg>
        };
        let path = path(&format!("what_if.{i}.time_us"));
        vec![
            html! { { what_if.change } },
            bar,
            quantity::micros(&path, Some(what_if.time_us), time(what_if.time_us)),
            html! { { percent(gain) } },
        ]
    };
    (!point.what_if.is_empty()).then(|| {
        let rows = point.what_if.iter().enumerate().map(row).collect();
        html! {
            <section class="buys">
                <h3>{ text::SENSITIVITY }</h3>
                { table::table(text::SENSITIVITY, &text::SENSITIVITY_COLUMNS, rows) }
            </section>
        }
    })
}

/// Unknown parameters, assumed values, and their effect.
pub(super) fn unknown_parameters(known: &MachinePlan, plan: &Shared<Plan>) -> Html {
    let row = |(i, missing): (usize, &Assumption)| {
        let path = known.path(&format!("missing.{i}.time_us"));
        let words = |words: &str| html! { <td>{ rich::formula(words) }</td> };
        html! {
            <tr>
                <th scope="row">{ rich::formula(&missing.parameter) }</th>
                { words(&missing.now) }
                { words(&missing.otherwise) }
                <td class="number">
                    { quantity::micros(&path, Some(missing.time_us), time(missing.time_us)) }
                </td>
                <td class="number">{ percent(missing.more) }</td>
            </tr>
        }
    };
    let Some(first) = plan.missing.first() else { return html! {} };
    let head = text::MISSING_COLUMNS.into_iter().enumerate();
    let head = head.map(|(i, words)| {
        let class = (i > 2).then_some("number");
        match words {
            "" => html! { <td></td> },
            words => html! { <th scope="col" {class}>{ words }</th> },
        }
    });
    let inside = html! {
        <>
            <p class="aside">{ text::at_worst(first.procs.0) }</p>
            <Scroll label={text::MISSING}>
                <table class="parts">
                    <caption class="unseen">{ text::MISSING }</caption>
                    <thead><tr>{ for head }</tr></thead>
                    <tbody>{ for plan.missing.iter().enumerate().map(row) }</tbody>
                </table>
            </Scroll>
        </>
    };
    let worst = plan.missing.iter().map(|missing| missing.more).fold(0.0, f64::max);
    table::folded(
        "plan-missing",
        html! { { text::MISSING } },
        text::missing(plan.missing.len(), worst),
        inside,
    )
}

pub(super) fn points(known: &MachinePlan, plan: &Shared<Plan>, at: usize) -> Html {
    let row = |(i, point): (usize, &Point)| {
        let cells = cells(point, &|name| known.at(i, name));
        let class = (i == at).then_some("looked");
        html! {
            <tr {class}>
                <th scope="row" class="number">{ point.procs.0 }</th>
                { for cells.into_iter().map(|cell| html! { <td class="number">{ cell }</td> }) }
            </tr>
        }
    };
    let inside = html! {
            <Scroll label={text::POINTS}>
                <table class="parts many">
                    <caption class="unseen">{ text::POINTS }</caption>
                    <thead>
                        <tr>{ for text::POINT_COLUMNS.map(|words| html! { <th scope="col" class="number">{ words }</th> }) }</tr>
                    </thead>
                    <tbody>{ for plan.points.iter().enumerate().map(row) }</tbody>
                </table>
            </Scroll>
    };
    table::folded(
        "plan-points",
        html! { { text::POINTS } },
        text::points(plan.points.len()),
        inside,
    )
}

fn cells(point: &Point, path: &dyn Fn(&str) -> String) -> Vec<Html> {
    let micros = |name: &str, of: Micros| quantity::micros(&path(name), Some(of), time(of));
    let iteration = match time(point.low_us) == time(point.high_us) {
        true => micros("time_us", point.time_us),
        false => html! {
            <>
                { micros("time_us", point.time_us) }
                <small>
                    { micros("low_us", point.low_us) }{ " – " }{ micros("high_us", point.high_us) }
                </small>
            </>
        },
    };
    let efficiency = text::share(point.efficiency);
    let efficiency = quantity::number(&path("efficiency"), "", Some(point.efficiency), efficiency);
    let parts = PARTS.iter().map(|part| {
        let of = (part.of)(&point.parts);
        let shown = text::share(point.share(of));
        match part.key {
            Some(key) => quantity::micros(&path(&format!("parts.{key}")), Some(Micros(of)), shown),
            None => html! { { shown } },
        }
    });
    let first = [iteration, micros("total_us", point.total_us), efficiency];
    first.into_iter().chain(parts).chain([html! { { how(point) } }]).collect()
}

//! The same sketch on other machines: times and efficiencies as plots and as a table.

use super::figure::{Planned, efficiency, times};
use super::results::MachinePlan;
use super::{chosen, words as text};
use crate::comparison::{ComparedMachine, chooser, panel, refused, table};
use crate::memo::{Shared, memoized};
use crate::plots::plot::Plot;
use crate::runs::words::rules_title;
use crate::state::{Action, Page};
use crate::tables::quantity;
use loggia_model::Error;
use loggia_model::units::words::time;
use loggia_plan::plan::Plan;
use std::rc::Rc;
use yew::{Callback, Html, html};

pub(super) fn other_machines(
    page: &Page,
    plans: &[MachinePlan],
    on_action: &Callback<Action>,
) -> Html {
    let ok = |known: &MachinePlan| Some(known.plan.as_ref().ok()?.clone());
    // The selected number of ranks, from the plan of the selected machine.
    let at = plans.first().and_then(ok).map_or(0, |plan| chosen(page, &plan));
    let inside = || {
        html! {
            <>
                { chooser(page, on_action) }
                { memoized((plans.to_vec(), at), |(plans, at)| answers(plans, *at)) }
            </>
        }
    };
    panel(page, on_action, inside)
}

/// A machine with a plan.
type PlannedMachine<'a> = (&'a MachinePlan, &'a Shared<Plan>);

fn answers(plans: &[MachinePlan], at: usize) -> Html {
    let results: Vec<PlannedMachine> =
        plans.iter().filter_map(|known| Some((known, known.plan.as_ref().ok()?))).collect();
    let failed: Vec<(&ComparedMachine, &Error)> =
        plans.iter().filter_map(|known| Some((&known.shown, known.plan.as_ref().err()?))).collect();
    let rows: Vec<Html> = results.iter().filter_map(|one| row(*one, at)).collect();
    html! {
        <>
            { price(&results, at).unwrap_or_default() }
            if !rows.is_empty() { { table(&text::COMPARISON_COLUMNS, 2, rows) } }
            { pictures(&results).unwrap_or_default() }
            { refused(failed.into_iter()).unwrap_or_default() }
        </>
    }
}

/// The price of a node of the fastest machine at which an iteration costs as much on the selected
/// machine; if the selected one is the fastest, on the next one.
fn price(results: &[PlannedMachine], at: usize) -> Option<Html> {
    let time = |(_, plan): &PlannedMachine| Some(plan.points.get(at)?.time_us);
    let (selected, others) = results.split_first()?;
    let fastest = others.iter().min_by(|a, b| {
        let [a, b] = [a, b].map(|one| time(one).map_or(f64::INFINITY, |time| time.0));
        a.total_cmp(&b)
    })?;
    let (mine, its) = (time(selected)?, time(fastest)?);
    let [faster, slower] = if its.0 < mine.0 { [fastest, selected] } else { [selected, fastest] };
    let ratio = mine.0.max(its.0) / mine.0.min(its.0);
    let procs = selected.1.points.get(at)?.procs;
    let [faster, slower] = [faster, slower].map(|(known, _)| known.shown.title.as_str());
    Some(html! { <p class="price">{ text::price(procs, faster, slower, ratio) }</p> })
}

fn pictures(results: &[PlannedMachine]) -> Option<Html> {
    let all: Vec<Planned> = results
        .iter()
        .map(|(known, plan)| Planned { plan, ink: known.shown.ink, label: known.shown.short() })
        .collect();
    let (times, shares) = (times(&all)?, efficiency(&all, None)?);
    Some(html! {
        <div class="pictures">
            <section class="over">
                <h3>{ text::TIME }</h3>
                <Plot title={text::TIME} figure={Rc::new(times)} />
            </section>
            <section class="over">
                <h3>{ text::EFFICIENCY_TITLE }</h3>
                <Plot title={text::EFFICIENCY_TITLE} figure={Rc::new(shares)} />
            </section>
        </div>
    })
}

/// A machine's values on the selected number of ranks.
fn row((known, plan): PlannedMachine, at: usize) -> Option<Html> {
    let point = plan.points.get(at)?;
    let shortest = plan.points.iter().min_by(|a, b| a.time_us.0.total_cmp(&b.time_us.0))?;
    let share = text::share(point.efficiency);
    let bound_from = plan.communication_bound_from;
    let bound_from = bound_from.map_or(text::NEVER.to_owned(), |procs| procs.0.to_string());
    Some(html! {
        <tr>
            <th scope="row">{ known.shown.name() }</th>
            <td>{ rules_title(plan.rules) }</td>
            <td class="number">{ quantity::micros(&known.at(at, "time_us"), Some(point.time_us), time(point.time_us)) }</td>
            <td class="number">{ quantity::number(&known.at(at, "efficiency"), "", Some(point.efficiency), share) }</td>
            <td class="number">{ text::on(shortest.procs.0) }</td>
            <td class="number">{ bound_from }</td>
        </tr>
    })
}

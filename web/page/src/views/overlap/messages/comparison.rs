//! The same messages on other machines.

mod plot;

use super::words as text;
use crate::comparison::{ComparedMachine, all, refused, table};
use crate::state::Page;
use crate::tables::quantity;
use crate::views::Props;
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::model::messages::{Comparison, Demand, Outcome, compare};
use loggia_model::units::words::time;
use plot::Over;
use yew::{Html, html};

pub(crate) fn answers(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let shown = all(page);
    let answers: Vec<(&ComparedMachine, Result<Comparison, Error>)> =
        shown.iter().map(|one| (one, answer(one, page))).collect();
    let known = answers.iter().filter_map(|(one, answer)| Some((*one, answer.as_ref().ok()?)));
    let failed = answers.iter().filter_map(|(one, answer)| Some((*one, answer.as_ref().err()?)));
    let rows: Vec<Html> = known.clone().map(|(one, comparison)| row(one, comparison)).collect();
    let own = known.clone().find(|(one, _)| one.is_first());
    let answer = own.and_then(|(_, comparison)| comparison.best()?.time);
    let dots =
        known.filter_map(|(one, all)| Some((one.ink, all.best()?.time?))).collect::<Vec<_>>();
    let pictures = super::OVERS.map(|(axis, title)| {
        let (page, on_action) = (page.clone(), on_action.clone());
        let (shown, dots) = (shown.clone(), dots.clone());
        html! { <Over {page} {shown} {axis} {title} {answer} {dots} {on_action} /> }
    });
    html! {
        <>
            { (!rows.is_empty()).then(|| table(&text::COMPARISON_COLUMNS, 2, rows)) }
            <div class="pictures">{ for pictures }</div>
            { refused(failed) }
        </>
    }
}

fn answer(shown: &ComparedMachine, page: &Page) -> Result<Comparison, Error> {
    let route = shown.route(&page.inputs)?;
    compare(&route, &demand_on(&route, page))
}

/// The demand on a machine; the queue depth only if the selected machine has gaps by depth.
fn demand_on(route: &Route, page: &Page) -> Demand {
    let demand = page.demand();
    let is_reported =
        |depth: &u32| route.tier.gap_by_depth.iter().any(|point| point.depth == *depth);
    Demand { depth: demand.depth.filter(is_reported), ..demand }
}

/// The best method with its speedup, then the times of all.
fn row(shown: &ComparedMachine, comparison: &Comparison) -> Html {
    let best = comparison.best();
    let path = |i: usize, key: &str| {
        format!("predict.messages[{}].strategies.{i}.{key}", shown.machine.name)
    };
    let cell = |(i, outcome): (usize, &Outcome)| {
        let is_best = best.is_some_and(|best| best.strategy == outcome.strategy);
        let class = if is_best { "number best" } else { "number" };
        let words = outcome.time.map_or("—".to_owned(), time);
        html! { <td {class}>{ quantity::micros(&path(i, "time_us"), outcome.time, words) }</td> }
    };
    let speedup = best.and_then(|best| best.speedup);
    html! {
        <tr>
            <th scope="row">{ shown.name() }</th>
            <td>{ best.map_or("—", |best| text::short(best.strategy)) }</td>
            <td class="number">{ speedup.map_or("—".to_owned(), text::times) }</td>
            { for comparison.strategies.iter().enumerate().map(cell) }
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::model::messages::Strategy;

    #[test]
    fn each_method_has_a_column() {
        let methods = Strategy::ALL.map(text::short);
        let columns = text::COMPARISON_COLUMNS.map(str::to_lowercase);
        assert_eq!(columns[3..], methods);
    }
}

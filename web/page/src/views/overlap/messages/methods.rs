//! Methods to send many messages: times as bars, and formulas.

use super::words;
use crate::tables::table::{bar_cell, folded_part};
use crate::tables::{quantity, rich};
use loggia_model::model::messages::{Comparison, Outcome, Strategy};
use loggia_model::units::Micros;
use loggia_model::units::words::time;
use yew::{Html, html};

/// Index of an outcome in the command's answer.
pub(super) fn index(outcome: &Outcome, comparison: &Comparison) -> usize {
    let this = |other: &Outcome| other.strategy == outcome.strategy;
    comparison.strategies.iter().position(this).unwrap_or_default()
}

/// Time and speedup of each method, with bars on one scale.
pub(super) fn table(comparison: &Comparison) -> Html {
    let [strategy, time, speedup] = words::COLUMNS;
    let times = comparison.strategies.iter().filter_map(|outcome| outcome.time);
    let longest = times.fold(Micros(0.0), Micros::max);
    let best = comparison.best().map(|best| best.strategy);
    let rows = comparison
        .strategies
        .iter()
        .enumerate()
        .map(|(i, outcome)| row(i, outcome, longest, best == Some(outcome.strategy)));
    html! {
        <table class="parts ranking">
            <caption class="unseen">{ words::METHODS }</caption>
            <thead>
                <tr>
                    <th scope="col">{ strategy }</th>
                    <td class="bar-cell" />
                    <th scope="col" class="number">{ time }</th>
                    <th scope="col" class="number">{ speedup }</th>
                </tr>
            </thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}

fn row(i: usize, outcome: &Outcome, longest: Micros, is_best: bool) -> Html {
    let strategy = outcome.strategy;
    let path = format!("predict.messages.strategies.{i}.time_us");
    let name = html! {
        <th scope="row">{ strategy.words() }<small>{ words::what(strategy) }</small></th>
    };
    let class = is_best.then_some("best");
    let (Some(duration), Some(speedup)) = (outcome.time, outcome.speedup) else {
        let missing = rich::formula(&words::unknown_parameters(&outcome.missing));
        return html! {
            <tr class="lacking" key={i}>
                { name }
                <td colspan="3">{ quantity::micros(&path, None, missing) }</td>
            </tr>
        };
    };
    html! {
        <tr {class} key={i}>
            { name }
            { bar_cell(Some(duration), longest, is_best) }
            <td class="number">{ quantity::micros(&path, Some(duration), time(duration)) }</td>
            <td class="number">{ words::times(speedup) }</td>
        </tr>
    }
}

/// Formulas of all methods with values, and their symbols.
pub(super) fn formulas(comparison: &Comparison) -> Html {
    let term = |(i, outcome): (usize, &Outcome)| {
        let path = format!("predict.messages.strategies.{i}.formula");
        let shown = lines(&outcome.formula);
        let bound = (outcome.strategy == Strategy::Packed && outcome.time.is_some())
            .then(|| html! { <small>{ words::PACKING }</small> });
        html! {
            <div key={i}>
                <dt>{ outcome.strategy.words() }</dt>
                <dd>{ quantity::words(&path, &outcome.formula, shown) }{ bound }</dd>
            </div>
        }
    };
    let definition = |(i, text): (usize, &String)| {
        let path = format!("predict.messages.definitions.{i}");
        html! { <li>{ quantity::words(&path, text, rich::formula(text)) }</li> }
    };
    let inside = html! {
        <div class="counted">
            <dl>{ for comparison.strategies.iter().enumerate().map(term) }</dl>
            <ul>{ for comparison.definitions.iter().enumerate().map(definition) }</ul>
            <p class="aside">{ words::SYMBOLS }</p>
        </div>
    };
    folded_part(html! { { words::FORMULAS } }, words::FORMULAS_HOLD.to_owned(), inside)
}

/// Symbols, values and result, one per line.
fn lines(formula: &str) -> Html {
    let line = |(i, part): (usize, &str)| {
        let equals = (i > 0).then_some("= ");
        html! { <span class="line">{ equals }{ rich::formula(part) }</span> }
    };
    formula.splitn(2, " = ").enumerate().map(line).collect()
}

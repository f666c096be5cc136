//! The terms of both equations.

use crate::draw::figure::Ink;
use crate::tables::scroll::Scroll;
use crate::tables::terms::bounded;
use crate::tables::{quantity, rich};
use crate::text;
use loggia_model::model::{Prediction, Route, Term};
use loggia_model::protocol::Protocol;
use loggia_model::units::words::number;
use yew::{Html, html};

/// Terms of both equations; the highlighted one is pressed.
pub(super) fn terms(found: &Protocol, highlighted: Option<&str>) -> Html {
    let [term, count, each, micros, _] = text::TERM_COLUMNS;
    let head = |words: &'static str| html! { <th scope="col" class="number">{ words }</th> };
    let both = |words: &'static str| {
        html! { <th scope="colgroup" colspan="2" class="number">{ words }</th> }
    };
    let row = |term: &Term| row(term, found, highlighted == Some(term.symbol));
    html! {
        <Scroll>
            <table class="parts">
                <caption class="unseen">{ text::TERMS }</caption>
                <thead>
                    <tr>
                        <td colspan="2"></td>
                        { both(super::words::BY_SENDER) }
                        { both(super::words::BY_DELIVERY) }
                    </tr>
                    <tr>
                        <th scope="col">{ term }</th>
                        { head(each) }
                        { head(count) }{ head(micros) }
                        { head(count) }{ head(micros) }
                    </tr>
                </thead>
                <tbody>{ for found.delivery.terms.iter().map(row) }</tbody>
            </table>
        </Scroll>
    }
}

/// Source of each term.
pub(super) fn sources(found: &Protocol, route: &Route) -> Html {
    let source = |term: &Term| {
        let source = route.source(term.symbol).unwrap_or_default();
        html! { <li>{ rich::symbol(term.symbol) }{ ": " }{ rich::formula(source) }</li> }
    };
    html! {
        <details class="more">
            <summary>{ super::words::SOURCES }</summary>
            <ul>{ for found.delivery.terms.iter().map(source) }</ul>
        </details>
    }
}

fn row(term: &Term, found: &Protocol, is_highlighted: bool) -> Html {
    let symbol = term.symbol;
    html! {
        <tr key={symbol} data-term={symbol}>
            <th scope="row">
                <button type="button" class="term" aria-pressed={is_highlighted.to_string()}>
                    { rich::swatch(Ink::of(symbol)) }{ rich::symbol(symbol) }
                    <small>{ text::meaning(symbol) }</small>
                </button>
            </th>
            <td class="number">{ bounded(term.each) }</td>
            { share("sender", &found.sender, symbol) }
            { share("delivery", &found.delivery, symbol) }
        </tr>
    }
}

/// Count of a term in an equation, and its time.
fn share(name: &str, prediction: &Prediction, symbol: &str) -> Html {
    let found = prediction.terms.iter().enumerate().find(|(_, term)| term.symbol == symbol);
    let Some((i, term)) = found else {
        return html! { <><td class="number">{ "0" }</td><td class="number">{ "0" }</td></> };
    };
    let path = format!("predict.protocol.{name}.terms[{i}].total_us");
    let time = term.time().value;
    html! {
        <>
            <td class="number">{ number(term.count, 17) }</td>
            <td class="number">{ quantity::micros(&path, Some(time), number(time.0, 4)) }</td>
        </>
    }
}

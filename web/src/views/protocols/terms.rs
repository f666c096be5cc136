//! What both times are made of: each term, and how often it counts in which equation.

use crate::draw::figure::Ink;
use crate::text;
use crate::views::parts::bounded;
use crate::views::{quantity, rich};
use loggia_model::model::{Prediction, Route, Term};
use loggia_model::protocol::Protocol;
use loggia_model::units::words::number;
use yew::{Html, html};

/// The terms of both equations; the one looked at is pressed.
pub(super) fn terms(found: &Protocol, route: &Route, lit: Option<&str>) -> Html {
    let [term, count, each, micros, source] = text::TERM_COLUMNS;
    let head = |words: &'static str| html! { <th scope="col" class="number">{ words }</th> };
    let both = |words: &'static str| {
        html! { <th scope="colgroup" colspan="2" class="number">{ words }</th> }
    };
    let row = |term: &Term| row(term, found, route, lit == Some(term.symbol));
    html! {
        <div class="scroll">
            <table class="parts">
                <caption class="unseen">{ text::TERMS }</caption>
                <thead>
                    <tr>
                        <td colspan="2"></td>
                        { both(text::protocols::BY_SENDER) }
                        { both(text::protocols::BY_DELIVERY) }
                        <td class="source"></td>
                    </tr>
                    <tr>
                        <th scope="col">{ term }</th>
                        { head(each) }
                        { head(count) }{ head(micros) }
                        { head(count) }{ head(micros) }
                        <th scope="col" class="source">{ source }</th>
                    </tr>
                </thead>
                <tbody>{ for found.delivery.terms.iter().map(row) }</tbody>
            </table>
        </div>
    }
}

fn row(term: &Term, found: &Protocol, route: &Route, is_lit: bool) -> Html {
    let symbol = term.symbol;
    html! {
        <tr key={symbol} data-term={symbol}>
            <th scope="row">
                <button type="button" class="term" aria-pressed={is_lit.to_string()}>
                    { rich::swatch(Ink::of(symbol)) }{ rich::symbol(symbol) }
                    <small>{ text::meaning(symbol) }</small>
                </button>
            </th>
            <td class="number">{ bounded(term.each) }</td>
            { share("sender", &found.sender, symbol) }
            { share("delivery", &found.delivery, symbol) }
            <td class="source">{ rich::formula(route.source(symbol).unwrap_or_default()) }</td>
        </tr>
    }
}

/// How often a term counts in an equation, and what it adds.
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
            <td class="number">{ quantity::micros(&path, Some(time), number(time.0, 6)) }</td>
        </>
    }
}

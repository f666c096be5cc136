//! Unknown parameters of LogGPO, and values that could be assumed.

use super::words as text;
use crate::notices::reason;
use crate::state::Action;
use crate::tables::rich;
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::model::loggpo::{Assumption, assumptions};
use yew::{Callback, Html, html};

pub(super) fn missing(route: &Route, why: &Error, on_action: &Callback<Action>) -> Html {
    let all = assumptions(route);
    let item = |assumed: &Assumption| {
        html! {
            <li>
                { rich::symbol(assumed.symbol) }
                { format!(" = {}", text::spaced(&assumed.value)) }
                { " " }<small>{ rich::formula(assumed.why) }</small>
            </li>
        }
    };
    let list: Html = all.iter().map(item).collect();
    let assume = (!all.is_empty()).then(|| {
        let values: Vec<(String, String)> =
            all.into_iter().map(|assumed| (assumed.symbol.to_owned(), assumed.value)).collect();
        let on_click = on_action.reform(move |_| Action::SetAll(values.clone()));
        html! {
            <section class="why">
                <h3>{ text::ASSUMPTIONS }</h3>
                <ul>{ list }</ul>
                <p><button type="button" class="assume" onclick={on_click}>{ text::ASSUME }</button></p>
                <p class="aside">{ text::ASSUMED }</p>
            </section>
        }
    });
    html! { <>{ reason(why) }{ assume }</> }
}

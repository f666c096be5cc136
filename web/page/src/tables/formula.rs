//! A formula with values below its symbols.

use super::{quantity, rich};
use crate::draw::figure::Ink;
use loggia_model::model::Prediction;
use yew::{Html, html};

/// A formula in lines: symbols, the form over p if there is one, values. `whole` is its text in the
/// command.
pub(crate) fn formula(
    path: &str,
    whole: &str,
    prediction: &Prediction,
    form: Option<&str>,
) -> Html {
    let terms: Vec<&str> = prediction.terms.iter().map(|term| term.symbol).collect();
    let substituted = prediction.substituted();
    let (values, sum) = substituted.rsplit_once(" = ").unwrap_or((&substituted, ""));
    let form = form.map(|form| html! { <span class="line">{ "= " }{ rich::formula(form) }</span> });
    let sum = (!sum.is_empty()).then(|| html! { <span class="sum">{ format!(" = {sum}") }</span> });
    let shown = html! {
        <>
            <span class="line">{ "T = " }{ coloured(prediction.symbols, &terms) }</span>
            { form }
            <span class="line">{ "= " }{ coloured(values, &terms) }{ sum }</span>
        </>
    };
    html! {
        <p class="formula">{ quantity::words(&format!("{path}.formula"), whole, shown) }</p>
    }
}

/// A sum, with single-term summands underlined in the colours of their terms.
pub(crate) fn coloured(text: &str, terms: &[&str]) -> Html {
    let summands: Vec<&str> = text.split(" + ").collect();
    if summands.len() != terms.len() {
        return rich::formula(text);
    }
    let summand = |(i, (text, term)): (usize, (&str, &&str))| {
        let plus = (i > 0).then_some(" + ");
        let class = format!("summand under-{}", Ink::of(term).name());
        html! {
            <>{ plus }<span {class} data-term={term.to_string()}>{ rich::formula(text) }</span></>
        }
    };
    summands.into_iter().zip(terms).enumerate().map(summand).collect()
}

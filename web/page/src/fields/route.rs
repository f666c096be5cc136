//! Choices of tier, send mode and collective operation.

use super::chips::{Chip, Chips, choice};
use crate::memo::memoized;
use crate::state::Action;
use crate::text;
use loggia_model::model::Route;
use loggia_model::signature::Operation;
use yew::{Callback, Html, html};

/// Choices of tier and send mode; nothing if there is only one of each.
pub(crate) fn route_choices(route: &Route, on_action: &Callback<Action>) -> Html {
    let tiers: Vec<Chip> = route
        .signature
        .tiers
        .iter()
        .map(|tier| chip(&tier.name, &tier.name, "", tier.name == route.tier.name))
        .collect();
    let here = route.style.map(|style| &style.name);
    let styles: Vec<Chip> = route
        .tier
        .styles
        .iter()
        .map(|style| {
            let name = &style.name;
            chip(&name.0, &name.0, &name.words(), Some(name) == here)
        })
        .collect();
    let chips = |name, legend, chips: Vec<Chip>, to_action| {
        (chips.len() > 1).then(|| choice(name, legend, chips, on_action, to_action))
    };
    html! {
        <>
            { chips("tier", text::TIER, tiers, Action::Tier) }
            { chips("style", text::STYLE, styles, Action::Style) }
        </>
    }
}

/// Choice of a collective operation.
pub(crate) fn operations(chips: Vec<Chip>, on_action: &Callback<Action>) -> Html {
    memoized((chips, on_action.clone()), |(chips, on_action)| {
        let on_action = on_action.clone();
        let on_choose = Callback::from(move |name: String| {
            if let Ok(op) = Operation::named(&name) {
                on_action.emit(Action::Operation(op));
            }
        });
        html! { <Chips name="op" legend={text::OPERATION} chips={chips.clone()} {on_choose} /> }
    })
}

/// An option.
pub(crate) fn chip(value: &str, label: &str, hint: &str, is_chosen: bool) -> Chip {
    Chip {
        value: value.to_owned(),
        label: label.to_owned(),
        hint: hint.to_owned(),
        is_chosen,
        is_possible: true,
    }
}

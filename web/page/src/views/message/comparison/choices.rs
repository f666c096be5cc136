//! Choices of further send modes and models.

use crate::comparison::all;
use crate::fields::chips::{OptionChip, others};
use crate::state::{Action, Page};
use crate::views::message::words;
use loggia_model::model::{Model, Route};
use yew::{Callback, Html, html};

/// Name and label of an option.
type Named = (String, String);

pub(super) fn choices(page: &Page, on_action: &Callback<Action>) -> Html {
    let shown = all(page);
    let routes: Vec<Route> = shown.iter().filter_map(|one| one.route(&page.inputs).ok()).collect();
    let mut styles: Vec<Named> = Vec::new();
    for style in routes.iter().flat_map(|route| &route.tier.styles) {
        if !styles.iter().any(|(known, _)| *known == style.name.0) {
            styles.push((style.name.0.clone(), style.name.0.clone()));
        }
    }
    // The selected model and send mode are always shown.
    let selected_model = |route: &Route| page.inputs.model.or_else(|| Model::richest(route));
    let is_more = |model: &Model| {
        let adds =
            |route: &Route| selected_model(route) != Some(*model) && model.is_possible(route);
        routes.iter().any(adds)
    };
    let is_other = |style: &Named| {
        let is_selected = |route: &Route| route.style.is_some_and(|own| own.name.0 == style.0);
        !routes.iter().all(|route| is_selected(route) || route.tier.style(Some(&style.0)).is_err())
    };
    let models = Model::ALL.into_iter().filter(is_more);
    let models = models.map(|model| (model.name().to_owned(), model.title().to_owned())).collect();
    styles.retain(is_other);
    html! {
        <>
            { boxes(words::ALSO_BY, models, page, on_action) }
            { boxes(words::ALSO_SENT, styles, page, on_action) }
        </>
    }
}

fn boxes(
    legend: &'static str,
    all: Vec<Named>,
    page: &Page,
    on_action: &Callback<Action>,
) -> Option<Html> {
    let other = |(name, label)| OptionChip { name, label, swatch: None, is_possible: true };
    let all: Vec<OptionChip> = all.into_iter().map(other).collect();
    (!all.is_empty()).then(|| others("chips beside", legend, all, &page.inputs.beside, on_action))
}

//! Styles and models beside those that are asked about.

use crate::state::{Action, Page};
use crate::text::models as words;
use crate::views::beside::all;
use crate::views::chips::toggled;
use loggia_model::model::{Model, Route};
use yew::{Callback, Html, html};

/// Something to be shown, too: its name and how it is written.
type Other = (String, String);

pub(super) fn choices(page: &Page, on_action: &Callback<Action>) -> Html {
    let shown = all(page);
    let routes: Vec<Route> = shown.iter().filter_map(|one| one.route(&page.inputs).ok()).collect();
    let mut styles: Vec<Other> = Vec::new();
    for style in routes.iter().flat_map(|route| &route.tier.styles) {
        if !styles.iter().any(|(known, _)| *known == style.name.0) {
            styles.push((style.name.0.clone(), style.name.0.clone()));
        }
    }
    // What is asked of every machine is no choice.
    let asked = |route: &Route| page.inputs.model.or_else(|| Model::richest(route));
    let is_more = |model: &Model| {
        let adds = |route: &Route| asked(route) != Some(*model) && model.is_possible(route);
        routes.iter().any(adds)
    };
    let is_other = |style: &Other| {
        let is_asked = |route: &Route| route.style.is_some_and(|asked| asked.name.0 == style.0);
        !routes.iter().all(|route| is_asked(route) || route.tier.style(Some(&style.0)).is_err())
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
    others: Vec<Other>,
    page: &Page,
    on_action: &Callback<Action>,
) -> Option<Html> {
    let chosen = &page.inputs.beside;
    let chip = |(name, label): &Other| {
        let names = toggled(chosen, name);
        let on_change = on_action.reform(move |_| Action::Ask("beside", names.clone()));
        html! {
            <label class="chip" key={name.clone()}>
                <input
                    type="checkbox"
                    name="beside"
                    value={name.clone()}
                    checked={chosen.contains(name)}
                    onchange={on_change}
                />
                <span>{ label }</span>
            </label>
        }
    };
    (!others.is_empty()).then(|| {
        html! {
            <fieldset class="chips beside">
                <legend>{ legend }</legend>
                <div>{ for others.iter().map(chip) }</div>
            </fieldset>
        }
    })
}

//! Fields of a run that Simulate and Replay share: the simulation model and the files.

use super::{request, words};
use crate::browser::{self, Files};
use crate::fields::chips::{Chip, choice};
use crate::fields::route::chip;
use crate::state::{Action, Page};
use crate::text;
use loggia_model::model::Route;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::Bytes;
use yew::{Callback, Event, Html, html};

/// The simulation models.
pub(crate) fn rules(page: &Page, route: &Route, on_action: &Callback<Action>) -> Html {
    let chosen = request::rules(page, route);
    let chip = |rules: SimulationModel| {
        let model = rules.model();
        let is_possible = model.is_none_or(|model| model.is_possible(route));
        let missing = model.filter(|_| !is_possible).map(|model| route.missing(model).message);
        Chip {
            is_possible,
            hint: missing.unwrap_or_else(|| words::rules(rules).to_owned()),
            ..chip(rules.name(), rules.title(), "", Some(rules) == chosen)
        }
    };
    let chips: Vec<Chip> = SimulationModel::ALL.into_iter().map(chip).collect();
    let is_measured = route.measured(Bytes(1)).is_some();
    html! {
        <>
            { choice("rules", text::RULES, chips, on_action, |name| Action::SetInput("rules", name)) }
            if is_measured {
                <p class="aside">{ words::MEASURED_IN_EVERY_MODEL }</p>
            }
        </>
    }
}

/// Opens a schedule, or the files of a trace.
pub(crate) fn picker(on_action: &Callback<Action>) -> Html {
    let on_action = on_action.clone();
    let on_pick = move |event: Event| {
        let files = browser::picked_files(&event);
        if !files.is_empty() {
            on_action.emit(Action::Program(Some(Files(files))));
        }
    };
    html! {
        <label class="picker">
            <input type="file" id="goal" multiple=true onchange={on_pick} />
            <span>{ words::OPEN }</span>
            <small>{ words::OPEN_HINT }</small>
        </label>
    }
}

//! The lines and rows: each machine, model and send mode.

use super::figure::Series as Drawn;
use crate::comparison::{ComparedMachine, all, words};
use crate::draw::figure::Weight;
use crate::state::Page;
use loggia_model::Error;
use loggia_model::model::{Model, Route, predict};
use loggia_model::signature::Style;
use loggia_model::units::{Bytes, Micros};

/// A line of the plot, and a row of the table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Series {
    pub(super) shown: ComparedMachine,
    pub(super) tier: Option<String>,
    pub(super) style: Option<String>,
    /// `None` if no model is possible.
    pub(super) model: Option<Model>,
    /// Whether it has the selected model and send mode.
    pub(super) is_selected: bool,
    /// The machine's title, and the difference to other lines of the machine.
    label: String,
}

impl Series {
    pub(super) fn route(&self) -> Result<Route<'_>, Error> {
        Route::of(&self.shown.machine, self.tier.as_deref(), self.style.as_deref())
    }

    /// The time at a size, if there is a prediction.
    pub(super) fn time(&self, bytes: Bytes) -> Option<Micros> {
        predict(&self.route().ok()?, self.model, bytes).ok()?.time()
    }

    /// Key of its values on the page; the command has no key for them.
    pub(super) fn key(&self) -> String {
        let style = self.style.as_deref().unwrap_or_default();
        let model = self.model.map(Model::name).unwrap_or_default();
        format!("[{},{style},{model}]", self.shown.machine.name)
    }

    /// Its line, if the machine has a route.
    pub(super) fn drawn(&self) -> Option<Drawn<'_>> {
        let weight = match (self.is_selected, self.shown.is_first()) {
            (true, true) => Weight::Bold,
            (true, false) => Weight::Thin,
            _ => Weight::Faint,
        };
        let (route, ink, label) = (self.route().ok()?, self.shown.ink, self.label.clone());
        Some(Drawn { route, model: self.model, ink, weight, label })
    }
}

/// Lines of the selected machine, then of the others.
pub(super) fn series(page: &Page) -> [Vec<Series>; 2] {
    let (first, others) = all(page).into_iter().partition(ComparedMachine::is_first);
    [first, others].map(|shown: Vec<ComparedMachine>| {
        shown.iter().flat_map(|one| machine_series(one, page)).collect()
    })
}

fn machine_series(shown: &ComparedMachine, page: &Page) -> Vec<Series> {
    let Ok(route) = shown.route(&page.inputs) else {
        let (shown, label) = (shown.clone(), String::new());
        return vec![Series {
            shown,
            tier: None,
            style: None,
            model: None,
            is_selected: true,
            label,
        }];
    };
    let is_other = |style: &&Style| Some(*style) != route.style && is_compared(page, &style.name.0);
    let others = route.tier.styles.iter().filter(is_other).map(Some);
    let styles = std::iter::once(route.style).chain(others);
    let mut all_series: Vec<Series> = styles
        .flat_map(|style| of_style(shown, &Route { style, ..route }, page))
        .enumerate()
        .map(|(i, series)| Series { is_selected: i == 0, ..series })
        .collect();
    name(&mut all_series);
    all_series
}

fn is_compared(page: &Page, name: &str) -> bool {
    page.inputs.beside.iter().any(|beside| beside == name)
}

fn of_style(shown: &ComparedMachine, route: &Route, page: &Page) -> Vec<Series> {
    let selected = page.inputs.model.or_else(|| Model::richest(route));
    let is_other =
        |m: &Model| Some(*m) != selected && is_compared(page, m.name()) && m.is_possible(route);
    let others = Model::ALL.into_iter().filter(is_other).map(Some);
    let series = |model| Series {
        shown: shown.clone(),
        tier: Some(route.tier.name.clone()),
        style: route.style.map(|style| style.name.0.clone()),
        model,
        is_selected: false,
        label: String::new(),
    };
    std::iter::once(selected).chain(others).map(series).collect()
}

/// Labels lines of one machine: the selected one by the machine, the others also by their
/// differences.
fn name(all_series: &mut [Series]) {
    let styles = all_series.iter().any(|series| series.style != all_series[0].style);
    let models = all_series.iter().any(|series| series.model != all_series[0].model);
    for series in all_series {
        let style = series.style.clone().filter(|_| styles && !series.is_selected);
        let model = series
            .model
            .filter(|_| models && !series.is_selected)
            .map(|model| model.title().to_owned());
        let name = &series.shown.machine.name;
        let name = if series.is_selected { words::short(name) } else { words::shorter(name) };
        let parts: Vec<String> = std::iter::once(name).chain(style).chain(model).collect();
        series.label = parts.join(" ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machines::named;
    use crate::state::Action;

    fn labels(names: &str) -> Vec<String> {
        let compared = vec![named("now-sparc"), named("ibm-sp2")];
        let page = Page::new(None)
            .after(Action::SelectMachine(named("cray-t3d")))
            .after(Action::Compare(compared))
            .after(Action::SetInput("beside", names.to_owned()));
        series(&page).concat().into_iter().map(|series| series.label).collect()
    }

    #[test]
    fn each_model_and_send_mode_has_a_line_named_by_differences() {
        assert_eq!(labels(""), ["cray-t3d", "now-sparc", ""]);
        let by_models = ["cray-t3d", "cray-t3d LogP", "now-sparc", "now-sparc LogP", ""];
        assert_eq!(labels("logp,ring"), by_models);
        assert_eq!(labels("logp,issend").len(), 9);
    }
}

//! The best time of each machine over size or computation.

use super::demand_on;
use crate::comparison::{ComparedMachine, leads};
use crate::draw::figure::{Figure, Ink, Line, Unit};
use crate::draw::leads::Leads;
use crate::draw::steps::Axis;
use crate::plots::plot::Plot;
use crate::state::{Action, Page, set};
use crate::views::overlap::messages::figure::{best_line, best_time};
use crate::views::overlap::messages::plot::{PlotInputs, at};
use loggia_model::model::Route;
use loggia_model::units::Micros;
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html, use_memo};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) page: Page,
    pub(super) shown: Vec<ComparedMachine>,
    pub(super) axis: Axis,
    pub(super) title: &'static str,
    /// The best time on the selected machine.
    pub(super) answer: Option<Micros>,
    /// The best times on all machines.
    pub(super) dots: Vec<(Ink, Micros)>,
    pub(super) on_action: Callback<Action>,
}

/// All that a machine's line depends on.
#[derive(Clone, PartialEq)]
struct LineInputs {
    shown: ComparedMachine,
    tier: String,
    style: Option<String>,
    drawn: PlotInputs,
}

#[component]
pub(super) fn Over(props: &Props) -> Html {
    let &Props { ref page, ref shown, axis, title, answer, ref dots, ref on_action } = props;
    let inputs: Vec<LineInputs> =
        shown.iter().filter_map(|one| LineInputs::of(one, page, axis)).collect();
    let (own, others): (Vec<LineInputs>, Vec<LineInputs>) =
        inputs.iter().cloned().partition(|one| one.shown.is_first());
    // Lines of other machines stay while a parameter of the selected one changes.
    let others =
        use_memo(others, |inputs| inputs.iter().filter_map(LineInputs::line).collect::<Vec<_>>());
    let own =
        use_memo(own, |inputs| inputs.iter().filter_map(LineInputs::line).collect::<Vec<_>>());
    let picture = use_memo((others, own, inputs), |(others, own, inputs)| {
        // The selected machine is drawn last.
        let lines: Vec<Line> = others.iter().rev().chain(&**own).cloned().collect();
        let time = |ink, value| inputs.iter().find(|one| one.shown.ink == ink)?.time(value);
        let leads = Leads::of(&lines, Unit::Time, time);
        let figure = Figure::through(axis, lines)?;
        Some((Rc::new(Figure { marks: leads.marks(), ..figure }), leads))
    });
    let Some((figure, found)) = &*picture else { return html! {} };
    let at = at(&page.demand(), axis);
    let on_move = on_action.reform(move |value| set(axis, value));
    html! {
        <section class="over">
            <h3>{ title }</h3>
            <Plot {title} figure={figure.clone()} {at} dots={dots.clone()} {answer} {on_move} />
            { leads(found, shown, axis) }
        </section>
    }
}

impl LineInputs {
    fn of(shown: &ComparedMachine, page: &Page, axis: Axis) -> Option<Self> {
        let route = shown.route(&page.inputs).ok()?;
        Some(LineInputs {
            shown: shown.clone(),
            tier: route.tier.name.clone(),
            style: route.style.map(|style| style.name.0.clone()),
            drawn: PlotInputs::of(demand_on(&route, page), axis),
        })
    }

    fn route(&self) -> Option<Route<'_>> {
        Route::of(&self.shown.machine, Some(&self.tier), self.style.as_deref()).ok()
    }

    fn time(&self, value: u64) -> Option<Micros> {
        best_time(&self.route()?, &self.drawn.demand, self.drawn.axis, value)
    }

    /// `None` if no time is known.
    fn line(&self) -> Option<Line> {
        let PlotInputs { demand, axis } = self.drawn;
        let line = best_line(&self.route()?, &demand, axis, self.shown.ink, self.shown.short());
        line.end().is_some().then_some(line)
    }
}

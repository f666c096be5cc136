//! Methods over size or computation, with crossovers.

use super::figure::{Picture, picture};
use super::words;
use crate::draw::figure::{Figure, Ink};
use crate::draw::steps::Axis;
use crate::notices::reason;
use crate::plots::plot::Plot;
use crate::state::{Action, Page, set};
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::model::changes::Change;
use loggia_model::model::messages::{Demand, Strategy};
use loggia_model::units::{Bytes, Micros};
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html, use_memo};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) page: Page,
    pub(super) axis: Axis,
    pub(super) title: &'static str,
    /// The time of the best method.
    pub(super) answer: Option<Micros>,
    pub(super) on_action: Callback<Action>,
}

/// All that the plot depends on; its handle is not part of it.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct PlotInputs {
    pub(super) demand: Demand,
    pub(super) axis: Axis,
}

impl PlotInputs {
    pub(super) fn of(demand: Demand, axis: Axis) -> Self {
        let demand = match axis {
            Axis::Bytes => Demand { bytes: Bytes(1), ..demand },
            _ => Demand { compute: Micros(0.0), ..demand },
        };
        PlotInputs { demand, axis }
    }
}

#[component]
pub(super) fn Over(props: &Props) -> Html {
    let &Props { ref page, axis, title, answer, ref on_action } = props;
    let demand = page.demand();
    let inputs = &page.inputs;
    let drawn = PlotInputs::of(demand, axis);
    let depends = (page.machine.clone(), inputs.tier.clone(), inputs.style.clone(), drawn);
    let drawn = use_memo(depends, |(machine, tier, style, drawn)| -> Result<_, Error> {
        let route = Route::of(machine, tier.as_deref(), style.as_deref())?;
        let picture = picture(&route, &drawn.demand, drawn.axis)?;
        Ok(picture.map(|Picture { figure, first, changes }| {
            (Rc::new(figure), best(first, &changes, drawn.axis))
        }))
    });
    let at = at(&demand, axis);
    let shown = match &*drawn {
        Err(why) => reason(why),
        Ok(None) => return html! {},
        Ok(Some((figure, best))) => html! {
            <>
                { plot(figure.clone(), axis, title, at, answer, on_action) }
                <p class="aside">{ best }</p>
            </>
        },
    };
    html! { <section class="over"><h3>{ title }</h3>{ shown }</section> }
}

/// Position of the handle.
pub(super) fn at(demand: &Demand, axis: Axis) -> u64 {
    match axis {
        Axis::Bytes => demand.bytes.0,
        _ => Axis::nanoseconds(demand.compute),
    }
}

fn plot(
    figure: Rc<Figure>,
    axis: Axis,
    title: &'static str,
    at: u64,
    answer: Option<Micros>,
    on_action: &Callback<Action>,
) -> Html {
    let dots: Vec<(Ink, Micros)> = answer.map(|time| (Ink::Total, time)).into_iter().collect();
    let on_move = on_action.reform(move |value| set(axis, value));
    html! { <Plot {title} {figure} {at} {dots} {answer} {on_move} /> }
}

/// The best methods along the axis.
fn best(first: Option<Strategy>, changes: &[Change<Option<Strategy>>], axis: Axis) -> String {
    let name = |strategy: Option<Strategy>| {
        strategy.map_or(crate::comparison::words::UNKNOWN, Strategy::words)
    };
    let change = |change: &Change<_>| (axis.rounded_words(change.at), name(change.to).to_owned());
    let changes: Vec<_> = changes.iter().map(change).collect();
    crate::comparison::words::leads(words::BEST, name(first), &changes)
}

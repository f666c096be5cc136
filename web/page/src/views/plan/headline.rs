//! The result of a plan: shortest iteration, warnings, conclusions.

use super::results::MachinePlan;
use super::words as text;
use crate::memo::Shared;
use crate::runs::result::warnings;
use crate::runs::words::rules_title;
use crate::tables::quantity;
use loggia_model::measured::Basis;
use loggia_model::units::Interval;
use loggia_model::units::words::time;
use loggia_plan::plan::{Plan, Scaling};
use yew::{Html, html};

/// Index of the shortest iteration; for weak scaling, of the most ranks.
fn shown_point(plan: &Plan) -> usize {
    let time = |at: &usize| plan.points[*at].time_us.0;
    let shortest = (0..plan.points.len()).min_by(|a, b| time(a).total_cmp(&time(b)));
    match plan.scaling {
        Scaling::Strong => shortest.unwrap_or_default(),
        Scaling::Weak => plan.points.len().saturating_sub(1),
    }
}

pub(super) fn answer(known: &MachinePlan, plan: &Shared<Plan>, title: &str) -> Html {
    let at = shown_point(plan);
    let Some(point) = plan.points.get(at) else { return html! {} };
    let path = |name: &str| known.at(at, name);
    let bounds = Interval { value: point.time_us, low: point.low_us, high: point.high_us };
    let basis = match point.is_extrapolated() {
        true => Basis::Extrapolated,
        false => Basis::of_model(&known.shown.machine),
    };
    let is_more_uncertain = point.is_extrapolated() || !plan.missing.is_empty();
    let limit = (bounds.is_bounded() && is_more_uncertain)
        .then(|| html! { <p class="aside">{ text::INTERVAL_HOLDS }</p> });
    let mark = if known.is_whole { text::EXACT } else { text::ESTIMATE };
    let efficiency = text::share(point.efficiency);
    html! {
        <>
        <div class="answered">
            <p class="asked" data-exact={known.is_whole.to_string()}>{ mark }</p>
            { quantity::answer_named(&path("time_us"), &known.path(&format!("points.{at}")), Some(bounds)) }
            { quantity::basis(&known.path(&format!("points.{at}")), basis, None, None) }
            { for limit }
            <p class="asked">
                { text::an_iteration(plan.scaling) }{ " " }
                <b>{ text::on(point.procs.0) }</b>
                { text::of_machine(title) }
                { quantity::words(&known.path("rules"), plan.rules, html! { <b>{ rules_title(plan.rules) }</b> }) }
                { text::all(plan.iterations) }
                { quantity::micros(&path("total_us"), Some(point.total_us), time(point.total_us)) }
                { text::AT }
                { quantity::number(&path("efficiency"), "", Some(point.efficiency), html! { <b>{ efficiency }</b> }) }
                { text::EFFICIENT }
            </p>
        </div>
        { warnings(&plan.warnings) }
        </>
    }
}

/// Conclusions: the numbers of ranks at which communication dominates, and limits of the plan.
pub(super) fn conclusions(plan: &Shared<Plan>) -> Html {
    let item = |words: &String| html! { <li>{ words }</li> };
    html! { <ul class="said">{ for text::conclusions(plan).iter().map(item) }</ul> }
}

/// The result in short.
pub(super) fn strip(plan: &Shared<Plan>) -> Html {
    let Some(point) = plan.points.get(shown_point(plan)) else { return html! {} };
    html! {
        <p class="in-short" aria-hidden="true">
            <b>{ time(point.time_us) }</b>
            { text::short(point) }
        </p>
    }
}

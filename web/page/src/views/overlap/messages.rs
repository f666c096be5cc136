//! Many messages: the fastest method, its speedup, and crossovers.

pub(super) mod comparison;
pub(crate) mod figure;
mod methods;
mod plot;
pub(crate) mod words;

use crate::draw::steps::Axis;
use crate::fields::amount::Amount;
use crate::fields::assume::assume;
use crate::fields::chips::{Chip, choice};
use crate::fields::moment::Moment;
use crate::notices::{reason, warnings};
use crate::state::{Action, Page};
use crate::tables::quantity;
use crate::views::Props;
use crate::{browser, text};
use loggia_model::model::Route;
use loggia_model::model::messages::{Comparison, Demand, MEASURED_WITH, Outcome, compare};
use loggia_model::units::Micros;
use loggia_model::units::words::{size, time};
use plot::Over;
use yew::{Callback, Html, component, html, use_effect_with, use_node_ref};

/// The plots: axis and title.
const OVERS: [(Axis, &str); 2] =
    [(Axis::Bytes, words::OVER_SIZE), (Axis::Compute, words::OVER_COMPUTE)];

#[component]
pub(crate) fn Messages(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let body = match page.route() {
        Err(why) => reason(&why),
        Ok(route) => overlap_of(&route, page, on_action),
    };
    let section = use_node_ref();
    {
        // In a lesson the page does not scroll: its question and feedback are above.
        let scrolls_here = page.opens_on_messages() && page.inputs.lesson.is_none();
        use_effect_with((), {
            let section = section.clone();
            move |()| {
                if scrolls_here {
                    browser::show(&section);
                }
            }
        });
    }
    html! {
        <section class="panel whole" id="messages" aria-labelledby="messages-title" ref={section}>
            <h2 id="messages-title">{ words::TITLE }</h2>
            { body }
        </section>
    }
}

fn overlap_of(route: &Route, page: &Page, on_action: &Callback<Action>) -> Html {
    let demand = page.demand();
    match compare(route, &demand) {
        Ok(comparison) => html! {
            <>
                { questions(route, &demand, &comparison, on_action) }
                { answered(route, &demand, &comparison, page, on_action) }
            </>
        },
        Err(why) => html! {
            <>{ reason(&why) }{ measured(route, &demand, on_action) }{ assume(&why, on_action) }</>
        },
    }
}

/// The methods of the page's question alone.
pub(crate) fn answer_picture(page: &Page) -> Option<Html> {
    let route = page.route().ok()?;
    let comparison = compare(&route, &page.demand()).ok()?;
    Some(methods::table(&comparison))
}

/// A button that selects the only measured size, if there is one.
fn measured(route: &Route, demand: &Demand, on_action: &Callback<Action>) -> Option<Html> {
    compare(route, &Demand { bytes: MEASURED_WITH, ..*demand }).ok()?;
    let on_click = on_action.reform(|_| Action::Bytes(MEASURED_WITH));
    Some(
        html! { <p><button type="button" onclick={on_click}>{ words::USE_MEASURED_SIZE }</button></p> },
    )
}

/// Fields: count, computation, and queue depth if it matters.
fn questions(
    route: &Route,
    demand: &Demand,
    comparison: &Comparison,
    on_action: &Callback<Action>,
) -> Html {
    // End of the axis of computation, as a multiple of a message's time.
    const FURTHEST: f64 = 4.0;
    let most = Micros((comparison.one.0 * FURTHEST).max(1e-3));
    html! {
        <div class="needs">
            <Amount axis={Axis::Count} id="count" value={demand.messages} on_action={on_action.clone()} />
            <Moment
                name="compute"
                label={words::COMPUTE}
                value={demand.compute}
                {most}
                on_action={on_action.clone()}
            />
            { depths(route, comparison, on_action) }
        </div>
    }
}

fn depths(route: &Route, comparison: &Comparison, on_action: &Callback<Action>) -> Option<Html> {
    let points = &route.tier.gap_by_depth;
    let chip = |depth: u32| Chip {
        value: depth.to_string(),
        label: depth.to_string(),
        hint: String::new(),
        is_chosen: comparison.depth == Some(depth),
        is_possible: true,
    };
    let chips: Vec<Chip> = points.iter().map(|point| chip(point.depth)).collect();
    (chips.len() > 1).then(|| {
        choice("depth", words::DEPTH, chips, on_action, |depth| Action::SetInput("depth", depth))
    })
}

fn answered(
    route: &Route,
    demand: &Demand,
    comparison: &Comparison,
    page: &Page,
    on_action: &Callback<Action>,
) -> Html {
    let best = comparison.best();
    let pictures = OVERS.map(|(axis, title)| {
        let (page, on_action) = (page.clone(), on_action.clone());
        html! { <Over {page} {axis} {title} answer={best.and_then(|best| best.time)} {on_action} /> }
    });
    html! {
        <>
            { best.map(|best| advice(best, comparison)) }
            <p class="asked">{ method_requirements(route, demand, comparison) }</p>
            { methods::table(comparison) }
            { warnings(&comparison.warnings) }
            <div class="pictures">{ for pictures }</div>
            { methods::formulas(comparison) }
        </>
    }
}

/// The best method, its time, and its speedup.
fn advice(best: &Outcome, comparison: &Comparison) -> Html {
    let index = methods::index(best, comparison);
    let path = |name: &str| format!("predict.messages.strategies.{index}.{name}");
    let took = best.time.map(|t| quantity::micros(&path("time_us"), best.time, time(t)));
    let gain = words::gain(best.strategy, best.speedup.unwrap_or(1.0));
    html! {
        <div class="advice">
            <p class="answer"><output>{ best.strategy.words() }{ ": " }{ took }</output></p>
            <p class="gain">{ gain }</p>
        </div>
    }
}

fn method_requirements(route: &Route, demand: &Demand, comparison: &Comparison) -> Html {
    let style = route.style.map(|style| html! { <>{ text::BY }<b>{ &style.name.0 }</b></> });
    let depth = comparison.depth.map(words::at_depth);
    html! {
        <>
            { "for " }<b>{ demand.messages.to_string() }</b>{ " messages of " }
            <b>{ size(demand.bytes) }</b>{ style }{ ", " }<b>{ time(demand.compute) }</b>
            { " of computation for each" }{ depth }
        </>
    }
}

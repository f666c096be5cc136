//! One message by several models, with measured times.

pub(crate) mod figure;

use super::words;
use crate::draw::figure::{Figure, Ink, Unit};
use crate::draw::steps::Axis;
use crate::plots::plot::Plot;
use crate::state::{Action, Page, set};
use crate::tables::scroll::Scroll;
use crate::tables::table::table;
use crate::text;
use figure::{figure, residuals};
use loggia_link::state::View;
use loggia_model::model::crossover::between_styles;
use loggia_model::model::{self, Model, Route};
use loggia_model::signature::Point;
use loggia_model::units::words::{number, percent, size, time};
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html, use_memo};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) page: Page,
    pub(crate) on_action: Callback<Action>,
    /// Time or bandwidth.
    pub(crate) unit: Unit,
}

/// The selected model, or the richest possible.
fn chosen(page: &Page, route: &Route) -> Option<Model> {
    page.inputs.model.or_else(|| Model::richest(route))
}

#[component]
pub(crate) fn Models(props: &Props) -> Html {
    let &Props { ref page, ref on_action, unit } = props;
    let inputs = &page.inputs;
    let depends = (page.machine.clone(), inputs.tier.clone(), inputs.style.clone(), inputs.model);
    let measured = use_memo(depends.clone(), |(machine, tier, style, _)| {
        let route = Route::of(machine, tier.as_deref(), style.as_deref());
        route.map(|route| measured_times(&route)).unwrap_or_default()
    });
    let pictures = use_memo((depends, unit, measured.clone()), |(depends, unit, measured)| {
        let (machine, tier, style, model) = depends;
        let route = Route::of(machine, tier.as_deref(), style.as_deref()).ok()?;
        let model = model.or_else(|| Model::richest(&route))?;
        let first = Rc::new(figure(&route, model, *unit, measured)?);
        let crossings = crossings(&route, model);
        Some((first, residuals(&route, model, measured).map(Rc::new), crossings))
    });
    let (Some((first, residuals, crossings)), Ok(route)) = (&*pictures, page.route()) else {
        return html! {};
    };
    let Some(model) = chosen(page, &route) else { return html! {} };
    let answer = model::predict(&route, inputs.model, page.bytes()).ok().and_then(|p| p.time());
    let dots: Vec<_> = answer.map(|time| (Ink::Total, time)).into_iter().collect();
    let on_move = on_action.reform(|bytes| set(Axis::Bytes, bytes));
    html! {
        <div class="models">
            <Plot
                title={text::view(View::Message)}
                figure={first.clone()}
                at={page.bytes().0}
                {dots}
                {answer}
                {on_move}
            />
            { crossings.as_ref().map(|words| html! { <p class="aside">{ words }</p> }) }
            { measured_section(&route, model, &measured, residuals.clone()) }
        </div>
    }
}

/// Measured end-to-end times of the tier: of its samples, or of the table of the send mode. None on a
/// changed machine.
fn measured_times(route: &Route) -> Vec<Point> {
    let Route { signature, tier, style } = route;
    if signature.is_changed() {
        return Vec::new();
    }
    let of_samples = loggia_fit::measured(&tier.name, &signature.samples);
    if !of_samples.is_empty() {
        return of_samples;
    }
    let style = style.map(|style| style.name.0.as_str());
    let table = signature.message_table(tier, style);
    table.map(|table| table.points.clone()).unwrap_or_default()
}

/// The fastest send modes by size, if there are several.
fn crossings(route: &Route, model: Model) -> Option<String> {
    let styles = route.tier.styles.iter();
    let possible =
        styles.filter(|style| model.is_possible(&Route { style: Some(style), ..*route }));
    if possible.count() < 2 {
        return None;
    }
    let all = between_styles(route, model);
    let all: Vec<String> = all.iter().map(|c| words::crossing(&c.from, &c.to, c.at)).collect();
    Some(words::fastest(&all))
}

/// Measured times compared with the model.
fn measured_section(
    route: &Route,
    model: Model,
    measured: &[Point],
    residuals: Option<Rc<Figure>>,
) -> Html {
    let Some(residuals) = residuals else {
        return html! { <p class="aside">{ words::NOTHING_MEASURED }</p> };
    };
    let rows = measured.iter().map(|point| row(route, model, point)).collect();
    html! {
        <section class="picture short">
            <h3>{ words::RESIDUALS }</h3>
            <p class="aside">{ words::RESIDUALS_SHOW }</p>
            <Plot title={words::RESIDUALS} figure={residuals} />
            <details class="data">
                <summary>{ crate::tables::words::DATA }</summary>
                <Scroll>{ table(words::RESIDUALS, &words::COLUMNS, rows) }</Scroll>
            </details>
        </section>
    }
}

fn row(route: &Route, model: Model, point: &Point) -> Vec<Html> {
    let prediction = model.predict(route, point.bytes).ok();
    let residual = prediction.as_ref().and_then(|p| p.residual(point.value));
    let predicted = prediction.as_ref().and_then(|p| p.time());
    let bounds = point.low.zip(point.high);
    let bounds = bounds
        .map(|(low, high)| crate::tables::words::between(&number(low.0, 4), &number(high.0, 4)));
    let shown = residual.map_or("—".to_owned(), percent);
    vec![
        html! { { size(point.bytes) } },
        html! { { time(point.value) } },
        html! { { bounds.unwrap_or_default() } },
        html! { { predicted.map_or("—".to_owned(), time) } },
        html! { { shown } },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    /// Built-in measured machines have tables and no samples.
    #[test]
    fn the_measured_table_is_compared_with_the_models() {
        let measured = |machine: &str, set: Option<&str>| {
            let mut machine = library::load(machine).unwrap();
            if let Some(latency) = set {
                machine.set("L", latency).unwrap();
            }
            measured_times(&Route::of(&machine, None, None).unwrap()).len()
        };
        assert!(measured("alps", None) > 10);
        assert_eq!(measured("alps", Some("5us")), 0, "not measured on the changed machine");
        assert_eq!(measured("cray-t3d", None), 0);
    }
}

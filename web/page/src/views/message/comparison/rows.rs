//! Results at the selected size, as a table.

use super::series::Series;
use crate::tables::quantity;
use crate::views::message::words;
use crate::{comparison, text};
use loggia_model::Error;
use loggia_model::model::metrics::point_to_point;
use loggia_model::model::{self, Model, Prediction};
use loggia_model::units::Bytes;
use loggia_model::units::words::{number, rate, size, time};
use std::rc::Rc;
use yew::{Html, Properties, classes, component, html, use_memo};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) all_series: Rc<Vec<Series>>,
    pub(super) bytes: Bytes,
}

/// Values that do not depend on the size.
struct Constants {
    half: Option<Bytes>,
    eager: Option<Bytes>,
}

impl Constants {
    fn of(series: &Series) -> Self {
        let route = series.route().ok();
        let metrics = |model| point_to_point(route.as_ref()?, Some(model)).ok();
        let half = series.model.and_then(metrics).and_then(|metrics| metrics.half_length);
        let eager = route.as_ref().and_then(|route| Some(route.eager_limit()?.value));
        Constants { half, eager }
    }
}

#[component]
pub(super) fn Rows(props: &Props) -> Html {
    let constants = use_memo(props.all_series.clone(), |all_series| {
        all_series.iter().map(Constants::of).collect::<Vec<_>>()
    });
    let answers: Vec<(&Series, Result<Prediction, Error>)> =
        props.all_series.iter().map(|series| (series, answer(series, props.bytes))).collect();
    let rows = answers.iter().zip(&*constants).filter_map(|((series, answer), constants)| {
        Some(row(series, answer.as_ref().ok()?, constants, props.bytes))
    });
    let refused =
        answers.iter().filter_map(|(series, answer)| Some((&series.shown, answer.as_ref().err()?)));
    html! {
        <>
            { comparison::table(&words::COMPARISON_COLUMNS, 3, rows.collect()) }
            { comparison::refused(refused) }
        </>
    }
}

fn answer(series: &Series, bytes: Bytes) -> Result<Prediction, Error> {
    model::predict(&series.route()?, series.model, bytes)
}

fn row(series: &Series, prediction: &Prediction, constants: &Constants, bytes: Bytes) -> Html {
    let (key, duration) = (series.key(), prediction.time());
    let shown = duration.map_or(text::NO_NUMBER.to_owned(), time);
    let bandwidth =
        duration.map(|duration| bytes.within(duration)).filter(|rate| rate.0.is_finite());
    let half = constants.half;
    let count = |path: &str, of: Option<Bytes>| {
        let shown = of.map_or("—".to_owned(), size);
        quantity::number(&format!("{path}{key}"), "bytes", of.map(Bytes::count), shown)
    };
    let beyond = prediction.is_extrapolated().then_some("beyond");
    html! {
        <tr>
            <th scope="row">{ series.shown.name() }</th>
            <td>{ series.style.as_deref().unwrap_or("—") }</td>
            <td>{ series.model.map_or("—", Model::title) }</td>
            <td class={classes!("number", beyond)}>
                { quantity::micros(&format!("predict.p2p{key}.time_us"), duration, shown) }
            </td>
            <td class="number" title={bandwidth.map(|rate| number(rate.0, 17))}>
                { bandwidth.map_or("—".to_owned(), rate) }
            </td>
            <td class="number">{ count("metrics.half_length_bytes", half) }</td>
            <td class="number">{ count("show.S", constants.eager) }</td>
        </tr>
    }
}

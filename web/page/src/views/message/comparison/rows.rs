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
    pub(super) ways: Rc<Vec<Series>>,
    pub(super) bytes: Bytes,
}

/// Values that do not depend on the size.
struct Constants {
    half: Option<Bytes>,
    eager: Option<Bytes>,
}

impl Constants {
    fn of(way: &Series) -> Self {
        let route = way.route().ok();
        let metrics = |model| point_to_point(route.as_ref()?, Some(model)).ok();
        let half = way.model.and_then(metrics).and_then(|metrics| metrics.half_length);
        let eager = route.as_ref().and_then(|route| Some(route.eager_limit()?.value));
        Constants { half, eager }
    }
}

#[component]
pub(super) fn Rows(props: &Props) -> Html {
    let constants =
        use_memo(props.ways.clone(), |ways| ways.iter().map(Constants::of).collect::<Vec<_>>());
    let answers: Vec<(&Series, Result<Prediction, Error>)> =
        props.ways.iter().map(|way| (way, answer(way, props.bytes))).collect();
    let answered = answers.iter().zip(&*constants).filter_map(|((way, answer), constants)| {
        Some(row(way, answer.as_ref().ok()?, constants, props.bytes))
    });
    let refused =
        answers.iter().filter_map(|(way, answer)| Some((&way.shown, answer.as_ref().err()?)));
    html! {
        <>
            { comparison::table(&words::BESIDE_COLUMNS, 3, answered.collect()) }
            { comparison::refused(refused) }
        </>
    }
}

fn answer(way: &Series, bytes: Bytes) -> Result<Prediction, Error> {
    model::predict(&way.route()?, way.model, bytes)
}

fn row(way: &Series, prediction: &Prediction, constants: &Constants, bytes: Bytes) -> Html {
    let (key, taken) = (way.key(), prediction.time());
    let shown = taken.map_or(text::NO_NUMBER.to_owned(), time);
    let bandwidth = taken.map(|taken| bytes.within(taken)).filter(|rate| rate.0.is_finite());
    let half = constants.half;
    let count = |path: &str, of: Option<Bytes>| {
        let shown = of.map_or("—".to_owned(), size);
        quantity::number(&format!("{path}{key}"), "bytes", of.map(Bytes::count), shown)
    };
    let beyond = prediction.is_extrapolated().then_some("beyond");
    html! {
        <tr>
            <th scope="row">{ way.shown.name() }</th>
            <td>{ way.style.as_deref().unwrap_or("—") }</td>
            <td>{ way.model.map_or("—", Model::title) }</td>
            <td class={classes!("number", beyond)}>
                { quantity::micros(&format!("predict.p2p{key}.time_us"), taken, shown) }
            </td>
            <td class="number" title={bandwidth.map(|rate| number(rate.0, 17))}>
                { bandwidth.map_or("—".to_owned(), rate) }
            </td>
            <td class="number">{ count("metrics.half_length_bytes", half) }</td>
            <td class="number">{ count("show.S", constants.eager) }</td>
        </tr>
    }
}

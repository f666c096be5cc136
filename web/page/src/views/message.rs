//! The view Message: the time of one message, its terms, and its growth with the size.

pub(crate) mod comparison;
pub(crate) mod figure;
mod introduction;
mod lazy;
pub(crate) mod models;
mod pairs;
pub(crate) mod potential;
pub(crate) mod words;

use super::Props;
use crate::draw::figure::{Figure, Ink, Unit};
use crate::draw::steps::Axis;
use crate::fields::assume::assume;
use crate::fields::chips::{Chip, Chips};
use crate::fields::route::{chip, route_choices};
use crate::notices::{reason, warnings};
use crate::plots::plot::Plot;
use crate::state::{Action, Page, set};
use crate::tables::formula::formula;
use crate::tables::scroll::Scroll;
use crate::tables::terms::{self, Part};
use crate::tables::{quantity, rich};
use crate::text;
use figure::figure;
use lazy::{Lazy, Part as LazyPart};
use loggia_link::state::View;
use loggia_model::measured::Basis;
use loggia_model::model::MEASURED;
use loggia_model::model::{self, Model, Prediction, Route};
use loggia_model::signature::Noise;
use loggia_model::units::Bytes;
use loggia_model::units::words::{size, time};
use std::rc::Rc;
use yew::{Callback, Html, component, html, use_memo, use_state};

#[component]
pub(crate) fn Message(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let figure = use_picture(page);
    let shown = use_state(|| None::<Unit>);
    let on_show = {
        let shown = shown.clone();
        Callback::from(move |name: String| shown.set(unit_of(&name)))
    };
    let introduced = use_state(|| false);
    let picture = Picture { figure, shown: *shown, on_show };
    let lazy = |part| html! { <Lazy page={page.clone()} on_action={on_action.clone()} {part} /> };
    let body = match page.route() {
        Err(why) => reason(&why),
        Ok(route) => {
            let predicted = model::predict(&route, page.inputs.model, page.bytes());
            let model = predicted.as_ref().map_or(page.inputs.model, |prediction| prediction.model);
            let pickers = pickers(&route, model, page, on_action);
            match predicted {
                Ok(prediction) => answered(&route, &prediction, &picture, props, &pickers),
                Err(_) if Model::richest(&route).is_none() => {
                    html! { <>{ pickers }{ lazy(LazyPart::Potential) }</> }
                }
                Err(why) => {
                    html! { <>{ pickers }{ reason(&why) }{ assume(&why, on_action) }</> }
                }
            }
        }
    };
    // Always one node: otherwise the summary would be created again and closed.
    let introduction = match *introduced {
        true => lazy(LazyPart::Introduction),
        false => Html::default(),
    };
    let has_pairs = page.route().is_ok_and(|route| pairs::are_known(&route));
    html! {
        <>
            <section class="panel whole" id="p2p" aria-labelledby="p2p-title">
                <h2 id="p2p-title">{ text::view(View::Message) }</h2>
                { body }
            </section>
            <details class="panel whole introduction">
                <summary onclick={move |_| introduced.set(true)}>{ words::INTRODUCTION }</summary>
                { introduction }
            </details>
            if has_pairs { { lazy(LazyPart::Pairs) } }
            { crate::comparison::panel(page, on_action, || lazy(LazyPart::Machines)) }
        </>
    }
}

/// The plot, computed again only if something other than the size has changed.
#[yew::hook]
fn use_picture(page: &Page) -> Option<Rc<Figure>> {
    let beyond = Some(page.bytes()).filter(|bytes| bytes.0 > Axis::Bytes.high());
    let inputs = &page.inputs;
    let depends =
        (page.machine.clone(), inputs.tier.clone(), inputs.style.clone(), inputs.model, beyond);
    let figure = use_memo(depends, |(machine, tier, style, model, beyond)| {
        let route = Route::of(machine, tier.as_deref(), style.as_deref()).ok()?;
        figure(&route, *model, beyond.unwrap_or(Bytes(0))).map(Rc::new)
    });
    (*figure).clone()
}

fn answered(
    route: &Route,
    prediction: &Prediction,
    picture: &Picture,
    props: &Props,
    pickers: &Html,
) -> Html {
    let parts = parts_of(route, prediction);
    html! {
        <div class="spread">
            <div class="answered">
                { quantity::answer("predict.p2p", prediction.total) }
                { quantity::basis("predict.p2p", prediction.basis, prediction.time(), prediction.measured) }
                <p class="asked">{ headline(route, prediction, &props.page) }</p>
                { for change_of_measurement(prediction, &props.page) }
                { terms::bar(&parts) }
                { formula("predict.p2p", &prediction.formula(), prediction, None) }
                { pickers.clone() }
            </div>
            { picture.html(prediction, props) }
            <div class="below">
                <Scroll>{ terms::table(&parts) }</Scroll>
                { route.noise().map(noise).unwrap_or_default() }
                { warnings(&prediction.warnings) }
            </div>
        </div>
    }
}

/// A note if a change of a parameter has scaled the measured time, or removed it.
fn change_of_measurement(prediction: &Prediction, page: &Page) -> Option<Html> {
    if !page.machine.is_changed() {
        return None;
    }
    let (tier, style) = (page.inputs.tier.as_deref(), page.inputs.style.as_deref());
    let before = Route::of(&page.original, tier, style).ok()?;
    let measured = before.measured(page.bytes())?.time.value;
    let note = match prediction.model {
        None if prediction.time() != Some(measured) => words::scaled_measurement(&time(measured)),
        Some(model) if page.route().ok()?.measured(page.bytes()).is_none() => {
            let before = model.predict(&before, page.bytes()).ok()?.time()?;
            words::without_measurement(model.title(), &time(before))
        }
        _ => return None,
    };
    Some(html! { <p class="aside" role="status">{ note }</p> })
}

/// The terms as a bar, with their times.
pub(crate) fn answer_picture(page: &Page) -> Option<Html> {
    let route = page.route().ok()?;
    let prediction = model::predict(&route, page.inputs.model, page.bytes()).ok()?;
    let parts = parts_of(&route, &prediction);
    let part = |part: &Part| {
        let time_text = part.time.map(time).unwrap_or_default();
        html! { <li>{ rich::swatch(part.ink) }{ rich::symbol(part.symbol) }{ " " }{ time_text }</li> }
    };
    let total = prediction.time().map(time).unwrap_or_default();
    Some(html! {
        <>
            { terms::bar(&parts) }
            <ul class="legend">{ for parts.iter().map(part) }<li>{ words::SUM }{ total }</li></ul>
        </>
    })
}

/// The scatter of small messages.
fn noise(noise: &Noise) -> Html {
    let source = noise.source.clone();
    let times = [
        ("median", Some(noise.median)),
        ("percentile_95", noise.percentile_95),
        ("percentile_99", noise.percentile_99),
    ];
    let hidden =
        times.map(|(name, time)| quantity::micros(&format!("predict.p2p.noise.{name}"), time, ""));
    html! { <p class="aside noise" title={source}>{ noise.words() }{ for hidden }</p> }
}

/// A plot: the terms, or several models in one unit.
struct Picture {
    figure: Option<Rc<Figure>>,
    shown: Option<Unit>,
    on_show: Callback<String>,
}

/// The plots by name; that of the terms has no choice of unit.
const PICTURES: [(&str, Option<Unit>); 3] =
    [(words::TERMS, None), (words::MODELS, Some(Unit::Time)), (words::BANDWIDTH, Some(Unit::Rate))];

fn unit_of(name: &str) -> Option<Unit> {
    PICTURES.into_iter().find(|(known, _)| *known == name).and_then(|(_, unit)| unit)
}

impl Picture {
    fn html(&self, prediction: &Prediction, props: &Props) -> Html {
        let Some(figure) = &self.figure else { return html! {} };
        let Props { page, on_action } = props;
        let drawn = match self.shown {
            None => terms(figure, prediction, page, on_action),
            Some(unit) => {
                let part = LazyPart::Models(unit);
                html! { <Lazy page={page.clone()} on_action={on_action.clone()} {part} /> }
            }
        };
        let chips = PICTURES.map(|(name, unit)| chip(name, name, "", unit == self.shown));
        html! {
            <div class="drawn">
                <Chips
                    name="picture"
                    legend={words::PICTURE}
                    chips={chips.to_vec()}
                    on_choose={self.on_show.clone()}
                />
                { drawn }
            </div>
        }
    }
}

fn terms(
    figure: &Rc<Figure>,
    prediction: &Prediction,
    page: &Page,
    on_action: &Callback<Action>,
) -> Html {
    let dots = prediction.terms.iter().map(|t| (Ink::of(t.symbol), t.time().value));
    let total = prediction.time().map(|time| (Ink::Total, time));
    let on_move = on_action.reform(|bytes| set(Axis::Bytes, bytes));
    html! {
        <Plot
            title={text::view(View::Message)}
            figure={figure.clone()}
            at={page.bytes().0}
            dots={dots.chain(total).collect::<Vec<_>>()}
            answer={prediction.time()}
            {on_move}
        />
    }
}

fn headline(route: &Route, prediction: &Prediction, page: &Page) -> Html {
    let style = route.style.map(|style| {
        html! { <>{ text::BY }<b>{ &style.name.0 }</b>{ format!(" ({})", style.name.words()) }</> }
    });
    let model = prediction.model.map(|model| format!(", {}", model.title()));
    html! { <>{ "for " }<b>{ size(page.bytes()) }</b>{ style }{ model }</> }
}

fn parts_of(route: &Route, prediction: &Prediction) -> Vec<Part> {
    let part = |(i, term): (usize, &model::Term)| Part {
        symbol: term.symbol,
        ink: Ink::of(term.symbol),
        counted: Some((term.count, term.each)),
        time: Some(term.time().value),
        path: format!("predict.p2p.terms[{i}].total_us"),
        source: route.source(term.symbol).unwrap_or_default().to_owned(),
    };
    prediction.terms.iter().enumerate().map(part).collect()
}

/// Choices of tier, send mode and model.
fn pickers(
    route: &Route,
    chosen: Option<Model>,
    page: &Page,
    on_action: &Callback<Action>,
) -> Html {
    let models = models(route, chosen, page.bytes(), on_action);
    html! { <div class="pickers">{ route_choices(route, on_action) }{ models }</div> }
}

/// All models; those that cannot predict this size show the unknown parameters.
fn models(
    route: &Route,
    chosen: Option<Model>,
    bytes: Bytes,
    on_action: &Callback<Action>,
) -> Html {
    if Model::richest(route).is_none() {
        return html! {};
    }
    let is_measured = route.measured(bytes).is_some();
    let measured = is_measured.then(|| {
        chip(MEASURED, text::MEASURED_CHIP, text::of_basis(Basis::Measured), chosen.is_none())
    });
    let possible = |model: &Model| model.predict(route, bytes).is_ok();
    let chip = |model: Model| {
        let is_possible = possible(&model);
        let hint = if is_possible { String::new() } else { route.missing(model).message };
        let name = model.name();
        Chip { is_possible, ..chip(name, model.title(), &hint, Some(model) == chosen) }
    };
    let chips: Vec<Chip> = Model::ALL
        .into_iter()
        .filter(possible)
        .chain(Model::ALL.into_iter().filter(|model| !possible(model)))
        .map(chip)
        .collect();
    let chips: Vec<Chip> = measured.into_iter().chain(chips).collect();
    let refused: Vec<&Chip> = chips.iter().filter(|chip| !chip.is_possible).collect();
    let why = (!refused.is_empty()).then(|| {
        let reason = |chip: &&Chip| html! { <li>{ &chip.hint }</li> };
        html! {
            <details class="refused">
                <summary>{ text::impossible_models(refused.len()) }</summary>
                <ul>{ for refused.iter().map(reason) }</ul>
            </details>
        }
    });
    let on_choose = {
        let on_action = on_action.clone();
        Callback::from(move |name: String| match Model::named(&name) {
            Ok(chosen) => on_action.emit(Action::Model(Some(chosen))),
            Err(_) if name == MEASURED => on_action.emit(Action::Model(None)),
            Err(_) => {}
        })
    };
    html! { <><Chips name="model" legend={text::MODEL} {chips} {on_choose} />{ why }</> }
}

//! The view Replay: a traced program on this machine, measured and predicted.

mod operations;
pub(crate) mod words;

use self::words as text;
use super::Props;
use crate::browser::{self, Files};
use crate::fields::route::route_choices;
use crate::fields::what_if::what_if;
use crate::notices::reason;
use crate::runs::estimate::{Factors, estimate};
use crate::runs::fields::{picker, rules};
use crate::runs::result::count;
use crate::runs::results::Results;
use crate::runs::words::rules_title;
use crate::runs::{Parts, Run};
use crate::state::{Action, Page};
use crate::tables::quantity;
use loggia_link::state::View;
use loggia_model::units::Interval;
use loggia_model::units::Micros;
use loggia_model::units::words::{off, time};
use loggia_simulate::result::Status;
use loggia_worker::{Comparison, RunResult};
use yew::{Callback, Event, Html, MouseEvent, component, html};

const PARTS: Parts = Parts {
    title: crate::text::view(View::Replay),
    fields: chooser,
    answer: result,
    calls: operations::operations,
};

#[component]
pub(crate) fn Replay(props: &Props) -> Html {
    let Props { page, on_action } = props;
    html! { <Run key="replay" page={page.clone()} on_action={on_action.clone()} parts={PARTS} /> }
}

/// Choice of a trace, and its inputs.
fn chooser(page: &Page, on_action: &Callback<Action>) -> Html {
    let opened = page.program.as_ref().map(|files| {
        let (name, more) = files.name();
        html! {
            <p class="opened">
                <b>{ name }</b>
                { text::more_files(more) }
                <small>{ text::STAYS }</small>
            </p>
        }
    });
    let machine = match page.route() {
        Ok(route) => {
            html! { <>{ route_choices(&route, on_action) }{ rules(page, &route, on_action) }</> }
        }
        Err(why) => reason(&why),
    };
    html! {
        <div class="runs">
            { opened.unwrap_or_else(|| intro(on_action)) }
            { machine }
            <div class="pickers">{ picker(on_action) }{ folder(on_action) }</div>
            { what_if(page, true, on_action) }
        </div>
    }
}

/// Opens all files of a folder.
fn folder(on_action: &Callback<Action>) -> Html {
    let on_pick = on_action.filter_reform(|event: Event| {
        let files = browser::picked_files(&event);
        (!files.is_empty()).then_some(Action::Trace(Files(files)))
    });
    html! {
        <label class="picker">
            <input type="file" id="folder" webkitdirectory=true onchange={move |event| { on_pick.emit(event); }} />
            <span>{ text::FOLDER }</span>
            <small>{ text::FOLDER_HINT }</small>
        </label>
    }
}

/// A traced halo exchange of two ranks.
const EXAMPLE: [(&str, &[u8]); 2] = [
    ("halo/rank-0.trace", include_bytes!("../../../../docs/halo/rank-0.trace")),
    ("halo/rank-1.trace", include_bytes!("../../../../docs/halo/rank-1.trace")),
];

/// Shown while no trace is open.
fn intro(on_action: &Callback<Action>) -> Html {
    let on_click =
        on_action.filter_reform(|_: MouseEvent| Files::of_bytes(&EXAMPLE).map(Action::Trace));
    html! {
        <div class="opened intro">
            <p>{ text::INTRO }</p>
            <pre><code>{ text::COMMAND }</code></pre>
            <p>{ text::FILES }</p>
            <button type="button" id="example" onclick={move |event| { on_click.emit(event); }}>
                { text::EXAMPLE }
            </button>
        </div>
    }
}

/// The result, or its estimate until it is computed.
fn result(page: &Page, results: &Results, ended: &RunResult) -> Option<Html> {
    let replayed = ended.replayed.as_ref()?;
    let now = Factors::of(&page.inputs);
    let estimate =
        results.path.as_ref().zip(results.factors.as_ref()).and_then(|(path, then)| {
            (*then != now).then(|| estimate(&path.path.terms, then, &now))
        });
    let is_exact = results.factors.as_ref() == Some(&now);
    let (name, value, mark) = match (is_exact, estimate) {
        (false, Some(Some(estimate))) => ("replay.estimated_us", Some(estimate), text::ESTIMATE),
        (false, _) => ("replay.estimated_us", None, text::SIMULATING),
        (true, _) => ("replay.predicted_us", ended.answer.time_us, text::SIMULATED),
    };
    let total = value.map(|value| Interval { value, low: value, high: value });
    let (class, status) = match ended.answer.status {
        Status::Ok => (None, None),
        Status::Unmatched => {
            (Some("unmatched"), Some(crate::runs::words::status(Status::Unmatched)))
        }
    };
    Some(html! {
        <div class="answered">
            <p class="asked" data-exact={is_exact.to_string()}>{ mark }</p>
            { quantity::answer_named(name, "replay", total) }
            { quantity::basis("replay", ended.basis, None, None) }
            <p class="asked">
                <b>{ page.program.as_ref().map(|files| files.name().0) }</b>
                { crate::runs::words::on(&page.machine.title) }
                { quantity::words("replay.rules", ended.answer.rules, html! { <b>{ rules_title(ended.answer.rules) }</b> }) }
                <span {class}>{ status.map(|status| format!(": {status}")) }</span>
            </p>
            { facts(ended, replayed, value) }
            { ended.answer.stuck.as_ref().map(crate::runs::result::why) }
            { crate::runs::result::warnings(&ended.warnings) }
        </div>
    })
}

fn facts(ended: &RunResult, replayed: &Comparison, value: Option<Micros>) -> Html {
    let measured = replayed.measured_us.map(|measured| {
        let shown = quantity::micros("replay.measured_us", Some(measured), time(measured));
        html! { <div><dt>{ text::MEASURED }</dt><dd>{ shown }</dd></div> }
    });
    let error = replayed.measured_us.zip(value).map(|(measured, value)| {
        let error = (value.0 - measured.0) / measured.0;
        let is_what_if = !replayed.scaled.is_empty();
        let (name, path) = match is_what_if {
            true => (text::CHANGE, "replay.change"),
            false => (text::ERROR, "replay.error"),
        };
        let shown = quantity::number(path, "", Some(error), off(error));
        html! { <div><dt>{ name }</dt><dd>{ shown }</dd></div> }
    });
    let scaled = (!replayed.scaled.is_empty()).then(|| {
        html! { <div><dt>{ text::SCALED }</dt><dd>{ replayed.scaled.join(", ") }</dd></div> }
    });
    html! {
        <dl class="facts">
            { measured }
            { error }
            { scaled }
            { count("replay.procs", crate::runs::words::RANKS, ended.answer.procs.into()) }
            { count("replay.records", text::CALLS, replayed.records as f64) }
            { count("replay.messages", crate::runs::words::MESSAGES, ended.answer.messages as f64) }
        </dl>
    }
}

//! The result of a run.

use super::{deadlock, words as text};
use crate::tables::quantity;
use loggia_model::units::Interval;
use loggia_model::units::words::{time, whole};
use loggia_simulate::result::{Status, Stuck};
use loggia_worker::RunResult;
use yew::{Html, html};

/// `milliseconds` is the run time of the simulator.
pub(crate) fn result(ended: &RunResult, title: &str, milliseconds: f64) -> Html {
    let answer = &ended.answer;
    let total = answer.time_us.map(|time| Interval { value: time, low: time, high: time });
    let (status, ink) = match answer.status {
        Status::Ok => ("ok", None),
        Status::Unmatched => ("unmatched", Some("unmatched")),
    };
    html! {
        <div class="answered">
            { quantity::answer("simulate", total) }
            { quantity::basis("simulate", ended.basis, None, None) }
            <p class="asked">
                <b>{ &ended.schedule }</b>
                { text::on(title) }
                { quantity::words("simulate.rules", answer.rules, html! { <b>{ text::rules_title(answer.rules) }</b> }) }
                { ": " }
                <span class={ink}>
                    { quantity::words("simulate.status", status, html! { { text::status(answer.status) } }) }
                </span>
            </p>
            { facts(ended, milliseconds) }
            { closed_form(ended) }
            { answer.stuck.as_ref().map(why) }
            { warnings(&ended.warnings) }
        </div>
    }
}

fn facts(ended: &RunResult, milliseconds: f64) -> Html {
    let answer = &ended.answer;
    let first = (ended.first_us != ended.last_us).then(|| {
        html! { <div><dt>{ text::FIRST }</dt><dd>{ time(ended.first_us) }</dd></div> }
    });
    let speed = text::speed(answer.events, milliseconds)
        .map(|speed| html! { <div><dt>{ text::SPEED }</dt><dd>{ speed }</dd></div> });
    html! {
        <dl class="facts">
            { count("simulate.procs", text::RANKS, answer.procs.into()) }
            { count("simulate.messages", text::MESSAGES, answer.messages as f64) }
            { count("simulate.bytes", text::BYTES, answer.bytes as f64) }
            { count("simulate.events", text::EVENTS, answer.events as f64) }
            { first }
            { speed }
        </dl>
    }
}

/// A number with its name.
pub(crate) fn count(path: &str, name: &'static str, count: f64) -> Html {
    html! {
        <div>
            <dt>{ name }</dt>
            <dd>{ quantity::number(path, "", Some(count), whole(count)) }</dd>
        </div>
    }
}

fn closed_form(ended: &RunResult) -> Option<Html> {
    let form = ended.closed_form.as_ref()?;
    let shown = time(form.time_us);
    Some(html! {
        <p class="aside">
            { text::CLOSED_FORM }
            <span class="formula">{ crate::tables::rich::formula(&form.formula) }</span>
            { " = " }
            { quantity::micros("simulate.closed_form.time_us", Some(form.time_us), shown) }
            { text::exact(form.exact, &form.range) }
        </p>
    })
}

/// Why the run is stuck.
pub(crate) fn why(stuck: &Stuck) -> Html {
    let section = |(heading, lines): (&str, Vec<&str>)| {
        let items = lines.into_iter().map(|line| html! { <li>{ line }</li> });
        html! { <><p>{ format!("{heading}:") }</p><ol>{ for items }</ol></> }
    };
    html! {
        <div class="stuck" role="alert">
            <p>{ stuck.summary() }</p>
            { deadlock::picture(&stuck.cycle).unwrap_or_default() }
            { for stuck.sections().map(section) }
        </div>
    }
}

pub(crate) fn warnings(warnings: &[String]) -> Html {
    if warnings.is_empty() {
        return html! {};
    }
    let item = |warning: &String| html! { <li>{ warning }</li> };
    html! { <ul class="warnings">{ for warnings.iter().map(item) }</ul> }
}

//! A lesson that a teacher writes: a state of the page becomes a step of it.

use crate::error::LessonError;
use crate::state_spec::{COMPARE, MACHINE, VIEW};
use crate::toml_text::Toml;
use loggia_link::state::{State, View};
use loggia_model::model::Route;
use loggia_model::model::editable::Unit;
use loggia_model::signature::Signature;
use loggia_model::units::Bytes;
use loggia_model::{Error, library};
use serde_json::Value;
use std::fmt::Write;

/// A lesson to begin with.
pub const EMPTY: &str = "loggia-lesson = 1
title = \"My lesson\"
goal = \"Say what a message costs.\"
minutes = 5

[machines]
";

/// Inputs that are not of a question.
const OTHER: [&str; 5] = ["hidden", "lesson", "at", "answers", "figure"];

/// The draft with another step at its end, which shows this state and asks for its time.
///
/// # Errors
/// The draft is not TOML, or the machine is not built in.
pub fn with_step(draft: &str, state: &State) -> Result<String, Error> {
    let draft = if draft.trim().is_empty() { EMPTY } else { draft };
    let toml = Toml { text: draft };
    let parsed = toml.parse()?;
    let known = parsed.get_ref().get("machines").map(|value| toml.in_order(value)).transpose()?;
    let known: Vec<String> = known.unwrap_or_default().into_iter().map(|(name, _)| name).collect();
    let mut text = draft.trim_end().to_owned() + "\n";
    let names = state.signatures.iter().map(built_in).collect::<Result<Vec<_>, _>>()?;
    for name in names.iter().filter(|name| !known.contains(name)) {
        text = with_machine(&text, name);
    }
    text += &step(state, &names)?;
    Ok(text)
}

/// The name of a machine that lessons know.
fn built_in(machine: &Signature) -> Result<String, Error> {
    match library::names().any(|name| name == machine.name) {
        true => Ok(machine.name.clone()),
        false => Err(LessonError::NotBuiltIn { title: machine.title.clone() }.into()),
    }
}

fn with_machine(text: &str, name: &str) -> String {
    let line = format!("{name} = \"{name}\"\n");
    match text.split_once("[machines]\n") {
        Some((before, after)) => format!("{before}[machines]\n{line}{after}"),
        None => {
            let (before, after) = text
                .split_once("[[step]]")
                .map_or((text, String::new()), |(b, a)| (b, format!("[[step]]{a}")));
            format!("{before}[machines]\n{line}\n{after}")
        }
    }
}

fn step(state: &State, names: &[String]) -> Result<String, Error> {
    let mut fields: Vec<(String, String)> = Vec::new();
    let (first, others) = names.split_first().ok_or(LessonError::NoMachine)?;
    fields.push((MACHINE.to_owned(), first.clone()));
    fields.push((VIEW.to_owned(), state.view.name().to_owned()));
    if !others.is_empty() && state.view == View::Compare {
        fields.push((COMPARE.to_owned(), others.join(", ")));
    }
    let inputs = serde_json::to_value(&state.inputs).unwrap_or_default();
    for (name, value) in inputs.as_object().into_iter().flatten() {
        if !OTHER.contains(&name.as_str()) {
            fields.push((name.clone(), word(value)));
        }
    }
    fields.extend(changed(state)?);
    let fields: Vec<String> = fields
        .iter()
        .map(|(key, value)| format!("{key} = {}", Value::from(value.as_str())))
        .collect();
    let mut text = String::from("\n[[step]]\ntext = \"What students must know first.\"\n");
    let _ = writeln!(text, "state = {{ {} }}", fields.join(", "));
    let _ = write!(
        text,
        "let = {{ t = \"{}\" }}\nask = \"number\"\nunit = \"µs\"\nquestion = \"How long does it take?\"\n\
         answer = \"t\"\nwithin = \"5%\"\nreveal = \"It takes {{t}} µs.\"\nhints = []\nwrong = []\n",
        quantity(state)
    );
    Ok(text)
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Array(all) => all.iter().map(word).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// The quantity that a view answers with.
fn quantity(state: &State) -> &'static str {
    match state.view {
        View::Overlap if state.inputs.ask_of_messages() => "strategies[pipelined].time_us",
        View::Overlap => "receiver_end_us",
        View::Signature => "half_length_bytes",
        View::Plan => "points[0].time_us",
        View::Compare => "parameters[L].machines[1].ratio",
        _ => "time_us",
    }
}

/// Parameters of the first machine that are others than in the library.
fn changed(state: &State) -> Result<Vec<(String, String)>, Error> {
    let Some(machine) = state.signatures.first() else { return Ok(Vec::new()) };
    let original = library::load(&machine.name)?;
    let (tier, style) = (state.inputs.tier.as_deref(), state.inputs.style.as_deref());
    let bytes = state.inputs.bytes.unwrap_or(Bytes(8));
    let of = |machine: &Signature| {
        Route::of(machine, tier, style).map(|route| route.editable(bytes)).unwrap_or_default()
    };
    let before = of(&original);
    let is_new = |one: &loggia_model::model::editable::Editable| !before.contains(one);
    let written = |value: f64, unit: Unit| match unit {
        Unit::Micros => format!("{value}us"),
        Unit::MicrosPerByte => format!("{}ns", value * 1000.0),
        _ => value.to_string(),
    };
    let all = of(machine).into_iter().filter(is_new);
    Ok(all.map(|one| (one.symbol.to_owned(), written(one.value.value, one.unit))).collect())
}

/// The draft with a step for a link to the page.
///
/// # Errors
/// The link is damaged, or there is no such step.
pub fn with_link(draft: &str, link: &str) -> Result<String, Error> {
    with_step(draft, &loggia_link::decode(link.trim())?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::check::check;
    use crate::evaluation::Evaluator;
    use crate::lesson::Lesson;

    #[test]
    fn a_link_becomes_a_step_whose_answer_the_model_computes() {
        let t3d = || State::of(loggia_model::library::load("cray-t3d").unwrap());
        let mut state = t3d();
        state.set("bytes", "1KiB").unwrap();
        state.set("L", "5us").unwrap();
        let (link, _) = loggia_link::encode(&state);
        let once = with_link("", &link).unwrap();
        let mut barrier = State { view: View::Simulate, ..t3d() };
        for (key, value) in [("op", "barrier"), ("algorithm", "dissemination"), ("procs", "8")] {
            barrier.set(key, value).unwrap();
        }
        let twice = with_step(&once, &barrier).unwrap();
        assert_eq!(twice.matches("cray-t3d = ").count(), 1, "{twice}");
        let lesson = Lesson::read(&twice).unwrap();
        let report = check(&lesson, &mut Evaluator::default());
        assert!(report.problems.is_empty(), "{:?}", report.problems);
        assert_eq!(report.steps[0].answer, "108 µs", "{twice}");
        assert!(with_link("", "#2.nothing").is_err());
        state.signatures[0].name = "mine".to_owned();
        assert!(with_step("", &state).unwrap_err().message.contains("not a built-in machine"));
    }
}

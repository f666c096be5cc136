//! Drafts of lessons: a state of the page becomes a step.

use crate::error::LessonError;
use crate::error::Toml;
use crate::machines;
use crate::state_spec::{COMPARE, MACHINE, VIEW};
use loggia_link::state::{FIRST_PROCS, FIRST_RANKS, FIRST_SIZE, Inputs, State, View};
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::model::editable::Unit;
use loggia_model::signature::{Operation, Signature};
use loggia_model::units::Bytes;
use loggia_plan::toml_text::Entry;
use loggia_simulate::collective::algorithms;
use serde_json::Value;
use std::fmt::Write;

/// The initial draft.
pub const EMPTY: &str = "loggia-lesson = 1
title = \"My lesson\"
goal = \"Say how long a message takes.\"
minutes = 5

[machines]
";

/// Inputs that do not belong to a question.
const EXCLUDED: [&str; 5] = ["hidden", "lesson", "at", "answers", "figure"];

/// Appends a step to the draft, which shows this state and asks for its time. A machine that is not
/// built in is written as a link.
///
/// # Errors
/// If the draft is not TOML, or one of its machines is invalid.
pub fn with_step(draft: &str, state: &State) -> Result<String, Error> {
    let draft = if draft.trim().is_empty() { EMPTY } else { draft };
    let toml = Toml::new(draft);
    let parsed = toml.parse()?;
    let known = parsed.get_ref().get("machines").map(|value| toml.in_order(value)).transpose()?;
    let known = known.unwrap_or_default();
    let mut text = draft.trim_end().to_owned() + "\n";
    let mut original = None;
    for (at, machine) in state.signatures.iter().enumerate() {
        let known_value = known.iter().find(|entry| entry.name == machine.name);
        let first = match known_value {
            Some(Entry { name, value, .. }) => machines::read(&toml, name, value)?,
            None => {
                let (value, first) = entry(machine);
                text = with_machine(&text, &machine.name, &value);
                first
            }
        };
        if at == 0 {
            original = Some(first);
        }
    }
    text += &step(state, &original.ok_or(LessonError::NoMachine)?)?;
    Ok(text)
}

/// The value of a machine in `[machines]`, and the signature that the lesson reads from it.
fn entry(machine: &Signature) -> (String, Signature) {
    match machines::named(&machine.name) {
        Ok(built_in) => (Value::from(machine.name.as_str()).to_string(), built_in),
        Err(_) => {
            let (link, _) = loggia_link::encode(&State::of(machine.clone()));
            (format!("{{ link = {} }}", Value::from(link)), machine.clone())
        }
    }
}

fn with_machine(text: &str, name: &str, value: &str) -> String {
    let line = format!("{name} = {value}\n");
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

/// The text of a step; `original` is the lesson's machine with the name of the first signature.
fn step(state: &State, original: &Signature) -> Result<String, Error> {
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut names = state.signatures.iter().map(|machine| machine.name.as_str());
    fields.push((MACHINE.to_owned(), names.next().unwrap_or_default().to_owned()));
    let others: Vec<&str> = names.collect();
    fields.push((VIEW.to_owned(), state.view.name().to_owned()));
    if !others.is_empty() && state.view == View::Compare {
        fields.push((COMPARE.to_owned(), others.join(", ")));
    }
    let inputs = serde_json::to_value(inputs_with_defaults(state)).unwrap_or_default();
    for (name, value) in inputs.as_object().into_iter().flatten() {
        if !EXCLUDED.contains(&name.as_str()) {
            fields.push((name.clone(), setting_text(value)));
        }
    }
    fields.extend(changed(state, original));
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

/// The inputs, with the default sizes of the views.
fn inputs_with_defaults(state: &State) -> Inputs {
    let mut inputs = state.inputs.clone();
    let has_size = !matches!(state.view, View::Signature | View::Compare | View::Plan);
    inputs.bytes = inputs.bytes.or(has_size.then_some(FIRST_SIZE));
    let forms = state.signatures.first().map(|machine| machine.collectives.as_slice());
    match state.view {
        View::Collectives => {
            let forms = forms.unwrap_or_default();
            let alltoall = forms.iter().find(|form| form.op == Operation::Alltoall);
            let first = alltoall.or(forms.first()).map_or(Operation::Bcast, |form| form.op);
            let op = *inputs.op.get_or_insert(first);
            let form = forms.iter().find(|form| form.op == op);
            let default_procs = form
                .map_or(FIRST_PROCS, |form| FIRST_PROCS.min(form.procs.high).max(form.procs.low));
            inputs.procs.get_or_insert(default_procs);
        }
        View::Simulate => {
            let op = *inputs.op.get_or_insert(Operation::Allreduce);
            inputs.procs.get_or_insert(FIRST_RANKS);
            let first = algorithms(op).first().map(|algorithm| algorithm.name.to_owned());
            inputs.algorithm = inputs.algorithm.or(first);
        }
        _ => {}
    }
    inputs
}

fn setting_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Array(all) => all.iter().map(setting_text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// The main quantity of a view.
fn quantity(state: &State) -> &'static str {
    match state.view {
        View::Overlap if state.inputs.has_message_inputs() => "strategies[pipelined].time_us",
        View::Overlap => "receiver_end_us",
        View::Signature => "half_length_bytes",
        View::Plan => "points[0].time_us",
        View::Compare => "parameters[L].machines[1].ratio",
        _ => "time_us",
    }
}

/// Parameters of the first machine that differ from the original.
fn changed(state: &State, original: &Signature) -> Vec<(String, String)> {
    let Some(machine) = state.signatures.first() else { return Vec::new() };
    let (tier, style) = (state.inputs.tier.as_deref(), state.inputs.style.as_deref());
    let bytes = state.inputs.bytes.unwrap_or(Bytes(8));
    let parameters = |machine: &Signature| {
        Route::of(machine, tier, style).map(|route| route.editable(bytes)).unwrap_or_default()
    };
    let before = parameters(original);
    let is_new = |parameter: &loggia_model::model::editable::Editable| !before.contains(parameter);
    let with_unit = |value: f64, unit: Unit| match unit {
        Unit::Micros => format!("{value}us"),
        Unit::MicrosPerByte => format!("{}ns", value * 1000.0),
        _ => value.to_string(),
    };
    let all = parameters(machine).into_iter().filter(is_new);
    all.map(|new| (new.symbol.to_owned(), with_unit(new.value.value, new.unit))).collect()
}

/// Appends a step for a link to the page.
///
/// # Errors
/// If the link is damaged, or the draft is invalid.
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
    fn a_link_becomes_a_step_with_a_computed_answer() {
        let t3d = || State::of(loggia_model::library::load("cray-t3d").unwrap());
        let mut state = t3d();
        state.set("bytes", "1KiB").unwrap();
        state.set("L", "5us").unwrap();
        let (link, _) = loggia_link::encode(&state);
        let first_draft = with_link("", &link).unwrap();
        let mut barrier = State { view: View::Simulate, ..t3d() };
        for (key, value) in [("op", "barrier"), ("algorithm", "dissemination"), ("procs", "8")] {
            barrier.set(key, value).unwrap();
        }
        let second_draft = with_step(&first_draft, &barrier).unwrap();
        assert_eq!(second_draft.matches("cray-t3d = ").count(), 1, "{second_draft}");
        let lesson = Lesson::read(&second_draft).unwrap();
        let report = check(&lesson, &mut Evaluator::default());
        assert!(report.problems.is_empty(), "{:?}", report.problems);
        assert_eq!(report.steps[0].answer, "108 µs", "{second_draft}");
        assert!(with_link("", "#2.nothing").is_err());
    }

    /// The lesson contains the machine as a link; changes of parameters are in the step.
    #[test]
    fn any_machine_can_be_in_a_lesson() {
        let mut state = State::of(loggia_model::library::load("cray-t3d").unwrap());
        state.signatures[0].name = "my-cluster".to_owned();
        state.set("L", "7us").unwrap();
        state.set("bytes", "1KiB").unwrap();
        let first_draft = with_step("", &state).unwrap();
        assert!(first_draft.contains("my-cluster = { link = \"#"), "{first_draft}");
        state.set("L", "5us").unwrap();
        let second_draft = with_step(&first_draft, &state).unwrap();
        assert_eq!(second_draft.matches("link = ").count(), 1, "{second_draft}");
        let report = check(&Lesson::read(&second_draft).unwrap(), &mut Evaluator::default());
        assert!(report.problems.is_empty(), "{:?}", report.problems);
        let answers: Vec<_> = report.steps.iter().map(|step| step.answer.as_str()).collect();
        assert_eq!(answers, ["110 µs", "108 µs"], "{second_draft}");
        let damaged = second_draft.replace("link = \"#2.", "link = \"#2.x");
        assert!(Lesson::read(&damaged).is_err(), "a damaged link is refused");
    }

    /// A view in its initial state has no size in its state, but shows a default size.
    #[test]
    fn an_initial_view_becomes_a_step() {
        for view in [View::Message, View::Collectives, View::Simulate] {
            let t3d = loggia_model::library::load("cray-t3d").unwrap();
            let text = with_step("", &State { view, ..State::of(t3d) }).unwrap();
            let report = check(&Lesson::read(&text).unwrap(), &mut Evaluator::default());
            assert!(report.problems.is_empty(), "{view:?}: {:?}", report.problems);
        }
    }
}

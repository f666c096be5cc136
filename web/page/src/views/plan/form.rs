//! A sketch as a form: values as fields, numbers with sliders, steps in order.

pub(crate) mod slider;
mod value;

use super::edit::SketchEdit;
use super::{ranks_per_node, words as text};
use crate::browser;
use crate::memo::{Shared, memoized};
use crate::state::Action;
use loggia_plan::sketch::edit::{Field, Outline, Section, StepOutline, actions, usual, without};
use std::ops::Range;
use value::value;
use yew::{Callback, Event, Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) outline: Shared<Outline>,
    /// Whether the outline belongs to the current text.
    pub(super) is_current: bool,
    pub(super) text: String,
    pub(super) on_put: Callback<SketchEdit>,
    pub(super) on_action: Callback<Action>,
}

/// Callbacks of the form.
#[derive(Clone, PartialEq)]
struct Handlers {
    on_put: Callback<SketchEdit>,
    /// Replaces the text; with the subject of the change.
    on_write: Callback<(String, Rewrite)>,
}

/// A change of the text that needs its outline.
#[derive(Clone, PartialEq)]
enum Rewrite {
    /// Adds a value to a section.
    AddValue(Section, String),
    /// Removes a line.
    RemoveLine(Range<usize>),
    /// Adds a step with this action.
    AddStep(String),
    /// Removes a step.
    RemoveStep(usize),
    /// Moves a step before the previous one.
    MoveUp(usize),
}

impl Rewrite {
    fn of(self, outline: &Outline, text: &str) -> String {
        match self {
            Rewrite::AddValue(section, name) => section.with(text, &name, usual(&name)),
            Rewrite::RemoveLine(line) => without(text, &line),
            Rewrite::AddStep(action) => outline.with_step(text, &action),
            Rewrite::RemoveStep(index) => outline.without_step(text, index),
            Rewrite::MoveUp(index) => outline.with_step_earlier(text, index),
        }
    }
}

#[component]
pub(super) fn Form(props: &Props) -> Html {
    let Props { outline, is_current, text, on_put, on_action } = props;
    let on_write = {
        let (outline, text, on_action) = (outline.clone(), text.clone(), on_action.clone());
        Callback::from(move |(what, rewrite): (String, Rewrite)| {
            on_action.emit(Action::Sketch(what, rewrite.of(&outline, &text)));
        })
    };
    let handlers = Handlers { on_put: on_put.clone(), on_write };
    let stale = (!is_current).then(|| html! { <p class="aside">{ text::STALE }</p> });
    // The field for ranks per node is above the form.
    let mut program = outline.program.clone();
    program.fields.retain(|field| field.name != ranks_per_node::NAME);
    let constants = outline.constants.iter().filter(|all| !all.fields.is_empty());
    html! {
        <>
            <fieldset class="sketch-form" disabled={!is_current}>
                { section(text::PROGRAM, "program", &program, &["iterations"], &handlers) }
                { for outline.grid.iter().map(|grid| section(text::GRID, "grid", grid, &["periodic"], &handlers)) }
                { for constants.map(|all| section(text::CONSTANTS, "let", all, &[], &handlers)) }
                <h3>{ text::STEPS }</h3>
                <ol class="stages">{ for stages(outline, &handlers) }</ol>
                { step_chooser(outline, &handlers).unwrap_or_default() }
            </fieldset>
            { stale.unwrap_or_default() }
        </>
    }
}

fn section(
    title: &'static str,
    key: &str,
    section: &Section,
    more: &[&str],
    handlers: &Handlers,
) -> Html {
    let is_set = |name: &str| section.fields.iter().any(|field| field.name == name);
    let more: Vec<String> =
        more.iter().filter(|name| !is_set(name)).map(|name| (*name).to_owned()).collect();
    html! {
        <>
            <h3>{ title }</h3>
            { fields(key, "", section, &[], handlers) }
            { add_option(key, section, more, handlers).unwrap_or_default() }
        </>
    }
}

/// All values of a section; optional ones can be removed.
fn fields(
    key: &str,
    action: &str,
    section: &Section,
    needed: &[&str],
    handlers: &Handlers,
) -> Html {
    let sides =
        |i: usize| section.fields[..i].iter().filter(move |one| one.name == section.fields[i].name);
    let field = |(i, field): (usize, &Field)| {
        let id = format!("sketch-{key}-{i}");
        let is_needed = action == field.name || needed.contains(&field.name.as_str());
        let line = field.line.clone().filter(|_| !is_needed && section.end.is_some());
        let on_remove = line.map(|line| {
            let what = format!("{id} away");
            handlers.on_write.reform(move |()| (what.clone(), Rewrite::RemoveLine(line.clone())))
        });
        let label = match field.name.as_str() {
            name if name == action => text::amount(action).to_owned(),
            side @ ("cells" | "block") => text::side(side, sides(i).count()),
            name => text::field(name).to_owned(),
        };
        memoized((id, label, field.clone(), handlers.on_put.clone(), on_remove), value)
    };
    html! { { for section.fields.iter().enumerate().map(field) } }
}

/// Choice of a further value to add.
fn add_option(
    key: &str,
    section: &Section,
    names: Vec<String>,
    handlers: &Handlers,
) -> Option<Html> {
    if names.is_empty() || section.end.is_none() {
        return None;
    }
    let (key, section) = (key.to_owned(), section.clone());
    let on_choose = handlers.on_write.reform(move |name: String| {
        (format!("{key} {name}"), Rewrite::AddValue(section.clone(), name))
    });
    let names = names.into_iter().map(|name| (text::field(&name).to_owned(), name)).collect();
    Some(choose(text::MORE, names, on_choose))
}

/// A list of commands, which shows its title again after each choice.
fn choose(title: &'static str, all: Vec<(String, String)>, on_choose: Callback<String>) -> Html {
    let on_change = move |event: Event| {
        let chosen = browser::take_selected(&event);
        if !chosen.is_empty() {
            on_choose.emit(chosen);
        }
    };
    let option = |(words, value): (String, String)| html! { <option {value}>{ words }</option> };
    html! {
        <select class="more" aria-label={title} onchange={on_change}>
            <option value="" selected=true>{ title }</option>
            { for all.into_iter().map(option) }
        </select>
    }
}

fn step_chooser(outline: &Outline, handlers: &Handlers) -> Option<Html> {
    // Steps written inline cannot get further steps.
    outline.steps.iter().all(|step| step.block.is_some()).then(|| {
        let all = actions().map(|action| (text::action(action).to_owned(), action.to_owned()));
        let on_choose = handlers
            .on_write
            .reform(|action: String| (format!("step {action}"), Rewrite::AddStep(action)));
        choose(text::ADD, all.collect(), on_choose)
    })
}

fn stages(outline: &Outline, handlers: &Handlers) -> Vec<Html> {
    let count = outline.steps.len();
    let stage = |(i, stage): (usize, &StepOutline)| {
        let write = |what: &str, rewrite: Rewrite| {
            let what = format!("step {i} {what}");
            handlers.on_write.reform(move |_| (what.clone(), rewrite.clone()))
        };
        let is_block = stage.block.is_some();
        let (earlier, remove) =
            (write("earlier", Rewrite::MoveUp(i)), write("away", Rewrite::RemoveStep(i)));
        let buttons = is_block.then(|| {
            html! {
                <span class="hands">
                    <button type="button" disabled={i == 0} onclick={earlier} title={text::EARLIER} aria-label={text::EARLIER}>{ "↑" }</button>
                    <button type="button" disabled={count < 2} onclick={remove} title={text::REMOVE} aria-label={text::REMOVE}>{ "×" }</button>
                </span>
            }
        });
        html! {
            <li>
                <div class="stage-title">
                    <b>{ text::action(&stage.action) }</b>
                    <small>{ text::in_line(stage.line) }</small>
                    { buttons.unwrap_or_default() }
                </div>
                { step_fields(&format!("step-{i}"), stage, handlers) }
            </li>
        }
    };
    outline.steps.iter().enumerate().map(stage).collect()
}

/// Values of a step, and its inner steps.
fn step_fields(key: &str, stage: &StepOutline, handlers: &Handlers) -> Html {
    let inner = |(i, inner): (usize, &StepOutline)| {
        html! {
            <li>
                <div class="stage-title"><b>{ text::action(&inner.action) }</b></div>
                { step_fields(&format!("{key}-{i}"), inner, handlers) }
            </li>
        }
    };
    let inside = (!stage.steps.is_empty()).then(
        || html! { <ol class="stages">{ for stage.steps.iter().enumerate().map(inner) }</ol> },
    );
    // A wavefront needs both.
    let needed = ["blocks", "work"];
    html! {
        <>
            { fields(key, &stage.action, &stage.values, &needed, handlers) }
            { inside.unwrap_or_default() }
            { add_option(key, &stage.values, stage.more.clone(), handlers).unwrap_or_default() }
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_of_the_form_change_the_text() {
        let text = "[[step]]\nbarrier = 0\n\n[[step]]\ncompute = 1\nevery = 5\n";
        let outline = Outline::of(text).unwrap();
        let section = outline.steps[1].values.clone();
        let of = |rewrite: Rewrite| rewrite.of(&outline, text);
        assert_eq!(
            of(Rewrite::AddValue(section.clone(), "times".to_owned())),
            format!("{text}times = 2\n")
        );
        let line = section.fields[1].line.clone().unwrap();
        assert_eq!(of(Rewrite::RemoveLine(line)), text.replace("every = 5\n", ""));
        assert_eq!(of(Rewrite::RemoveStep(1)), "[[step]]\nbarrier = 0\n");
        assert!(of(Rewrite::MoveUp(1)).starts_with("[[step]]\ncompute"));
        assert!(
            of(Rewrite::AddStep("allreduce".to_owned())).ends_with("[[step]]\nallreduce = 8\n")
        );
    }
}

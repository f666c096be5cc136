//! Edits of a sketch's text. Each writes one place and keeps everything else, comments included.
//!
//! An [`Outline`] has the places. It is read from the text once and updated by each edit, so that
//! sliders need no TOML parser.

use super::ACTIONS;
use crate::expression::{Kind, literals};
use loggia_model::signature::Operation;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The editable parts of a sketch, in their order. Positions are in bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// Values of the program.
    pub program: Section,
    pub grid: Option<Section>,
    pub constants: Option<Section>,
    pub steps: Vec<StepOutline>,
}

/// Values that must be given together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    pub fields: Vec<Field>,
    /// Position for a new line, if the section has lines.
    pub end: Option<usize>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepOutline {
    /// First line, as in [`StepCost`](crate::cost::StepCost).
    pub line: usize,
    /// The action: `halo`, `allreduce` …
    pub action: String,
    /// Range of its lines, with the comment above; `None` for an inline step.
    pub block: Option<Range<usize>>,
    pub values: Section,
    /// Names of further possible values.
    pub more: Vec<String>,
    /// Nested steps.
    pub steps: Vec<StepOutline>,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    pub name: String,
    /// Text of the value, without quotes.
    pub value: String,
    /// Range of the value, with quotes.
    pub at: Range<usize>,
    /// Range of the line, if it has no other value.
    pub line: Option<Range<usize>>,
    /// The kind of value.
    pub holds: ValueKind,
    /// Numbers in the value, for sliders.
    pub handles: Vec<Handle>,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueKind {
    /// Any text.
    Words,
    /// `true` or `false`.
    Truth,
    /// A whole number.
    Whole,
    /// A formula of this dimension.
    Formula(Kind),
}

/// A number in a value, for a slider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Handle {
    /// Range of the number with its unit.
    pub at: Range<usize>,
    /// The number: in µs, bytes, or without unit.
    pub value: f64,
    pub kind: Kind,
    /// Whether its unit is written.
    pub has_unit: bool,
}

impl Field {
    /// Updates value and handles from the text.
    pub(super) fn reread(&mut self, text: &str) {
        let shown = text.get(self.at.clone()).unwrap_or_default();
        let is_quoted = shown.len() > 1 && shown.starts_with(['"', '\'']);
        let inset = usize::from(is_quoted);
        self.value = shown[inset..shown.len() - inset].to_owned();
        self.handles = handles(&self.value, self.holds, self.at.start + inset);
    }
}

/// The numbers of a formula that have a unit, or else its first number.
fn handles(formula: &str, holds: ValueKind, offset: usize) -> Vec<Handle> {
    let expected = match holds {
        ValueKind::Words | ValueKind::Truth => return Vec::new(),
        ValueKind::Whole => Kind::Number,
        ValueKind::Formula(kind) => kind,
    };
    let mut all = literals(formula);
    let has_units = all.iter().any(|number| number.kind != Kind::Number);
    match has_units {
        true => all.retain(|number| number.kind != Kind::Number),
        false => all.truncate(1),
    }
    let handle = |number: crate::expression::Literal| {
        let is_all = formula[number.at.clone()].len() == formula.trim().len();
        let has_unit = number.kind != Kind::Number;
        let kind = if is_all && !has_unit { expected } else { number.kind };
        let at = offset + number.at.start..offset + number.at.end;
        Handle { at, value: number.value, kind, has_unit }
    };
    all.into_iter().map(handle).collect()
}

impl Outline {
    /// Replaces a value, or a number in it, and updates the outline.
    #[must_use]
    pub fn put(&mut self, text: &str, at: &Range<usize>, new: &str) -> String {
        let (Some(before), Some(after)) = (text.get(..at.start), text.get(at.end..)) else {
            return text.to_owned();
        };
        let text = [before, new, after].concat();
        let moved = |place: usize| match place {
            place if place >= at.end => place - at.end + at.start + new.len(),
            place => place.min(at.start),
        };
        self.all_sections(&mut |section| {
            section.end = section.end.map(&moved);
            for field in &mut section.fields {
                let is_here = field.at.start <= at.start && at.end <= field.at.end;
                field.at = moved(field.at.start)..moved(field.at.end);
                field.line = field.line.take().map(|line| moved(line.start)..moved(line.end));
                for handle in &mut field.handles {
                    handle.at = moved(handle.at.start)..moved(handle.at.end);
                }
                if is_here {
                    field.reread(&text);
                }
            }
        });
        self.all_blocks(&mut |block| *block = moved(block.start)..moved(block.end));
        text
    }

    /// The current range of a value or number that was at `at` in the earlier outline `before`.
    #[must_use]
    pub fn place_now(&self, before: &Outline, at: &Range<usize>) -> Option<Range<usize>> {
        let (then, now) = (before.fields(), self.fields());
        let is_in = |field: &&Field| field.at.start <= at.start && at.end <= field.at.end;
        let index = then.iter().position(is_in)?;
        let (then, now) = (then[index], *now.get(index)?);
        let handle = then.handles.iter().position(|handle| handle.at == *at);
        match (then.name == now.name, handle) {
            (true, Some(handle)) => Some(now.handles.get(handle)?.at.clone()),
            (true, None) => Some(now.at.clone()),
            (false, _) => None,
        }
    }

    /// All values, in the order of the form.
    fn fields(&self) -> Vec<&Field> {
        fn of<'a>(steps: &'a [StepOutline], all: &mut Vec<&'a Field>) {
            for step in steps {
                all.extend(&step.values.fields);
                of(&step.steps, all);
            }
        }
        let first = [Some(&self.program), self.grid.as_ref(), self.constants.as_ref()];
        let mut all = first.into_iter().flatten().flat_map(|section| &section.fields).collect();
        of(&self.steps, &mut all);
        all
    }

    fn all_sections(&mut self, change: &mut dyn FnMut(&mut Section)) {
        fn of(steps: &mut [StepOutline], change: &mut dyn FnMut(&mut Section)) {
            for step in steps {
                change(&mut step.values);
                of(&mut step.steps, change);
            }
        }
        change(&mut self.program);
        self.grid.iter_mut().chain(&mut self.constants).for_each(&mut *change);
        of(&mut self.steps, change);
    }

    fn all_blocks(&mut self, change: &mut dyn FnMut(&mut Range<usize>)) {
        self.steps.iter_mut().filter_map(|step| step.block.as_mut()).for_each(change);
    }

    /// The text with a new step at its end, and with a grid if the step needs one.
    #[must_use]
    pub fn with_step(&self, text: &str, action: &str) -> String {
        let step = format!("[[step]]\n{}\n", template(action));
        let needs_grid = matches!(action, "halo" | "wavefront") && self.grid.is_none();
        let first = self.steps.first().and_then(|step| step.block.clone());
        let (before, after) = match first.filter(|_| needs_grid) {
            Some(first) => text.split_at(first.start),
            None => (text, ""),
        };
        let grid = if needs_grid { "[grid]\ncells = [4096, 4096]\n\n" } else { "" };
        let all = format!("{before}{}{grid}{after}", line_end(before));
        format!("{}\n\n{step}", all.trim_end())
    }

    /// The text without a step; the last remaining step stays.
    #[must_use]
    pub fn without_step(&self, text: &str, index: usize) -> String {
        let block = self.steps.get(index).and_then(|step| step.block.clone());
        let Some(block) = block.filter(|_| self.steps.len() > 1) else { return text.to_owned() };
        let left = [&text[..block.start], &text[block.end..]].concat();
        format!("{}\n", left.trim_end())
    }

    /// The text with a step and the previous one swapped.
    #[must_use]
    pub fn with_step_earlier(&self, text: &str, index: usize) -> String {
        let block = |at: usize| self.steps.get(at).and_then(|step| step.block.clone());
        let both = index.checked_sub(1).and_then(block).zip(block(index));
        let Some((first, second)) = both else { return text.to_owned() };
        let (earlier, later) = (&text[first.clone()], &text[second.clone()]);
        // Text between steps stays in place.
        let gap = |block: &'_ str| block.len() - block.trim_end().len();
        let swapped = [
            &text[..first.start],
            later.trim_end(),
            &earlier[earlier.len() - gap(earlier)..],
            &text[first.end..second.start],
            earlier.trim_end(),
            &later[later.len() - gap(later)..],
            &text[second.end..],
        ];
        swapped.concat()
    }
}

impl Section {
    /// The text with a new value in this section.
    #[must_use]
    pub fn with(&self, text: &str, name: &str, value: &str) -> String {
        let place = self.end.and_then(|end| text.split_at_checked(end));
        let Some((before, after)) = place else { return text.to_owned() };
        format!("{before}{}{name} = {value}\n{after}", line_end(before))
    }
}

/// The text without the line of a value.
#[must_use]
pub fn without(text: &str, line: &Range<usize>) -> String {
    [text.get(..line.start), text.get(line.end..)].into_iter().flatten().collect()
}

/// The line end to append, if the text has none.
fn line_end(before: &str) -> &'static str {
    if before.is_empty() || before.ends_with('\n') { "" } else { "\n" }
}

/// A typed value as TOML.
#[must_use]
pub fn written(typed: &str, holds: ValueKind) -> String {
    let typed = typed.trim();
    let is_number = !typed.is_empty()
        && typed.len() < 19
        && typed.chars().all(|c| c.is_ascii_digit())
        && (typed == "0" || !typed.starts_with('0'));
    match holds {
        ValueKind::Truth if matches!(typed, "true" | "false") => typed.to_owned(),
        ValueKind::Whole | ValueKind::Formula(_) if is_number => typed.to_owned(),
        _ => quoted(typed),
    }
}

fn quoted(text: &str) -> String {
    let mut shown = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => shown.extend(['\\', c]),
            c if c.is_control() => shown.push(' '),
            c => shown.push(c),
        }
    }
    shown.push('"');
    shown
}

/// All actions of steps.
pub fn actions() -> impl Iterator<Item = &'static str> {
    ACTIONS.into_iter().chain(Operation::ALL.map(Operation::name))
}

/// Further possible values of an action.
#[must_use]
pub fn takes(action: &str) -> &'static [&'static str] {
    match action {
        "compute" | "steps" => &[],
        "halo" => &["during", "corners"],
        "exchange" => &["during", "apart"],
        "shift" => &["during"],
        "wavefront" => &["blocks", "work"],
        _ => &["during", "algorithm"],
    }
}

/// Further possible values of every step.
pub const ALWAYS: [&str; 2] = ["times", "every"];

/// Initial text of a value.
#[must_use]
pub fn usual(name: &str) -> &'static str {
    match name {
        "during" | "work" => "\"1ms / p\"",
        "corners" | "periodic" => "true",
        "algorithm" => "\"best\"",
        "ranks_per_node" | "blocks" => "8",
        "iterations" | "every" => "10",
        _ => "2",
    }
}

/// Initial text of a step.
fn template(action: &str) -> String {
    match action {
        "compute" => "compute = \"1ms / p\"".to_owned(),
        "halo" => "halo = \"8 * face\"".to_owned(),
        "exchange" | "shift" => format!("{action} = \"64KiB\""),
        "wavefront" => "wavefront = \"8 * face\"\nwork = \"50us\"\nblocks = 8".to_owned(),
        "steps" => {
            "times = 2\nsteps = [{ compute = \"1ms / p\" }, { exchange = \"64KiB\" }]".to_owned()
        }
        "barrier" => "barrier = 0".to_owned(),
        operation => format!("{operation} = 8"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// An edit refers to a value of the form, also if its position in the text has changed.
    #[test]
    fn a_place_is_found_after_edits() {
        let text = "[[step]]\nexchange = \"8KiB\"\nduring = \"2ns * p\"\n";
        let shown = Outline::of(text).unwrap();
        let during = shown.steps[0].values.fields[1].handles[0].at.clone();
        let exchange = shown.steps[0].values.fields[0].at.clone();
        let (mut now, mut changed) = (shown.clone(), text.to_owned());
        for new in ["100us", "3ns", "1.25ms"] {
            let at = now.place_now(&shown, &during).unwrap();
            changed = now.put(&changed, &at, new);
            let at = now.place_now(&shown, &exchange).unwrap();
            changed = now.put(&changed, &at, "\"1234567B\"");
        }
        assert_eq!(changed, "[[step]]\nexchange = \"1234567B\"\nduring = \"1.25ms * p\"\n");
        assert_eq!(now.place_now(&shown, &(0..3)), None);
    }
}

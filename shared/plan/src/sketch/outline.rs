//! Positions of the parts of a sketch.

use super::Sketch;
use super::edit::{ALWAYS, Field, Outline, Section, StepOutline, ValueKind, actions, takes};
use crate::expression::Kind;
use crate::toml_text::{Value, line_of};
use loggia_model::Error;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

impl Outline {
    /// The outline of a sketch.
    ///
    /// # Errors
    /// As [`Sketch::read`].
    pub fn of(text: &str) -> Result<Self, Error> {
        Sketch::read(text)?;
        let Ok(parsed) = DeTable::parse(text) else { return Ok(Outline::default()) };
        Ok(OutlineReader { text, headers: headers(text, parsed.get_ref()) }
            .outline(parsed.get_ref()))
    }
}

struct OutlineReader<'a> {
    text: &'a str,
    /// Starts of the tables, as [`headers`] finds them.
    headers: Vec<usize>,
}

type Key<'i> = Spanned<DeString<'i>>;

/// Starts of the tables, each with the comment above it, ascending.
fn headers(text: &str, table: &DeTable<'_>) -> Vec<usize> {
    let mut all = Vec::new();
    for value in table.values() {
        match value.get_ref() {
            DeValue::Table(_) => all.push(value.span().start),
            DeValue::Array(items) => all.extend(items.iter().map(|item| item.span().start)),
            _ => {}
        }
    }
    all.retain(|at| text[*at..].starts_with('['));
    let mut all: Vec<usize> = all.into_iter().map(|at| with_comment(text, at)).collect();
    all.sort_unstable();
    all
}

/// Start of the line, or of the comment lines above it.
fn with_comment(text: &str, at: usize) -> usize {
    let mut begin = line_begin(text, at);
    while begin > 0 {
        let above = line_begin(text, begin - 1);
        if !text[above..begin].trim_start().starts_with('#') {
            break;
        }
        begin = above;
    }
    begin
}

fn line_begin(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |before| before + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |more| at + more + 1)
}

/// The entries of a table in the order of the text.
fn in_order<'v, 'a>(table: &'v DeTable<'a>) -> Vec<(&'v Key<'a>, &'v Value<'a>)> {
    let mut all: Vec<_> = table.iter().collect();
    all.sort_by_key(|(name, _)| name.span().start);
    all
}

impl OutlineReader<'_> {
    fn outline(&self, table: &DeTable<'_>) -> Outline {
        let program = Section { fields: Vec::new(), end: Some(0) };
        let mut outline = Outline { program, ..Outline::default() };
        for (name, value) in in_order(table) {
            let word: &str = name.get_ref();
            match (word, value.get_ref()) {
                ("grid", DeValue::Table(grid)) => {
                    outline.grid = Some(self.section(value, grid, grid_holds));
                }
                ("let", DeValue::Table(all)) => {
                    outline.constants = Some(self.section(value, all, |_| CONSTANT));
                }
                ("step", DeValue::Array(steps)) => {
                    outline.steps = steps.iter().filter_map(|step| self.step(step)).collect();
                }
                _ => {
                    let holds = if word == "name" { ValueKind::Words } else { ValueKind::Whole };
                    let field = self.field(name, value, holds);
                    outline.program.end = field.line.as_ref().map(|line| line.end).or(Some(0));
                    outline.program.fields.push(field);
                }
            }
        }
        outline
    }

    /// The values of a table; each element of an array is a value of its own.
    fn section(
        &self,
        value: &Value<'_>,
        table: &DeTable<'_>,
        holds: fn(&str) -> ValueKind,
    ) -> Section {
        let end = self.is_table(value).then(|| line_end(self.text, value.span().end));
        let mut section = Section { fields: Vec::new(), end };
        for (name, value) in in_order(table) {
            let holds = holds(name.get_ref());
            if !self.is_table(value) {
                let end = line_end(self.text, value.span().end);
                section.end = section.end.map(|before| before.max(end));
            }
            match value.get_ref() {
                DeValue::Array(sides) => {
                    let side = |side| Field { line: None, ..self.field(name, side, holds) };
                    section.fields.extend(sides.iter().map(side));
                }
                _ => section.fields.push(self.field(name, value, holds)),
            }
        }
        section
    }

    /// Whether a value is a table with a header in brackets, and so with lines of its own.
    fn is_table(&self, value: &Value<'_>) -> bool {
        let is_table = |value: &Value<'_>| {
            value.get_ref().as_table().is_some() && self.text[value.span().start..].starts_with('[')
        };
        let first = value.get_ref().as_array().and_then(|items| items.iter().next());
        is_table(first.unwrap_or(value))
    }

    fn field(&self, name: &Key<'_>, value: &Value<'_>, holds: ValueKind) -> Field {
        let at = value.span();
        let begin = line_begin(self.text, name.span().start);
        let is_alone = self.text[begin..name.span().start].trim().is_empty();
        let line = is_alone.then(|| begin..line_end(self.text, at.end));
        let name = name.get_ref().to_string();
        let mut field = Field { name, value: String::new(), at, line, holds, handles: Vec::new() };
        field.reread(self.text);
        // A value written with escapes can only be replaced as a whole.
        if let Some(text) = value.get_ref().as_str().filter(|text| *text != field.value) {
            (field.value, field.handles) = (text.to_owned(), Vec::new());
        }
        field
    }

    fn step(&self, value: &Value<'_>) -> Option<StepOutline> {
        let table = value.get_ref().as_table()?;
        let is_action = |name: &Key<'_>| actions().any(|action| action == name.get_ref().as_ref());
        let (name, own) = table.iter().find(|(name, _)| is_action(name))?;
        let action = name.get_ref().to_string();
        let words = takes(&action).iter().chain(&ALWAYS);
        let more = words.filter(|word| !table.contains_key(**word)).map(|word| (*word).to_owned());
        let mut values = self.section(value, table, step_holds);
        let steps = match own.get_ref() {
            DeValue::Array(steps) => {
                values.fields.retain(|field| field.name != "steps");
                steps.iter().filter_map(|step| self.step(step)).collect()
            }
            _ => Vec::new(),
        };
        Some(StepOutline {
            line: line_of(self.text, name.span().start),
            more: more.collect(),
            block: self.block(value.span().start),
            action,
            values,
            steps,
        })
    }

    /// Range of the table that begins here, up to the next table.
    fn block(&self, at: usize) -> Option<Range<usize>> {
        let begin = with_comment(self.text, at);
        let place = self.headers.binary_search(&begin).ok()?;
        Some(begin..self.headers.get(place + 1).copied().unwrap_or(self.text.len()))
    }
}

/// A constant may have any dimension.
const CONSTANT: ValueKind = ValueKind::Formula(Kind::Number);

fn grid_holds(name: &str) -> ValueKind {
    if name == "periodic" { ValueKind::Truth } else { ValueKind::Whole }
}

pub(super) fn step_holds(name: &str) -> ValueKind {
    match name {
        "compute" | "during" | "work" => ValueKind::Formula(Kind::Time),
        "times" | "blocks" | "apart" => ValueKind::Formula(Kind::Number),
        "every" => ValueKind::Whole,
        "corners" => ValueKind::Truth,
        "algorithm" => ValueKind::Words,
        _ => ValueKind::Formula(Kind::Size),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::edit::{Handle, usual, without, written};
    use super::*;

    const SKETCH: &str = r#"# what it is for
name = "a \"solver\""   # its name
iterations = 500

# the grid of all
[grid]
cells = [8192, 4096] # sides

[let]
flop = "0.5ns"  # measured
half = "nx / 2"
open = "?"

# neighbours first
[[step]]
halo = "8 * face"   # doubles
during = '''2ns * cells + 1us'''
every = 2

# then a sum
[[step]]
allreduce = 64KiB
times = "26 * log2(p)"

[[step]]
steps = [{ compute = 500, times = 3 }, { exchange = "8 * ny" }]
"#;

    fn sketch() -> String {
        SKETCH.replace("64KiB", "\"64KiB\"")
    }

    fn all(outline: &Outline) -> Vec<&Field> {
        fn of<'o>(steps: &'o [StepOutline], fields: &mut Vec<&'o Field>) {
            for step in steps {
                fields.extend(&step.values.fields);
                of(&step.steps, fields);
            }
        }
        let sections = [Some(&outline.program), outline.grid.as_ref(), outline.constants.as_ref()];
        let mut fields: Vec<&Field> =
            sections.into_iter().flatten().flat_map(|section| &section.fields).collect();
        of(&outline.steps, &mut fields);
        fields
    }

    #[test]
    fn values_have_places_and_their_numbers_have_handles() {
        let text = sketch();
        let outline = Outline::of(&text).unwrap();
        let name_and_handles = |field: &&Field| {
            let handle = |one: &Handle| (text[one.at.clone()].to_owned(), one.kind);
            (field.name.clone(), field.handles.iter().map(handle).collect::<Vec<_>>())
        };
        let expected: &[(&str, &[(&str, Kind)])] = &[
            ("name", &[]),
            ("iterations", &[("500", Kind::Number)]),
            ("cells", &[("8192", Kind::Number)]),
            ("cells", &[("4096", Kind::Number)]),
            ("flop", &[("0.5ns", Kind::Time)]),
            ("half", &[("2", Kind::Number)]),
            ("open", &[]),
            ("halo", &[("8", Kind::Number)]),
            // Strings in triple quotes have no handles.
            ("during", &[]),
            ("every", &[("2", Kind::Number)]),
            ("allreduce", &[("64KiB", Kind::Size)]),
            ("times", &[("26", Kind::Number)]),
            // A bare number is a time where a time is expected.
            ("compute", &[("500", Kind::Time)]),
            ("times", &[("3", Kind::Number)]),
            ("exchange", &[("8", Kind::Number)]),
        ];
        let expected = expected.iter().map(|(name, handles)| {
            let handles = handles.iter().map(|(word, kind)| ((*word).to_owned(), *kind));
            ((*name).to_owned(), handles.collect::<Vec<_>>())
        });
        let found: Vec<_> = all(&outline).iter().map(name_and_handles).collect();
        assert_eq!(found, expected.collect::<Vec<_>>());
        let values: Vec<&str> = all(&outline).iter().map(|field| field.value.as_str()).collect();
        assert_eq!((values[0], values[8]), ("a \"solver\"", "2ns * cells + 1us"));
        let lines: Vec<usize> = outline.steps.iter().map(|step| step.line).collect();
        assert_eq!(lines, [16, 22, 26]);
        let more: Vec<_> = outline.steps.iter().map(|step| step.more.join(" ")).collect();
        assert_eq!(more, ["corners times", "during algorithm every", "times every"]);
    }

    /// An edit changes one place, and the updated outline equals the outline of the new text.
    #[test]
    fn an_edit_changes_one_place_and_updates_the_outline() {
        let text = sketch();
        let outline = Outline::of(&text).unwrap();
        for (i, field) in all(&outline).into_iter().enumerate() {
            let handles = field.handles.iter().map(|handle| &handle.at);
            for at in handles.chain([&field.at]) {
                let new = match (field.holds, &text[at.clone()]) {
                    (ValueKind::Words, _) => "\"another name, which is longer\"",
                    (ValueKind::Formula(Kind::Time), word) if word.starts_with(['"', '\'']) => {
                        "\"1s\""
                    }
                    (_, word) if word.ends_with('s') => "250us",
                    _ => "12",
                };
                let mut changed = outline.clone();
                let put = changed.put(&text, at, new);
                assert_eq!(put, [&text[..at.start], new, &text[at.end..]].concat());
                assert_eq!(changed, Outline::of(&put).unwrap(), "{i}: {put}");
            }
        }
    }

    #[test]
    fn lines_are_added_and_removed() {
        let text = sketch();
        let outline = Outline::of(&text).unwrap();
        let first = &outline.steps[0].values;
        let with = first.with(&text, "times", usual("times"));
        assert_eq!(with, text.replace("every = 2\n", "every = 2\ntimes = 2\n"));
        let again = Outline::of(&with).unwrap().steps[0].values.fields[3].line.clone().unwrap();
        assert_eq!(without(&with, &again), text);
        let with = outline.program.with(&text, "ranks_per_node", "8");
        assert!(with.contains("iterations = 500\nranks_per_node = 8\n\n# the grid"), "{with}");
        let with = outline.grid.unwrap().with(&text, "periodic", "true");
        assert!(with.contains("# sides\nperiodic = true\n\n[let]"), "{with}");
        let bare = "[[step]]\nbarrier = 0";
        let outline = Outline::of(bare).unwrap();
        let with = outline.steps[0].values.with(bare, "every", "3");
        assert_eq!(with, "[[step]]\nbarrier = 0\nevery = 3\n");
        assert_eq!(
            outline.program.with(bare, "iterations", "9"),
            format!("iterations = 9\n{bare}")
        );
    }

    #[test]
    fn steps_move_with_their_comments() {
        let text = sketch();
        let outline = Outline::of(&text).unwrap();
        let moved = outline.with_step_earlier(&text, 1);
        let actions = |text: &str| {
            let outline = Outline::of(text).unwrap();
            outline.steps.into_iter().map(|step| step.action).collect::<Vec<_>>()
        };
        assert_eq!(actions(&moved), ["allreduce", "halo", "steps"]);
        assert!(moved.contains("open = \"?\"\n\n# then a sum\n[[step]]\nallreduce"), "{moved}");
        assert!(moved.contains("\n\n# neighbours first\n[[step]]\nhalo"), "{moved}");
        assert_eq!(Outline::of(&moved).unwrap().with_step_earlier(&moved, 1), text);
        let last = outline.with_step_earlier(&text, 2);
        assert_eq!(actions(&last), ["halo", "steps", "allreduce"]);
        assert_eq!(outline.with_step_earlier(&text, 0), text, "the first step cannot move up");

        let left = outline.without_step(&text, 0);
        assert_eq!(actions(&left), ["allreduce", "steps"]);
        assert!(!left.contains("neighbours") && left.contains("open = \"?\"\n\n# then"), "{left}");
        let last = outline.without_step(&text, 2);
        assert!(last.ends_with("log2(p)\"\n"), "{last}");
    }

    #[test]
    fn every_action_can_be_added() {
        let bare = "[[step]]\ncompute = 1";
        for action in actions() {
            let with = Outline::of(bare).unwrap().with_step(bare, action);
            let outline = Outline::of(&with).unwrap_or_else(|error| panic!("{with}\n{error}"));
            assert_eq!(outline.steps[1].action, action);
            for word in &outline.steps[1].more {
                let more = outline.steps[1].values.with(&with, word, usual(word));
                assert!(Outline::of(&more).is_ok(), "{more}");
            }
        }
        let only = Outline::of(bare).unwrap();
        assert_eq!(only.without_step(bare, 0), bare, "the last step stays");
    }

    #[test]
    fn inline_steps_have_only_values() {
        let text = "grid.cells = [64]\nstep = [{ halo = 8 }, { allreduce = \"1KiB\" }]\n";
        let outline = Outline::of(text).unwrap();
        assert_eq!(outline.steps.len(), 2);
        assert!(outline.steps.iter().all(|step| step.block.is_none() && step.values.end.is_none()));
        assert!(outline.grid.as_ref().unwrap().end.is_none());
        assert_eq!(outline.without_step(text, 0), text);
        let nested = "[[step]]\ntimes = 2\n[[step.steps]]\ncompute = 1\n\n[[step]]\nbarrier = 0\n";
        let outline = Outline::of(nested).unwrap();
        let [first, second] = outline.steps.as_slice() else { panic!("{outline:?}") };
        assert_eq!((first.steps.len(), first.values.end), (1, Some(19)));
        assert_eq!(
            second.block.clone().map(|block| &nested[block]),
            Some("[[step]]\nbarrier = 0\n")
        );
    }

    #[test]
    fn typed_values_become_toml() {
        for (typed, holds, toml) in [
            (" 8 ", ValueKind::Whole, "8"),
            ("64KiB", ValueKind::Formula(Kind::Size), "\"64KiB\""),
            ("007", ValueKind::Whole, "\"007\""),
            ("8", ValueKind::Words, "\"8\""),
            ("a \"b\" \\ c\n", ValueKind::Words, "\"a \\\"b\\\" \\\\ c\""),
            ("true", ValueKind::Truth, "true"),
        ] {
            assert_eq!(written(typed, holds), toml);
        }
    }
}

//! Reads sketches; what is wrong is said with line and column.

use super::edit::{ALWAYS, actions, takes};
use super::schema::{GRID, PROGRAM, step_words, words};
use super::{Action, Constant, Grid, GridExtent, LONGEST, Sketch, Step};
use crate::expression::{Expression, Kind, Mistake};
use loggia_model::Error;
use loggia_model::error::{Input, Place};
use loggia_model::signature::Operation;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Limits of a sketch.
const MOST_STEPS: usize = 256;
const DEEPEST: usize = 8;

/// Names that are known in every formula.
const EVERYWHERE: [&str; 2] = ["p", "nodes"];
/// Names that are known where there is a grid, and of each of its dimensions.
const CELLS: &str = "cells";
const SIDES: [[&str; 2]; 3] = [["nx", "px"], ["ny", "py"], ["nz", "pz"]];
/// The name of a side's cells, in what goes across it.
const FACE: &str = "face";

const SCHEMA: &str = "see `loggia help plan` for what a sketch says";

impl Sketch {
    /// Reads a sketch.
    ///
    /// # Errors
    /// What is wrong, with line and column.
    pub fn read(text: &str) -> Result<Self, Error> {
        Sketch::read_with(text, &[])
    }

    /// Reads a sketch, some of whose constants are something else: names with formulas.
    ///
    /// # Errors
    /// What is wrong, with line and column; the name of a constant where that is.
    pub fn read_with(text: &str, lets: &[(String, String)]) -> Result<Self, Error> {
        if text.len() > LONGEST {
            return Err(Error::new("this is longer than any sketch", "1:1", SCHEMA));
        }
        let mut reader = Reader { text, lets, names: Vec::new(), constants: Vec::new(), steps: 0 };
        let parsed = DeTable::parse(text).map_err(|error| {
            let place = place(text, error.span().map_or(0, |span| span.start));
            Error::new(format!("this is not TOML: {}", error.message()), place, SCHEMA)
        })?;
        reader.sketch(parsed.get_ref())
    }
}

/// Line number from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).matches('\n').count() + 1
}

/// Line and column, from 1.
fn place(text: &str, at: usize) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let line = line_of(text, at);
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Place::at(line as u64, column as u64)
}

pub(super) type Value<'i> = Spanned<DeValue<'i>>;

struct Reader<'a> {
    text: &'a str,
    /// Constants replaced by the user, with their formulas.
    lets: &'a [(String, String)],
    /// The names that are known, with what they count.
    names: Vec<(String, Kind)>,
    /// All constants, those too that stand further below.
    constants: Vec<String>,
    steps: usize,
}

/// A step while it is read.
struct StepTable<'v, 'a> {
    name: &'v str,
    what: &'v Value<'a>,
    /// The whole step.
    table: &'v DeTable<'a>,
    span: Range<usize>,
}

impl<'a> Reader<'a> {
    fn refuse(&self, at: &Range<usize>, message: impl Into<String>, help: &str) -> Error {
        Error::new(message, place(self.text, at.start), help)
    }

    /// Refuses words that are not known, the nearest known one offered.
    fn only(&self, table: &DeTable<'a>, known: &[&str]) -> Result<(), Error> {
        for name in table.keys() {
            let word: &str = name.get_ref();
            if !known.contains(&word) {
                let place = place(self.text, name.span().start);
                return Err(Error::unknown("word", word, place, known.iter().copied()));
            }
        }
        Ok(())
    }

    fn sketch(&mut self, table: &DeTable<'a>) -> Result<Sketch, Error> {
        self.only(table, &words(&PROGRAM))?;
        let name = table.get("name").map(|value| self.text_of(value)).transpose()?;
        let iterations = table.get("iterations").map_or(Ok(1), |value| self.whole(value))?;
        let ranks_per_node = table.get("ranks_per_node").map(|value| {
            let ranks = u32::try_from(self.whole(value)?);
            ranks.map_err(|_| self.refuse(&value.span(), "too many ranks for a node", "such as 8"))
        });
        let ranks_per_node = ranks_per_node.transpose()?;
        self.names = EVERYWHERE.map(|name| (name.to_owned(), Kind::Number)).to_vec();
        let grid = table.get("grid").map(|value| self.grid(value)).transpose()?;
        if let Some(grid) = &grid {
            let sides = SIDES.iter().take(grid.sides.len()).flatten();
            let names = std::iter::once(&CELLS).chain(sides);
            self.names.extend(names.map(|name| ((*name).to_owned(), Kind::Number)));
        }
        let constants = table.get("let").map_or(Ok(Vec::new()), |value| self.constants(value))?;
        for (name, _) in self.lets {
            if !constants.iter().any(|constant| constant.name == *name) {
                let known = constants.iter().map(|constant| constant.name.as_str());
                return Err(Error::unknown("constant of this sketch", name, Input::Let, known));
            }
        }
        let Some(steps) = table.get("step") else {
            let help = "write what an iteration does, such as [[step]] and compute = \"1ms / p\"";
            return Err(self.refuse(&(0..0), "this sketch has no step", help));
        };
        let steps = self.steps(steps, grid.as_ref(), 0)?;
        Ok(Sketch { name, iterations, ranks_per_node, grid, constants, steps })
    }

    fn table<'v>(&self, value: &'v Value<'a>) -> Result<&'v DeTable<'a>, Error> {
        let table = value.get_ref().as_table();
        table.ok_or_else(|| self.refuse(&value.span(), "a table must stand here", SCHEMA))
    }

    fn text_of(&self, value: &Value<'a>) -> Result<String, Error> {
        let text = value.get_ref().as_str();
        text.map(str::to_owned).ok_or_else(|| {
            self.refuse(&value.span(), "a text must stand here", "put it between quotes")
        })
    }

    fn truth(&self, value: &Value<'a>) -> Result<bool, Error> {
        let truth = value.get_ref().as_bool();
        truth.ok_or_else(|| self.refuse(&value.span(), "`true` or `false` must stand here", SCHEMA))
    }

    /// A whole number above zero.
    fn whole(&self, value: &Value<'a>) -> Result<u64, Error> {
        let number = value.get_ref().as_integer();
        let number = number.and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok());
        number.filter(|number| *number > 0).ok_or_else(|| {
            self.refuse(&value.span(), "a whole number above zero must stand here", "such as 8")
        })
    }

    fn grid(&self, value: &Value<'a>) -> Result<Grid, Error> {
        let table = self.table(value)?;
        self.only(table, &words(&GRID))?;
        let (sides, of) = match (table.get("cells"), table.get("block")) {
            (Some(cells), None) => (cells, GridExtent::Global),
            (None, Some(block)) => (block, GridExtent::Block),
            _ => {
                let help = "cells = [4096, 4096] divides these among the ranks, block = [64, 64] is \
                            each rank's";
                return Err(self.refuse(&value.span(), "a grid has either cells or a block", help));
            }
        };
        let help = "such as [4096, 4096]: one number for each of one to three dimensions";
        let array = sides.get_ref().as_array().filter(|array| (1..=3).contains(&array.len()));
        let Some(array) = array else {
            return Err(self.refuse(&sides.span(), "one to three numbers must stand here", help));
        };
        let sides = array.iter().map(|side| self.whole(side)).collect::<Result<_, _>>()?;
        let is_periodic = table.get("periodic").map(|value| self.truth(value)).transpose()?;
        Ok(Grid { sides, of, is_periodic: is_periodic.unwrap_or_default() })
    }

    fn constants(&mut self, value: &Value<'a>) -> Result<Vec<Constant>, Error> {
        let mut constants = Vec::new();
        // In the order of the text, since constants may use earlier ones.
        let mut all: Vec<_> = self.table(value)?.iter().collect();
        all.sort_by_key(|(name, _)| name.span().start);
        self.constants = all.iter().map(|(name, _)| name.get_ref().to_string()).collect();
        for (name, value) in all {
            let word: &str = name.get_ref();
            let is_name = word.starts_with(|c: char| c.is_alphabetic())
                && word.chars().all(|c| c.is_alphanumeric() || c == '_');
            if !is_name || word == FACE || self.names.iter().any(|(known, _)| known == word) {
                let help = "names are letters, digits and _, and none that is known already";
                return Err(self.refuse(&name.span(), format!("`{word}` cannot be a name"), help));
            }
            let given = self.lets.iter().rev().find(|(given, _)| given == word);
            let (value, kind) = match (given, value.get_ref().as_str()) {
                (Some((_, formula)), _) => {
                    let (formula, kind) = of_any_kind(|kind| self.given(word, formula, kind))?;
                    (Some(formula), kind)
                }
                (None, Some("?")) => (None, Kind::Time),
                (None, _) => {
                    let (formula, kind) = of_any_kind(|kind| self.formula(value, kind, false))?;
                    (Some(formula), kind)
                }
            };
            self.names.push((word.to_owned(), kind));
            let place = place(self.text, name.span().start);
            constants.push(Constant { name: word.to_owned(), value, kind, place });
        }
        Ok(constants)
    }

    /// The formula that a constant is given instead of its own.
    fn given(&self, name: &str, text: &str, wanted: Kind) -> Result<Expression, Error> {
        let known =
            |name: &str| self.names.iter().find(|(known, _)| known == name).map(|(_, kind)| *kind);
        let place = Place::from((Input::Let, format!("{name}={text}")));
        match Expression::parse(text, wanted, &known) {
            Ok(formula) => Ok(formula.standing(place)),
            Err(wrong) => Err(Error::new(wrong.mistake.to_string(), place, wrong.help())),
        }
    }

    /// A formula, or a number.
    fn formula(
        &self,
        value: &Value<'a>,
        wanted: Kind,
        has_face: bool,
    ) -> Result<Expression, Error> {
        let span = value.span();
        let (text, inside) = match value.get_ref() {
            DeValue::String(text) => (text.to_string(), 1),
            DeValue::Integer(number) => (number.as_str().to_owned(), 0),
            DeValue::Float(number) => (number.as_str().to_owned(), 0),
            _ => {
                let help = "such as \"2ns * cells\", \"64KiB\" or 8";
                return Err(self.refuse(&span, "a number or a formula must stand here", help));
            }
        };
        let known = |name: &str| {
            let face = (name == FACE && has_face).then_some(Kind::Number);
            face.or_else(|| self.names.iter().find(|(n, _)| n == name).map(|(_, kind)| *kind))
        };
        let parsed = Expression::parse(&text, wanted, &known);
        let parsed = parsed.map(|formula| formula.standing(place(self.text, span.start + inside)));
        parsed.map_err(|wrong| {
            let place = place(self.text, span.start + inside + wrong.at);
            let name = match &wrong.mistake {
                Mistake::UnknownName(name) => name.clone(),
                mistake => return Error::new(mistake.to_string(), place, wrong.help()),
            };
            if self.constants.contains(&name) {
                let message = format!("`{name}` is not known yet here");
                return Error::new(message, place, "a constant may use those that stand above it");
            }
            let names = self.names.iter().map(|(name, _)| name.as_str());
            Error::unknown("name", &name, place, names.chain(has_face.then_some(FACE)))
        })
    }

    fn steps(
        &mut self,
        value: &Value<'a>,
        grid: Option<&Grid>,
        depth: usize,
    ) -> Result<Vec<Step>, Error> {
        let help = "write each as [[step]], or several in one as steps = [{ … }, { … }]";
        let array = value.get_ref().as_array().filter(|array| !array.is_empty());
        let Some(array) = array else {
            return Err(self.refuse(&value.span(), "steps must stand here", help));
        };
        if depth > DEEPEST {
            return Err(self.refuse(&value.span(), "steps in steps are too deep", help));
        }
        array.iter().map(|value| self.step(value, grid, depth)).collect()
    }

    fn step(
        &mut self,
        value: &Value<'a>,
        grid: Option<&Grid>,
        depth: usize,
    ) -> Result<Step, Error> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            let help = "repeat some by times, or join what is alike";
            return Err(self.refuse(&value.span(), "more steps than a sketch has", help));
        }
        let table = self.table(value)?;
        self.only(table, &step_words())?;
        let is_action = |word: &str| actions().any(|action| action == word);
        let mut said = table.iter().filter(|(name, _)| is_action(name.get_ref()));
        let first = said.next();
        let Some((name, what)) = first.filter(|_| said.next().is_none()) else {
            let help = format!("one of {}", actions().collect::<Vec<_>>().join(", "));
            return Err(self.refuse(&value.span(), "a step does one thing", &help));
        };
        let said = StepTable { name: name.get_ref(), what, table, span: value.span() };
        self.goes_together(&said)?;
        let action = self.action(&said, grid, depth)?;
        let formula = |word: &str, kind| {
            table.get(word).map(|value| self.formula(value, kind, false)).transpose()
        };
        Ok(Step {
            line: line_of(self.text, name.span().start),
            action,
            during: formula("during", Kind::Time)?,
            times: formula("times", Kind::Number)?,
            every: table.get("every").map_or(Ok(1), |value| self.whole(value))?,
        })
    }

    /// Refuses words that say something of another action.
    fn goes_together(&self, said: &StepTable<'_, 'a>) -> Result<(), Error> {
        let all: Vec<&str> = takes(said.name).iter().chain(&ALWAYS).copied().collect();
        for other in said.table.keys() {
            let word: &str = other.get_ref();
            if word == said.name || all.contains(&word) {
                continue;
            }
            let message = format!("`{word}` does not go with {}", said.name);
            return Err(self.refuse(&other.span(), message, &format!("{} do", all.join(", "))));
        }
        Ok(())
    }

    fn action(
        &mut self,
        said: &StepTable<'_, 'a>,
        grid: Option<&Grid>,
        depth: usize,
    ) -> Result<Action, Error> {
        let StepTable { name, what, table, span } = said;
        let dimensions = grid.map_or(0, |grid| grid.sides.len());
        let needs_grid = |least: usize| match dimensions >= least {
            true => Ok(()),
            false => {
                let help = "say [grid] and cells = [4096, 4096], or block = [64, 64]";
                let message = format!("{name} needs a grid of {least} dimensions or more");
                Err(self.refuse(&what.span(), message, help))
            }
        };
        Ok(match *name {
            "compute" => Action::Compute(self.formula(what, Kind::Time, false)?),
            "halo" => {
                needs_grid(1)?;
                let corners = table.get("corners").map(|value| self.truth(value)).transpose()?;
                let bytes = self.formula(what, Kind::Size, true)?;
                Action::Halo { bytes, with_corners: corners.unwrap_or_default() }
            }
            "exchange" => Action::Exchange {
                bytes: self.formula(what, Kind::Size, false)?,
                apart: table
                    .get("apart")
                    .map(|value| self.formula(value, Kind::Number, false))
                    .transpose()?,
            },
            "shift" => Action::Shift(self.formula(what, Kind::Size, false)?),
            "wavefront" => {
                needs_grid(2)?;
                let of = |word: &str, kind| match table.get(word) {
                    Some(value) => self.formula(value, kind, false),
                    None => Err(self.refuse(
                        span,
                        format!("a wavefront says its {word}"),
                        "such as wavefront = \"8 * face\", blocks = 8, work = \"50us\"",
                    )),
                };
                Action::Wavefront {
                    bytes: self.formula(what, Kind::Size, true)?,
                    work: of("work", Kind::Time)?,
                    blocks: of("blocks", Kind::Number)?,
                }
            }
            "steps" => Action::Steps(self.steps(what, grid, depth + 1)?),
            name => Action::Collective {
                op: Operation::named(name)?,
                bytes: self.formula(what, Kind::Size, false)?,
                algorithm: table.get("algorithm").map(|value| self.text_of(value)).transpose()?,
            },
        })
    }
}

/// A formula of whatever it is: a time, a size, or just a number.
fn of_any_kind(
    formula: impl Fn(Kind) -> Result<Expression, Error>,
) -> Result<(Expression, Kind), Error> {
    for kind in [Kind::Number, Kind::Time] {
        if let Ok(formula) = formula(kind) {
            return Ok((formula, kind));
        }
    }
    Ok((formula(Kind::Size)?, Kind::Size))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    const HALO: &str = r#"
name = "halo exchange"
iterations = 500
ranks_per_node = 4

[grid]
cells = [4096, 4096]

[let]
per_cell = "2ns"
inner = "cells - 2 * nx - 2 * ny"

[[step]]
halo = "8 * face"
during = "per_cell * inner"

[[step]]
allreduce = 8
every = 10
"#;

    #[test]
    fn a_sketch_says_what_an_iteration_does() {
        let sketch = Sketch::read(HALO).unwrap();
        assert_eq!((sketch.iterations, sketch.ranks_per_node), (500, Some(4)));
        assert_eq!(sketch.grid.unwrap().sides, [4096, 4096]);
        assert_eq!(sketch.constants[0].kind, Kind::Time);
        assert_eq!(sketch.constants[1].kind, Kind::Number);
        assert_eq!(sketch.steps[0].line, 14);
        assert!(matches!(sketch.steps[0].action, Action::Halo { .. }));
        assert!(sketch.steps[0].during.is_some());
        assert_eq!(sketch.steps[1].every, 10);
    }

    #[test]
    fn what_is_wrong_is_said_with_line_and_column() {
        for (from, to, place, help) in [
            ("allreduce = 8", "alreduce = 8", "18:1", "allreduce"),
            ("iterations", "iteration", "3:1", "iterations"),
            ("per_cell * inner", "per_cel * inner", "15:11", "per_cell"),
            ("8 * face", "8 * fase", "14:13", "face"),
            ("every = 10", "every = 0", "19:9", "such as 8"),
            ("every = 10", "algorithm = 3", "19:13", "quotes"),
            ("every = 10", "corners = true", "19:1", "algorithm"),
            ("during = \"per_cell * inner\"", "during = \"8B\"", "15:11", "2ns"),
            ("[4096, 4096]", "[]", "7:9", "dimensions"),
            ("cells = [4096, 4096]", "", "6:1", "block"),
            ("500", "500,", "3:17", "help plan"),
            ("inner =", "px =", "11:1", "known already"),
        ] {
            let error = Sketch::read(&HALO.replacen(from, to, 1)).unwrap_err();
            assert_eq!(error.place.to_string(), place, "{to}: {error}");
            assert!(error.help.to_string().contains(help), "{to}: {error}");
        }
        assert!(Sketch::read("").unwrap_err().help.to_string().contains("[[step]]"));
        let both = "[[step]]\ncompute = 1\nhalo = 2";
        assert!(Sketch::read(both).unwrap_err().message.contains("one thing"));
        assert!(Sketch::read("[[step]]\nhalo = 8").unwrap_err().message.contains("needs a grid"));
    }

    #[test]
    fn constants_may_be_something_else() {
        let with = |name: &str, formula: &str| {
            Sketch::read_with(HALO, &[(name.to_owned(), formula.to_owned())])
        };
        let sketch = with("per_cell", "3ns").unwrap();
        assert_eq!(sketch.constants[0].value.as_ref().unwrap().to_string(), "3ns");
        let error = with("per_cel", "3ns").unwrap_err();
        assert!(
            error.place == Input::Let.into() && error.help.to_string().contains("per_cell"),
            "{error}"
        );
        assert_eq!(
            with("per_cell", "3nss").unwrap_err().place,
            (Input::Let, "per_cell=3nss").into()
        );
        // Its use has another unit then.
        assert_eq!(with("per_cell", "3B").unwrap_err().place, Place::at(15, 11));
    }

    #[test]
    fn steps_may_stand_in_steps() {
        let text = "[[step]]\ntimes = \"26 * log2(p)\"\n\
                    steps = [{ compute = \"1ms / p\" }, { exchange = 8 }]";
        let sketch = Sketch::read(text).unwrap();
        let Action::Steps(steps) = &sketch.steps[0].action else { panic!() };
        assert_eq!(steps.len(), 2);
        let deep = format!("[[step]]\nsteps = {}", "[{ steps = ".repeat(100));
        assert!(Sketch::read(&deep).is_err());
    }
}

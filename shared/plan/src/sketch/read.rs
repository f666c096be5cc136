//! Parser of sketches; errors have line and column.

use super::edit::{ALWAYS, actions, takes};
use super::error::{SketchError, SketchMistake};
use super::schema::{GRID, PROGRAM, keys, step_keys};
use super::{Action, Constant, Grid, GridExtent, LONGEST, Sketch, Step};
use crate::expression::{Expression, Kind, Mistake};
use crate::toml_text::{Entry, Table, Toml, Value, line_of};
use loggia_model::error::{Input, Place};
use loggia_model::signature::Operation;
use std::ops::Range;
use toml::de::DeValue;

/// Limits of a sketch.
const MAX_STEPS: usize = 256;
const DEEPEST: usize = 8;

/// Names in every formula.
const EVERYWHERE: [&str; 2] = ["p", "nodes"];
/// Names of a grid: its cells per rank, and cells and ranks along each dimension.
const CELLS: &str = "cells";
const SIDES: [[&str; 2]; 3] = [["nx", "px"], ["ny", "py"], ["nz", "pz"]];
/// Number of cells next to a neighbour, in formulas of the bytes to it.
const FACE: &str = "face";

impl Sketch {
    /// Reads a sketch.
    ///
    /// # Errors
    /// The first mistake, with line and column.
    pub fn read(text: &str) -> Result<Self, SketchError> {
        Sketch::read_with(text, &[])
    }

    /// Reads a sketch with other formulas for some of its constants: pairs of name and formula.
    ///
    /// # Errors
    /// The first mistake, with line and column, or with the input of a replaced constant.
    pub fn read_with(text: &str, lets: &[(String, String)]) -> Result<Self, SketchError> {
        if text.len() > LONGEST {
            return Err(SketchError { mistake: SketchMistake::TooLong, place: Place::at(1, 1) });
        }
        let toml = Toml::new(text);
        let parsed = toml.parse()?;
        let mut reader = Reader { toml, lets, names: Vec::new(), constants: Vec::new(), steps: 0 };
        reader.sketch(parsed.get_ref())
    }
}

struct Reader<'a> {
    toml: Toml<'a, SketchError>,
    /// Constants that the user replaced, with their formulas.
    lets: &'a [(String, String)],
    /// Known names with their dimensions.
    names: Vec<(String, Kind)>,
    /// Names of all constants, including those further below.
    constants: Vec<String>,
    steps: usize,
}

/// The table of a step, and its action.
struct StepTable<'v, 'a> {
    name: &'v str,
    value: &'v Value<'a>,
    /// The whole step.
    table: &'v Table<'a>,
    span: Range<usize>,
}

impl<'a> Reader<'a> {
    fn error(&self, at: &Range<usize>, mistake: SketchMistake) -> SketchError {
        SketchError { mistake, place: self.toml.place(at.start) }
    }

    fn sketch(&mut self, table: &Table<'a>) -> Result<Sketch, SketchError> {
        self.toml.check_keys(table, &keys(&PROGRAM))?;
        let name = table.get("name").map(|value| self.toml.text(value)).transpose()?;
        let iterations =
            table.get("iterations").map_or(Ok(1), |value| self.toml.positive_integer(value))?;
        let ranks_per_node = table.get("ranks_per_node").map(|value| {
            let ranks = u32::try_from(self.toml.positive_integer(value)?);
            ranks.map_err(|_| self.error(&value.span(), SketchMistake::TooManyRanksPerNode))
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
                let name = name.clone();
                let known = constants.into_iter().map(|constant| constant.name).collect();
                let mistake = SketchMistake::UnknownConstant { name, known };
                return Err(SketchError { mistake, place: Input::Let.into() });
            }
        }
        let Some(steps) = table.get("step") else {
            return Err(self.error(&(0..0), SketchMistake::NoStep));
        };
        let steps = self.steps(steps, grid.as_ref(), 0)?;
        Ok(Sketch { name, iterations, ranks_per_node, grid, constants, steps })
    }

    fn grid(&self, value: &Value<'a>) -> Result<Grid, SketchError> {
        let table = self.toml.table(value)?;
        self.toml.check_keys(table, &keys(&GRID))?;
        let (sides, of) = match (table.get("cells"), table.get("block")) {
            (Some(cells), None) => (cells, GridExtent::Global),
            (None, Some(block)) => (block, GridExtent::Block),
            _ => return Err(self.error(&value.span(), SketchMistake::GridExtent)),
        };
        let array = sides.get_ref().as_array().filter(|array| (1..=3).contains(&array.len()));
        let Some(array) = array else {
            return Err(self.error(&sides.span(), SketchMistake::ExpectedSides));
        };
        let sides =
            array.iter().map(|side| self.toml.positive_integer(side)).collect::<Result<_, _>>()?;
        let is_periodic = table.get("periodic").map(|value| self.toml.truth(value)).transpose()?;
        Ok(Grid { sides, of, is_periodic: is_periodic.unwrap_or_default() })
    }

    fn constants(&mut self, value: &Value<'a>) -> Result<Vec<Constant>, SketchError> {
        let mut constants = Vec::new();
        // In the order of the text, since a constant may use the constants above it.
        let entries = self.toml.in_order(value)?;
        self.constants = entries.iter().map(|entry| entry.name.clone()).collect();
        for entry in entries {
            let is_name = entry.is_name();
            let Entry { name, at, value } = entry;
            if !is_name || name == FACE || self.names.iter().any(|(known, _)| *known == name) {
                return Err(self.error(&at, SketchMistake::InvalidName(name)));
            }
            let replacement = self.lets.iter().rev().find(|(replaced, _)| *replaced == name);
            let (value, kind) = match (replacement, value.get_ref().as_str()) {
                (Some((_, formula)), _) => {
                    let (formula, kind) = of_any_kind(|kind| self.replaced(&name, formula, kind))?;
                    (Some(formula), kind)
                }
                (None, Some("?")) => (None, Kind::Time),
                (None, _) => {
                    let (formula, kind) = of_any_kind(|kind| self.formula(value, kind, false))?;
                    (Some(formula), kind)
                }
            };
            self.names.push((name.clone(), kind));
            constants.push(Constant { name, value, kind, place: self.toml.place(at.start) });
        }
        Ok(constants)
    }

    /// The user's formula of a replaced constant.
    fn replaced(&self, name: &str, text: &str, expected: Kind) -> Result<Expression, SketchError> {
        let known =
            |name: &str| self.names.iter().find(|(known, _)| known == name).map(|(_, kind)| *kind);
        let place = Place::from((Input::Let, format!("{name}={text}")));
        match Expression::parse(text, expected, &known) {
            Ok(formula) => Ok(formula.with_place(place)),
            Err(error) => {
                Err(SketchError { mistake: SketchMistake::Formula(error.mistake), place })
            }
        }
    }

    /// A formula, or a number.
    fn formula(
        &self,
        value: &Value<'a>,
        expected: Kind,
        has_face: bool,
    ) -> Result<Expression, SketchError> {
        let span = value.span();
        let (text, quote) = match value.get_ref() {
            DeValue::String(text) => (text.to_string(), 1),
            DeValue::Integer(number) => (number.as_str().to_owned(), 0),
            DeValue::Float(number) => (number.as_str().to_owned(), 0),
            _ => return Err(self.error(&span, SketchMistake::ExpectedFormula)),
        };
        let known = |name: &str| {
            let face = (name == FACE && has_face).then_some(Kind::Number);
            face.or_else(|| self.names.iter().find(|(n, _)| n == name).map(|(_, kind)| *kind))
        };
        let parsed = Expression::parse(&text, expected, &known);
        let parsed = parsed.map(|formula| formula.with_place(self.toml.place(span.start + quote)));
        parsed.map_err(|error| {
            let place = self.toml.place(span.start + quote + error.at);
            let mistake = match error.mistake {
                Mistake::UnknownName(name) if self.constants.contains(&name) => {
                    SketchMistake::ConstantBelow(name)
                }
                Mistake::UnknownName(name) => {
                    let names = self.names.iter().map(|(name, _)| name.as_str());
                    let known = names.chain(has_face.then_some(FACE)).map(str::to_owned).collect();
                    SketchMistake::UnknownName { name, known }
                }
                mistake => SketchMistake::Formula(mistake),
            };
            SketchError { mistake, place }
        })
    }

    fn steps(
        &mut self,
        value: &Value<'a>,
        grid: Option<&Grid>,
        depth: usize,
    ) -> Result<Vec<Step>, SketchError> {
        let array = value.get_ref().as_array().filter(|array| !array.is_empty());
        let Some(array) = array else {
            return Err(self.error(&value.span(), SketchMistake::ExpectedSteps));
        };
        if depth > DEEPEST {
            return Err(self.error(&value.span(), SketchMistake::NestedTooDeep));
        }
        array.iter().map(|value| self.step(value, grid, depth)).collect()
    }

    fn step(
        &mut self,
        value: &Value<'a>,
        grid: Option<&Grid>,
        depth: usize,
    ) -> Result<Step, SketchError> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(self.error(&value.span(), SketchMistake::TooManySteps));
        }
        let table = self.toml.table(value)?;
        self.toml.check_keys(table, &step_keys())?;
        let is_action = |word: &str| actions().any(|action| action == word);
        let found: Vec<_> = table.iter().filter(|(name, _)| is_action(name.get_ref())).collect();
        let [(name, action_value)] = found[..] else {
            let mut names: Vec<_> = found.iter().map(|(name, _)| name).collect();
            names.sort_by_key(|name| name.span().start);
            let names = names.iter().map(|name| name.get_ref().to_string()).collect();
            return Err(self.error(&value.span(), SketchMistake::NotOneAction(names)));
        };
        let step =
            StepTable { name: name.get_ref(), value: action_value, table, span: value.span() };
        self.check_options(&step)?;
        let action = self.action(&step, grid, depth)?;
        let formula = |word: &str, kind| {
            table.get(word).map(|value| self.formula(value, kind, false)).transpose()
        };
        Ok(Step {
            line: line_of(self.toml.source, name.span().start),
            action,
            during: formula("during", Kind::Time)?,
            times: formula("times", Kind::Number)?,
            every: table.get("every").map_or(Ok(1), |value| self.toml.positive_integer(value))?,
        })
    }

    /// Refuses options of other actions.
    fn check_options(&self, step: &StepTable<'_, 'a>) -> Result<(), SketchError> {
        let allowed: Vec<&str> = takes(step.name).iter().chain(&ALWAYS).copied().collect();
        for other in step.table.keys() {
            let word: &str = other.get_ref();
            if word == step.name || allowed.contains(&word) {
                continue;
            }
            let (key, action) = (word.to_owned(), step.name.to_owned());
            let mistake = SketchMistake::KeyOfAnotherAction { key, action, allowed };
            return Err(self.error(&other.span(), mistake));
        }
        Ok(())
    }

    fn action(
        &mut self,
        step: &StepTable<'_, 'a>,
        grid: Option<&Grid>,
        depth: usize,
    ) -> Result<Action, SketchError> {
        let StepTable { name, value, table, span } = step;
        let dimensions = grid.map_or(0, |grid| grid.sides.len());
        let needs_grid = |least: usize| match dimensions >= least {
            true => Ok(()),
            false => {
                let action = (*name).to_owned();
                let mistake = SketchMistake::NeedsGrid { action, dimensions: least };
                Err(self.error(&value.span(), mistake))
            }
        };
        Ok(match *name {
            "compute" => Action::Compute(self.formula(value, Kind::Time, false)?),
            "halo" => {
                needs_grid(1)?;
                let corners =
                    table.get("corners").map(|value| self.toml.truth(value)).transpose()?;
                let bytes = self.formula(value, Kind::Size, true)?;
                Action::Halo { bytes, with_corners: corners.unwrap_or_default() }
            }
            "exchange" => Action::Exchange {
                bytes: self.formula(value, Kind::Size, false)?,
                apart: table
                    .get("apart")
                    .map(|value| self.formula(value, Kind::Number, false))
                    .transpose()?,
            },
            "shift" => Action::Shift(self.formula(value, Kind::Size, false)?),
            "wavefront" => {
                needs_grid(2)?;
                let required = |missing: &'static str, kind| match table.get(missing) {
                    Some(value) => self.formula(value, kind, false),
                    None => Err(self.error(span, SketchMistake::IncompleteWavefront { missing })),
                };
                Action::Wavefront {
                    bytes: self.formula(value, Kind::Size, true)?,
                    work: required("work", Kind::Time)?,
                    blocks: required("blocks", Kind::Number)?,
                }
            }
            "steps" => Action::Steps(self.steps(value, grid, depth + 1)?),
            name => Action::Collective {
                op: Operation::named(name)
                    .map_err(|_| self.error(span, SketchMistake::NotOneAction(Vec::new())))?,
                bytes: self.formula(value, Kind::Size, false)?,
                algorithm: table.get("algorithm").map(|value| self.toml.text(value)).transpose()?,
            },
        })
    }
}

/// A formula of any dimension, and its dimension: a number, a time, or a size.
fn of_any_kind(
    formula: impl Fn(Kind) -> Result<Expression, SketchError>,
) -> Result<(Expression, Kind), SketchError> {
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
    use loggia_model::Error;

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
    fn a_sketch_has_the_steps_of_an_iteration() {
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
    fn mistakes_have_line_and_column() {
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
            ("500", "500,", "3:17", "key = value"),
            ("inner =", "px =", "11:1", "known already"),
        ] {
            let error = Error::from(Sketch::read(&HALO.replacen(from, to, 1)).unwrap_err());
            assert_eq!(error.place.to_string(), place, "{to}: {error}");
            assert!(error.help.to_string().contains(help), "{to}: {error}");
        }
        let mistake = |text: &str| Sketch::read(text).unwrap_err().mistake;
        assert_eq!(mistake(""), SketchMistake::NoStep);
        let both = "[[step]]\ncompute = 1\nhalo = 2";
        let found = ["compute", "halo"].map(str::to_owned).to_vec();
        assert_eq!(mistake(both), SketchMistake::NotOneAction(found));
        let needs_grid = SketchMistake::NeedsGrid { action: "halo".to_owned(), dimensions: 1 };
        assert_eq!(mistake("[[step]]\nhalo = 8"), needs_grid);
    }

    #[test]
    fn constants_can_be_replaced() {
        let with = |name: &str, formula: &str| {
            Sketch::read_with(HALO, &[(name.to_owned(), formula.to_owned())])
        };
        let sketch = with("per_cell", "3ns").unwrap();
        assert_eq!(sketch.constants[0].value.as_ref().unwrap().to_string(), "3ns");
        let error = with("per_cel", "3ns").unwrap_err();
        assert_eq!(error.place, Input::Let.into());
        let known = ["per_cell", "inner"].map(str::to_owned).to_vec();
        let name = "per_cel".to_owned();
        assert_eq!(error.mistake, SketchMistake::UnknownConstant { name, known });
        assert_eq!(
            with("per_cell", "3nss").unwrap_err().place,
            (Input::Let, "per_cell=3nss").into()
        );
        // The formula that uses it then has another dimension.
        assert_eq!(with("per_cell", "3B").unwrap_err().place, Place::at(15, 11));
    }

    #[test]
    fn steps_can_be_nested() {
        let text = "[[step]]\ntimes = \"26 * log2(p)\"\n\
                    steps = [{ compute = \"1ms / p\" }, { exchange = 8 }]";
        let sketch = Sketch::read(text).unwrap();
        let Action::Steps(steps) = &sketch.steps[0].action else { panic!() };
        assert_eq!(steps.len(), 2);
        let deep = format!("[[step]]\nsteps = {}", "[{ steps = ".repeat(100));
        assert!(Sketch::read(&deep).is_err());
    }
}

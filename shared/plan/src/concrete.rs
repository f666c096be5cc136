//! A sketch on p ranks: every formula is replaced by its value.

use super::decomposition::Decomposition;
use super::error::{Evaluated, PlanError, Quantity};
use super::expression::{Expression, Kind};
use super::sketch::{Action, Constant, Sketch, Step};
use loggia_model::Error;
use loggia_model::error::{Input, Place};
use loggia_model::signature::Operation;
use loggia_model::units::words::size;
use loggia_model::units::{Bytes, Micros, Procs};

/// Rounds of a wavefront until its pattern repeats: one from each corner.
pub(super) const ROUNDS: f64 = 4.0;

/// Values of names in a sketch's formulas.
#[derive(Clone, Debug)]
pub struct Scope<'a> {
    sketch: &'a Sketch,
    procs: Procs,
    nodes: u32,
    decomposition: Option<Decomposition>,
    /// Values of the constants, in order.
    constants: Vec<f64>,
}

/// A sketch on p ranks.
pub(super) struct Instance<'a> {
    pub(super) procs: Procs,
    pub(super) scope: Scope<'a>,
    pub(super) steps: Vec<ConcreteStep>,
}

/// A step of an iteration, in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct ConcreteStep {
    /// Line of the sketch.
    pub line: usize,
    pub action: ConcreteAction,
    /// Computation during the communication.
    pub during: Micros,
    /// Number of repetitions in a row.
    pub times: f64,
    /// Number of iterations from one execution to the next.
    pub every: u64,
}

/// An action of a step, with numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum ConcreteAction {
    /// Several steps, one after the other.
    Steps(Vec<ConcreteStep>),
    /// Every rank computes.
    Compute(Micros),
    /// Messages to neighbours in the grid.
    Halo {
        /// Bytes to the neighbour along a combination of dimensions, one bit each; `None` if it is
        /// not a neighbour.
        towards: Vec<Option<Bytes>>,
    },
    /// An exchange with a partner.
    Exchange {
        /// Bytes in each direction.
        bytes: Bytes,
        /// Distance in the first round; doubled in each following one.
        apart: u32,
    },
    /// Bytes to the next rank.
    Shift(Bytes),
    /// A collective operation.
    Collective {
        op: Operation,
        /// Bytes, as the operation counts them.
        bytes: Bytes,
        /// The algorithm, if the sketch names one.
        algorithm: Option<String>,
    },
    /// Blocks through the grid.
    Wavefront {
        /// Bytes to each of the two neighbours.
        faces: [Bytes; 2],
        /// The computation of a block.
        work: Micros,
        /// Number of blocks.
        blocks: u64,
    },
}

impl ConcreteStep {
    /// An error about the algorithm, at its place in the sketch.
    pub(super) fn placed(&self, error: Error) -> Error {
        match error.place {
            Place::Input(Input::Algorithm, _) => error.at(Place::line(self.line as u64)),
            _ => error,
        }
    }

    /// One execution of the step.
    pub(super) fn alone(&self) -> ConcreteStep {
        ConcreteStep { times: 1.0, every: 1, ..self.clone() }
    }
}

impl ConcreteAction {
    /// Describes the step.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            ConcreteAction::Steps(_) => "steps".to_owned(),
            ConcreteAction::Compute(_) => "compute".to_owned(),
            ConcreteAction::Halo { towards } => {
                match towards.iter().flatten().map(|bytes| bytes.0).max() {
                    Some(most) => format!("halo, {}", size(Bytes(most))),
                    None => "halo".to_owned(),
                }
            }
            ConcreteAction::Exchange { bytes, .. } => format!("exchange, {}", size(*bytes)),
            ConcreteAction::Shift(bytes) => format!("shift, {}", size(*bytes)),
            ConcreteAction::Collective { op, bytes, .. } => {
                format!("{}, {}", op.name(), size(*bytes))
            }
            ConcreteAction::Wavefront { faces, .. } => {
                format!("wavefront, {}", size(faces[0].max(faces[1])))
            }
        }
    }

    /// The algorithm, if the sketch names one.
    pub(super) fn algorithm(&self) -> Option<&str> {
        match self {
            ConcreteAction::Collective { algorithm, .. } => algorithm.as_deref(),
            _ => None,
        }
    }

    /// The wavefront with another number of blocks.
    pub(super) fn with_blocks(&self, blocks: u64) -> ConcreteAction {
        match self {
            ConcreteAction::Wavefront { faces, work, .. } => {
                ConcreteAction::Wavefront { faces: *faces, work: *work, blocks }
            }
            other => other.clone(),
        }
    }
}

impl<'a> Scope<'a> {
    /// The sketch on this number of ranks; `open` has the constants that the sketch leaves open.
    ///
    /// # Errors
    /// If a constant is still open, or its value is not finite.
    pub fn new(
        sketch: &'a Sketch,
        procs: Procs,
        ranks_per_node: Option<u32>,
        open: &[(String, f64)],
    ) -> Result<Self, PlanError> {
        let decomposition = sketch.grid.as_ref().map(|grid| Decomposition::new(grid, procs));
        let nodes = ranks_per_node.map_or(procs.0, |ranks| procs.0.div_ceil(ranks));
        let mut scope = Scope { sketch, procs, nodes, decomposition, constants: Vec::new() };
        for constant in &sketch.constants {
            let given = open.iter().find(|(name, _)| *name == constant.name).map(|(_, v)| *v);
            let value = match (given, &constant.value) {
                (Some(value), _) => value,
                (None, Some(formula)) => {
                    let value = formula.at(&|name| scope.value(name));
                    if !value.is_finite() {
                        return Err(scope.impossible(formula, value, Quantity::Finite, 0));
                    }
                    value
                }
                (None, None) => {
                    let Constant { name, place, .. } = constant.clone();
                    return Err(PlanError::OpenConstant { name, place });
                }
            };
            scope.constants.push(value);
        }
        Ok(scope)
    }

    /// The grid's decomposition, if there is a grid.
    #[must_use]
    pub fn decomposition(&self) -> Option<&Decomposition> {
        self.decomposition.as_ref()
    }

    fn value(&self, name: &str) -> f64 {
        let constants = self.sketch.constants.iter().zip(&self.constants);
        if let Some((_, value)) = constants.into_iter().find(|(known, _)| known.name == name) {
            return *value;
        }
        let of_side = |prefix: char| {
            let side = name.strip_prefix(prefix)?;
            ["x", "y", "z"].iter().position(|known| *known == side)
        };
        let decomposition = self.decomposition.as_ref();
        let side = |at: Option<usize>| Some(*decomposition?.block.get(at?)? as f64);
        let ranks = |at: Option<usize>| Some(f64::from(*decomposition?.ranks.get(at?)?));
        match name {
            "p" => self.procs.count(),
            "nodes" => f64::from(self.nodes),
            "cells" => decomposition.map_or(f64::NAN, Decomposition::cells),
            _ => side(of_side('n')).or_else(|| ranks(of_side('p'))).unwrap_or(f64::NAN),
        }
    }

    /// The steps of an iteration.
    ///
    /// # Errors
    /// If the value of a formula is impossible.
    pub fn steps(&self) -> Result<Vec<ConcreteStep>, PlanError> {
        self.concrete(&self.sketch.steps)
    }

    fn concrete(&self, steps: &[Step]) -> Result<Vec<ConcreteStep>, PlanError> {
        let step = |step: &Step| {
            let number = |formula: Option<&Expression>, kind, default| match formula {
                Some(formula) => self.number(formula, kind, step.line, None),
                None => Ok(default),
            };
            Ok(ConcreteStep {
                line: step.line,
                action: self.action(&step.action, step.line)?,
                during: Micros(number(step.during.as_ref(), Kind::Time, 0.0)?),
                times: number(step.times.as_ref(), Kind::Number, 1.0)?,
                every: step.every,
            })
        };
        steps.iter().map(step).collect()
    }

    fn action(&self, action: &Action, line: usize) -> Result<ConcreteAction, PlanError> {
        let bytes = |formula: &Expression, face: Option<f64>| {
            self.number(formula, Kind::Size, line, face).map(|bytes| Bytes(bytes.round() as u64))
        };
        let face = |dimension: usize| self.decomposition.as_ref().map(|d| d.face(dimension));
        let time = |formula: &Expression| self.number(formula, Kind::Time, line, None).map(Micros);
        Ok(match action {
            Action::Compute(formula) => ConcreteAction::Compute(time(formula)?),
            Action::Halo { bytes: formula, with_corners } => {
                let dimensions = self
                    .decomposition
                    .as_ref()
                    .map_or(0, |decomposition| decomposition.block.len());
                let towards = (0..1usize << dimensions).map(|along| {
                    let is_neighbour = along.is_power_of_two() || *with_corners && along > 0;
                    let cells = self
                        .decomposition
                        .as_ref()
                        .map(|decomposition| decomposition.towards(along));
                    is_neighbour.then(|| bytes(formula, cells)).transpose()
                });
                ConcreteAction::Halo { towards: towards.collect::<Result<_, _>>()? }
            }
            Action::Exchange { bytes: formula, apart } => ConcreteAction::Exchange {
                bytes: bytes(formula, None)?,
                apart: match apart {
                    Some(apart) => self.number(apart, Kind::Number, line, None)?.round() as u32,
                    None => 1,
                },
            },
            Action::Shift(formula) => ConcreteAction::Shift(bytes(formula, None)?),
            Action::Collective { op, bytes: formula, algorithm } => ConcreteAction::Collective {
                op: *op,
                bytes: bytes(formula, None)?,
                algorithm: algorithm.clone(),
            },
            Action::Wavefront { bytes: formula, work, blocks } => ConcreteAction::Wavefront {
                faces: [bytes(formula, face(0))?, bytes(formula, face(1))?],
                work: time(work)?,
                blocks: self.blocks(blocks, line)?,
            },
            Action::Steps(steps) => ConcreteAction::Steps(self.concrete(steps)?),
        })
    }

    fn blocks(&self, formula: &Expression, line: usize) -> Result<u64, PlanError> {
        let blocks = self.number(formula, Kind::Number, line, None)?.round();
        match blocks {
            0.0 => Err(self.impossible(formula, 0.0, Quantity::Blocks, line)),
            _ => Ok(blocks as u64),
        }
    }

    fn number(
        &self,
        formula: &Expression,
        kind: Kind,
        line: usize,
        face: Option<f64>,
    ) -> Result<f64, PlanError> {
        let value = formula.at(&|name| match (name, face) {
            ("face", Some(face)) => face,
            _ => self.value(name),
        });
        if kind == Kind::Size && value > LARGEST_MESSAGE {
            return Err(PlanError::MessageTooLarge(self.evaluated(formula, value, line)));
        }
        if value.is_finite() && value >= 0.0 {
            return Ok(value);
        }
        let expected = match kind {
            Kind::Number => Quantity::Count,
            Kind::Time => Quantity::Time,
            Kind::Size => Quantity::Size,
        };
        Err(self.impossible(formula, value, expected, line))
    }

    fn impossible(
        &self,
        formula: &Expression,
        value: f64,
        expected: Quantity,
        line: usize,
    ) -> PlanError {
        PlanError::ImpossibleValue { formula: self.evaluated(formula, value, line), expected }
    }

    fn evaluated(&self, formula: &Expression, value: f64, line: usize) -> Evaluated {
        Evaluated {
            formula: formula.to_string(),
            value,
            procs: self.procs,
            place: formula.place().cloned().unwrap_or(Place::line(line as u64)),
        }
    }
}

/// Computation of a rank in an iteration, in µs.
pub(super) fn own_computation(steps: &[ConcreteStep]) -> f64 {
    let of = |step: &ConcreteStep| {
        let once = match &step.action {
            ConcreteAction::Steps(steps) => own_computation(steps),
            ConcreteAction::Compute(time) => time.0,
            ConcreteAction::Wavefront { work, blocks, .. } => work.0 * *blocks as f64,
            _ => 0.0,
        };
        (once + step.during.0) * step.times / step.every as f64
    };
    steps.iter().map(of).sum()
}

/// Number of rounds of an exchange until it repeats; the distance doubles in each.
pub(super) fn rounds_of_exchange(procs: Procs, apart: u32) -> u64 {
    let distances = procs.0.next_power_of_two() / apart.max(1);
    u64::from(distances.max(2).ilog2())
}

/// Largest message, in bytes: more than the memory of any node.
const LARGEST_MESSAGE: f64 = (1u64 << 50) as f64;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    const SKETCH: &str = r#"
[grid]
cells = [1000, 1000]
[let]
per_cell = "2ns"
rounds = "log2(p)"
[[step]]
halo = "8 * face"
during = "per_cell * cells"
[[step]]
times = 5
every = 10
steps = [{ exchange = "8 * ny", times = "rounds" }, { compute = "1ms / p" }]
"#;

    #[test]
    fn every_formula_has_a_number() {
        let sketch = Sketch::read(SKETCH).unwrap();
        let scope = Scope::new(&sketch, Procs(16), None, &[]).unwrap();
        let steps = scope.steps().unwrap();
        let towards = vec![None, Some(Bytes(2000)), Some(Bytes(2000)), None];
        assert_eq!(steps[0].action, ConcreteAction::Halo { towards });
        assert_eq!(steps[0].during, Micros(125.0));
        assert_eq!((steps[1].times, steps[1].every), (5.0, 10));
        let ConcreteAction::Steps(inner) = &steps[1].action else { panic!() };
        assert_eq!(
            (&inner[0].action, inner[0].times),
            (&ConcreteAction::Exchange { bytes: Bytes(2000), apart: 1 }, 4.0)
        );
        assert_eq!(
            (&inner[1].action, inner[1].times),
            (&ConcreteAction::Compute(Micros(62.5)), 1.0)
        );
    }

    #[test]
    fn impossible_values_are_errors_with_their_place() {
        let sketch = Sketch::read("[[step]]\ncompute = \"10us - p * 1us\"").unwrap();
        let at = |p| Scope::new(&sketch, Procs(p), None, &[]).unwrap().steps();
        assert!(at(8).is_ok());
        let PlanError::ImpossibleValue { formula, expected: Quantity::Time } = at(16).unwrap_err()
        else {
            panic!()
        };
        assert_eq!((formula.value, formula.procs), (-6.0, Procs(16)));
        assert_eq!(formula.place, Place::at(2, 12));
        let open = Sketch::read("[let]\nwork = \"?\"\n[[step]]\ncompute = \"work / p\"").unwrap();
        let error = Error::from(Scope::new(&open, Procs(2), None, &[]).unwrap_err());
        assert!(error.help.to_string().contains("fit MEASURED.csv"));
        let known = [("work".to_owned(), 100.0)];
        let scope = Scope::new(&open, Procs(2), None, &known).unwrap();
        assert_eq!(scope.steps().unwrap()[0].action, ConcreteAction::Compute(Micros(50.0)));
    }
}

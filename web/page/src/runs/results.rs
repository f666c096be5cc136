//! What the simulator has told so far. What was found before stays until it is found anew.

use super::estimate::Factors;
use crate::machines::Machine;
use crate::memo::Same;
use loggia_model::Error;
use loggia_simulate::Parameter;
use loggia_simulate::answer::{Curve, Sensitivity, Status};
use loggia_worker::{Bar, Elsewhere, Ended, Sight, Told, Want, Way};

/// What is known.
#[derive(Default)]
pub(crate) struct Found {
    /// Counts runs.
    pub(crate) run: u32,
    pub(crate) end: Option<Same<Ended>>,
    /// How long the run took.
    pub(crate) milliseconds: f64,
    /// Why there is no run.
    pub(crate) refusal: Option<Error>,
    pub(crate) bars: Option<Same<Vec<Bar>>>,
    pub(crate) path: Option<Same<Way>>,
    pub(crate) sensitivity: Option<Sensitivity>,
    /// Over L, and over G.
    pub(crate) curves: [Option<Same<Curve>>; 2],
    /// With the machines that were asked.
    pub(crate) others: Option<Same<Vec<(Machine, Elsewhere)>>>,
    pub(crate) sight: Option<Same<Sight>>,
    /// Of a traced program's calls: as they were, and as they would be.
    pub(crate) calls: [Option<Same<Sight>>; 2],
    /// With what the run was asked that `end` and `path` are of.
    pub(crate) factors: Option<Factors>,
    /// Why something else was not told.
    pub(crate) refused: Vec<Error>,
}

impl Found {
    /// Takes an answer.
    pub(crate) fn take<'a>(
        &mut self,
        want: &Want,
        told: Told,
        milliseconds: f64,
        compared: impl Iterator<Item = &'a Machine>,
    ) {
        match told {
            Told::End(ended) => {
                self.run += 1;
                (self.milliseconds, self.refusal) = (milliseconds, None);
                self.refused.clear();
                if ended.answer.status == Status::Unmatched {
                    (self.path, self.sensitivity) = (None, None);
                }
                self.end = Some(Same::new(*ended));
            }
            Told::Split(bars) => self.bars = Some(Same::new(bars)),
            Told::Path(path) => self.path = Some(Same::new(path)),
            Told::Sensitivity(sensitivity) => self.sensitivity = Some(sensitivity),
            Told::Curve(curve) => self.curves[place(want)] = Some(Same::new(curve)),
            Told::Elsewhere(others) => {
                let others = compared.cloned().zip(others).collect();
                self.others = Some(Same::new(others));
            }
            Told::Sight(sight) => self.sight = Some(Same::new(sight)),
            Told::Calls(was, is) => {
                self.calls = [was.map(|was| Same::new(*was)), Some(Same::new(*is))];
            }
            // No run is told so.
            Told::Fitted(_) | Told::Imported(_) | Told::Planned(_) | Told::Program => {}
            Told::Refused(error) => match want {
                Want::End => {
                    *self = Found { run: self.run, refusal: Some(error), ..Found::default() }
                }
                Want::Path => {
                    self.path = None;
                    self.refused.push(error);
                }
                Want::Curve(..) => {
                    self.curves[place(want)] = None;
                    self.refused.push(error);
                }
                _ => self.refused.push(error),
            },
        }
    }

    /// Forgets what is not wanted of the present question.
    pub(crate) fn keep(&mut self, wants: &[Want]) {
        for (i, curve) in self.curves.iter_mut().enumerate() {
            if !wants.iter().any(|want| matches!(want, Want::Curve(..)) && place(want) == i) {
                *curve = None;
            }
        }
        if !wants.iter().any(|want| matches!(want, Want::Elsewhere(_))) {
            self.others = None;
        }
    }
}

/// Which curve is meant.
fn place(want: &Want) -> usize {
    usize::from(!matches!(want, Want::Curve(Parameter::Latency, _)))
}

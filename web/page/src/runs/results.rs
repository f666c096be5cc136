//! Responses of the worker so far. Each stays until a newer one replaces it.

use super::estimate::Factors;
use crate::machines::Machine;
use crate::memo::Shared;
use loggia_model::Error;
use loggia_simulate::Parameter;
use loggia_simulate::result::{Curve, Sensitivity, Status};
use loggia_worker::{Bar, OtherMachine, PathExcerpt, Query, Response, RunResult, TimelineSection};

#[derive(Default)]
pub(crate) struct Results {
    /// Number of the run.
    pub(crate) run: u32,
    pub(crate) end: Option<Shared<RunResult>>,
    /// Duration of the simulation.
    pub(crate) milliseconds: f64,
    /// Why there is no result.
    pub(crate) refusal: Option<Error>,
    pub(crate) bars: Option<Shared<Vec<Bar>>>,
    pub(crate) path: Option<Shared<PathExcerpt>>,
    pub(crate) sensitivity: Option<Sensitivity>,
    /// Over L and over G.
    pub(crate) curves: [Option<Shared<Curve>>; 2],
    /// Results with the machines of the request.
    pub(crate) others: Option<Shared<Vec<(Machine, OtherMachine)>>>,
    pub(crate) section: Option<Shared<TimelineSection>>,
    /// Calls of a traced program, measured and predicted.
    pub(crate) calls: [Option<Shared<TimelineSection>>; 2],
    /// The factors of the run that `end` and `path` belong to.
    pub(crate) factors: Option<Factors>,
    /// Errors of other queries.
    pub(crate) refused: Vec<Error>,
}

impl Results {
    /// Stores a response.
    pub(crate) fn store<'a>(
        &mut self,
        query: &Query,
        response: Response,
        milliseconds: f64,
        compared: impl Iterator<Item = &'a Machine>,
    ) {
        match response {
            Response::End(ended) => {
                self.run += 1;
                (self.milliseconds, self.refusal) = (milliseconds, None);
                self.refused.clear();
                if ended.answer.status == Status::Unmatched {
                    (self.path, self.sensitivity) = (None, None);
                }
                self.end = Some(Shared::new(*ended));
            }
            Response::Split(bars) => self.bars = Some(Shared::new(bars)),
            Response::Path(path) => self.path = Some(Shared::new(path)),
            Response::Sensitivity(sensitivity) => self.sensitivity = Some(sensitivity),
            Response::Curve(curve) => self.curves[place(query)] = Some(Shared::new(curve)),
            Response::OtherMachine(others) => {
                let others = compared.cloned().zip(others).collect();
                self.others = Some(Shared::new(others));
            }
            Response::TimelineSection(section) => self.section = Some(Shared::new(section)),
            Response::Calls(was, is) => {
                self.calls = [was.map(|was| Shared::new(*was)), Some(Shared::new(*is))];
            }
            // Responses to other kinds of requests.
            Response::Fitted(_)
            | Response::Imported(_)
            | Response::Planned(_)
            | Response::Lesson(_)
            | Response::Program => {}
            Response::Refused(error) => match query {
                Query::End => {
                    *self = Results { run: self.run, refusal: Some(error), ..Results::default() }
                }
                Query::Path => {
                    self.path = None;
                    self.refused.push(error);
                }
                Query::Curve(..) => {
                    self.curves[place(query)] = None;
                    self.refused.push(error);
                }
                _ => self.refused.push(error),
            },
        }
    }

    /// Drops results of queries other than these.
    pub(crate) fn keep(&mut self, queries: &[Query]) {
        for (i, curve) in self.curves.iter_mut().enumerate() {
            if !queries.iter().any(|query| matches!(query, Query::Curve(..)) && place(query) == i) {
                *curve = None;
            }
        }
        if !queries.iter().any(|query| matches!(query, Query::OtherMachine(_))) {
            self.others = None;
        }
    }
}

/// The index of a curve.
fn place(query: &Query) -> usize {
    usize::from(!matches!(query, Query::Curve(Parameter::Latency, _)))
}

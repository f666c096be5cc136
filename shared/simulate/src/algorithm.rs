//! Times of collective algorithms on a machine, and the fastest algorithm.
//!
//! The time comes from the closed form if it is exact and the simulation model is LogGP; else from
//! a simulation. If the schedule is too long, it is the closed form's estimate, and marked as such.
//! No closed form includes shared network cards: then the estimate is multiplied by a factor from a
//! shorter simulation, see `cards`.

mod cards;

use super::costs::{NO_GAP, add};
use super::loggp_costs::{LogGpCosts, operator_time};
use super::{ParameterSource, RunSetting, Simulation, Ticks, result};
use crate::collective::{Algorithm, Form, Shape, algorithms};
use crate::error::SimulationError;
use loggia_model::Error;
use loggia_model::model::composition::Question;
use loggia_model::model::{Model, Route, Warning, with_values};
use loggia_model::placement::Nodes;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Interval, IntervalEnd, Micros, MicrosPerByte, Procs};
use loggia_schedule::time::Time;
use serde::Serialize;

/// Maximum number of simulated operations for the time of one algorithm.
const MAX_OPS: u128 = 60_000;

/// Maximum number of simulated operations if many algorithms are compared at many sizes.
const MAX_OPS_COMPARED: u128 = 10_000;

/// Largest p for the search of crossovers, since some closed forms sum over ranks.
const MAX_SCANNED: u32 = 1 << 16;

/// Warning for an unknown t_c.
const NO_COMPUTE: Warning = Warning::Remark(
    "t_c is unknown: the reduction operator is assumed to cost 0; set t_c to include it",
);

/// A machine with a simulation model, for predictions of collective algorithms.
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmModel<'a> {
    /// The machine.
    pub setting: RunSetting<'a>,
    /// Placement of ranks on nodes, if known.
    pub nodes: Option<&'a Nodes>,
    /// t_c
    pub compute: MicrosPerByte,
    /// Simulation model; closed forms exist only for LogGP.
    pub rules: SimulationModel,
}

/// The modelled cost of an algorithm.
#[derive(Clone, Debug)]
pub struct Modelled {
    pub algorithm: &'static Algorithm,
    /// Number of bytes, as algorithms of the operation count them.
    pub bytes: Bytes,
    /// Completion time.
    pub time: Interval<Micros>,
    /// Completion time with 0 bytes.
    pub startup: Micros,
    /// Time of the reduction operator.
    pub compute: Micros,
    /// Terms of the time.
    pub terms: Vec<Term>,
    pub formula: &'static str,
    /// Range in which the closed form is exact.
    pub range: &'static str,
    pub by: By,
    pub warnings: Vec<Warning>,
}

/// Parts of a completion time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) startup: Micros,
    pub(super) bytes: Micros,
    /// Time of the reduction operator.
    pub(super) compute: Micros,
}

/// Terms of the reduction operator.
const COMPUTING: [&str; 2] = ["t_c", "computation"];

/// A completion time with its terms.
struct Timing {
    time: Interval<Micros>,
    startup: Micros,
    terms: Vec<Term>,
    warnings: Vec<Warning>,
}

/// An amount of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// The paper's symbol.
    pub symbol: &'static str,
    /// Count; bytes for G and t_c.
    pub count: f64,
    /// Total time of the term.
    pub time: Micros,
}

impl Term {
    /// Time per count.
    pub fn each(&self) -> Micros {
        Micros(self.time.0 / self.count)
    }

    fn of_run(term: result::Term) -> Self {
        Term {
            symbol: term.symbol,
            count: term.count.map_or(1.0, |count| count as f64),
            time: Micros(term.time_us),
        }
    }
}

/// The method behind a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Closed form, exact here.
    ClosedForm,
    /// Simulation: the closed form is not exact here.
    Run,
    /// Closed form, not exact here: the simulation would take too long.
    Estimate,
}

/// Returns the fastest algorithm with a published closed form for a question, and its time.
pub type Published<'a> = &'a dyn Fn(&Question) -> Option<(Micros, &'static str)>;

/// A change of the fastest algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Crossover<U> {
    /// Size or number of ranks of the change.
    pub at: U,
    /// The new fastest algorithm.
    pub algorithm: &'static str,
}

impl Modelled {
    /// The terms with their values, and their sum: `3·30 + 3·3.1 = 99.3 µs`.
    pub fn substituted(&self) -> String {
        let terms: Vec<_> = self.terms.iter().map(|term| (term.count, term.each())).collect();
        with_values(&terms, self.time.value)
    }
}

impl<'a> AlgorithmModel<'a> {
    fn route(&self) -> Result<Route<'a>, Error> {
        match self.setting.between {
            ParameterSource::Route(route) => match Model::LogGp.is_possible(&route) {
                true => Ok(route),
                false => Err(route.missing(Model::LogGp)),
            },
            ParameterSource::Numbers(_) => Err(SimulationError::NeedsSignature.into()),
        }
    }

    /// Whether closed forms apply: LogGP, one tier, one L for all sizes.
    fn is_closed(&self) -> bool {
        let has_one_latency = match self.setting.between {
            ParameterSource::Route(route) => route.measured(Bytes(1)).is_none(),
            ParameterSource::Numbers(_) => true,
        };
        self.rules == SimulationModel::LogGp && self.setting.inside.is_none() && has_one_latency
    }

    fn shape(&self, question: &Question) -> Shape<'a> {
        let whole =
            question.bytes_are.to_whole(question.op, question.procs, question.bytes.count());
        let each = question.op.bytes_are().of_whole(question.op, question.procs, whole);
        let shape = Shape::new(question.procs, Bytes(libm::round(each) as u64));
        Shape { nodes: self.nodes, ..shape }
    }

    fn form(
        &self,
        algorithm: &Algorithm,
        shape: &Shape,
        end: Option<IntervalEnd>,
    ) -> Result<Form, Error> {
        Ok(algorithm.form(shape, &self.costs(end)?)?)
    }

    fn costs(&self, end: Option<IntervalEnd>) -> Result<LogGpCosts<'a>, Error> {
        let costs = LogGpCosts::at(self.route()?, self.compute, end)?;
        Ok(costs.with_message_model(self.rules.model()))
    }

    /// The completion time of an algorithm.
    pub fn predict(
        &self,
        question: &Question,
        algorithm: &'static Algorithm,
    ) -> Result<Modelled, Error> {
        self.predict_within(question, algorithm, MAX_OPS)
    }

    /// The completion time as [`best`](Self::best) computes it, with short simulations.
    pub(super) fn compared(
        &self,
        question: &Question,
        algorithm: &'static Algorithm,
    ) -> Result<Modelled, Error> {
        self.predict_within(question, algorithm, MAX_OPS_COMPARED)
    }

    fn predict_within(
        &self,
        question: &Question,
        algorithm: &'static Algorithm,
        most_ops: u128,
    ) -> Result<Modelled, Error> {
        let shape = self.shape(question);
        let costs = self.costs(None)?;
        let form = algorithm.form(&shape, &costs)?;
        let by = self.by(algorithm, &shape, &form, most_ops);
        let by_form = || self.by_form(algorithm, &shape, &form, costs.warnings());
        let Timing { time, startup, terms, warnings } = match by {
            By::Run => self.by_simulation(algorithm, &shape)?,
            By::ClosedForm => by_form()?,
            By::Estimate => by_form()?.with_cards(self.factor_of_cards(algorithm, &shape)),
        };
        let computing = |term: &&Term| COMPUTING.contains(&term.symbol);
        let compute = terms.iter().filter(computing).map(|term| term.time).sum();
        let warnings = self.warnings(&terms, warnings)?;
        let Form { formula, range, .. } = form;
        let bytes = shape.bytes;
        Ok(Modelled {
            algorithm,
            bytes,
            time,
            startup,
            compute,
            terms,
            formula,
            range,
            by,
            warnings,
        })
    }

    /// The method for the algorithm's time.
    fn by(&self, algorithm: &Algorithm, shape: &Shape, form: &Form, most_ops: u128) -> By {
        let combine = |bytes| operator_time(self.compute, bytes);
        match form.exact && self.is_closed() {
            true => By::ClosedForm,
            false if algorithm.operations(shape, &combine) <= most_ops => By::Run,
            false => By::Estimate,
        }
    }

    fn by_form(
        &self,
        algorithm: &Algorithm,
        shape: &Shape,
        form: &Form,
        warnings: Vec<Warning>,
    ) -> Result<Timing, Error> {
        let time = |picos| Ticks::Picoseconds.micros(picos);
        let at = |shape, end| Ok::<_, Error>(time(self.form(algorithm, shape, end)?.time));
        let [low, high] = [at(shape, Some(IntervalEnd::Low))?, at(shape, Some(IntervalEnd::High))?];
        Ok(Timing {
            time: Interval { value: time(form.time), low, high },
            startup: at(&empty(shape), None)?,
            terms: terms_of(form),
            warnings,
        })
    }

    fn by_simulation(&self, algorithm: &Algorithm, shape: &Shape) -> Result<Timing, Error> {
        let startup = self.run(algorithm, &empty(shape), |run| run.micros(run.run().end()))?;
        self.run(algorithm, shape, |run| {
            let end = run.made_of();
            let time = Interval::exact(run.micros(end.ticks()));
            let terms = run.terms(&end).into_iter().map(Term::of_run).collect();
            Timing { time, startup, terms, warnings: run.warnings() }
        })
    }

    /// Simulates the algorithm for a question and returns a result of the simulation.
    pub fn simulated<R>(
        &self,
        question: &Question,
        algorithm: &Algorithm,
        of: impl FnOnce(&Simulation) -> R,
    ) -> Result<R, Error> {
        self.run(algorithm, &self.shape(question), of)
    }

    /// The bytes of a question, as algorithms of the operation count them.
    pub fn bytes(&self, question: &Question) -> Bytes {
        self.shape(question).bytes
    }

    /// Number of operations of the algorithm's schedule.
    pub fn operations(&self, question: &Question, algorithm: &Algorithm) -> u128 {
        algorithm.operations(&self.shape(question), &|bytes| operator_time(self.compute, bytes))
    }

    /// Simulates the algorithm and returns a result of the simulation.
    fn run<R>(
        &self,
        algorithm: &Algorithm,
        shape: &Shape,
        of: impl FnOnce(&Simulation) -> R,
    ) -> Result<R, Error> {
        let schedule = algorithm.schedule(shape, &|bytes| operator_time(self.compute, bytes))?;
        Ok(of(&Simulation::new(&schedule, self.rules, &self.setting)?))
    }

    /// Warnings about a time with these terms, after those about its messages.
    fn warnings(&self, terms: &[Term], mut warnings: Vec<Warning>) -> Result<Vec<Warning>, Error> {
        let no_gap = self.route()?.gap().is_none();
        let no_compute = self.compute.0 == 0.0 && terms.iter().any(|term| term.symbol == "t_c");
        let all = [no_gap.then_some(NO_GAP), no_compute.then_some(NO_COMPUTE)];
        for warning in all.into_iter().flatten() {
            add(&mut warnings, warning);
        }
        Ok(warnings)
    }

    /// The algorithms that can be predicted here.
    fn candidates(&self, question: &Question) -> impl Iterator<Item = &'static Algorithm> {
        let placed = self.nodes.is_some();
        algorithms(question.op).iter().filter(move |algorithm| placed || !algorithm.needs_nodes)
    }

    /// All algorithms of the operation, the fastest first.
    pub fn ranking(&self, question: &Question) -> Result<Vec<Modelled>, Error> {
        let modelled = self.candidates(question).map(|algorithm| self.predict(question, algorithm));
        let mut ranking = modelled.collect::<Result<Vec<_>, _>>()?;
        ranking.sort_by(|a, b| a.time.value.0.total_cmp(&b.time.value.0));
        Ok(ranking)
    }

    /// The fastest of the [`ranking`](Self::ranking) and of the published closed forms.
    pub fn fastest(&self, question: &Question, published: Published) -> Option<&'static str> {
        let (time, algorithm) = self.first(question)?;
        match published(question) {
            Some((form, published)) if form.0 < time as f64 / 1e6 => Some(published),
            _ => Some(algorithm.name),
        }
    }

    /// The first of the [`ranking`](Self::ranking), without the terms of the other algorithms.
    pub fn best(&self, question: &Question) -> Result<Modelled, Error> {
        match self.first(question) {
            Some((_, algorithm)) => self.compared(question, algorithm),
            // The ranking's error holds the reason.
            None => {
                let first = self.ranking(question)?.into_iter().next();
                let signature = self.route()?.signature;
                first.ok_or_else(|| question.nothing_known(signature))
            }
        }
    }

    /// The fastest algorithm, with its parts.
    pub(super) fn best_parts(&self, question: &Question) -> Option<(&'static Algorithm, Parts)> {
        let (_, algorithm) = self.first(question)?;
        Some((algorithm, self.parts(question, algorithm).ok()?))
    }

    /// The parts of an algorithm's time, which is computed as [`best`](Self::best) does.
    pub(super) fn parts(
        &self,
        question: &Question,
        algorithm: &'static Algorithm,
    ) -> Result<Parts, Error> {
        let shape = self.shape(question);
        let form = self.form(algorithm, &shape, None)?;
        let (time, terms) = match self.by(algorithm, &shape, &form, MAX_OPS_COMPARED) {
            By::ClosedForm => (Ticks::Picoseconds.micros(form.time), terms_of(&form)),
            By::Run | By::Estimate => {
                let modelled = self.compared(question, algorithm)?;
                (modelled.time.value, modelled.terms)
            }
        };
        let sum = |symbols: [&str; 2]| -> Micros {
            terms.iter().filter(|term| symbols.contains(&term.symbol)).map(|term| term.time).sum()
        };
        let (bytes, compute) = (sum(["G", "1/R_N"]), sum(COMPUTING));
        Ok(Parts { startup: time - bytes - compute, bytes, compute })
    }

    /// The fastest algorithm, and its time in ps.
    fn first(&self, question: &Question) -> Option<(u64, &'static Algorithm)> {
        let shape = self.shape(question);
        let timed = self.candidates(question).filter_map(|algorithm| {
            let form = self.form(algorithm, &shape, None).ok()?;
            let picos = match self.by(algorithm, &shape, &form, MAX_OPS_COMPARED) {
                By::Run => self.run(algorithm, &shape, |run| run.run().end()).ok()?,
                By::ClosedForm => form.time,
                By::Estimate => {
                    let factor = self.factor_of_cards(algorithm, &shape);
                    factor.map_or(form.time, |cards| (form.time as f64 * cards.factor) as u64)
                }
            };
            Some((picos, algorithm))
        });
        timed.min_by_key(|(time, _)| *time)
    }

    /// The next larger size with another fastest algorithm.
    pub fn next_over_bytes(
        &self,
        question: &Question,
        published: Published,
    ) -> Option<Crossover<Bytes>> {
        if question.procs.0 > MAX_SCANNED {
            return None;
        }
        let at =
            |bytes: u64| self.fastest(&Question { bytes: Bytes(bytes), ..*question }, published);
        let here = at(question.bytes.0)?;
        let mut low = question.bytes.0;
        // Steps of 20% up to 2^40, then bisection.
        while low < 1 << 40 {
            let high = low + (low / 5).max(1);
            if at(high)? != here {
                let (at, algorithm) = first_other(low, high, here, at)?;
                return Some(Crossover { at: Bytes(at), algorithm });
            }
            low = high;
        }
        None
    }

    /// The next larger number of ranks with another fastest algorithm: among the next 16, then the
    /// powers of two.
    pub fn next_over_procs(
        &self,
        question: &Question,
        published: Published,
    ) -> Option<Crossover<Procs>> {
        let at =
            |procs: u32| self.fastest(&Question { procs: Procs(procs), ..*question }, published);
        let from = question.procs.0;
        let here = at(from)?;
        let near = from.saturating_add(1)..=from.saturating_add(16);
        let powers = (1..=16).map(|power| 1u32 << power).filter(|p| *p > from + 16);
        near.chain(powers).filter(|p| *p <= MAX_SCANNED).find_map(|p| {
            let algorithm = at(p).filter(|name| *name != here)?;
            Some(Crossover { at: Procs(p), algorithm })
        })
    }
}

fn terms_of(form: &Form) -> Vec<Term> {
    let term = |term: &crate::collective::Term| Term {
        symbol: term.symbol,
        count: term.count as f64,
        time: Ticks::Picoseconds.micros(term.time),
    };
    form.terms.iter().map(term).collect()
}

/// The same shape with 0 bytes.
fn empty<'a>(shape: &Shape<'a>) -> Shape<'a> {
    Shape { bytes: Bytes(0), ..*shape }
}

/// The first value at which `here` is no longer the fastest, by bisection.
fn first_other(
    mut low: u64,
    mut high: u64,
    here: &'static str,
    at: impl Fn(u64) -> Option<&'static str>,
) -> Option<(u64, &'static str)> {
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match at(middle)? == here {
            true => low = middle,
            false => high = middle,
        }
    }
    Some((high, at(high)?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::collective::named;
    use loggia_model::library;
    use loggia_model::signature::Operation;

    fn with_question<R>(
        op: Operation,
        p: u32,
        bytes: u64,
        then: impl Fn(&AlgorithmModel, &Question) -> R,
    ) -> R {
        let t3d = library::load("cray-t3d").unwrap();
        let setting = RunSetting::of(&t3d, None, None, None).unwrap();
        let compute = MicrosPerByte(0.0);
        let model = AlgorithmModel { setting, nodes: None, compute, rules: SimulationModel::LogGp };
        let bytes_are = Some(op.bytes_are());
        let question = Question::of(&t3d, op, Procs(p), Bytes(bytes), bytes_are).unwrap();
        then(&model, &question)
    }

    /// A broadcast of 16 bytes to 8 ranks: three consecutive messages.
    #[test]
    fn a_binomial_broadcast_is_its_closed_form() {
        with_question(Operation::Bcast, 8, 16, |model, question| {
            let binomial = named(Operation::Bcast, "binomial").unwrap();
            let modelled = model.predict(question, binomial).unwrap();
            assert_eq!(modelled.by, By::ClosedForm);
            let expected = 3.0 * (30.0 + 3.1 + 15.0 * 0.04 + 15.0);
            assert!((modelled.time.value.0 - expected).abs() < 1e-6, "{modelled:?}");
            let sum: f64 = modelled.terms.iter().map(|term| term.time.0).sum();
            assert!((sum - expected).abs() < 1e-6);
        });
    }

    /// Cards lengthen estimates by the same factor as simulations.
    #[test]
    fn cards_make_estimates_longer() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("R_N", "20MB/s").unwrap();
        let pairwise = named(Operation::Alltoall, "pairwise").unwrap();
        let of = |procs: u32, each: u32, most_ops| {
            let nodes = Nodes::block(procs, each).unwrap();
            let setting = RunSetting::of(&t3d, None, None, Some(nodes.of_all())).unwrap();
            let compute = MicrosPerByte(0.0);
            let model = AlgorithmModel {
                setting,
                nodes: Some(&nodes),
                compute,
                rules: SimulationModel::LogGp,
            };
            let bytes_are = Some(Operation::Alltoall.bytes_are());
            let bytes = Bytes(100_000);
            let question = Question::of(&t3d, Operation::Alltoall, Procs(procs), bytes, bytes_are);
            model.predict_within(&question.unwrap(), pairwise, most_ops).unwrap()
        };
        for each in [4, 16, 64] {
            let (run, estimate) = (of(128, each, MAX_OPS), of(128, each, 1));
            assert_eq!((run.by, estimate.by), (By::Run, By::Estimate));
            let error = estimate.time.value.0 / run.time.value.0 - 1.0;
            assert!(error.abs() < 0.15, "{each}: {error}");
            let sum: f64 = estimate.terms.iter().map(|term| term.time.0).sum();
            assert!((sum / estimate.time.value.0 - 1.0).abs() < 1e-6);
            assert!(estimate.terms.iter().any(|term| term.symbol == "1/R_N"));
        }
        // Too long even for two nodes: replaced by fewer ranks with slower cards.
        let (run, estimate) = (of(256, 128, u128::MAX), of(256, 128, 1));
        let error = estimate.time.value.0 / run.time.value.0 - 1.0;
        assert!(error.abs() < 0.15, "{error}");
    }

    #[test]
    fn the_next_crossover_is_where_the_fastest_changes() {
        with_question(Operation::Allreduce, 8, 16, |model, question| {
            let next = model.next_over_bytes(question, &|_| None).unwrap();
            let at = |bytes| {
                let question = Question { bytes: Bytes(bytes), ..*question };
                model.fastest(&question, &|_| None).unwrap()
            };
            assert_eq!(at(next.at.0), next.algorithm);
            assert_eq!(at(next.at.0 - 1), at(16));
            assert_ne!(at(16), next.algorithm);
            let ranking = model.ranking(question).unwrap();
            assert_eq!(ranking[0].algorithm.name, at(16));
            assert!(ranking.windows(2).all(|two| two[0].time.value.0 <= two[1].time.value.0));
        });
    }
}

//! The predicted time of a collective operation: by closed forms, by an algorithm, or by the
//! fastest of all methods.

use super::RunSetting;
use super::algorithm::{AlgorithmModel, By, Crossover, Modelled};
use super::program::reported_compute;
use crate::collective::{Algorithm, algorithms, named};
use loggia_model::Error;
use loggia_model::error::Input;
use loggia_model::measured::Basis;
use loggia_model::model::Route;
use loggia_model::model::composition::{COMPOSITIONS, CollectiveMethod, OWN_FORM, Question};
use loggia_model::placement::Nodes;
use loggia_model::signature::{Operation, Signature};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Interval, IntervalEnd, Micros, MicrosPerByte, Procs};
use serde::Serialize;
use std::rc::Rc;

/// The name that selects the fastest method.
pub const BEST: &str = "best";

/// A request for the time of a collective operation on a machine.
#[derive(Clone, Debug)]
pub struct CollectiveRequest<'a> {
    /// The signature.
    pub signature: &'a Signature,
    /// The signature with values for unknown costs; by default, they are assumed where needed.
    pub with_costs: Option<&'a Signature>,
    /// Operation, p and m.
    pub question: Question,
    /// The tier of messages; by default the first.
    pub tier: Option<&'a str>,
    /// The send mode; by default the first.
    pub style: Option<&'a str>,
    /// Placement of ranks, if known.
    pub nodes: Option<Rc<Nodes>>,
    /// t_c; by default that of the signature.
    pub compute: Option<MicrosPerByte>,
}

/// The predicted time of a collective operation.
#[derive(Clone, Debug)]
pub enum CollectivePrediction {
    Forms(CollectiveMethod),
    Algorithm(ByAlgorithm),
}

/// The time of an algorithm in a simulation model.
#[derive(Clone, Debug)]
pub struct ByAlgorithm {
    pub rules: SimulationModel,
    pub modelled: Modelled,
    /// Extrapolated beyond the measured ranks, else that of the machine's parameters.
    pub basis: Basis,
    pub warnings: Vec<String>,
}

/// The ranking of all methods, and the next crossovers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Best {
    /// All methods, fastest first.
    pub ranking: Vec<Ranked>,
    /// The second method's time divided by the first method's time.
    pub ahead: Option<f64>,
    pub next_over_bytes: Option<Crossover<Bytes>>,
    pub next_over_procs: Option<Crossover<Procs>>,
}

/// A method with its time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ranked {
    pub name: &'static str,
    /// `form` for published closed forms, `algorithm` for the modelled time of an algorithm.
    pub from: &'static str,
    pub time_us: Micros,
}

/// All methods of an operation except `best`: its closed form, compositions, algorithms. Equal
/// names appear once.
pub fn methods(op: Operation) -> Vec<&'static str> {
    let composed = COMPOSITIONS.iter().filter(|c| c.op == op).map(|c| c.name);
    let algorithms = algorithms(op).iter().map(|algorithm| algorithm.name);
    let new = algorithms.filter(|name| COMPOSITIONS.iter().all(|c| c.op != op || c.name != *name));
    [OWN_FORM].into_iter().chain(composed).chain(new).collect()
}

impl<'a> CollectiveRequest<'a> {
    /// A request with default settings.
    pub fn of(signature: &'a Signature, question: Question) -> Self {
        CollectiveRequest {
            signature,
            with_costs: None,
            question,
            tier: None,
            style: None,
            nodes: None,
            compute: None,
        }
    }

    /// Sets the placement of ranks.
    #[must_use]
    pub fn on(self, nodes: Option<Rc<Nodes>>) -> Self {
        let question = nodes.as_deref().map_or(self.question, |nodes| self.question.on(nodes));
        CollectiveRequest { question, nodes, ..self }
    }

    /// The model of its algorithms.
    pub fn algorithm_model(&self) -> Result<AlgorithmModel<'_>, Error> {
        let has_two_tiers = self.signature.distinguishes_nodes();
        let node_of = self.nodes.as_deref().filter(|_| has_two_tiers).map(Nodes::of_all);
        let setting = RunSetting::of(self.signature, self.tier, self.style, node_of)?;
        let Question { op, procs, .. } = self.question;
        let reported = || reported_compute(Some(self.signature), op, procs);
        let compute = self.compute.unwrap_or_else(reported);
        let route = Route::of(self.signature, self.tier, self.style)?;
        // If no model has its parameters, the error names those that LogGP lacks.
        let rules =
            SimulationModel::richest(&route).ok().filter(|rules| *rules != SimulationModel::LogP);
        let rules = rules.unwrap_or(SimulationModel::LogGp);
        Ok(AlgorithmModel { setting, nodes: self.nodes.as_deref(), compute, rules })
    }

    /// The measured time, else the fastest of all methods. Plans use it, since a program's author
    /// can choose the method.
    pub fn measured_or_fastest(&self) -> Result<CollectivePrediction, Error> {
        match self.form(|machine| self.question.by_measurement(machine)) {
            Ok(form) => Ok(CollectivePrediction::Forms(form)),
            Err(_) => self.first(),
        }
    }

    /// The measured time, else the operation's closed form, else the fastest algorithm: the default
    /// for a single operation.
    pub fn by_best_basis(&self) -> Result<CollectivePrediction, Error> {
        match self.form(|machine| self.question.by_best_basis(machine)) {
            Ok(form) => Ok(CollectivePrediction::Forms(form)),
            Err(_) => self.first(),
        }
    }

    /// The name of the method that [`by_best_basis`](Self::by_best_basis) uses.
    #[must_use]
    pub fn default_method(&self) -> &'static str {
        let before = self.signature.before_change();
        match self.question.by_best_basis(before.as_ref().unwrap_or(self.signature)) {
            Ok(form) => form.name,
            Err(_) => BEST,
        }
    }

    /// By the operation's closed form, a composition, an algorithm, or the fastest of all methods.
    pub fn by(&self, method: &str) -> Result<CollectivePrediction, Error> {
        if method == BEST {
            return self.first();
        }
        match self.form(|machine| self.question.by(machine, method)) {
            Ok(form) => Ok(CollectivePrediction::Forms(form)),
            Err(error) if method == OWN_FORM => Err(error),
            Err(_) => self.by_algorithm(method).map(CollectivePrediction::Algorithm),
        }
    }

    pub fn by_algorithm(&self, name: &str) -> Result<ByAlgorithm, Error> {
        let op = self.question.op;
        let algorithm: &'static Algorithm = named(op, name).map_err(|_| {
            Error::unknown(
                "algorithm",
                name,
                Input::Algorithm,
                [BEST].into_iter().chain(methods(op)),
            )
        })?;
        let model = self.algorithm_model()?;
        let modelled = model.predict(&self.question, algorithm)?;
        Ok(self.of_modelled(&model, modelled))
    }

    /// The prediction with the interval that follows from those of the parameters. A simulated time
    /// has none otherwise: each end takes one more simulation. A long one keeps none.
    #[must_use]
    pub fn with_interval(&self, mut prediction: CollectivePrediction) -> CollectivePrediction {
        if let CollectivePrediction::Algorithm(ByAlgorithm { modelled, .. }) = &mut prediction
            && modelled.by == By::Run
            && let [Some(low), Some(high)] =
                [IntervalEnd::Low, IntervalEnd::High].map(|end| self.at_end(modelled, end))
        {
            let value = modelled.time.value;
            modelled.time = Interval { value, low: low.min(value), high: high.max(value) };
        }
        prediction
    }

    /// The time of an algorithm with all parameters at one end of their intervals.
    fn at_end(&self, modelled: &Modelled, end: IntervalEnd) -> Option<Micros> {
        let machine = self.signature.at_end(end);
        let request = CollectiveRequest { signature: &machine, ..self.clone() };
        let found = request.algorithm_model().ok()?.compared(&self.question, modelled.algorithm);
        found.ok().filter(|found| found.by == By::Run).map(|found| found.time.value)
    }

    /// The prediction by an algorithm, with its limits.
    fn of_modelled(&self, model: &AlgorithmModel, modelled: Modelled) -> ByAlgorithm {
        let has_card = model.setting.shared_card().is_some();
        let beyond = self.signature.extrapolated(self.question.procs.0, has_card);
        let basis = match beyond {
            Some(_) => Basis::Extrapolated,
            None => Basis::of_model(self.signature),
        };
        let limits = limits(model, &modelled);
        let warnings = beyond.into_iter().chain(limits).collect();
        ByAlgorithm { rules: model.rules, modelled, basis, warnings }
    }

    /// The fastest of all methods, as in [`fastest`](Self::fastest), without the ranking.
    pub fn first(&self) -> Result<CollectivePrediction, Error> {
        let model = self.algorithm_model();
        let forms = self.ranked_forms();
        let modelled = match &model {
            Ok(model) => model.best(&self.question),
            Err(error) => Err(error.clone()),
        };
        let timed = forms.first().and_then(CollectiveMethod::time);
        let is_before = |first: &Modelled| timed.is_some_and(|time| time.0 <= first.time.value.0);
        match (model, modelled, forms.into_iter().next()) {
            (Ok(model), Ok(first), _) if !is_before(&first) => {
                let mut prediction = self.of_modelled(&model, first);
                prediction.warnings.extend(timed.map(|_| TWO_SOURCES.to_owned()));
                Ok(CollectivePrediction::Algorithm(prediction))
            }
            (_, _, Some(form)) => Ok(CollectivePrediction::Forms(form)),
            (_, modelled, None) => {
                Err(modelled.err().unwrap_or_else(|| self.question.nothing_known(self.signature)))
            }
        }
    }

    /// The fastest of all methods, and the ranking of closed forms and algorithms. Without
    /// parameters for algorithms, it has only closed forms.
    pub fn fastest(&self) -> Result<(CollectivePrediction, Vec<Ranked>), Error> {
        let model = self.algorithm_model();
        let forms = self.ranked_forms();
        let modelled = match &model {
            Ok(model) => model.ranking(&self.question),
            Err(error) => Err(error.clone()),
        };
        if forms.is_empty() && modelled.as_ref().map_or(true, Vec::is_empty) {
            return Err(modelled
                .err()
                .unwrap_or_else(|| self.question.nothing_known(self.signature)));
        }
        let modelled = modelled.unwrap_or_default();
        let ranking = ranking(&forms, &modelled);
        let by_algorithm = ranking.first().is_some_and(|first| first.from == ALGORITHM);
        let prediction = match (model, modelled.into_iter().next(), forms.into_iter().next()) {
            (Ok(model), Some(first), _) if by_algorithm => {
                let mut prediction = self.of_modelled(&model, first);
                if ranking.iter().any(|ranked| ranked.from == FORM) {
                    prediction.warnings.push(TWO_SOURCES.to_owned());
                }
                CollectivePrediction::Algorithm(prediction)
            }
            (_, _, Some(form)) => CollectivePrediction::Forms(form),
            (_, Some(_), None) | (_, None, None) => {
                return Err(self.question.nothing_known(self.signature));
            }
        };
        Ok((prediction, ranking))
    }

    /// The fastest method, with its lead and the crossovers.
    pub fn best(&self) -> Result<(CollectivePrediction, Best), Error> {
        let (prediction, ranking) = self.fastest()?;
        let ahead = match ranking.as_slice() {
            [first, second, ..] => Some(second.time_us.0 / first.time_us.0),
            _ => None,
        };
        let mut best = Best { ranking, ahead, next_over_bytes: None, next_over_procs: None };
        if let Ok(model) = self.algorithm_model() {
            let published = |question: &Question| self.published(question);
            best.next_over_bytes = model.next_over_bytes(&self.question, &published);
            best.next_over_procs = model.next_over_procs(&self.question, &published);
        }
        Ok((prediction, best))
    }

    /// The name of the fastest method.
    pub fn winner(&self) -> Option<&'static str> {
        let by_form = || self.published(&self.question).map(|(_, name)| name);
        match self.algorithm_model() {
            Ok(model) => {
                model.fastest(&self.question, &|question| self.published(question)).or_else(by_form)
            }
            Err(_) => by_form(),
        }
    }

    /// A method by measured times or closed forms.
    pub(super) fn form(
        &self,
        of: impl FnOnce(&Signature) -> Result<CollectiveMethod, Error>,
    ) -> Result<CollectiveMethod, Error> {
        let forms = self.forms(|machine| of(machine).map(|method| vec![method]))?;
        forms.into_iter().next().ok_or_else(|| self.question.nothing_known(self.signature))
    }

    /// All methods by measured times and closed forms, the fastest first.
    fn ranked_forms(&self) -> Vec<CollectiveMethod> {
        self.forms(|machine| self.question.ranking(machine)).unwrap_or_default()
    }

    /// The fastest method by measured times and closed forms.
    fn published(&self, question: &Question) -> Option<(Micros, &'static str)> {
        let request = CollectiveRequest { question: *question, ..self.clone() };
        let first = request.ranked_forms().into_iter().next()?;
        Some((first.time()?, first.name))
    }
}

const FORM: &str = "form";
const ALGORITHM: &str = "algorithm";

const TWO_SOURCES: &str =
    "closed forms describe measurements of the machine's library; LogGP predicts the algorithms";

fn ranking(forms: &[CollectiveMethod], modelled: &[Modelled]) -> Vec<Ranked> {
    let published = forms
        .iter()
        .filter_map(|form| Some(Ranked { name: form.name, from: FORM, time_us: form.time()? }));
    let modelled = modelled.iter().map(|modelled| Ranked {
        name: modelled.algorithm.name,
        from: ALGORITHM,
        time_us: modelled.time.value,
    });
    let mut all: Vec<Ranked> = published.chain(modelled).collect();
    all.sort_by(|a, b| a.time_us.0.total_cmp(&b.time_us.0));
    all
}

impl CollectivePrediction {
    pub fn name(&self) -> &'static str {
        match self {
            CollectivePrediction::Forms(form) => form.name,
            CollectivePrediction::Algorithm(prediction) => prediction.modelled.algorithm.name,
        }
    }

    /// The completion time.
    pub fn total(&self) -> Option<Interval<Micros>> {
        match self {
            CollectivePrediction::Forms(form) => form.total(),
            CollectivePrediction::Algorithm(prediction) => Some(prediction.modelled.time),
        }
    }

    /// The completion time without its interval.
    pub fn time(&self) -> Option<Micros> {
        self.total().map(|total| total.value)
    }
}

/// Limits of the modelled time of an algorithm.
fn limits(model: &AlgorithmModel, modelled: &Modelled) -> Vec<String> {
    let rules = model.rules;
    let limit = match (rules, model.setting.inside) {
        (_, Some(_)) => "the closed form applies only to LogGP with one tier".to_owned(),
        (SimulationModel::LogGp, None) => {
            format!("the closed form is exact for {} in LogGP", modelled.range)
        }
        _ => "the closed form applies only to LogGP".to_owned(),
    };
    let by = match modelled.by {
        By::ClosedForm => None,
        By::Run => Some(format!("{limit}: this time is simulated with {}", rules.title())),
        By::Estimate => Some(format!("this time is an estimate: {limit}; a simulation is exact")),
    };
    modelled.warnings.iter().map(ToString::to_string).chain(by).collect()
}

impl ByAlgorithm {
    /// The time without startup and reduction operator.
    pub fn transmission(&self) -> Micros {
        let Modelled { time, startup, compute, .. } = self.modelled;
        Micros((time.value.0 - startup.0 - compute.0).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use loggia_model::library;

    fn with_request<R>(
        name: &str,
        op: Operation,
        p: u32,
        m: u64,
        then: impl Fn(&CollectiveRequest) -> R,
    ) -> R {
        let signature = library::load(name).unwrap();
        let question = Question::of(&signature, op, Procs(p), Bytes(m), None).unwrap();
        then(&CollectiveRequest::of(&signature, question))
    }

    #[test]
    fn the_winner_is_the_first_of_the_ranking() {
        for (name, op, p, m) in [
            ("cray-t3d", Operation::Bcast, 64, 512),
            ("cray-t3d", Operation::Allreduce, 24, 1 << 16),
            ("ibm-sp2", Operation::Scatter, 16, 64),
            ("convex-exemplar", Operation::Allgather, 48, 4096),
            ("ap3000-mpi", Operation::Allgather, 8, 64),
        ] {
            with_request(name, op, p, m, |request| {
                let (prediction, ranking) = request.fastest().unwrap();
                assert_eq!(request.winner(), Some(ranking[0].name), "{name} {op:?}");
                for prediction in [prediction, request.first().unwrap()] {
                    assert_eq!(prediction.name(), ranking[0].name);
                    assert_eq!(prediction.time(), Some(ranking[0].time_us));
                }
            });
        }
    }

    #[test]
    fn algorithms_are_used_without_published_forms() {
        with_request("now-sparc", Operation::Bcast, 16, 512, |request| {
            assert!(request.by(OWN_FORM).unwrap_err().message.contains("no closed form"));
            assert!(matches!(request.by("binomial"), Ok(CollectivePrediction::Algorithm(_))));
            assert!(request.by("binomal").unwrap_err().help.to_string().contains("binomial"));
        });
        with_request("myrinet-gm", Operation::Bcast, 16, 512, |request| {
            assert!(request.by(BEST).unwrap_err().message.contains("LogGP needs"));
            assert_eq!(request.winner(), None);
        });
    }

    #[test]
    fn the_shares_of_an_algorithm_add_up() {
        with_request("cray-t3d", Operation::Reduce, 16, 512, |request| {
            let prediction = request.by_algorithm("binomial").unwrap();
            let Modelled { time, startup, compute, .. } = prediction.modelled;
            let sum = startup.0 + prediction.transmission().0 + compute.0;
            assert!((sum - time.value.0).abs() < 1e-6);
        });
    }
}

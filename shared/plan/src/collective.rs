//! The cost of a collective operation on p ranks: measured, or by an algorithm.

use super::cache::MethodKey;
use super::concrete::{ConcreteAction, rounds_of_exchange};
use super::cost::{Breakdown, CollectiveCost, CostBasis};
use super::deployment::Deployment;
use super::error::PlanError;
use super::machine::Machine;
use loggia_model::Error;
use loggia_model::measured::Basis;
use loggia_model::model::composition::{CollectiveMethod, Question};
use loggia_model::units::{IntervalEnd, Micros, Procs};
use loggia_simulate::algorithm::{By, Modelled};
use loggia_simulate::collective::{Algorithm, named};
use loggia_simulate::request::{CollectivePrediction, CollectiveRequest};

/// The selected method.
#[derive(Clone, Copy, Debug)]
pub(super) enum Selection<'a> {
    /// The named method; without a name, the measured time, else the fastest algorithm.
    Preferred(Option<&'a str>),
    /// The fastest algorithm, even if the operation was measured.
    BestAlgorithm,
}

/// A collective operation of all ranks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    pub(super) procs: Procs,
    pub(super) ranks_per_node: Option<u32>,
    pub(super) action: &'a ConcreteAction,
}

impl Machine {
    /// The cost of a collective operation; 0 for an empty one.
    pub(super) fn collective(
        &self,
        call: Call,
        selection: Selection,
    ) -> Result<Option<CollectiveCost>, Error> {
        let ConcreteAction::Collective { op, bytes, .. } = call.action else { return Ok(None) };
        let (name, method) = match selection {
            Selection::Preferred(None) => (None, MethodKey::Preferred),
            Selection::Preferred(Some(name)) => (Some(name), MethodKey::Named(name.to_owned())),
            Selection::BestAlgorithm => (None, MethodKey::BestAlgorithm),
        };
        let each = call.ranks_per_node.unwrap_or_default();
        let key = (*op, call.procs, *bytes, method, each);
        let question = Question {
            op: *op,
            procs: call.procs,
            bytes: *bytes,
            bytes_are: op.bytes_are(),
            per_node: call.ranks_per_node,
        };
        let compute = || {
            let request = |signature| CollectiveRequest {
                tier: self.tier(),
                style: self.style(),
                nodes: self.nodes(call.procs, call.ranks_per_node),
                with_costs: Some(self.signature()),
                compute: self.assumed_compute(),
                ..CollectiveRequest::of(signature, question)
            };
            if matches!(selection, Selection::BestAlgorithm) {
                let request = request(self.signature());
                return Ok(of_algorithm(&request.algorithm_model()?.best(&question)?));
            }
            let predict = |signature| {
                let request = request(signature);
                name.map_or_else(|| request.measured_or_fastest(), |name| request.by(name))
            };
            let reported = self.reported().map(predict).and_then(Result::ok);
            let prediction = reported.map_or_else(|| predict(self.signature()), Ok)?;
            match &prediction {
                CollectivePrediction::Forms(method) => of_form(method, &question),
                CollectivePrediction::Algorithm(by) => Ok(of_algorithm(&by.modelled)),
            }
        };
        let cost = self.cache.collective(self.id, key, compute)?;
        Ok(Some(self.at_end(cost, call, selection)?))
    }

    /// At an end of the machine's intervals, a measured time is at the same end of its own
    /// interval.
    fn at_end(
        &self,
        cost: CollectiveCost,
        call: Call,
        selection: Selection,
    ) -> Result<CollectiveCost, Error> {
        let Some((end, unchanged)) = self.end.zip(self.skew_of.as_ref()) else { return Ok(cost) };
        let usual = unchanged.collective(call, selection)?;
        let Some((usual, [low, high])) = usual.and_then(|usual| Some((usual, usual.bounds?)))
        else {
            return Ok(cost);
        };
        let factor = match end {
            IntervalEnd::Low => low,
            IntervalEnd::High => high,
        };
        Ok(CollectiveCost { parts: usual.parts.times(factor), ..usual })
    }

    /// The algorithm that simulates an operation. The algorithm of a measured time is unknown; then
    /// the best one is used.
    pub(super) fn algorithm(
        &self,
        call: Call,
        selection: Selection,
    ) -> Result<&'static Algorithm, Error> {
        let ConcreteAction::Collective { op, .. } = call.action else {
            return Err(PlanError::NotCollective.into());
        };
        let cost = match self.collective(call, selection)? {
            Some(cost) if cost.from.is_of_algorithm() => Some(cost),
            _ => self.collective(call, Selection::BestAlgorithm)?,
        };
        named(*op, cost.ok_or(PlanError::NotCollective)?.by)
    }
}

impl Deployment<'_> {
    pub(super) fn call<'w>(&self, action: &'w ConcreteAction) -> Call<'w> {
        Call { procs: self.procs, ranks_per_node: self.ranks_per_node, action }
    }

    /// Parts of a collective operation that overlaps with computation.
    pub(super) fn overlapped(&self, parts: Breakdown, during: Micros) -> Breakdown {
        // Its calls need the CPU. With dependent progress, only the messages of the first round are
        // in flight during the computation.
        let alone = parts.total();
        let in_flight = alone - parts.overhead - parts.compute;
        let hidden = match self.machine.has_independent_progress() {
            true => in_flight,
            false => in_flight / rounds_of_exchange(self.procs, 1) as f64,
        };
        let hidden = hidden.min(during.0);
        let left = if alone > 0.0 { (alone - hidden) / alone } else { 1.0 };
        let parts = parts.times(left);
        Breakdown { compute: parts.compute + during.0, ..parts }
    }
}

/// The cost by a closed form, split into startup and bytes.
fn of_form(method: &CollectiveMethod, question: &Question) -> Result<CollectiveCost, Error> {
    let total = method
        .time()
        .filter(|time| time.0.is_finite() && time.0 >= 0.0)
        .ok_or(PlanError::NoCollectiveTime { op: question.op, procs: question.procs })?;
    let of = |share: Option<Micros>| share.map_or(0.0, |time| time.0);
    let mut parts = Breakdown {
        latency: of(method.share(|cost| cost.startup)),
        bytes: of(method.share(|cost| cost.transmission)),
        compute: of(method.share(|cost| cost.compute)),
        ..Breakdown::default()
    };
    parts.latency += total.0 - parts.total();
    let from = match method.basis() {
        Basis::Measured => CostBasis::Measured,
        Basis::Interpolated => CostBasis::Interpolated,
        Basis::Scaled => CostBasis::Scaled,
        Basis::Extrapolated => CostBasis::Extrapolated,
        Basis::Modelled => CostBasis::Fitted,
        Basis::Published => CostBasis::Published,
    };
    let interval = method.total().filter(|all| method.basis().is_of_table() && all.value.0 > 0.0);
    let bounds = interval.map(|all| [all.low, all.high].map(|end| end.0 / all.value.0));
    Ok(CollectiveCost { parts, by: method.name, from, bounds })
}

fn of_algorithm(modelled: &Modelled) -> CollectiveCost {
    let mut parts = Breakdown::default();
    for term in &modelled.terms {
        let part = match term.symbol {
            "L" => &mut parts.latency,
            "G" | "1/R_N" => &mut parts.bytes,
            "g" => &mut parts.gap,
            "t_c" | "computation" => &mut parts.compute,
            _ => &mut parts.overhead,
        };
        *part += term.time.0;
    }
    let from = match modelled.by {
        By::Estimate => CostBasis::Estimate,
        By::ClosedForm | By::Run => CostBasis::Algorithm,
    };
    let parts = parts.up_to(modelled.time.value.0);
    CollectiveCost { parts, by: modelled.algorithm.name, from, bounds: None }
}

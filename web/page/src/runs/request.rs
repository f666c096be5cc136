//! Requests to the worker about a run.

use crate::machines::Machine;
use crate::state::Page;
use loggia_link::state::{FIRST_RANKS, Inputs, View};
use loggia_model::json::to_json;
use loggia_model::model::Route;
use loggia_model::signature::{Operation, Signature};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Micros, Procs};
use loggia_simulate::Parameter;
use loggia_simulate::collective::algorithms;
use loggia_worker::{Query, Request, RunRequest, RunSource, Scenario};

/// Default operation of a run.
const FIRST_OP: Operation = Operation::Allreduce;

pub(crate) fn operation(page: &Page) -> Operation {
    page.inputs.op.unwrap_or(FIRST_OP)
}

pub(crate) fn procs(page: &Page) -> Procs {
    page.inputs.procs.unwrap_or(FIRST_RANKS)
}

/// The algorithm; by default the first of the operation.
pub(crate) fn algorithm(page: &Page) -> String {
    let first = || algorithms(operation(page)).first().map(|algorithm| algorithm.name.to_owned());
    page.inputs.algorithm.clone().or_else(first).unwrap_or_default()
}

/// The chosen simulation model, or the richest possible.
pub(crate) fn rules(page: &Page, route: &Route) -> Option<SimulationModel> {
    page.inputs.rules.or_else(|| SimulationModel::richest(route).ok())
}

/// Whether the run is of a traced program.
pub(crate) fn is_replay(page: &Page) -> bool {
    page.view == View::Replay
}

/// A signature as JSON. Only traced programs need the samples: they identify the algorithms of the
/// library's collective operations.
pub(crate) fn text_of(machine: &Machine, page: &Page) -> String {
    match is_replay(page) {
        true => to_json(machine),
        false => to_json(&Signature { samples: Vec::new(), ..(**machine).clone() }),
    }
}

/// The run on a machine, given as JSON.
pub(crate) fn question(page: &Page, signature: String) -> RunRequest {
    let runs = match page.program {
        Some(_) => RunSource::File,
        None => RunSource::Algorithm {
            op: operation(page),
            algorithm: algorithm(page),
            procs: procs(page),
            bytes: page.bytes(),
        },
    };
    let inputs = page.inputs.clone();
    let changed = match is_replay(page) {
        true => Scenario {
            machine: inputs.what_if(),
            compute: inputs.scale_compute.unwrap_or(1.0),
            nodes: inputs.nodes.clone(),
        },
        false => Scenario { nodes: inputs.nodes.clone(), ..Scenario::default() },
    };
    let Inputs { tier, style, rules, .. } = inputs;
    RunRequest { runs, signature, tier, style, rules, changed }
}

/// The request as JSON.
pub(crate) fn request(question: &RunRequest, query: &Query) -> Request {
    Request::Run { question: Box::new(question.clone()), want: query.clone() }
}

/// Maximum number of bars in the plot of ranks' times.
const MAX_BARS: u32 = 96;

/// Queries of every run, in this order; `others` are compared machines as JSON.
pub(crate) fn queries(page: &Page, others: Vec<String>) -> Vec<Query> {
    if is_replay(page) {
        return vec![Query::Path, Query::Split(MAX_BARS), Query::Sensitivity];
    }
    let mut queries = vec![Query::Split(MAX_BARS), Query::Path, Query::Sensitivity];
    queries.extend(range(page, Parameter::Latency).map(|to| Query::Curve(Parameter::Latency, to)));
    queries.extend(
        range(page, Parameter::GapPerByte).map(|to| Query::Curve(Parameter::GapPerByte, to)),
    );
    if !others.is_empty() {
        queries.push(Query::OtherMachine(others));
    }
    queries
}

/// The parameter's value on a machine; per-byte ones for one byte.
pub(crate) fn value(machine: &Machine, page: &Page, parameter: Parameter) -> Option<Micros> {
    let Inputs { tier, style, .. } = &page.inputs;
    let route = Route::of(machine, tier.as_deref(), style.as_deref()).ok()?;
    match parameter {
        Parameter::Latency => route.latency().map(|latency| latency.value),
        Parameter::GapPerByte => route.gap_per_byte().map(|gap| gap.value.of(1.0)),
        _ => None,
    }
}

/// The range of a curve: twice the published value, or a round value above the current one.
pub(crate) fn range(page: &Page, parameter: Parameter) -> Option<Micros> {
    let now = value(&page.machine, page, parameter)?;
    let before = value(&page.original, page, parameter);
    Some(crate::draw::moments::round_up(now.max(before.unwrap_or(now) * 2.0)))
}

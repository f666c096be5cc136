//! Requests to the worker about plans.

use crate::comparison::all;
use crate::machines::Machine;
use crate::state::Page;
use loggia_model::Error;
use loggia_model::json::to_json;
use loggia_model::model::Route;
use loggia_model::ranks::ranks;
use loggia_model::signature::{Samples, Signature};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::Procs;
use loggia_model::what_if::WhatIf;
use loggia_worker::{Extent, Planning, Request};

/// The inputs of a plan.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Question {
    sketch: String,
    ranks: String,
    places: Vec<Place>,
    rules: Option<SimulationModel>,
    what_if: WhatIf,
}

/// A machine with tier and send mode.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    signature: String,
    tier: Option<String>,
    style: Option<String>,
}

/// Index of the machine, and part of the plan.
pub(super) type Query = (usize, Extent);

/// A machine and its JSON, serialised once.
pub(super) type MachineText = (Machine, String);

/// The machines of the plan, the selected one first; known ones are not serialised again.
pub(super) fn machines(page: &Page, known: &[MachineText]) -> Vec<MachineText> {
    let shown = match page.inputs.machines {
        true => all(page).into_iter().map(|shown| shown.machine).collect(),
        false => vec![page.machine.clone()],
    };
    let with_text = |machine: Machine| {
        let text = known.iter().find(|(other, _)| *other == machine).map(|(_, text)| text.clone());
        let text = text.unwrap_or_else(|| text_of(&machine));
        (machine, text)
    };
    shown.into_iter().map(with_text).collect()
}

/// A signature as JSON. Samples are reduced to their numbers of ranks.
fn text_of(machine: &Machine) -> String {
    let most = machine.samples.iter().filter(|one| one.procs.is_some()).max_by_key(|one| one.procs);
    let samples =
        most.map(|most| Samples { times: Vec::new(), rounds: Vec::new(), ..most.clone() });
    let samples = samples.into_iter().collect();
    to_json(&Signature { samples, ..(**machine).clone() })
}

/// The inputs for these machines.
pub(super) fn question(page: &Page, machines: &[MachineText]) -> Question {
    let inputs = &page.inputs;
    let place = |(machine, text): &MachineText| {
        let tier = inputs.tier.clone().filter(|tier| machine.tier(Some(tier)).is_ok());
        let has = |style: &String| Route::of(machine, tier.as_deref(), Some(style)).is_ok();
        let style = inputs.style.clone().filter(has);
        Place { signature: text.clone(), tier, style }
    };
    Question {
        sketch: page.sketch().to_owned(),
        ranks: page.ranks().to_owned(),
        places: machines.iter().map(place).collect(),
        rules: inputs.rules,
        what_if: inputs.what_if(),
    }
}

/// Numbers of ranks.
pub(super) fn procs(page: &Page) -> Result<Vec<Procs>, Error> {
    ranks(page.ranks())
}

/// Immediate requests: analytic sums on each machine.
pub(super) fn immediate_queries(question: &Question) -> Vec<Query> {
    (0..question.places.len()).map(|machine| (machine, Extent::Sums)).collect()
}

/// Requests after the delay: whole plans, one number of ranks at a time.
pub(super) fn delayed_queries(machines: usize, points: usize) -> Vec<Query> {
    let bits = || (0..points).map(Extent::Point).chain([Extent::Whole]);
    (0..machines).flat_map(|machine| bits().map(move |bit| (machine, bit))).collect()
}

/// The request to the worker.
pub(super) fn request(question: &Question, (machine, extent): &Query) -> Request {
    let place = question.places.get(*machine).cloned();
    let Place { signature, tier, style } =
        place.unwrap_or(Place { signature: String::new(), tier: None, style: None });
    let planning = Planning {
        sketch: question.sketch.clone(),
        ranks: question.ranks.clone(),
        signature,
        tier,
        style,
        rules: question.rules,
        what_if: question.what_if,
    };
    Request::Plan(Box::new(planning), *extent)
}

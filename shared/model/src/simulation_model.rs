//! Simulation models for schedules.

use crate::Error;
use crate::error::Input;
use crate::model::{Model, Need, Route};
use serde::{Deserialize, Serialize};

/// A simulation model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SimulationModel {
    /// Exactly as in LogGOPSim: see `loggia_schedule::loggops`.
    LogGops,
    /// LogP.
    LogP,
    /// LogGP.
    LogGp,
    /// LogGPS: LogGP with a handshake above S.
    LogGps,
    /// LogGPO: see `loggia_schedule::loggpo`.
    LogGpo,
}

impl SimulationModel {
    /// All simulation models, the richest first.
    pub const ALL: [SimulationModel; 5] = [
        SimulationModel::LogGpo,
        SimulationModel::LogGps,
        SimulationModel::LogGp,
        SimulationModel::LogP,
        SimulationModel::LogGops,
    ];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        self.model().map_or("loggops", Model::name)
    }

    /// The name as papers write it.
    pub fn title(self) -> &'static str {
        self.model().map_or("LogGOPS", Model::title)
    }

    /// The simulation model with this name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let spelled = name.trim().to_ascii_lowercase();
        SimulationModel::ALL.into_iter().find(|rules| rules.name() == spelled).ok_or_else(|| {
            Error::unknown(
                "rules",
                name,
                Input::Rules,
                SimulationModel::ALL.map(SimulationModel::name),
            )
        })
    }

    /// The corresponding model of one message.
    pub fn model(self) -> Option<Model> {
        match self {
            SimulationModel::LogGops => None,
            SimulationModel::LogP => Some(Model::LogP),
            SimulationModel::LogGp => Some(Model::LogGp),
            SimulationModel::LogGps => Some(Model::LogGps),
            SimulationModel::LogGpo => Some(Model::LogGpo),
        }
    }

    /// The richest simulation model whose parameters a route has.
    pub fn richest(route: &Route) -> Result<Self, Error> {
        let possible =
            |rules: &SimulationModel| rules.model().is_some_and(|model| model.is_possible(route));
        SimulationModel::ALL.into_iter().find(possible).ok_or_else(|| {
            let needs = [Need::Latency, Need::SendOverhead, Need::RecvOverhead];
            let missing: Vec<Need> = needs.into_iter().filter(|need| !route.has(*need)).collect();
            route.lacks("running a schedule", &missing)
        })
    }

    /// A warning if only some parameters of LogGPO are known.
    pub fn remark(self, route: &Route) -> Option<String> {
        let begun =
            route.tier.progress.as_ref().is_some_and(|progress| {
                progress.kind.is_some() || progress.control_overhead.is_some()
            });
        let whole = Model::LogGpo.is_possible(route);
        (begun && !whole && self != SimulationModel::LogGpo)
            .then(|| route.missing(Model::LogGpo).message)
    }
}

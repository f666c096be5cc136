//! The program of a simulation: a GOAL file, or an algorithm's schedule.

use super::RunSetting;
use super::loggp_costs::{LogGpCosts, operator_time};
use super::setting::ParameterSource;
use crate::collective::{Algorithm, Shape};
use loggia_model::Error;
use loggia_model::model::collective as published;
use loggia_model::model::collective::check_procs;
use loggia_model::placement::Nodes;
use loggia_model::signature::{Collective, Operation, Signature};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::words::size;
use loggia_model::units::{Bytes, Micros, MicrosPerByte, Procs};
use loggia_schedule::goal;
use loggia_schedule::schedule::Schedule;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The program of a simulation.
#[derive(Clone, Debug)]
pub struct Program {
    /// File name, or a description.
    pub name: String,
    pub schedule: Schedule,
    /// Placement of ranks, if known.
    pub nodes: Option<Nodes>,
    /// Warnings of the reader.
    pub warnings: Vec<String>,
    collective: Option<CollectiveSchedule>,
}

/// The parameters of an algorithm's schedule.
#[derive(Clone, Copy, Debug)]
pub struct CollectiveSchedule {
    algorithm: &'static Algorithm,
    procs: Procs,
    bytes: Bytes,
    root: u32,
    segment: Option<Bytes>,
    per_byte: MicrosPerByte,
}

/// The closed form of a simulated algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClosedForm {
    /// Completion time.
    pub time_us: Micros,
    pub formula: Cow<'static, str>,
    /// Whether the time is exact.
    pub exact: bool,
    /// Range in which the form is exact.
    pub range: Cow<'static, str>,
}

/// t_c of the signature's closed form of the operation; 0 if it has none.
pub fn reported_compute(
    signature: Option<&Signature>,
    op: Operation,
    procs: Procs,
) -> MicrosPerByte {
    let form = signature.and_then(|signature| signature.collective(op));
    // Arithmetic depends little on p, so one measured p suffices.
    let at = |form: &Collective| match form.is_known_at(procs) {
        true => procs,
        false => form.procs.low,
    };
    let one_byte = form.and_then(|form| published::cost(form, at(form), 1.0).compute);
    MicrosPerByte(one_byte.map_or(0.0, |time| time.0))
}

impl Program {
    /// Reads a GOAL file.
    pub fn from_goal(name: &str, bytes: &[u8]) -> Result<Self, Error> {
        let (schedule, warnings) = goal::read(bytes).map_err(|error| error.in_file(name))?;
        let warnings = warnings.into_iter().map(|warning| format!("{name}:{warning}")).collect();
        Ok(Program { name: name.to_owned(), schedule, nodes: None, warnings, collective: None })
    }

    /// The closed form, if the simulation model is LogGP with one tier.
    pub fn closed_form(&self, rules: SimulationModel, setting: &RunSetting) -> Option<ClosedForm> {
        let collective = self.collective.as_ref()?;
        let (SimulationModel::LogGp, None, ParameterSource::Route(route)) =
            (rules, setting.inside, setting.between)
        else {
            return None;
        };
        let costs = LogGpCosts::new(route, collective.per_byte).ok()?;
        let form =
            collective.algorithm.form(&collective.shape(self.nodes.as_ref()), &costs).ok()?;
        let time_us = Micros(form.time as f64 / 1e6);
        let (formula, range) = (form.formula.into(), form.range.into());
        Some(ClosedForm { time_us, formula, exact: form.exact, range })
    }
}

impl CollectiveSchedule {
    /// With root 0 and t_c = 0. Bytes are counted as the operation counts them.
    pub fn new(algorithm: &'static Algorithm, procs: Procs, bytes: Bytes) -> Result<Self, Error> {
        check_procs(procs)?;
        let per_byte = MicrosPerByte(0.0);
        Ok(CollectiveSchedule { algorithm, procs, bytes, root: 0, segment: None, per_byte })
    }

    /// Sets the root and the segment size.
    #[must_use]
    pub fn from(self, root: u32, segment: Option<Bytes>) -> Self {
        CollectiveSchedule { root, segment, ..self }
    }

    /// Sets t_c; by default that of the signature.
    #[must_use]
    pub fn with_operator_time(
        self,
        given: Option<MicrosPerByte>,
        signature: Option<&Signature>,
    ) -> Self {
        let reported = || reported_compute(signature, self.algorithm.op, self.procs);
        CollectiveSchedule { per_byte: given.unwrap_or_else(reported), ..self }
    }

    /// The schedule, with its name.
    pub fn program(self, nodes: Option<Nodes>) -> Result<Program, Error> {
        let shape = self.shape(nodes.as_ref());
        let schedule = self.algorithm.schedule(&shape, &|k| operator_time(self.per_byte, k))?;
        let op = self.algorithm.op;
        let counted = match op {
            Operation::Barrier => "in every message",
            op => op.bytes_are().words(),
        };
        let (ranks, bytes) = (self.procs.0, size(self.bytes));
        let name =
            format!("{} {}, {ranks} ranks, {bytes} {counted}", op.name(), self.algorithm.name);
        let warnings = self.ignored(&shape).collect();
        Ok(Program { name, schedule, nodes, warnings, collective: Some(self) })
    }

    /// Warnings about settings without effect.
    fn ignored(&self, shape: &Shape) -> impl Iterator<Item = String> {
        let (op, algorithm) = (self.algorithm.op.name(), self.algorithm.name);
        let no_root = self.root != 0 && !self.algorithm.has_root();
        let no_segments = self.segment.is_some() && !self.algorithm.has_segments(shape);
        let warnings = [
            no_root.then(|| format!("{op} has no root: the given root is ignored")),
            no_segments
                .then(|| format!("{algorithm} has no segments: the segment size is ignored")),
        ];
        warnings.into_iter().flatten()
    }

    /// Refuses a simulation that needs more than the free memory, before any is taken.
    ///
    /// # Errors
    /// If the free memory is too small, or if a schedule cannot hold the operations.
    pub fn check_memory(&self, free: Option<Bytes>) -> Result<(), Error> {
        let operator_time = |k| operator_time(self.per_byte, k);
        self.algorithm.check_size(&self.shape(None), &operator_time, free)?;
        Ok(())
    }

    fn shape<'a>(&self, nodes: Option<&'a Nodes>) -> Shape<'a> {
        let mut shape = Shape::new(self.procs, self.bytes).root(self.root);
        if let Some(segment) = self.segment {
            shape = shape.segment(segment);
        }
        match nodes {
            Some(nodes) => shape.nodes(nodes),
            None => shape,
        }
    }
}

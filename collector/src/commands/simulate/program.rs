//! What is run: a GOAL file, or an algorithm's schedule.

use crate::cli::{Generated, Simulate};
use crate::source;
use loggia_engine::schedule::Schedule;
use loggia_model::collective::{self, Algorithm, Nodes, Shape};
use loggia_model::model::collective::check_procs;
use loggia_model::signature::Operation;
use loggia_model::simulate::ask::reported_compute;
use loggia_model::simulate::costs::Line;
use loggia_model::simulate::loggp::{LogGpCosts, combining};
use loggia_model::simulate::{Rules, Setting};
use loggia_model::units::words::size;
use loggia_model::units::{Micros, MicrosPerByte, Procs};
use loggia_model::{Error, Signature, goal};
use serde::Serialize;

/// What is run.
pub(super) struct Program {
    pub(super) name: String,
    pub(super) schedule: Schedule,
    pub(super) nodes: Option<Nodes>,
    pub(super) warnings: Vec<String>,
    generated: Option<Made>,
}

/// How a schedule was made.
struct Made {
    algorithm: &'static Algorithm,
    procs: Procs,
    per_byte: MicrosPerByte,
    args: (loggia_model::units::Bytes, u32, Option<loggia_model::units::Bytes>),
}

/// What the algorithm's closed form says, beside the run.
#[derive(Serialize)]
pub(super) struct ClosedForm {
    pub(super) time_us: Micros,
    pub(super) formula: &'static str,
    pub(super) exact: bool,
    pub(super) range: &'static str,
}

impl Program {
    /// From a GOAL file.
    pub(super) fn from_file(path: &str, args: &Simulate) -> Result<Self, Error> {
        let bytes = source::schedule(path)?;
        let (schedule, warnings) = goal::read(&bytes).map_err(|error| error.in_file(path))?;
        drop(bytes);
        let nodes =
            args.nodes.as_deref().map(|text| Nodes::parse(text, schedule.ranks())).transpose()?;
        let warnings = warnings.into_iter().map(|warning| format!("{path}:{warning}")).collect();
        Ok(Program { name: path.to_owned(), schedule, nodes, warnings, generated: None })
    }

    /// From an algorithm. Combining costs what the option says, or else the signature.
    pub(super) fn generated(
        args: &Simulate,
        signature: Option<&Signature>,
    ) -> Result<Option<Self>, Error> {
        let Generated { op: Some(op), algorithm: Some(name), procs: Some(procs), .. } =
            &args.generated
        else {
            return Ok(None);
        };
        let (op, procs) = (*op, *procs);
        check_procs(procs)?;
        let algorithm = collective::named(op, name)?;
        let nodes = args.nodes.as_deref().map(|text| Nodes::parse(text, procs.0)).transpose()?;
        let reported = || reported_compute(signature, op, procs);
        let per_byte = args.generated.compute.unwrap_or_else(reported);
        let Generated { bytes, root, segment, .. } = args.generated;
        let made = Made { algorithm, procs, per_byte, args: (bytes, root, segment) };
        let schedule =
            algorithm.schedule(&made.shape(nodes.as_ref()), &|k| combining(per_byte, k))?;
        let counted = match op {
            Operation::Barrier => "in every message",
            op => op.bytes_are().words(),
        };
        let (ranks, bytes) = (procs.0, size(bytes));
        let name = format!("{} {}, {ranks} ranks, {bytes} {counted}", op.name(), algorithm.name);
        Ok(Some(Program { name, schedule, nodes, warnings: Vec::new(), generated: Some(made) }))
    }

    /// What the closed form says, where the run is LogGP's on one tier.
    pub(super) fn closed_form(&self, rules: Rules, setting: &Setting) -> Option<ClosedForm> {
        let made = self.generated.as_ref()?;
        let (Rules::LogGp, None, Line::Route(route)) = (rules, setting.inside, setting.between)
        else {
            return None;
        };
        let costs = LogGpCosts::new(route, made.per_byte).ok()?;
        let form = made.algorithm.form(&made.shape(self.nodes.as_ref()), &costs).ok()?;
        let time_us = Micros(form.time as f64 / 1e6);
        Some(ClosedForm { time_us, formula: form.formula, exact: form.exact, range: form.range })
    }
}

impl Made {
    fn shape<'a>(&self, nodes: Option<&'a Nodes>) -> Shape<'a> {
        let (bytes, root, segment) = self.args;
        let mut shape = Shape::new(self.procs, bytes).root(root);
        if let Some(segment) = segment {
            shape = shape.segment(segment);
        }
        match nodes {
            Some(nodes) => shape.nodes(nodes),
            None => shape,
        }
    }
}

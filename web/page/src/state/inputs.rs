//! Inputs of the page, and their defaults.

use super::Page;
use loggia_link::state::{FIRST_PROCS, FIRST_SIZE, Inputs};
use loggia_model::Error;
use loggia_model::model::messages::{Demand, MEASURED_WITH};
use loggia_model::model::{Model, Route};
use loggia_model::ranks::USUAL;
use loggia_model::signature::{Collective, Operation};
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_plan::sketch::EXAMPLES;

/// Default number of messages, and default computation per message.
const FIRST_COUNT: u64 = 100;
const FIRST_COMPUTE: Micros = Micros(10.0);

impl Page {
    /// The message size. Default: 1 KiB, or the only size with a time if G is unknown.
    pub(crate) fn bytes(&self) -> Bytes {
        let has_one_size =
            |route: Route| route.end_to_end_latency().is_some() && route.gap_per_byte().is_none();
        let first = || match self.route().is_ok_and(has_one_size) {
            true => MEASURED_WITH,
            false => FIRST_SIZE,
        };
        self.inputs.bytes.unwrap_or_else(first)
    }

    /// The selected demand of many messages.
    pub(crate) fn demand(&self) -> Demand {
        let Inputs { count, compute, depth, .. } = self.inputs;
        Demand {
            messages: count.unwrap_or(FIRST_COUNT),
            bytes: self.bytes(),
            compute: compute.unwrap_or(FIRST_COMPUTE),
            depth,
        }
    }

    /// Whether the page was opened with inputs for many messages, and none for one.
    pub(crate) fn opens_on_messages(&self) -> bool {
        let Inputs { send_at, recv_at, send_compute, recv_compute, figure, .. } = &self.inputs;
        let moments = [send_at, recv_at, send_compute, recv_compute];
        let is_of_one = moments.into_iter().any(Option::is_some);
        let is_as_opened = self.changes == 0 || self.inputs.lesson.is_some();
        is_as_opened && self.inputs.has_message_inputs() && !is_of_one && figure.is_none()
    }

    /// The sketch. Default: an example.
    pub(crate) fn sketch(&self) -> &str {
        self.inputs.sketch.as_deref().unwrap_or(EXAMPLES[0].1)
    }

    /// Numbers of ranks, as typed.
    pub(crate) fn ranks(&self) -> &str {
        self.inputs.ranks.as_deref().unwrap_or(USUAL)
    }

    /// Whether any answer depends on the message size.
    pub(crate) fn depends_on_size(&self) -> bool {
        let has_model = self.route().is_ok_and(|route| Model::richest(&route).is_some());
        has_model || self.route().is_err() || !self.machine.collectives.is_empty()
    }

    /// The route between two processes.
    pub(crate) fn route(&self) -> Result<Route<'_>, Error> {
        Route::of(&self.machine, self.inputs.tier.as_deref(), self.inputs.style.as_deref())
    }

    /// The collective operation. Default: total exchange, the most expensive one.
    pub(crate) fn operation(&self) -> Option<Operation> {
        let has = |op: &Operation| self.machine.collective(*op).is_some();
        let first = || self.machine.collectives.first().map(|form| form.op);
        self.inputs.op.or_else(|| Some(Operation::Alltoall).filter(has)).or_else(first)
    }

    /// The number of processes, whether or not the operation has a closed form.
    pub(crate) fn procs_of(&self, op: Operation) -> Procs {
        let usual = self.inputs.procs.unwrap_or(FIRST_PROCS);
        self.machine.collective(op).map_or(usual, |form| self.procs(form))
    }

    /// The number of processes. Default: within the range of the closed form.
    pub(crate) fn procs(&self, form: &Collective) -> Procs {
        let usual = FIRST_PROCS.min(form.procs.high).max(form.procs.low);
        self.inputs.procs.unwrap_or(usual)
    }
}

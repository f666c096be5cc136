//! LogGP costs of a signature, for the closed forms of algorithms.

use super::Ticks;
use super::costs::{add, message_cost};
use crate::collective;
use loggia_model::Error;
use loggia_model::model::message::Message;
use loggia_model::model::{Model, Route, Warning};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Interval, IntervalEnd, Micros, MicrosPerByte};
use std::cell::RefCell;

/// LogGP costs of a route.
#[derive(Clone, Debug)]
pub struct LogGpCosts<'a> {
    route: Route<'a>,
    /// The model of a single message; by default LogGP, or the measured time.
    message_model: Option<Model>,
    /// The end of each interval; `None` for its value.
    end: Option<IntervalEnd>,
    compute: MicrosPerByte,
    /// Warnings about the messages so far.
    warnings: RefCell<Vec<Warning>>,
}

impl<'a> LogGpCosts<'a> {
    /// The costs of a route, with this t_c.
    pub fn new(route: Route<'a>, compute: MicrosPerByte) -> Result<Self, Error> {
        LogGpCosts::at(route, compute, None)
    }

    /// The costs with every parameter at this end of its interval.
    pub fn at(
        route: Route<'a>,
        compute: MicrosPerByte,
        end: Option<IntervalEnd>,
    ) -> Result<Self, Error> {
        // Fails now if a parameter is unknown; later look-ups then succeed.
        message_cost(&route, SimulationModel::LogGp, false, Bytes(1), &mut Vec::new())?;
        Ok(LogGpCosts { route, message_model: None, end, compute, warnings: RefCell::default() })
    }

    /// Sets another model for a single message, such as a model with a handshake.
    #[must_use]
    pub(super) fn with_message_model(self, model: Option<Model>) -> Self {
        LogGpCosts { message_model: model.filter(|model| *model != Model::LogGp), ..self }
    }

    /// Warnings about the messages whose costs were used, such as values outside a curve.
    pub(super) fn warnings(self) -> Vec<Warning> {
        self.warnings.into_inner()
    }

    fn message(&self, bytes: Bytes) -> Option<Message> {
        let message = Message::of(&self.route, bytes)?;
        for warning in &message.warnings {
            add(&mut self.warnings.borrow_mut(), warning.clone());
        }
        let message_model = self.message_model.filter(|_| message.reading.is_none());
        let time = message_model.and_then(|model| model.predict(&self.route, bytes).ok()?.time());
        Some(match time {
            Some(time) => message.taking(time),
            None => message,
        })
    }

    fn ticks(&self, time: Option<Interval<Micros>>) -> u64 {
        let time = time.map(|time| time.at(self.end));
        time.map_or(0, |time| Ticks::Picoseconds.of(time).unwrap_or(u64::MAX))
    }
}

impl LogGpCosts<'_> {
    fn of_message(&self, bytes: u64, part: impl Fn(&Message) -> Interval<Micros>) -> u64 {
        self.ticks(self.message(Bytes(bytes)).as_ref().map(part))
    }
}

impl collective::Costs for LogGpCosts<'_> {
    fn send(&self, bytes: u64) -> u64 {
        self.of_message(bytes, |message| message.send)
    }

    fn recv(&self, bytes: u64) -> u64 {
        self.of_message(bytes, |message| message.recv)
    }

    fn latency(&self, bytes: u64) -> u64 {
        self.of_message(bytes, |message| message.latency)
    }

    fn gap(&self) -> u64 {
        self.ticks(self.route.gap())
    }

    fn bytes(&self, bytes: u64) -> u64 {
        self.of_message(bytes, |message| message.bytes)
    }

    fn compute(&self, bytes: u64) -> u64 {
        operator_time(self.compute, bytes)
    }
}

/// Time of the reduction operator, in ps; saturates.
pub fn operator_time(per_byte: MicrosPerByte, bytes: u64) -> u64 {
    Ticks::Picoseconds.of(per_byte.of(bytes as f64)).unwrap_or(u64::MAX)
}

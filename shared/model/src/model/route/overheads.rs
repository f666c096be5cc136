//! O', O_i and O_c of a route.
//!
//! On a tier whose S and progress are known, unknown overheads are assumed from LogGP: O' = (o_s +
//! o_r)/2 of a small message, O_i = o_s, O_c = o_r. The progress matters more: if messages wait for
//! a call into the library, computation delays them by far more than an overhead.

use super::super::{CONTROL, Need, Route, Warning};
use crate::signature::At;
use crate::units::{Bytes, Interval, Micros};

/// The warning if an overhead is assumed.
const ASSUMED: Warning =
    Warning::Remark("O', O_i or O_c is unknown; assumed from o_s and o_r, as progress is known");

/// The overheads of a message.
pub(crate) struct Overheads {
    /// O'
    pub(crate) control: Interval<Micros>,
    /// O_i
    pub(crate) initiation: At,
    /// O_c
    pub(crate) copy: At,
    /// The warning if one of them is assumed.
    pub(crate) assumed: Option<Warning>,
}

impl Overheads {
    pub(crate) fn of(route: &Route, bytes: Bytes) -> Option<Self> {
        let assumed = route.assumed_overheads();
        let can_assume = assumed.is_some();
        let control = || route.mean_overhead().filter(|_| can_assume);
        let initiation = || route.send_overhead(bytes).filter(|_| can_assume);
        let copy = || route.recv_overhead(bytes).filter(|_| can_assume);
        Some(Overheads {
            control: route.control_overhead().or_else(control)?,
            initiation: route.initiation(bytes).or_else(initiation)?,
            copy: route.copy(bytes).or_else(copy)?,
            assumed,
        })
    }
}

impl Route<'_> {
    /// O' is sent at cost o_s and received at cost o_r, so it is their mean.
    pub(crate) fn mean_overhead(&self) -> Option<Interval<Micros>> {
        let both = self.send_overhead(CONTROL)?.time + self.recv_overhead(CONTROL)?.time;
        Some(both.map(|time| time * 0.5))
    }

    /// The warning if an overhead of LogGPO is unknown and assumed.
    pub fn assumed_overheads(&self) -> Option<Warning> {
        let all = [Need::ControlOverhead, Need::Initiation, Need::Copy];
        all.into_iter().any(|need| self.is_assumed(need)).then_some(ASSUMED)
    }

    /// Whether this overhead of LogGPO is unknown and assumed.
    pub(super) fn is_assumed(&self, need: Need) -> bool {
        let is_known = match need {
            Need::ControlOverhead => self.control_overhead().is_some(),
            Need::Initiation => self.initiation(CONTROL).is_some(),
            Need::Copy => self.copy(CONTROL).is_some(),
            _ => return false,
        };
        !is_known
            && [Need::EagerLimit, Need::ProgressKind, Need::SendOverhead, Need::RecvOverhead]
                .into_iter()
                .all(|need| self.has(need))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Model;
    use super::*;
    use crate::library;

    /// Eager messages take the time of LogGP; rendezvous messages shake hands.
    #[test]
    fn unknown_overheads_are_those_of_loggp_if_progress_is_known() {
        let mut machine = library::load("cray-t3d").unwrap();
        for (symbol, value) in [("S", "1KiB"), ("transfer", "rat")] {
            machine.set(symbol, value).unwrap();
        }
        let route = Route::of(&machine, None, None).unwrap();
        assert!(!Model::LogGpo.is_possible(&route));
        machine.set("progress", "dcp").unwrap();
        let route = Route::of(&machine, None, None).unwrap();
        let time = |model: Model, bytes| model.predict(&route, Bytes(bytes)).unwrap();
        let [own, of_loggp] = [Model::LogGpo, Model::LogGp].map(|model| time(model, 1024));
        assert!((own.time().unwrap().0 - of_loggp.time().unwrap().0).abs() < 1e-9);
        assert!(own.warnings.contains(&ASSUMED));
        let added = time(Model::LogGpo, 1025).time().unwrap().0 - own.time().unwrap().0;
        assert!(added > 2.0 * route.latency().unwrap().value.0, "{added}");
        machine.set("O'", "2us").unwrap();
        machine.set("O_i", "30us").unwrap();
        machine.set("O_c", "20us").unwrap();
        assert_eq!(Route::of(&machine, None, None).unwrap().assumed_overheads(), None);
    }
}

//! O', O_i and O_c of a route.
//!
//! On a tier whose S and progress are known, unknown overheads are assumed from LogGP: O' = (o_s +
//! o_r)/2 of a small message, O_i = o_s, O_c = o_r. The progress matters more: if messages wait for
//! a call into the library, computation delays them by far more than an overhead.

use super::super::loggps::CONTROL;
use super::super::{Need, Route, Warning};
use crate::signature::At;
use crate::units::{Bytes, Interval, Micros};

/// The warning if an overhead is assumed.
const ASSUMED: Warning =
    Warning::Remark("O', O_i or O_c is unknown; assumed from o_s and o_r, as progress is known");

/// The overheads of a message.
pub(super) struct Overheads {
    /// O'
    pub(super) control: Interval<Micros>,
    /// O_i
    pub(super) initiation: At,
    /// O_c
    pub(super) copy: At,
    /// The warning if one of them is assumed.
    pub(super) assumed: Option<Warning>,
}

impl Overheads {
    pub(super) fn of(route: &Route, bytes: Bytes) -> Option<Self> {
        let assumed = assumed_overheads(route);
        let can_assume = assumed.is_some();
        let control = || mean_overhead(route).filter(|_| can_assume);
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

/// O' is sent at cost o_s and received at cost o_r, so it is their mean.
pub(super) fn mean_overhead(route: &Route) -> Option<Interval<Micros>> {
    let both = route.send_overhead(CONTROL)?.time + route.recv_overhead(CONTROL)?.time;
    Some(both.map(|time| time * 0.5))
}

/// The warning if an overhead is unknown and assumed.
pub fn assumed_overheads(route: &Route) -> Option<Warning> {
    let is_known = route.control_overhead().is_some()
        && route.initiation(CONTROL).is_some()
        && route.copy(CONTROL).is_some();
    (!is_known && can_assume(route)).then_some(ASSUMED)
}

/// Whether unknown overheads can be assumed.
pub(in super::super) fn can_assume(route: &Route) -> bool {
    [Need::EagerLimit, Need::ProgressKind, Need::SendOverhead, Need::RecvOverhead]
        .into_iter()
        .all(|need| route.has(need))
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
        assert_eq!(assumed_overheads(&Route::of(&machine, None, None).unwrap()), None);
    }
}

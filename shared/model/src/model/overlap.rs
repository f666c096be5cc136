//! One message between two programs that compute meanwhile, by LogGPO and by LogGP.

use super::exchange::{
    Arrivals, Costs, Exchange, MessageProtocol, Printed, exchange, overlap_ratio, printed,
};
use super::message::Message;
use super::{Model, Route, Warning, loggpo};
use crate::Error;
use crate::signature::ProgressKind;
use crate::timeline::Timeline;
use crate::units::{Bytes, Micros};

/// The programs of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Programs {
    /// T_s: start of the sender's call.
    pub send_at: Micros,
    /// T_r: start of the receiver's call.
    pub recv_at: Micros,
    /// Computation of the sender between its call and its wait.
    pub send_compute: Micros,
    /// Computation of the receiver between its call and its wait.
    pub recv_compute: Micros,
}

/// The result of an exchange.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    pub protocol: MessageProtocol,
    pub progress: ProgressKind,
    pub costs: Costs,
    pub at: Arrivals,
    /// The exchange by our forms.
    pub exchange: Exchange,
    /// The exchange by the printed forms of Chen et al. 2009, if they print the case.
    pub printed: Option<Printed>,
    /// The exchange by LogGP.
    pub by_loggp: Option<Exchange>,
    /// R_so and R_ro.
    pub ratios: [Option<f64>; 2],
    pub warnings: Vec<Warning>,
}

/// A message of this size between these programs, by LogGPO.
pub fn overlap(route: &Route, bytes: Bytes, programs: &Programs) -> Result<Overlap, Error> {
    let (costs, mut warnings) = loggpo::costs(route, bytes)?;
    let missing = || route.missing(Model::LogGpo);
    let protocol = loggpo::protocol(route, bytes).ok_or_else(missing)?;
    let reported = route.tier.progress.as_ref().and_then(|progress| progress.kind);
    let progress = reported.ok_or_else(missing)?;
    let computes = [programs.send_compute, programs.recv_compute];
    let at = Arrivals::around(protocol, &costs, [programs.send_at, programs.recv_at], computes);
    let exchange = exchange(protocol, progress, &costs, &at);
    let printed = printed(protocol, progress, &costs, &at);
    if printed.is_none() {
        warnings.push(Warning::Remark(
            "the page of Chen et al. 2009 on this case is missing: these forms are ours, in their \
             notation",
        ));
    }
    if printed.is_some_and(|printed| printed.send_wait.0 < 0.0) {
        warnings.push(Warning::Remark(
            "as printed, the forms of Chen et al. 2009 hold only where the sender waits before the \
             ACK arrives",
        ));
    }
    let ratios = [
        overlap_ratio(programs.send_compute, exchange.send),
        overlap_ratio(programs.recv_compute, exchange.recv),
    ];
    let by_loggp = by_loggp(route, bytes, programs);
    Ok(Overlap { protocol, progress, costs, at, exchange, printed, by_loggp, ratios, warnings })
}

impl Overlap {
    /// The space-time diagram.
    pub fn timeline(&self) -> Timeline {
        super::exchange::timeline(self.protocol, self.progress, &self.costs, &self.at)
    }

    /// The result with other programs.
    pub fn with(&self, programs: &Programs) -> Exchange {
        let computes = [programs.send_compute, programs.recv_compute];
        let calls = [programs.send_at, programs.recv_at];
        let at = Arrivals::around(self.protocol, &self.costs, calls, computes);
        exchange(self.protocol, self.progress, &self.costs, &at)
    }
}

/// The exchange by LogGP: only o_s and o_r occupy a processor, all else overlaps. A receiver that
/// waits early waits for the last byte. None if a parameter is unknown.
///
/// # Formula
/// arrival a = T_s + o_s + (k−1)G + L; O_s = o_s; O_r = max(0, a − T_rw) + o_r
///
/// ```
/// use loggia_model::library;
/// use loggia_model::model::{Route, overlap};
/// use loggia_model::units::{Bytes, Micros};
/// let t3d = library::load("cray-t3d")?;
/// let route = Route::of(&t3d, None, None)?;
/// let long = overlap::Programs { recv_compute: Micros(1e4), ..Default::default() };
/// let exchange = overlap::by_loggp(&route, Bytes(16), &long).unwrap();
/// assert_eq!((exchange.send, exchange.recv), (Micros(30.0), Micros(15.0)));
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn by_loggp(route: &Route, bytes: Bytes, programs: &Programs) -> Option<Exchange> {
    route.gap_per_byte()?;
    let message = Message::of(route, bytes)?;
    let (send, recv) = (message.send.value, message.recv.value);
    let transmission = message.bytes.value + message.latency.value;
    let arrives = programs.send_at + send + transmission;
    let waits = programs.recv_at + programs.recv_compute;
    let recv_wait = (arrives - waits).max(Micros(0.0)) + recv;
    let delivered = waits + recv_wait;
    Some(Exchange {
        send_wait: Micros(0.0),
        recv_wait,
        send,
        recv: recv_wait,
        cost: send + transmission + recv,
        delivered,
        sender_end: programs.send_at + send + programs.send_compute,
        receiver_end: delivered,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::model::loggp;

    #[test]
    fn loggp_without_computation_is_loggp() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        for bytes in [Bytes(0), Bytes(16), Bytes(5000), Bytes(1 << 20)] {
            let by_loggp = by_loggp(&route, bytes, &Programs::default()).unwrap();
            let expected = loggp::predict(&route, bytes).unwrap().time().unwrap();
            assert!((by_loggp.delivered.0 - expected.0).abs() < 1e-9);
            assert!((by_loggp.cost.0 - expected.0).abs() < 1e-9);
        }
    }

    #[test]
    fn assumptions_suffice_and_keep_the_time_of_eager_messages() {
        for name in library::names() {
            let mut signature = library::load(name).unwrap();
            let Ok(route) = Route::of(&signature, None, None) else { continue };
            // S is at least 4,000 bytes on every machine.
            let measured = route.measured(Bytes(4000)).map(|expected| expected.time.value);
            let by_model = loggp::predict(&route, Bytes(4000)).and_then(|expected| expected.time());
            let eager = measured.or(by_model);
            assert!(overlap(&route, Bytes(1024), &Programs::default()).is_err());
            for assumption in loggpo::assumptions(&route) {
                signature.set(assumption.symbol, &assumption.value).unwrap();
            }
            let route = Route::of(&signature, None, None).unwrap();
            for bytes in [Bytes(16), Bytes(1 << 20)] {
                assert!(overlap(&route, bytes, &Programs::default()).is_ok(), "{name}");
            }
            assert_eq!(loggpo::assumptions(&route), []);
            let Some(eager) = eager else { continue };
            let same = overlap(&route, Bytes(4000), &Programs::default()).unwrap().exchange;
            assert!((same.delivered.0 - eager.0).abs() < 1e-6 * eager.0, "{name}");
        }
    }
}

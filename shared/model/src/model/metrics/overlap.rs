//! Overlap of the overheads of a small message within its end-to-end latency (Bell et al. 2003,
//! Figure 3).
//!
//! # Formula
//! - o_s = S + V, o_r = R + V: during V both processors are busy with the message
//! - V = o_s + o_r − EEL if positive, limited to the smaller overhead
//! - free: EEL − o_s − o_r if positive

use crate::model::Route;
use crate::units::{Bytes, Micros};
use serde::Serialize;

/// The size for which EEL is reported.
const SMALL: Bytes = Bytes(8);

/// The parts of an end-to-end latency, in order of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Superimposed {
    /// EEL
    #[serde(rename = "end_to_end_us")]
    pub end_to_end: Micros,
    /// S: only the sender's processor is busy.
    #[serde(rename = "send_only_us")]
    pub send_only: Micros,
    /// V: both processors are busy.
    #[serde(rename = "both_us")]
    pub both: Micros,
    /// Neither processor is busy.
    #[serde(rename = "free_us")]
    pub free: Micros,
    /// R: only the receiver's processor is busy; none if o_r is unknown.
    #[serde(rename = "recv_only_us")]
    pub recv_only: Option<Micros>,
}

/// The overheads of a route within its EEL; none if EEL or o_s is unknown.
///
/// Bell et al. 2003, Section 5.2: "8.5 − 0.7 = 7.8 usec of potential overlap time on Myrinet/GM".
/// ```
/// use loggia_model::library;
/// use loggia_model::model::{Route, metrics};
/// let myrinet = library::load("myrinet-gm")?;
/// let parts = metrics::superimposed(&Route::of(&myrinet, None, None)?).unwrap();
/// assert_eq!((parts.end_to_end.0, parts.send_only.0, parts.both.0), (8.5, 0.7, 0.0));
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn superimposed(route: &Route) -> Option<Superimposed> {
    let end_to_end = route.end_to_end_latency()?.value;
    let send = route.send_overhead(SMALL)?.time.value;
    let recv = route.recv_overhead(SMALL).map(|recv| recv.time.value);
    let left = end_to_end - send - recv.unwrap_or_default();
    let over = Micros(-left.0).max(Micros(0.0)).0;
    let both = Micros(over.min(send.0).min(recv.unwrap_or_default().0));
    Some(Superimposed {
        end_to_end,
        send_only: send - both,
        both,
        free: left.max(Micros(0.0)),
        recv_only: recv.map(|recv| recv - both),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::signature::{Curve, Parameter};

    fn parts(end_to_end: f64, send: f64, recv: Option<f64>) -> Superimposed {
        let mut machine = library::load("myrinet-gm").unwrap();
        let tier = &mut machine.tiers[0];
        tier.end_to_end_latency = Some(Parameter::assumed(Micros(end_to_end)));
        tier.styles[0].send_overhead = Some(Curve::assumed(Micros(send)));
        tier.styles[0].recv_overhead = recv.map(|recv| Curve::assumed(Micros(recv)));
        superimposed(&Route::of(&machine, None, None).unwrap()).unwrap()
    }

    /// Bell et al. 2003, Figure 3: "the sum of the overheads is greater than EEL, and so o_s = S +
    /// V and o_r = R + V".
    #[test]
    fn overheads_that_exceed_the_latency_overlap() {
        let Superimposed { send_only, both, free, recv_only, .. } = parts(10.0, 8.0, Some(5.0));
        assert_eq!((send_only.0, both.0, free.0), (5.0, 3.0, 0.0));
        assert_eq!(recv_only, Some(Micros(2.0)));
        assert_eq!(send_only + both + Micros(2.0), Micros(10.0));
    }

    #[test]
    fn overheads_below_the_latency_leave_free_time() {
        let Superimposed { send_only, both, free, recv_only, .. } = parts(10.0, 4.0, Some(5.0));
        assert_eq!((send_only.0, both.0, free.0), (4.0, 0.0, 1.0));
        assert_eq!(recv_only, Some(Micros(5.0)));
    }

    #[test]
    fn the_overlap_is_limited_to_each_overhead() {
        let longer = parts(2.0, 8.0, Some(5.0));
        assert_eq!((longer.send_only.0, longer.both.0), (3.0, 5.0));
        assert_eq!(longer.recv_only, Some(Micros(0.0)));
        let unknown = parts(2.0, 8.0, None);
        assert_eq!((unknown.send_only.0, unknown.recv_only), (8.0, None));
    }
}

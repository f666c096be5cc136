//! A pulse: a few round trips of a small message between two measurements. The state of a machine may
//! change during a run, as when a hypervisor migrates its processors. Pulses show which measurements
//! were made in the same state.

use super::ping_pong::half_round_trip;
use super::{Pair, SMALL};
use crate::transport::Result;
use loggia_model::stats::quantile::median;

/// Duration of a pulse, in µs.
const DURATION: f64 = 25.0;

/// Minimum number of round trips.
const MIN_TRIPS: f64 = 5.0;

/// Round trips of a pulse, if RTT/2 is `end` µs. 0 on a slow network, where the state of the
/// processors does not matter.
pub fn trips(end: f64) -> u32 {
    let trips = DURATION / (2.0 * end.max(0.01));
    if trips < MIN_TRIPS { 0 } else { trips as u32 }
}

/// The median of RTT/2.
pub fn take(pair: &mut Pair, trips: u32) -> Result<f64> {
    let halves: Vec<f64> =
        (0..trips).map(|_| half_round_trip(pair, SMALL)).collect::<Result<_>>()?;
    // The first round trip includes waiting.
    Ok(median(halves.get(1..).unwrap_or_default()).unwrap_or_default())
}

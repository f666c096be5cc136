//! A pulse: a few round trips of a small message between any two measurements. A machine changes
//! its state while it is measured, as when the host of a virtual one moves its processors, and
//! pulses tell which measurements were made in the same state.

use super::ping_pong::half_round_trip;
use super::{Pair, SMALL};
use crate::transport::Result;
use loggia_model::stats::quantile::median;

/// One pulse lasts about so many µs.
const LASTS: f64 = 25.0;

/// Fewer round trips tell nothing.
const FEWEST: f64 = 5.0;

/// How many round trips make a pulse, if half of one takes so many µs. None where each takes long:
/// it is the network that takes the time then, and not the processors' state.
pub fn trips(end: f64) -> u32 {
    let trips = LASTS / (2.0 * end.max(0.01));
    if trips < FEWEST { 0 } else { trips as u32 }
}

/// The median half round trip of so many.
pub fn take(pair: &mut Pair, trips: u32) -> Result<f64> {
    let halves: Vec<f64> =
        (0..trips).map(|_| half_round_trip(pair, SMALL)).collect::<Result<_>>()?;
    // What waited before the first one is no part of it.
    Ok(median(halves.get(1..).unwrap_or_default()).unwrap_or_default())
}

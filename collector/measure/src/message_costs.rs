//! The costs of one message of a route: for the synthetic machine, and for the barrier before a
//! measurement.

use loggia_model::model::Route;
use loggia_model::signature::{At, Mode, Style, StyleName, Tier};
use loggia_model::units::Bytes;

/// Mode of a send, and whether the call blocks.
pub(crate) type Sending = (Mode, bool);

/// Size of a signal: one number.
pub(crate) const SIGNAL: Bytes = Bytes(8);

/// The send mode itself; otherwise the other blocking kind, a standard send, or the first.
pub(crate) fn style(tier: &Tier, (mode, blocking): Sending) -> Option<&Style> {
    let of = |sending: Sending| {
        let is = |name: &StyleName| name.mpi() == Some(sending);
        tier.styles.iter().find(|style| is(&style.name))
    };
    of((mode, blocking))
        .or_else(|| of((mode, !blocking)))
        .or_else(|| of((Mode::Standard, blocking)))
        .or_else(|| of((Mode::Standard, !blocking)))
        .or(tier.styles.first())
}

/// o_s; O_i if no send mode of the tier has o_s.
pub(crate) fn send_overhead(route: &Route, bytes: Bytes) -> Option<f64> {
    let of = |route: &Route| route.send_overhead(bytes);
    overhead(route, of).or_else(|| Some(route.initiation(bytes)?.time.value.0))
}

/// o_r; O_c if no send mode of the tier has o_r.
pub(crate) fn recv_overhead(route: &Route, bytes: Bytes) -> Option<f64> {
    let of = |route: &Route| route.recv_overhead(bytes);
    overhead(route, of).or_else(|| Some(route.copy(bytes)?.time.value.0))
}

fn overhead(route: &Route, of: impl Fn(&Route) -> Option<At>) -> Option<f64> {
    let other_modes = route.tier.styles.iter().map(|style| Route { style: Some(style), ..*route });
    let found = of(route).or_else(|| other_modes.into_iter().find_map(|other| of(&other)))?;
    Some(found.time.value.0)
}

/// G (m−1) and max(g, G (m−1)).
pub(crate) fn transmission(route: &Route, bytes: Bytes) -> [f64; 2] {
    let bytes = route.gap_per_byte().map_or(0.0, |gap| gap.value.of(bytes.after_the_first()).0);
    [bytes, bytes.max(route.gap().map_or(0.0, |gap| gap.value.0))]
}

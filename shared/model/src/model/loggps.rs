//! LogGPS (Ino, Fujimoto & Hagihara, 2001; `002`'s reference 9): LogGP with a protocol that
//! synchronises above the eager limit.
//!
//! # Formula
//! T = o_s + L + o_r + (k−1) G, and 2 (o_s + L + o_r) more where k > S
//! - S: the eager limit
//! - the two more are the request's and the acknowledgement's ways

use super::{Model, Need, Prediction, Route, Term, logp};
use crate::units::Bytes;

pub(super) const NEEDS: [Need; 5] =
    [Need::SendOverhead, Need::Latency, Need::RecvOverhead, Need::GapPerByte, Need::EagerLimit];

/// The time of one message; none where a parameter is missing.
pub fn predict(route: &Route, bytes: Bytes) -> Option<Prediction> {
    let eager = bytes <= route.eager_limit()?.value;
    let (mut terms, warnings) = logp::fixed_terms(route, bytes, if eager { 1.0 } else { 3.0 })?;
    terms.push(Term::new("G", bytes.after_the_first(), route.gap_per_byte_term()?));
    let symbols = if eager { "o_s + L + o_r + (k−1)G" } else { "3o_s + 3L + 3o_r + (k−1)G" };
    Some(Prediction::sum(Some(Model::LogGps), symbols, terms, warnings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::units::Micros;

    #[test]
    fn two_more_ways_above_the_eager_limit() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("S", "16").unwrap();
        t3d.set("o_s", "30").unwrap();
        t3d.set("o_r", "15").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        let time = |k| predict(&route, Bytes(k)).unwrap().time().unwrap();
        assert_eq!(time(16), Micros(48.1 + 15.0 * 0.04));
        assert!((time(17).0 - (3.0 * 48.1 + 16.0 * 0.04)).abs() < 1e-12);
    }
}

//! LogGP (Alexandrov et al., 1995), as Al-Tawil & Moritz 2001 measure it for each MPI send mode.
//!
//! # Formula
//! T = o_s + L + o_r + (k−1) G
//! - o_s, o_r: overheads at k bytes, interpolated between the reported sizes
//! - L: latency of the network
//! - G: gap per byte; L includes the first byte, so G counts max(k−1, 0) times

use super::{Model, Need, Prediction, Route, Term, logp};
use crate::units::Bytes;

pub(super) const NEEDS: [Need; 4] =
    [Need::SendOverhead, Need::Latency, Need::RecvOverhead, Need::GapPerByte];

/// The time of one message; none if a parameter is unknown.
pub fn predict(route: &Route, bytes: Bytes) -> Option<Prediction> {
    let (mut terms, warnings) = logp::fixed_terms(route, bytes)?;
    terms.push(Term::new("G", bytes.after_the_first(), route.gap_per_byte_term()?));
    Some(Prediction::sum(Some(Model::LogGp), "o_s + L + o_r + (k−1)G", terms, warnings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::units::Micros;

    fn time(style: &str, bytes: u64) -> f64 {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, Some(style)).unwrap();
        predict(&route, Bytes(bytes)).unwrap().time().unwrap().0
    }

    /// Al-Tawil & Moritz 2001, Table 3: o_s 30–130 (24–100 synchronous), o_r 15–80 at 16 and 10,000
    /// bytes.
    #[test]
    fn on_the_t3d_at_and_between_the_reported_sizes() {
        assert_eq!(time("isend", 16), 30.0 + 3.1 + 15.0 + 15.0 * 0.04);
        assert_eq!(time("isend", 10_000), 130.0 + 3.1 + 80.0 + 9999.0 * 0.04);
        assert_eq!(time("issend", 10_000), 100.0 + 3.1 + 80.0 + 9999.0 * 0.04);
        assert!((time("isend", 5008) - (80.0 + 3.1 + 47.5 + 5007.0 * 0.04)).abs() < 1e-9);
    }

    #[test]
    fn an_empty_message_takes_as_long_as_one_byte() {
        assert_eq!(time("isend", 0), 30.0 + 3.1 + 15.0);
        assert_eq!(time("isend", 1), time("isend", 0));
    }

    #[test]
    fn the_largest_size_is_finite() {
        assert!(time("isend", u64::MAX).is_finite());
    }

    #[test]
    fn every_term_is_shown() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        let prediction = predict(&route, Bytes(16)).unwrap();
        let terms: Vec<(&str, f64, Micros)> =
            prediction.terms.iter().map(|t| (t.symbol, t.count, t.each.value)).collect();
        assert_eq!(
            terms,
            [
                ("o_s", 1.0, Micros(30.0)),
                ("L", 1.0, Micros(3.1)),
                ("o_r", 1.0, Micros(15.0)),
                ("G", 15.0, Micros(0.04))
            ]
        );
        assert_eq!(
            prediction.formula(),
            "o_s + L + o_r + (k−1)G = 30 + 3.1 + 15 + 15·0.04 = 48.7 µs"
        );
    }
}

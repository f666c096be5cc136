//! LogP (Culler et al., 1993): a message of a few words.
//!
//! # Formula
//! T = o_s + L + o_r
//! - o_s, o_r: busy time of the sender's and the receiver's processor, at the message's size
//! - L: latency of the network
//!
//! It has no term for bytes.

use super::{Model, Need, Prediction, Route, Term, Warning};
use crate::units::Bytes;

pub(super) const NEEDS: [Need; 3] = [Need::SendOverhead, Need::Latency, Need::RecvOverhead];

/// o_s + L + o_r, shared with LogGP and LogGPS.
pub(super) fn fixed_terms(route: &Route, bytes: Bytes) -> Option<(Vec<Term>, Vec<Warning>)> {
    let send = route.send_overhead(bytes)?;
    let latency = route.latency()?;
    let recv = route.recv_overhead(bytes)?;
    let mut terms = Vec::with_capacity(4);
    terms.push(Term::new("o_s", 1.0, send.time));
    terms.push(Term::new("L", 1.0, latency));
    terms.push(Term::new("o_r", 1.0, recv.time));
    let warnings = Warning::of_curves(bytes, [("o_s", &send), ("o_r", &recv)]);
    Some((terms, warnings))
}

/// The time of one message; none if a parameter is unknown.
pub fn predict(route: &Route, bytes: Bytes) -> Option<Prediction> {
    let (terms, mut warnings) = fixed_terms(route, bytes)?;
    if bytes > Bytes(64) {
        warnings
            .push(Warning::Remark("LogP models messages of a few words: it has no term for bytes"));
    }
    Some(Prediction::sum(Some(Model::LogP), "o_s + L + o_r", terms, warnings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::units::Micros;

    /// Al-Tawil & Moritz 2001, Table 3.
    #[test]
    fn on_the_t3d() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, Some("issend")).unwrap();
        let prediction = predict(&route, Bytes(16)).unwrap();
        assert_eq!(prediction.time(), Some(Micros(24.0 + 3.1 + 15.0)));
        assert_eq!(prediction.formula(), "o_s + L + o_r = 24 + 3.1 + 15 = 42.1 µs");
        assert!(prediction.warnings.is_empty());
    }
}

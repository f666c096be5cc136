//! LogGPS (Ino, Fujimoto & Hagihara, 2001; reference 9 of Chen et al. 2009): LogGP with a
//! synchronising protocol above the eager limit.
//!
//! # Formula
//! T = o_s + L + o_r + (k−1) G; for k > S, plus 2 (o_s1 + L + o_r1)
//! - S: the eager limit
//! - o_s1, o_r1: the overheads of the request and of its acknowledgement, both of one byte

use super::{CONTROL, Model, Need, Prediction, Route, Term, logp};
use crate::units::Bytes;

pub(super) const NEEDS: [Need; 5] =
    [Need::SendOverhead, Need::Latency, Need::RecvOverhead, Need::GapPerByte, Need::EagerLimit];

/// The time of one message; none if a parameter is unknown.
pub fn predict(route: &Route, bytes: Bytes) -> Option<Prediction> {
    let eager = bytes <= route.eager_limit()?.value;
    let (mut terms, warnings) = logp::fixed_terms(route, bytes)?;
    terms.push(Term::new("G", bytes.after_the_first(), route.gap_per_byte_term()?));
    if !eager {
        let (control, _) = logp::fixed_terms(route, CONTROL)?;
        let symbols = ["o_s1", "L", "o_r1"];
        let twice = |(symbol, term): (&'static str, Term)| Term { symbol, count: 2.0, ..term };
        terms.extend(symbols.into_iter().zip(control).map(twice));
    }
    let symbols = match eager {
        true => "o_s + L + o_r + (k−1)G",
        false => "o_s + L + o_r + (k−1)G + 2(o_s1 + L + o_r1)",
    };
    Some(Prediction::sum(Some(Model::LogGps), symbols, terms, warnings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::units::Micros;

    #[test]
    fn two_control_messages_above_the_eager_limit() {
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

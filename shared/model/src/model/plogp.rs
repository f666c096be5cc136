//! PLogP (Kielmann, Bal & Verstoep, 2000; reference 12 of Chen et al. 2009): all parameters by
//! message size.
//!
//! # Formula
//! T = L + g(m)
//! - L: end-to-end latency
//! - g(m): the measured gap between messages of m bytes, which covers overheads and bandwidth

use super::{Model, Need, Prediction, Route, Term, Warning};
use crate::units::Bytes;

pub(super) const NEEDS: [Need; 2] = [Need::Latency, Need::GapBySize];

/// The time of one message; none if a parameter is unknown.
pub fn predict(route: &Route, bytes: Bytes) -> Option<Prediction> {
    let gap = route.gap_at(bytes)?;
    let terms = vec![Term::new("L", 1.0, route.latency()?), Term::new("g(m)", 1.0, gap.time)];
    let warnings = Warning::of_curves(bytes, [("g(m)", &gap)]);
    Some(Prediction::sum(Some(Model::PLogP), "L + g(m)", terms, warnings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::signature::Curve;
    use crate::units::Micros;

    #[test]
    fn latency_and_measured_gap() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.tiers[0].gap_by_size = Some(Curve::assumed(Micros(40.0)));
        let route = Route::of(&t3d, None, None).unwrap();
        assert_eq!(predict(&route, Bytes(16)).unwrap().time(), Some(Micros(43.1)));
    }

    #[test]
    fn without_a_measured_gap_the_error_names_it() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        let error = Model::PLogP.predict(&route, Bytes(1)).unwrap_err();
        assert_eq!(error.message, "PLogP needs g(m), which is unknown");
        assert!(
            error.help.to_string().contains("streaming bandwidth test of Bell et al. 2003"),
            "{error}"
        );
    }
}

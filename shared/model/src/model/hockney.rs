//! Hockney's line, as Touriño & Doallo 2001 fit it (Equation 1).
//!
//! # Formula
//! T = t_s + t_b n
//! - t_s: startup, the time of an empty message
//! - t_b: time per byte, 1/r_inf
//! - n: all bytes

use super::{Model, Need, Prediction, Route, Term};
use crate::units::Bytes;

pub(super) const NEEDS: [Need; 2] = [Need::Startup, Need::PerByte];

/// The time of one message; none if a parameter is unknown.
pub fn predict(route: &Route, bytes: Bytes) -> Option<Prediction> {
    let per_byte = route.per_byte()?.map(|t| t.of(1.0));
    let terms =
        vec![Term::new("t_s", 1.0, route.startup()?), Term::new("t_b", bytes.count(), per_byte)];
    Some(Prediction::sum(Some(Model::Hockney), "t_s + t_b n", terms, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::units::Micros;

    /// Touriño & Doallo 2001, Table 1.
    #[test]
    fn on_the_ap3000() {
        for (name, style, expected) in [
            ("ap3000-mpi", "send", 69.0 + 0.0162 * 1024.0),
            ("ap3000-mpi", "bsend", 84.0 + 0.0213 * 1024.0),
            ("ap3000-pvm", "pvm_send", 50.0 + 0.0263 * 1024.0),
            ("ap3000-aplib", "xy_send", 46.0 + 0.0162 * 1024.0),
        ] {
            let signature = library::load(name).unwrap();
            let route = Route::of(&signature, None, Some(style)).unwrap();
            let prediction = predict(&route, Bytes(1024)).unwrap();
            assert_eq!(prediction.time(), Some(Micros(expected)), "{name} {style}");
        }
    }
}

//! Computation time that a non-blocking send mode gains: the difference between the overheads of
//! its blocking twin and its own (Al-Tawil & Moritz 2001, Section 4, Figures 8–11).
//!
//! # Formula
//! chance(m) = o_s(m) of the blocking mode − o_s(m) of the non-blocking mode; at the receiver o_r

use super::Route;
use super::error::ModelError;
use crate::Error;
use crate::signature::{Curve, Style};
use crate::timeline::Lane;
use crate::units::{Bytes, Micros};
use serde::Serialize;

/// The blocking and the non-blocking variant of a send mode, both with overheads of a side.
#[derive(Clone, Copy, Debug)]
pub struct SendModePair<'a> {
    /// The route in the non-blocking mode.
    route: Route<'a>,
    /// The blocking mode.
    pub blocking: &'a Style,
    /// The non-blocking mode.
    pub non_blocking: &'a Style,
}

/// Both overheads at a size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OverlapTime<'a> {
    /// Sender or receiver.
    pub side: Lane,
    /// The blocking mode.
    pub blocking: &'a str,
    /// The non-blocking mode.
    pub non_blocking: &'a str,
    pub bytes: Bytes,
    /// Blocking overhead.
    pub blocking_us: Micros,
    /// Non-blocking overhead.
    pub non_blocking_us: Micros,
    /// Time gained for computation; negative if the non-blocking call takes longer.
    pub chance_us: Micros,
}

/// The sides of a message.
pub const SIDES: [Lane; 2] = [Lane::Sender, Lane::Receiver];

/// The pairs of send modes of a tier; those of the route's own mode first.
///
/// ```
/// use loggia_model::library;
/// use loggia_model::model::Route;
/// use loggia_model::model::blocking::send_mode_pairs;
/// use loggia_model::timeline::Lane;
/// use loggia_model::units::Bytes;
/// let mut t3d = library::load("cray-t3d")?;
/// t3d.set("ssend.o_s", "80us")?;
/// let pairs = send_mode_pairs(&Route::of(&t3d, None, Some("issend"))?);
/// let overlap = pairs[0].overlap_time(Lane::Sender, Bytes(16)).unwrap();
/// assert_eq!(overlap.chance_us.0, 80.0 - 24.0);
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn send_mode_pairs<'a>(route: &Route<'a>) -> Vec<SendModePair<'a>> {
    let styles = &route.tier.styles;
    let pair = |blocking: &'a Style| {
        let (_, true) = blocking.name.mpi()? else { return None };
        let name = format!("i{}", blocking.name.0);
        let non_blocking = styles.iter().find(|style| style.name.0 == name)?;
        let pair = SendModePair {
            route: Route { style: Some(non_blocking), ..*route },
            blocking,
            non_blocking,
        };
        SIDES.into_iter().any(|side| !pair.sizes(side).is_empty()).then_some(pair)
    };
    let mut pairs: Vec<SendModePair> = styles.iter().filter_map(pair).collect();
    let here = route.style.map(|style| &style.name);
    pairs.sort_by_key(|t| ![&t.blocking.name, &t.non_blocking.name].map(Some).contains(&here));
    pairs
}

/// Both overheads of every pair of send modes, side and size at which they are reported.
pub fn overlap_times<'a>(route: &Route<'a>) -> Vec<OverlapTime<'a>> {
    let of =
        |pair: SendModePair<'a>| SIDES.into_iter().flat_map(move |side| pair.overlap_times(side));
    send_mode_pairs(route).into_iter().flat_map(of).collect()
}

/// The error if a tier has no pair of send modes.
pub fn missing(route: &Route) -> Error {
    let reported = route
        .tier
        .styles
        .iter()
        .filter(|style| style.send_overhead.is_some() || style.recv_overhead.is_some())
        .map(|style| style.name.0.clone())
        .collect();
    ModelError::NoBlockingPair { reported, place: route.place() }.into()
}

impl<'a> SendModePair<'a> {
    /// Both overheads of a side at a size.
    pub fn overlap_time(&self, side: Lane, bytes: Bytes) -> Option<OverlapTime<'a>> {
        let of = |style| {
            let route = Route { style: Some(style), ..self.route };
            let at = match side {
                Lane::Sender => route.send_overhead(bytes),
                Lane::Receiver => route.recv_overhead(bytes),
                Lane::Network => None,
            };
            Some(at?.time.value)
        };
        let (blocking_us, non_blocking_us) = (of(self.blocking)?, of(self.non_blocking)?);
        Some(OverlapTime {
            side,
            blocking: &self.blocking.name.0,
            non_blocking: &self.non_blocking.name.0,
            bytes,
            blocking_us,
            non_blocking_us,
            chance_us: blocking_us - non_blocking_us,
        })
    }

    /// The sizes at which one overhead of a side is reported and the other is not clamped.
    pub fn sizes(&self, side: Lane) -> Vec<Bytes> {
        let curve = |style: &'a Style| match side {
            Lane::Sender => style.send_overhead.as_ref(),
            Lane::Receiver => style.recv_overhead.as_ref(),
            Lane::Network => None,
        };
        let Some(both) = curve(self.blocking).zip(curve(self.non_blocking)) else {
            return Vec::new();
        };
        let points = [both.0, both.1].into_iter().flat_map(|curve: &Curve| &curve.points);
        let mut sizes: Vec<Bytes> = points.map(|point| point.bytes).collect();
        if sizes.is_empty() {
            // Both overheads are constant over the size.
            sizes.push(Bytes(1));
        }
        sizes.sort_unstable();
        sizes.dedup();
        let is_known = |bytes: &Bytes| {
            let is_clamped =
                |curve: &Curve| curve.at(*bytes).is_none_or(|at| at.clamped_from.is_some());
            !is_clamped(both.0) && !is_clamped(both.1)
        };
        sizes.retain(is_known);
        sizes
    }

    /// Both overheads of a side, at each of its sizes.
    pub fn overlap_times(&self, side: Lane) -> Vec<OverlapTime<'a>> {
        self.sizes(side).into_iter().filter_map(|bytes| self.overlap_time(side, bytes)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn published_machines_report_no_twins_and_the_error_names_them() {
        for name in ["cray-t3d", "now-sparc", "convex-exemplar", "ap3000-mpi"] {
            let signature = library::load(name).unwrap();
            let route = Route::of(&signature, None, None).unwrap();
            assert!(send_mode_pairs(&route).is_empty(), "{name}");
            assert!(missing(&route).message.contains("twin"));
        }
        let t3d = library::load("cray-t3d").unwrap();
        let why = missing(&Route::of(&t3d, None, None).unwrap());
        assert!(why.message.ends_with("unknown here, except for isend, issend"), "{why}");
    }

    #[test]
    fn the_chance_is_the_difference_where_both_are_reported() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("send.o_s", "8:50us,5008:180us,20000:500us").unwrap();
        t3d.set("ssend.o_s", "16:70us,10000:500us").unwrap();
        let pairs = send_mode_pairs(&Route::of(&t3d, None, Some("issend")).unwrap());
        let names: Vec<&str> = pairs.iter().map(|t| t.blocking.name.0.as_str()).collect();
        assert_eq!(names, ["ssend", "send"], "the route's own mode is first");
        let of_send = pairs[1].overlap_times(Lane::Sender);
        let actual: Vec<(u64, f64)> = of_send.iter().map(|c| (c.bytes.0, c.chance_us.0)).collect();
        // 8 and 20,000 bytes are outside the reported sizes of isend.
        assert_eq!(actual.len(), 3);
        assert_eq!(actual[1], (5008, 180.0 - 80.0));
        assert_eq!(
            pairs[1].overlap_times(Lane::Receiver),
            [],
            "the overhead of MPI_Recv is unknown"
        );
    }
}

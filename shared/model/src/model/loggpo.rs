//! LogGPO (Chen et al. 2009): LogGP with MPI's eager and rendezvous protocols and with progress
//! that depends on calls into the library (DCP) or does not (ICP).
//!
//! # Symbols
//! - K: bytes; S: eager limit; L, G as in LogGP
//! - O': processing a control message; O_i: starting a transmission; O_c: the receiver's copy
//! - T_s, T_r: start of MPI_Isend and MPI_Irecv; T_sw, T_rw: start of their MPI_Wait
//! - O_sw, O_rw: time in these waits; O_s, O_r: time in all calls of a side; D: delivery
//! - R: the receiver handles the request; a: the acknowledgement arrives; d: the transfer starts
//!
//! # Formula
//! eager (Section 2.2.1): O_s = O_i; O_r = O_c after arrival; T = O_i + G(K−1) + L + O_c
//!
//! rendezvous, RAT, DCP (Section 2.2.2, corrected):
//! R = T_r if T_r > T_s+O'+L, else max(T_rw, T_s+O'+L); a = R + 2O' + L; d = max(a, T_sw);
//! O_sw = d − T_sw + O_i + G(K−1); D = d + O_i + G(K−1) + L; O_rw = max(0, D − T_rw);
//! O_s = O' + O_sw; O_r = O_rw + 2O' if T_r came after the request, else O_rw + O'
//!
//! The page of Chen et al. 2009 on ICP and RTA is missing, so these forms are ours, in its
//! notation:
//! - ICP: R = max(T_r, T_s+O'+L), even while the program computes, and for RAT d = a
//! - RTA: the receiver pulls: D = R + O' + O_i + L + G(K−1), as in Al-Tawil & Moritz 2001 (4) a
//!   pull has one L; then the receiver acknowledges with O', and the sender ends L + O' later

mod assumptions;

pub use assumptions::{Assumption, assumptions};

use super::exchange::{Costs, MessageProtocol};
use super::route::overheads::Overheads;
use super::{Model, Need, Prediction, Route, Term, Warning};
use crate::Error;
use crate::signature::Transfer;
use crate::units::Bytes;

pub(super) const NEEDS: [Need; 8] = [
    Need::EagerLimit,
    Need::ProgressKind,
    Need::Transfer,
    Need::ControlOverhead,
    Need::Initiation,
    Need::Copy,
    Need::Latency,
    Need::GapPerByte,
];

/// The protocol of a message, by the eager limit and the transfer of the signature.
pub fn protocol(route: &Route, bytes: Bytes) -> Option<MessageProtocol> {
    if bytes <= route.eager_limit()?.value {
        return Some(MessageProtocol::Eager);
    }
    match route.tier.progress.as_ref()?.transfer_at(bytes)? {
        Transfer::Rta => Some(MessageProtocol::Rta),
        Transfer::Rat => Some(MessageProtocol::Rat),
        // T and TA have no handshake, but a message above the eager limit needs one.
        Transfer::T | Transfer::Ta => None,
    }
}

/// The costs at a size, with warnings of the curves. If RTT/2 was measured, the costs are scaled:
/// two sides that call at the same time take RTT/2.
pub fn costs(route: &Route, bytes: Bytes) -> Result<(Costs, Vec<Warning>), Error> {
    let (costs, warnings) = costs_by_parameters(route, bytes)?;
    let measured = protocol(route, bytes).zip(route.measured(bytes));
    Ok(match measured {
        Some((protocol, reading)) => (costs.taking(protocol, reading.time.value), warnings),
        None => (costs, warnings),
    })
}

fn costs_by_parameters(route: &Route, bytes: Bytes) -> Result<(Costs, Vec<Warning>), Error> {
    let find = || {
        let Overheads { control, initiation, copy, assumed } = Overheads::of(route, bytes)?;
        let mut warnings = Warning::of_curves(bytes, [("O_i", &initiation), ("O_c", &copy)]);
        warnings.extend(assumed);
        let costs = Costs {
            control: control.value,
            initiation: initiation.time.value,
            copy: copy.time.value,
            latency: route.latency()?.value,
            bytes: route.gap_per_byte()?.value.of(bytes.after_the_first()),
        };
        Some((costs, warnings))
    };
    find().ok_or_else(|| route.missing(Model::LogGpo))
}

/// The delivery of one message if both sides call and wait at time 0.
pub fn predict(route: &Route, bytes: Bytes) -> Option<Prediction> {
    let protocol = protocol(route, bytes)?;
    let Overheads { control, initiation, copy, assumed } = Overheads::of(route, bytes)?;
    let latency = route.latency()?;
    let gap = Term::new("G", bytes.after_the_first(), route.gap_per_byte_term()?);
    let mut warnings = Warning::of_curves(bytes, [("O_i", &initiation)]);
    warnings.extend(assumed);
    let initiation = Term::new("O_i", 1.0, initiation.time);
    let control = |count| Term::new("O'", count, control);
    let latency = |count| Term::new("L", count, latency);
    let (symbols, terms) = match protocol {
        MessageProtocol::Eager => {
            warnings.extend(Warning::of_curves(bytes, [("O_c", &copy)]));
            let copy = Term::new("O_c", 1.0, copy.time);
            ("O_i + G(K−1) + L + O_c", [initiation, gap, latency(1.0), copy])
        }
        MessageProtocol::Rat => {
            ("3O' + 3L + O_i + G(K−1)", [control(3.0), latency(3.0), initiation, gap])
        }
        MessageProtocol::Rta => {
            ("2O' + 2L + O_i + G(K−1)", [control(2.0), latency(2.0), initiation, gap])
        }
    };
    Some(Prediction::sum(Some(Model::LogGpo), symbols, terms.into(), warnings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::model::exchange::{Arrivals, exchange};
    use crate::signature::ProgressKind;

    #[test]
    fn the_prediction_is_the_exchange_of_two_sides_that_call_at_once() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let set = [
            ("S", "1KiB"),
            ("O'", "2"),
            ("O_i", "5"),
            ("O_c", "7"),
            ("L", "10"),
            ("G", "0.05"),
            ("progress", "dcp"),
        ];
        for (key, value) in set {
            t3d.set(key, value).unwrap();
        }
        for transfer in ["rat", "rta"] {
            t3d.set("transfer", transfer).unwrap();
            let route = Route::of(&t3d, None, None).unwrap();
            assert_eq!(Model::richest(&route), Some(Model::LogGpo));
            for bytes in [Bytes(0), Bytes(1), Bytes(1024), Bytes(1025), Bytes(1 << 20)] {
                let protocol = protocol(&route, bytes).unwrap();
                let (costs, _) = costs(&route, bytes).unwrap();
                let both =
                    exchange(protocol, ProgressKind::Dependent, &costs, &Arrivals::default());
                let predicted = predict(&route, bytes).unwrap().time().unwrap();
                assert!((predicted.0 - both.delivered.0).abs() < 1e-9, "{transfer} {bytes:?}");
            }
        }
    }
}

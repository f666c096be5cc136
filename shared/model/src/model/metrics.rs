//! Single numbers that characterise a machine: asymptotic bandwidth, startup, large messages.
//!
//! # Formula
//! - r_inf = lim n/T(n); for Hockney 1/t_b (Touriño & Doallo 2001, Section 2.1)
//! - pi_s = 1/T(0); for Hockney 1/t_s
//! - n_1/2: the smallest size that reaches r_inf/2; for Hockney t_s/t_b, rounded up
//! - aggregated (Hwang, Wang & Wang 1997, Equation 4; Touriño & Doallo 2001, Section 2.1):
//!   multiplied by f(m, p)/m, which is p−1, or p(p−1) for a total exchange; peak: the largest over
//!   p; minimum: the smallest n_1/2 over p
//! - r_cc = t_b(p)/t_c(p) (Touriño & Doallo 2001, Equation 4)
//! - large message (Bell et al. 2003, Section 5.5): g/G
//! - overlap potential (Bell et al. 2003, Section 5.2): EEL − o_s, and EEL − (o_s + o_r) where both
//!   sides share one processor's time; a negative one contradicts LogP's serial assumption

mod message;
mod operation;
mod overlap;

pub use message::{PointToPoint, point_to_point};
pub use operation::{OfCollective, of_collective};
pub use overlap::{Superimposed, superimposed};

use crate::units::{Bytes, BytesPerMicro};

/// A length rounded up, except for floating-point noise: 22/0.011 is 2000.
fn rounded_up(length: f64) -> Option<Bytes> {
    if !length.is_finite() || length < 0.0 {
        return None;
    }
    let nearest = libm::round(length);
    let close = (length - nearest).abs() <= nearest * 1e-9;
    Some(Bytes(if close { nearest } else { libm::ceil(length) } as u64))
}

fn rate(each: f64) -> Option<BytesPerMicro> {
    (each.is_finite() && each > 0.0).then(|| BytesPerMicro(1.0 / each))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_rounded_up_but_not_for_noise() {
        assert_eq!(rounded_up(22.0 / 0.011), Some(Bytes(2000)));
        assert_eq!(rounded_up(4259.2), Some(Bytes(4260)));
        assert_eq!(rounded_up(f64::INFINITY), None);
    }
}

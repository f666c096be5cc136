//! The plots of a signature.
//!
//! | file | plot |
//! |---|---|
//! | [`overheads`] | o_s and o_r of every send mode over the size |
//! | [`bandwidth`] | predicted and measured bandwidth over the size |
//! | [`latency`] | the overheads as parts of the end-to-end latency (Bell et al. 2003, Figure 3) |
//! | [`gaps`] | g by queue depth (Bell et al. 2003, Figure 5); g compared with the time of the bytes |
//! | [`predicted`] | measured times compared with predictions, and the residuals |
//! | [`comparison`] | the same for several machines |
//! | [`strip`] | the distribution of the samples of one condition |

pub(crate) mod bandwidth;
pub(crate) mod comparison;
pub(crate) mod gaps;
pub(crate) mod latency;
pub(crate) mod overheads;
pub(crate) mod predicted;
pub(crate) mod strip;

use crate::draw::figure::Dot;
use crate::draw::scale::Log;

/// An axis over these sizes or depths.
fn along(values: impl Iterator<Item = f64>) -> Option<Log> {
    const LEAST: f64 = 16.0;
    let (low, high) = values
        .map(|value| value.max(1.0))
        .fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
    if high == 0.0 {
        return None;
    }
    let spread = (LEAST * low / high).max(1.0).sqrt();
    let low = (low / spread).max(1.0);
    Some(Log { low, high: (high * spread).max(low * LEAST) })
}

/// All values of dots, with their bounds.
fn reach(dots: &[Dot]) -> impl Iterator<Item = f64> {
    dots.iter().map(|dot| dot.y[0])
}

#[cfg(test)]
mod tests {
    use super::along;

    #[test]
    fn one_size_makes_an_axis_too() {
        let axis = along([8.0].into_iter()).unwrap();
        assert!(axis.low <= 2.0 && axis.high >= 32.0, "{axis:?}");
        let axis = along([0.0, 4096.0].into_iter()).unwrap();
        assert_eq!((axis.low, axis.high), (1.0, 4096.0));
        assert_eq!(along([].into_iter()), None);
    }
}

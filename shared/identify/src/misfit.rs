//! The error of a candidate relative to the measured times, with a tolerance for the parameters.
//!
//! # Formula
//! Σ (p^d (Σ_k θ_k t_k + c) / t − 1)², minimised over 1/f ≤ θ_k ≤ f, or 2f for bytes, 0 ≤ c ≤ o,
//! |d| ≤ 0.1
//!
//! - t: measured time; t_k: the candidate's overheads, latencies, bytes and gaps
//! - θ_k: correction of each part, equal at all points; f: the tolerance
//! - c: cost of a call without its messages; o: overheads of a message
//! - d: exponent of the growth with p, such as by contention
//!
//! Bytes have twice the tolerance: pairs share links in both directions, but a ping-pong has them
//! alone. The minimum over θ and c is unique.

use super::candidates::TimeParts;

/// Maximum number of rounds over the factors.
const ROUNDS: u32 = 100;
/// Relative change of a factor below which it has converged.
const STILL: f64 = 1e-4;

/// The values of d: about 3.5% or 7% per doubling of p, up or down.
const DRIFTS: [f64; 5] = [0.0, 0.05, -0.05, 0.1, -0.1];

/// The freedom of the model's parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Freedom {
    /// Factor of each parameter.
    pub(super) factor: f64,
    /// Additional cost of a call, in µs.
    pub(super) call: f64,
}

/// Misfit of a candidate: the root mean square of relative errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Misfit {
    /// With the measured parameters.
    pub(super) overall: f64,
    /// With the best parameters within the freedom.
    pub(super) shape: f64,
}

/// The misfit of simulated times at all points; `points` are p and the measured time.
pub(super) fn misfit(simulated: &[TimeParts], points: &[(f64, f64)], freedom: Freedom) -> Misfit {
    let squares = |drift: f64| {
        let mut squares = Squares::default();
        for ([o, l, bytes, g], (p, time)) in simulated.iter().zip(points) {
            let parts = [*o, *l, *bytes, *g, freedom.call];
            squares.add(parts.map(|part| part * p.powf(drift) / time));
        }
        squares
    };
    let shapes = DRIFTS.map(|drift| squares(drift).least(freedom.factor));
    Misfit {
        overall: squares(0.0).root_mean_square(&AS_MEASURED),
        shape: shapes.into_iter().fold(f64::INFINITY, f64::min),
    }
}

/// One number for each part of a time: o, L, bytes, g, and the call's own cost.
type Parts = [f64; 5];

/// The unchanged model.
const AS_MEASURED: Parts = [1.0, 1.0, 1.0, 1.0, 0.0];

/// Σ (Σ_k θ_k r_k − 1)², multiplied out.
#[derive(Default)]
struct Squares {
    products: [Parts; 5],
    sums: Parts,
    count: f64,
}

impl Squares {
    fn add(&mut self, row: Parts) {
        for (products, one) in self.products.iter_mut().zip(row) {
            products.iter_mut().zip(row).for_each(|(product, other)| *product += one * other);
        }
        self.sums.iter_mut().zip(row).for_each(|(sum, part)| *sum += part);
        self.count += 1.0;
    }

    /// The root mean square.
    fn root_mean_square(&self, factors: &Parts) -> f64 {
        let along = |row: &Parts| row.iter().zip(factors).map(|(part, f)| part * f).sum::<f64>();
        let products = self.products.each_ref().map(along);
        let squares = along(&products) - 2.0 * along(&self.sums) + self.count;
        (squares.max(0.0) / self.count.max(1.0)).sqrt()
    }

    /// The misfit with the best factors, by coordinate descent.
    fn least(&self, factor: f64) -> f64 {
        let least = 1.0 / factor;
        let bounds =
            [(least, factor), (least, factor), (least, 2.0 * factor), (least, factor), (0.0, 1.0)];
        let mut factors = AS_MEASURED;
        for _ in 0..ROUNDS {
            let mut moved: f64 = 0.0;
            for (k, (low, high)) in bounds.into_iter().enumerate() {
                let curvature = self.products[k][k];
                if curvature <= 0.0 {
                    continue;
                }
                let all: f64 = self.products[k].iter().zip(&factors).map(|(p, f)| p * f).sum();
                let best = (factors[k] + (self.sums[k] - all) / curvature).clamp(low, high);
                moved = moved.max((best - factors[k]).abs());
                factors[k] = best;
            }
            if moved < STILL {
                break;
            }
        }
        self.root_mean_square(&factors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREEDOM: Freedom = Freedom { factor: 1.3, call: 0.0 };

    #[test]
    fn wrong_parameters_alone_keep_the_shape() {
        let simulated: Vec<TimeParts> =
            (1..8).map(f64::from).map(|p| [p, 3.0, 0.5 * p * p, 0.0]).collect();
        let times: Vec<(f64, f64)> = simulated
            .iter()
            .map(|simulated| (2.0, 1.2 * simulated[0] + 0.8 * simulated[1] + simulated[2]))
            .collect();
        let found = misfit(&simulated, &times, FREEDOM);
        assert!(found.shape < 5e-3 && found.overall > 0.02, "{found:?}");
    }

    #[test]
    fn factors_are_bounded() {
        let simulated = [[1.0, 0.0, 0.0, 0.0]; 5];
        let found = misfit(&simulated, &[(1.0, 2.0); 5], FREEDOM);
        assert!((found.overall - 0.5).abs() < 1e-9 && (found.shape - 0.35).abs() < 1e-9);
        // At p = 4, an exponent of 0.1 is a factor of 2^0.2.
        let grown = misfit(&simulated, &[(4.0, 1.3 * 2f64.powf(0.2)); 5], FREEDOM);
        assert!(grown.shape < 1e-6, "{grown:?}");
        let called = misfit(&simulated, &[(1.0, 2.0); 5], Freedom { factor: 1.3, call: 0.5 });
        assert!((called.shape - 0.1).abs() < 1e-9, "{called:?}");
        let shared = misfit(&[[0.0, 0.0, 1.0, 0.0]], &[(1.0, 2.6)], FREEDOM);
        assert!(shared.shape < 1e-6, "{shared:?}");
        assert_eq!(misfit(&[], &[], FREEDOM), Misfit { overall: 0.0, shape: 0.0 });
    }
}

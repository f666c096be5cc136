//! Noise of costs.

/// The noise of costs. Without noise, times are exactly those of the models.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    /// Standard deviation of the lognormal factor on every cost, with median 1.
    pub relative: f64,
    /// Share of latencies and calls that are outliers.
    pub outliers: f64,
    /// Maximum factor of an outlier.
    pub outlier_factor: f64,
    pub seed: u64,
}

impl Default for Noise {
    /// No noise; outliers, if enabled, take up to ten times as long.
    fn default() -> Self {
        Noise { relative: 0.0, outliers: 0.0, outlier_factor: 10.0, seed: 0 }
    }
}

/// Kinds of costs, with independent random numbers.
#[derive(Clone, Copy)]
pub(super) enum CostKind {
    Send,
    Recv,
    Signal,
    AwaitSignal,
    Collective,
}

/// Random factors of one cost.
pub(super) struct Random {
    noise: Noise,
    /// Standard deviation of the factor's logarithm.
    sigma: f64,
    state: u64,
}

impl Noise {
    /// The random numbers of the `number`th cost of a kind between two ranks.
    pub(super) fn random(&self, of: CostKind, [from, to]: [u32; 2], number: u64) -> Random {
        let words = [of as u64, u64::from(from) << 32 | u64::from(to), number];
        let state = words.into_iter().fold(mixed(self.seed), |state, word| mixed(state ^ word));
        // A lognormal factor of median 1 has the variance u(u − 1), with u = exp(σ²).
        let u = f64::midpoint(1.0, (1.0 + 4.0 * self.relative * self.relative).sqrt());
        Random { noise: *self, sigma: u.ln().sqrt(), state }
    }
}

impl Random {
    /// A factor without outliers.
    pub(super) fn regular(&mut self) -> f64 {
        if self.sigma == 0.0 {
            return 1.0;
        }
        // Box–Muller transform.
        let radius = (-2.0 * (1.0 - self.share()).ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * self.share()).cos();
        (self.sigma * normal).exp()
    }

    /// A factor, sometimes an outlier.
    pub(super) fn with_outliers(&mut self) -> f64 {
        let regular = self.regular();
        if self.noise.outliers == 0.0 || self.share() >= self.noise.outliers {
            return regular;
        }
        regular * (1.0 + (self.noise.outlier_factor - 1.0).max(0.0) * self.share())
    }

    /// Uniform between 0 and 1, without 1.
    fn share(&mut self) -> f64 {
        self.state = self.state.wrapping_add(GOLDEN);
        (mixed(self.state) >> 11) as f64 / (1u64 << 53) as f64
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64's last step (Steele, Lea & Flood, 2014).
fn mixed(mut word: u64) -> u64 {
    word = word.wrapping_add(GOLDEN);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factors(noise: Noise, take: fn(&mut Random) -> f64) -> Vec<f64> {
        let mut all: Vec<f64> = (0..100_000)
            .map(|number| take(&mut noise.random(CostKind::Send, [0, 1], number)))
            .collect();
        all.sort_by(f64::total_cmp);
        all
    }

    #[test]
    fn factors_have_the_requested_median_and_deviation() {
        for relative in [0.05, 0.5] {
            let all = factors(Noise { relative, seed: 3, ..Noise::default() }, Random::regular);
            let count = all.len() as f64;
            let mean = all.iter().sum::<f64>() / count;
            let sd = (all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
            assert!((all[all.len() / 2] - 1.0).abs() < 0.01 * relative / 0.05, "{relative}");
            assert!((sd / relative - 1.0).abs() < 0.05, "{relative}: {sd}");
        }
        let none = factors(Noise::default(), Random::with_outliers);
        assert!(none.iter().all(|factor| *factor == 1.0));
    }

    #[test]
    fn outliers_have_the_requested_share() {
        let noise = Noise { outliers: 0.02, outlier_factor: 10.0, seed: 1, ..Noise::default() };
        let all = factors(noise, Random::with_outliers);
        let outliers = all.iter().filter(|factor| **factor != 1.0).count() as f64;
        assert!((outliers / all.len() as f64 - 0.02).abs() < 0.002);
        assert!(all[0] >= 1.0 && all[all.len() - 1] < 10.0 && all[all.len() - 1] > 9.5);
    }
}

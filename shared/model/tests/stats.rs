//! Validation of the statistics on simulated noise with a known true value: coverage and width of
//! intervals, and rates of false positives.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use loggia_model::compare::{self, Change, Number, Strictness};
use loggia_model::signature::Quality;
use loggia_model::stats::change::changes;
use loggia_model::stats::distribution::normal_quantile;
use loggia_model::stats::least_squares::Weights;
use loggia_model::stats::line::{line, theil_sen};
use loggia_model::stats::quantile::Sample;
use loggia_model::stats::rounds::combine;
use loggia_model::stats::series::{drift, lag_one, outliers, warm_up};
use loggia_model::stats::stop::{Goal, Need};
use loggia_model::stats::{CONFIDENCE, Estimate};
use loggia_model::units::{Bytes, Micros};
use std::ops::RangeInclusive;

/// Pseudorandom times (Splitmix64).
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Standard normal (Box & Muller).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// A call of 1 µs: lognormal noise of 5%, and 1% outliers of 3 to 20 times as long.
    fn time(&mut self) -> f64 {
        let outlier = if self.uniform() < 0.01 { 3.0 + 17.0 * self.uniform() } else { 1.0 };
        outlier * (NOISE * self.normal()).exp()
    }

    fn times(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.time()).collect()
    }
}

const NOISE: f64 = 0.05;
const RUNS: usize = 1000;

/// The median of `Noise::time`: outliers are above, so it is the 50/99 quantile of the rest.
fn median_of_times() -> f64 {
    (NOISE * normal_quantile(0.5 / 0.99)).exp()
}

/// The standard error of a median.
fn error_of(samples: usize) -> f64 {
    NOISE * (std::f64::consts::PI / 2.0 / samples as f64).sqrt()
}

/// Coverage of the runs' intervals, and their mean half-width.
fn coverage(truth: f64, mut run: impl FnMut(u64) -> Estimate) -> (f64, f64) {
    let estimates: Vec<Estimate> = (0..RUNS as u64).map(&mut run).collect();
    let containing = estimates.iter().filter(|estimate| estimate.contains(truth)).count();
    let halves: f64 = estimates.iter().map(|estimate| (estimate.high - estimate.low) / 2.0).sum();
    (containing as f64 / RUNS as f64, halves / RUNS as f64)
}

fn assert_within(what: &str, number: f64, bounds: RangeInclusive<f64>) {
    println!("{what}: {number:.3}");
    assert!(bounds.contains(&number), "{what}: {number} is not in {bounds:?}");
}

/// Coverage for rounds with random offsets, in standard errors of a round's median.
fn rounds_cover(rounds: usize, each: usize, offset: f64) {
    let between = offset * error_of(each);
    let (coverage_rate, half) = coverage(median_of_times(), |seed| {
        let mut noise = Noise(seed * 1000 + rounds as u64);
        let samples: Vec<Vec<f64>> = (0..rounds)
            .map(|_| {
                let factor = (between * noise.normal()).exp();
                noise.times(each).iter().map(|time| factor * time).collect()
            })
            .collect();
        let samples: Vec<&[f64]> = samples.iter().map(Vec::as_slice).collect();
        combine(&samples, 0.0, CONFIDENCE).unwrap()
    });
    // The ideal width if both spreads were known.
    let error = (between.powi(2) + error_of(each).powi(2)).sqrt() / (rounds as f64).sqrt();
    let ideal = normal_quantile(0.975) * error;
    let what = format!("{rounds} rounds of {each}, offset {offset}");
    assert_within(&format!("{what}: coverage"), coverage_rate, 0.90..=0.99);
    assert_within(&format!("{what}: width"), half / ideal, 0.9..=1.7);
}

#[test]
fn equal_rounds_are_covered() {
    for rounds in [5, 6, 8, 10] {
        rounds_cover(rounds, 20, 0.0);
    }
}

#[test]
fn five_rounds_that_differ_are_covered() {
    for offset in [1.0, 3.0, 10.0] {
        rounds_cover(5, 20, offset);
    }
}

#[test]
fn seven_rounds_that_differ_are_covered() {
    for offset in [1.0, 3.0, 10.0] {
        rounds_cover(7, 20, offset);
    }
}

#[test]
fn ten_rounds_that_differ_are_covered() {
    for offset in [1.0, 3.0, 10.0] {
        rounds_cover(10, 16, offset);
    }
}

#[test]
fn long_rounds_are_covered() {
    rounds_cover(6, 60, 0.0);
    rounds_cover(6, 60, 2.0);
}

#[test]
fn ranks_cover_medians() {
    for count in [6, 11, 50, 210] {
        let (coverage_rate, _) = coverage(median_of_times(), |seed| {
            Sample::new(&Noise(seed).times(count), 0.0).estimate(0.5, CONFIDENCE).unwrap()
        });
        assert_within(&format!("median of {count}: coverage"), coverage_rate, 0.93..=0.99);
    }
    let upper_quartile = (NOISE * normal_quantile(0.75 / 0.99)).exp();
    let (coverage_rate, _) = coverage(upper_quartile, |seed| {
        Sample::new(&Noise(seed).times(60), 0.0).estimate(0.75, CONFIDENCE).unwrap()
    });
    assert_within("quartile of 60: coverage", coverage_rate, 0.93..=0.99);
}

/// A call of about 7.3 ticks, timed with a coarse clock.
#[test]
fn values_between_ticks_are_recovered() {
    for (jitter, place) in [(0.0, 7.3), (0.1, 7.3), (0.5, 7.25), (1.0, 7.0), (3.0, 7.6)] {
        let (coverage_rate, half) = coverage(place, |seed| {
            let mut noise = Noise(seed);
            let samples: Vec<f64> = (0..200)
                .map(|_| {
                    let start = noise.uniform();
                    (start + place + jitter * noise.normal()).floor() * 0.01
                })
                .collect();
            let found = Sample::new(&samples, 0.01).estimate(0.5, CONFIDENCE).unwrap();
            found.map(|us| us / 0.01)
        });
        let ideal = normal_quantile(0.975)
            * ((jitter * jitter + 1.0 / 6.0) * std::f64::consts::PI / 2.0 / 200.0).sqrt();
        assert_within(&format!("jitter of {jitter} ticks: coverage"), coverage_rate, 0.9..=1.0);
        // The resolution of the clock is added; without jitter, only the resolution is left.
        assert_within(&format!("jitter of {jitter} ticks: width"), half / ideal, 0.5..=2.5);
    }
}

#[test]
fn steady_noise_has_no_warm_up() {
    let (mut cut, mut series, mut drifting, mut dependent, mut counted) = (0, 0, 0, 0, 0);
    for seed in 0..200 {
        let samples = Noise(seed).times(400);
        let length = warm_up(&samples);
        cut += length;
        series += usize::from(length > 0);
        drifting += usize::from(!drift(&samples, CONFIDENCE).unwrap().contains(0.0));
        dependent += usize::from(lag_one(&samples).abs() > 0.1);
        counted += outliers(&samples, 0.0).count();
    }
    assert_within("part cut off", cut as f64 / 80_000.0, 0.0..=0.005);
    assert_within("series cut", f64::from(series as u32) / 200.0, 0.0..=0.05);
    assert_within("drifts seen", f64::from(drifting as u32) / 200.0, 0.0..=0.1);
    assert_within("dependence seen", f64::from(dependent as u32) / 200.0, 0.0..=0.1);
    assert_within("outliers of a hundred", counted as f64 / 800.0, 0.9..=1.1);
}

#[test]
fn warm_ups_are_cut_at_their_end() {
    for (length, height) in [(10.0, 3.0), (20.0, 1.0), (60.0, 0.3)] {
        let (mut cut, mut excess) = (0, 0.0);
        for seed in 0..100 {
            let mut samples = Noise(seed).times(500);
            for (i, sample) in samples.iter_mut().enumerate() {
                *sample *= 1.0 + height * (-(i as f64) / length).exp();
            }
            let found = warm_up(&samples);
            cut += found;
            excess += height * (-(found as f64) / length).exp();
        }
        // At most a standard deviation of the noise is left, and few other samples are cut.
        assert_within(&format!("warm-up of {length}, left"), excess / 100.0, 0.0..=NOISE);
        assert_within(&format!("warm-up of {length}, cut"), cut as f64 / 100.0 / length, 1.0..=6.0);
    }
}

#[test]
fn measuring_stops_at_the_goal() {
    let goal = Goal { relative: 0.01, confidence: CONFIDENCE, least: 20, tick: 0.0 };
    let (mut looks, mut taken) = (0, 0);
    let (coverage_rate, half) = coverage(median_of_times(), |seed| {
        let mut noise = Noise(seed);
        let mut samples = Vec::new();
        while let Need::More(more) = goal.need(&samples) {
            samples.extend(noise.times(more));
            looks += 1;
        }
        taken += samples.len();
        Sample::new(&samples, 0.0).estimate(0.5, CONFIDENCE).unwrap()
    });
    assert_within("stopped: coverage", coverage_rate, 0.9..=0.99);
    assert_within("stopped: half width", half, 0.006..=0.01);
    assert_within("looks", f64::from(looks) / RUNS as f64, 1.0..=8.0);
    // (1.96·σ·√(π/2)/1%)²
    let ideal = (normal_quantile(0.975) * error_of(1) / 0.01).powi(2);
    assert_within("samples taken", taken as f64 / RUNS as f64 / ideal, 0.8..=1.6);
}

#[test]
fn lines_are_covered() {
    let sizes: Vec<f64> = (0..=16).map(|k| f64::from(1 << k)).collect();
    let points = |seed: u64| -> Vec<(f64, f64)> {
        let mut noise = Noise(seed);
        sizes.iter().map(|m| (*m, (5.0 + 0.001 * m) * (1.0 + 0.02 * noise.normal()))).collect()
    };
    let (coverage_rate, _) =
        coverage(0.001, |seed| line(&points(seed), Weights::Relative).unwrap().slope(CONFIDENCE));
    assert_within("slope: coverage", coverage_rate, 0.93..=0.97);
    let (coverage_rate, _) =
        coverage(5.0, |seed| line(&points(seed), Weights::Relative).unwrap().intercept(CONFIDENCE));
    assert_within("intercept: coverage", coverage_rate, 0.93..=0.97);
    let (coverage_rate, _) = coverage(5.0 + 0.001 * 3e4, |seed| {
        line(&points(seed), Weights::Relative).unwrap().at(3e4, CONFIDENCE)
    });
    assert_within("between: coverage", coverage_rate, 0.93..=0.97);
}

#[test]
fn robust_slopes_are_covered() {
    for count in [6, 12, 20] {
        let (coverage_rate, _) = coverage(2.0, |seed| {
            let mut noise = Noise(seed);
            let points: Vec<(f64, f64)> =
                (0..count).map(f64::from).map(|x| (x, 2.0 * x + noise.time())).collect();
            theil_sen(&points, CONFIDENCE).unwrap().slope
        });
        assert_within(&format!("Theil–Sen of {count}: coverage"), coverage_rate, 0.93..=0.995);
    }
}

/// A curve of 1 B to 1 MiB with this standard deviation of the noise.
fn curve(noise: &mut Noise, deviation: f64, time: impl Fn(f64) -> f64) -> Vec<(Bytes, Micros)> {
    (0..=20)
        .map(|k| {
            let factor = (deviation * noise.normal()).exp();
            (Bytes(1 << k), Micros(factor * time(f64::from(1 << k))))
        })
        .collect()
}

#[test]
fn smooth_curves_have_no_jump() {
    let smooth: [fn(f64) -> f64; 3] =
        [|m| 1.0 + m / 8192.0, |m| 1.0 + (m / 4096.0).powf(0.8), |_| 1.0];
    for deviation in [0.001, 0.01, 0.03] {
        let seen = (0..60)
            .flat_map(|seed| smooth.map(|time| (seed, time)))
            .filter(|(seed, time)| {
                !changes(&curve(&mut Noise(*seed), deviation, time), 0.15).is_empty()
            })
            .count();
        assert_within(&format!("jumps seen at {deviation}"), seen as f64 / 180.0, 0.0..=0.05);
    }
}

#[test]
fn jumps_are_found() {
    for (jump, deviation, least) in
        [(0.2, 0.01, 0.95), (0.3, 0.03, 0.9), (0.5, 0.03, 0.95), (-0.3, 0.03, 0.9)]
    {
        let time = |m: f64| (1.0 + m / 8192.0) * if m > 8192.0 { 1.0 + jump } else { 1.0 };
        let (mut found, mut sum) = (0, 0.0);
        for seed in 0..100 {
            let changes = changes(&curve(&mut Noise(seed), deviation, time), 0.15);
            if let Some(change) = changes.iter().find(|change| change.below == Bytes(8192)) {
                found += 1;
                sum += change.jump;
            }
        }
        let what = format!("jump of {jump} at {deviation}");
        assert_within(&format!("{what}: found"), f64::from(found) / 100.0, least..=1.0);
        assert_within(&format!("{what}: size"), sum / f64::from(found) / jump, 0.8..=1.2);
    }
}

/// A number from six rounds, as in short runs.
fn number(noise: &mut Noise, factor: f64) -> Number {
    let rounds: Vec<Vec<f64>> =
        (0..6).map(|_| noise.times(20).iter().map(|time| time * factor).collect()).collect();
    let rounds: Vec<&[f64]> = rounds.iter().map(Vec::as_slice).collect();
    Number::reported(combine(&rounds, 0.0, CONFIDENCE).unwrap(), Quality::Good)
}

/// For any number of comparisons, at most 5% of the runs have a false positive. An increase by 20%
/// is found despite few rounds.
#[test]
fn a_comparison_of_many_numbers_rarely_errs() {
    for compared in [1, 10, 100] {
        let strictness = Strictness::of(compared, 0.0);
        let is_changed = |noise: &mut Noise, factor: f64| {
            let (a, b) = (number(noise, 1.0), number(noise, factor));
            Change::of(&a, &b, &strictness).judged.verdict == compare::Verdict::Changed
        };
        let tries = 200;
        let share = |noise: &mut Noise, of: &dyn Fn(&mut Noise) -> bool| {
            (0..tries).filter(|_| of(noise)).count() as f64 / f64::from(tries)
        };
        let mut noise = Noise(compared as u64);
        let wrong = share(&mut noise, &|noise| {
            (0..compared).filter(|_| is_changed(noise, 1.0)).count() > 0
        });
        assert_within(&format!("{compared} numbers, one called changed"), wrong, 0.0..=0.05);
        let found = share(&mut noise, &|noise| is_changed(noise, 1.2));
        assert_within(&format!("{compared} numbers, a fifth more found"), found, 0.95..=1.0);
    }
}

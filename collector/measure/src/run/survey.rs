//! A survey of a pair: rough times, from which its measurements are planned.

use super::commands::Step;
use crate::measure::{Effort, SMALL, bandwidth};
use loggia_model::signature::{Quantity, Samples};
use loggia_model::stats::quantile::median;
use std::collections::BTreeMap;
use std::time::Instant;

/// Maximum number of surveys: a machine may change its state in between.
const MAX_SURVEYS: usize = 3;
/// Seconds for all surveys of a pair; beyond them, a survey is not repeated.
const SURVEY_SECONDS: f64 = 1.0;

/// Maximum time of a full queue, in µs; a slower queue is not filled several times per run.
pub(super) const SLOW: f64 = 10_000.0;

/// Maximum number of bends with additional sizes.
const MAX_BENDS: usize = 3;

/// Minimum bend, as the logarithm of a factor: 10% from the line between the neighbours.
const MIN_BEND: f64 = 0.1;

/// Maximum factor between neighbours of a bend; larger factors are the user's choice.
const MAX_RATIO: usize = 8;

/// Rough times of a pair before it is measured, in µs.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// End-to-end times by size.
    pub(super) ends: Vec<(usize, f64)>,
    /// Time per message by size, with several messages in flight.
    pub(super) gaps: Vec<(usize, f64)>,
    /// The gap of small messages, with one message in flight.
    pub(super) single_gap: f64,
}

impl Survey {
    /// Surveys a pair with these sizes; `run` runs steps on it. On a slow network, few messages make
    /// one survey.
    pub(super) fn make<E>(
        sizes: &[usize],
        mut run: impl FnMut(Vec<Step>) -> Result<Vec<Samples>, E>,
    ) -> Result<Self, E> {
        let begin = Instant::now();
        let mut samples = Vec::new();
        for _ in 0..MAX_SURVEYS {
            samples.extend(run(Survey::round_trips(sizes))?);
            if begin.elapsed().as_secs_f64() > SURVEY_SECONDS {
                break;
            }
        }
        samples.extend(run(Survey::streams(sizes, &Survey::of(&samples)))?);
        Ok(Survey::of(&samples))
    }

    fn round_trips(sizes: &[usize]) -> Vec<Step> {
        let seconds = SURVEY_SECONDS / ((sizes.len() + 1) * MAX_SURVEYS) as f64;
        let effort = Effort { warm_up: 3, min: 15, max: 200, precision: 0.03, seconds };
        sizes.iter().map(|&size| Step::PingPong { size, effort }).collect()
    }

    fn streams(sizes: &[usize], round_trips: &Survey) -> Vec<Step> {
        let largest = sizes.iter().copied().max().unwrap_or(SMALL);
        let is_slow = 16.0 * round_trips.end(largest) > SLOW;
        let depth = bandwidth::deepest(largest).min(if is_slow { 4 } else { 16 });
        vec![
            Step::Bandwidth { size: SMALL, depth: 1, runs: 2, messages: 200 },
            Step::Bandwidth { size: SMALL, depth: 16, runs: 2, messages: 200 },
            Step::Bandwidth { size: largest, depth, runs: 1, messages: 2 * depth },
        ]
    }

    fn of(samples: &[Samples]) -> Self {
        let median_time = |samples: &Samples| {
            let times: Vec<f64> = samples.times.iter().map(|t| t.0).collect();
            let size = samples.bytes.map_or(0, |b| b.0 as usize);
            (size, median(&times).unwrap_or(1.0).max(0.01))
        };
        let of = |quantity: Quantity, single: bool| -> Vec<(usize, f64)> {
            let is_selected =
                |s: &&Samples| s.quantity == quantity && (s.depth == Some(1)) == single;
            let mut times: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
            for (size, time) in samples.iter().filter(is_selected).map(median_time) {
                times.entry(size).or_default().push(time);
            }
            times.into_iter().filter_map(|(size, times)| Some((size, median(&times)?))).collect()
        };
        let single = of(Quantity::Gap, true);
        let ends = of(Quantity::EndToEnd, false);
        let first_time = ends.first().map_or(1.0, |(_, time)| *time);
        Survey {
            single_gap: single.first().map_or(first_time, |(_, time)| *time),
            gaps: of(Quantity::Gap, false),
            ends,
        }
    }

    /// Estimated time of a message of that size.
    pub(super) fn end(&self, size: usize) -> f64 {
        interpolated(&self.ends, size)
    }

    /// Additional sizes: the geometric means with the neighbours, where the time bends most on
    /// logarithmic scales. There the interpolation error is largest.
    pub(super) fn bends(&self) -> Vec<usize> {
        let known: Vec<_> = self.ends.iter().copied().filter(|(size, _)| *size > 0).collect();
        let are_near = |low: usize, high: usize| high <= MAX_RATIO * low;
        let mut bends: Vec<(f64, usize)> = (1..known.len().saturating_sub(1))
            .filter_map(|at| {
                let [before, here, after] = [known[at - 1], known[at], known[at + 1]];
                let [x0, x, x1] = [before, here, after].map(|(size, _)| (size as f64).ln());
                let [y0, y, y1] = [before, here, after].map(|(_, time)| time.ln());
                let deviation = (y - y0 - (y1 - y0) * (x - x0) / (x1 - x0)).abs();
                let is_dense = are_near(before.0, here.0) && are_near(here.0, after.0);
                (is_dense && deviation > MIN_BEND).then_some((deviation, at))
            })
            .collect();
        bends.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let halfway = |at: usize| {
            let [low, high] = [known[at].0, known[at + 1].0];
            (low as f64 * high as f64).sqrt() as usize
        };
        bends.iter().take(MAX_BENDS).flat_map(|(_, at)| [halfway(at - 1), halfway(*at)]).collect()
    }

    /// Estimated time per message of that size in a streaming bandwidth test.
    pub(super) fn gap(&self, size: usize) -> f64 {
        interpolated(&self.gaps, size)
    }
}

/// Linear interpolation in bytes; extrapolates from the last two points.
fn interpolated(points: &[(usize, f64)], size: usize) -> f64 {
    let above = points.iter().position(|(bytes, _)| *bytes >= size);
    match (above, points) {
        (_, []) => 1.0,
        (_, [(_, only)]) | (Some(0), [(_, only), ..]) => *only,
        (above, points) => {
            let i = above.unwrap_or(points.len() - 1);
            let ((x0, y0), (x1, y1)) = (points[i - 1], points[i]);
            (y0 + (y1 - y0) * (size - x0) as f64 / (x1 - x0).max(1) as f64).max(y0.min(y1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A handshake of 20 µs above 4 KiB, on a line of 2 µs and 1 ns per byte.
    #[test]
    fn more_sizes_are_measured_where_the_time_bends() {
        let time = |size: usize| 2.0 + size as f64 * 1e-3 + if size > 4096 { 20.0 } else { 0.0 };
        let survey = |sizes: &[usize]| Survey {
            ends: sizes.iter().map(|size| (*size, time(*size))).collect(),
            gaps: Vec::new(),
            single_gap: 1.0,
        };
        let doubled: Vec<usize> = (0..=20).map(|power| 1 << power).collect();
        let mut bends = survey(&doubled).bends();
        bends.sort_unstable();
        bends.dedup();
        assert!(bends.len() <= 2 * MAX_BENDS && bends.contains(&5792), "{bends:?}");
        assert!(bends.iter().all(|size| (1 << 10..1 << 17).contains(size)), "{bends:?}");
        assert_eq!(survey(&[8, 1 << 16, 1 << 20]).bends(), [0; 0], "sizes far apart");
        assert_eq!(survey(&[1, 2, 4, 8]).bends(), [0; 0], "no bend");
    }

    #[test]
    fn a_survey_is_linear_between_sizes_and_beyond() {
        let points = [(8, 1.0), (16, 2.0), (1024, 10.0)];
        assert_eq!(interpolated(&points, 1), 1.0);
        assert_eq!(interpolated(&points, 12), 1.5);
        assert_eq!(interpolated(&points, 1024), 10.0);
        assert!((interpolated(&points, 2032) - 18.0).abs() < 1e-9);
        assert_eq!(interpolated(&[(8, 3.0)], 1 << 20), 3.0);
    }
}

//! Rounds of a validation: how many, for how long, and how far it is.

use crate::measure::pulse;
use crate::progress_bar::{Progress, remark};
use crate::run::Failure;
use crate::run::plan::MIN_ROUNDS;
use loggia_fit::Remeasured;
use loggia_model::signature::Samples;
use loggia_model::units::Micros;
use std::time::Instant;

/// Rounds on machines whose state changes within seconds.
const ROUNDS: u32 = 120;
/// Rounds over a slow network, where the state does not matter and a round takes long.
const FEW_ROUNDS: u32 = 6;
/// Maximum factor on the rounds if the machine is in another state than during the measurement.
const MAX_EXTENSION: u32 = 3;
/// Seconds without a line of progress.
const PATIENCE: f64 = 2.0;

pub(super) struct Rounds {
    /// Maximum seconds of each part.
    limit: Option<f64>,
    progress: Progress,
}

/// What is measured: the messages of a tier, or else the collective operations.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) tier: Option<&'a str>,
    /// The usual time of a small message.
    pub(super) latency: Option<Micros>,
}

impl Part<'_> {
    fn title(&self) -> &str {
        self.tier.unwrap_or("collectives")
    }

    pub(super) fn remeasured<'a>(&self, samples: &'a [Samples]) -> Remeasured<'a> {
        match self.tier {
            Some(tier) => Remeasured::of_tier(tier, samples, self.latency),
            None => Remeasured::together(samples, self.latency),
        }
    }
}

impl Rounds {
    /// Rounds of these parts, within a limit for all together.
    pub(super) fn of(parts: &[Part], max_seconds: Option<f64>) -> Self {
        let each = 1.0 / parts.len().max(1) as f64;
        let limit = max_seconds.map(|seconds| seconds * each);
        let all = parts.iter().map(|part| f64::from(usual_rounds(trips(part.latency)))).sum();
        let mut progress = Progress::start().quiet_for(PATIENCE);
        progress.set_total(all);
        Rounds { limit, progress }
    }

    /// The samples of one part, from `measure` with the number of the round and of the round trips
    /// before and after a measurement.
    pub(super) fn samples(
        &mut self,
        part: Part,
        mut measure: impl FnMut(u32, u32) -> Result<Vec<Samples>, Failure>,
    ) -> Result<Vec<Samples>, Failure> {
        let begin = Instant::now();
        let (title, pulse) = (part.title(), trips(part.latency));
        let usual = usual_rounds(pulse);
        let mut samples = Vec::new();
        for round in 0..MAX_EXTENSION * usual {
            let is_complete = round > 0 && round.is_multiple_of(usual);
            if is_complete && part.remeasured(&samples).remark().is_none() {
                break;
            }
            let is_late = || self.limit.is_some_and(|limit| begin.elapsed().as_secs_f64() > limit);
            if round >= MIN_ROUNDS && is_late() {
                if round < usual {
                    let left = usual - round;
                    remark(&format!("! {title}: the time limit left out {left} of {usual} rounds"));
                }
                break;
            }
            if is_complete {
                self.progress.add_to_total(f64::from(usual));
            }
            self.progress.start_part(title);
            samples.extend(measure(round, pulse)?);
            self.progress.finish_part(1.0);
        }
        if let Some(warning) = part.remeasured(&samples).remark() {
            remark(&format!("! {warning}"));
        }
        Ok(samples)
    }

    /// Shows the total time.
    pub(super) fn end(&self) {
        self.progress.end("measured");
    }
}

/// Round trips between two measurements; none over a slow network.
fn trips(latency: Option<Micros>) -> u32 {
    latency.map_or(0, |latency| pulse::trips(latency.0))
}

fn usual_rounds(pulse: u32) -> u32 {
    if pulse > 0 { ROUNDS } else { FEW_ROUNDS }
}

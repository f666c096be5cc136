//! Rank 0: sends commands, collects samples, saves the file, shows progress.

use super::commands::{
    ConcurrentPairsCommand, GroupCommand, PairCommand, PairResult, Step, dismiss,
    run_concurrent_pairs, run_group, run_pair,
};
use super::machine::{Ranks, TierPair};
use super::options::{MeasurementKind, Options};
use super::plan::{Collectives, MIN_ROUNDS, Measurement, Planner, card_streams};
use super::signature_file::{SignatureFile, check_output};
use super::stop::ExitMessage;
use super::summary;
use super::survey::Survey;
use super::tier_run::TierRun;
use crate::measure::clock_sync::CommonClock;
use crate::measure::two_processor::SendMode;
use crate::measure::{Effort, SMALL, examine_clock, pulse};
use crate::progress_bar::Progress;
use crate::progress_bar::remark;
use crate::run::Failure;
use crate::transport::Transport;

use loggia_model::signature::{Clock, Measured, Quantity, Reach, Samples, Signature};
use std::time::{Duration, Instant};

/// The share of a time limit for measurements; the rest is for the survey and the fits.
const MEASURING_SHARE: f64 = 0.9;
/// The share of a time limit after which no measurement begins.
const STOPPING_SHARE: f64 = 0.97;

/// A message size that shows the bandwidth of a link.
const LARGE: usize = 64 << 10;

/// Runs all measurements and writes the signature. The other ranks follow commands until the
/// end, also after an error.
pub fn lead(transport: &mut dyn Transport, options: &Options) -> Result<Signature, Failure> {
    let result = measured(transport, options);
    // After a failure the ranks may wait for each other and not read commands.
    if !matches!(result, Err(Failure::Failed(_))) {
        dismiss(transport).map_err(Failure::Failed)?;
    }
    result
}

struct Coordinator<'a> {
    transport: &'a mut dyn Transport,
    options: &'a Options,
    clock: Clock,
    common: CommonClock,
    file: SignatureFile,
    progress: Progress,
    begin: Instant,
    saving: Periodic,
    fitting: Periodic,
}

/// One round of one measurement.
#[derive(Clone, Copy)]
enum Part<'a> {
    Pair(&'a TierRun, &'a Measurement),
    Group(&'a Collectives),
}

impl Part<'_> {
    /// The name in the file.
    fn title(&self) -> String {
        match self {
            Part::Pair(tier, measurement) => measurement.title(tier.pair.name),
            Part::Group(operations) => operations.title(),
        }
    }

    fn round(&self) -> u32 {
        match self {
            Part::Pair(_, measurement) => measurement.round,
            Part::Group(operations) => operations.round,
        }
    }
}

/// The rounds of each tier and of the collective operations, each spread over the whole run.
fn parts_in_order<'a>(tiers: &'a [TierRun], collectives: &'a [Collectives]) -> Vec<Part<'a>> {
    let of_tier =
        |tier: &'a TierRun| tier.measurements.iter().map(|m| Part::Pair(tier, m)).collect();
    let mut series: Vec<Vec<Part>> = tiers.iter().map(of_tier).collect();
    series.push(collectives.iter().map(Part::Group).collect());
    let mut parts = Vec::new();
    for series in series {
        let rounds = series.iter().map(Part::round).max().map_or(1, |last| last + 1);
        let place = |part: &Part| (f64::from(part.round()) + 0.5) / f64::from(rounds);
        parts.extend(series.iter().map(|part| (place(part), *part)));
    }
    parts.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    parts.into_iter().map(|(_, part)| part).collect()
}

/// A recurring task that may take a tenth of the run time.
#[derive(Default)]
struct Periodic(Option<(Instant, Duration)>);

impl Periodic {
    fn is_due(&self) -> bool {
        self.0.is_none_or(|(done, duration)| done.elapsed() >= 9 * duration)
    }

    fn done_since(&mut self, begin: Instant) {
        self.0 = Some((Instant::now(), begin.elapsed()));
    }
}

fn measured(transport: &mut dyn Transport, options: &Options) -> Result<Signature, Failure> {
    let begin = Instant::now();
    check_output(options)?;
    if transport.ranks() < 2 {
        return Err(super::too_few_ranks().into());
    }
    let exit_message = ExitMessage::prepare("nothing was measured yet");
    let ranks = Ranks::identify(transport)?;
    let clock = examine_clock(transport);
    let file =
        SignatureFile::begin(options, transport.name(), &ranks, clock.clone(), exit_message)?;
    let (common, progress) = (CommonClock::default(), Progress::start());
    let (saving, fitting) = (Periodic::default(), Periodic::default());
    let mut coordinator =
        Coordinator { transport, options, clock, common, file, progress, begin, saving, fitting };
    let mut tiers = Vec::new();
    for pair in ranks.tier_pairs() {
        tiers.push(coordinator.survey(pair)?);
    }
    let collectives = coordinator.collectives(&ranks, &tiers);
    let mut plans = Vec::new();
    for tier in &tiers {
        let planner = coordinator.planner(tier, tiers.len());
        plans.extend(planner.eager_limit());
        plans.extend(planner.rounds(None));
    }
    summary::plan(&ranks, options, &coordinator.file, &tiers, (&plans, &collectives));
    let estimates = plans.iter().map(|m| m.estimate).chain(collectives.iter().map(|c| c.estimate));
    coordinator.progress.set_total(estimates.sum());
    let mut skipped = 0;
    for i in 0..tiers.len() {
        if let Some(first) = coordinator.planner(&tiers[i], tiers.len()).eager_limit() {
            coordinator.make(&tiers[i], &first)?;
        }
        let eager =
            loggia_fit::eager_limit(tiers[i].pair.name, &coordinator.file.signature.samples);
        let planner = coordinator.planner(&tiers[i], tiers.len());
        let left_out = planner.left_out();
        tiers[i].measurements = planner.rounds(eager);
        // A resumed run may have planned more rounds before.
        let is_measured = |m: &Measurement| coordinator.file.has(&m.title(tiers[i].pair.name));
        skipped += left_out.iter().filter(|m| !is_measured(m)).count();
    }
    let parts = parts_in_order(&tiers, &collectives);
    let all = parts.len() + skipped;
    for part in &parts {
        let is_measured = coordinator.file.has(&part.title());
        if part.round() >= MIN_ROUNDS && !is_measured && coordinator.is_out_of_time() {
            skipped += 1;
            continue;
        }
        match part {
            Part::Pair(tier, measurement) => coordinator.make(tier, measurement)?,
            Part::Group(operations) => coordinator.make_collectives(operations)?,
        }
        if coordinator.fitting.is_due() {
            // The file has parameters early; later rounds improve them.
            let begin = Instant::now();
            coordinator.file.fit(&tiers);
            coordinator.fitting.done_since(begin);
        }
    }
    if skipped > 0 {
        coordinator.file.warn(format!(
            "the time limit left out {skipped} of {all} measurements, so intervals are wider; repeat \
             with a longer limit"
        ));
    }
    for tier in tiers.iter().filter(|_| options.only.contains(&MeasurementKind::Progress)) {
        let of_progress = |samples: &Samples| {
            samples.tier.as_deref() == Some(tier.pair.name)
                && samples.quantity == Quantity::SenderDone
        };
        if !coordinator.file.signature.samples.iter().any(of_progress) {
            coordinator.file.warn(format!(
                "{}: progress is unknown, since both ranks ran on one processor; bind each rank to \
                 its own",
                tier.pair.name
            ));
        }
    }
    coordinator.pairs(&ranks)?;
    if let Some(network) = tiers.iter().find(|tier| tier.pair.reach == Reach::Inter) {
        coordinator.shared_card(&ranks, network)?;
    }
    coordinator.file.finish(&tiers);
    coordinator.save()?;
    coordinator.progress.end("measured");
    Ok(coordinator.file.signature)
}

impl Coordinator<'_> {
    /// Whether only time for the last fit is left.
    fn is_out_of_time(&self) -> bool {
        let limit = self.options.max_seconds.map(|max| STOPPING_SHARE * max);
        limit.is_some_and(|limit| self.begin.elapsed().as_secs_f64() > limit)
    }

    fn collectives(&self, ranks: &Ranks, tiers: &[TierRun]) -> Vec<Collectives> {
        if !self.transport.has_collectives() {
            return Vec::new();
        }
        let first = tiers.iter().find(|tier| tier.pair.are_first());
        let pulse = first.map_or(0, |tier| tier.pulse);
        Collectives::all(self.options, &ranks.groups(), ranks.share_processors(), pulse)
    }

    fn survey(&mut self, pair: TierPair) -> Result<TierRun, Failure> {
        let options = self.options;
        let run = |steps| self.run(&pair, (0, 0), steps).map(|result| result.samples);
        let survey = Survey::make(&options.sizes, run)?;
        let path = Step::Path { same_host: pair.reach == Reach::Intra };
        let path = self.run(&pair, (0, 0), vec![path])?.path.unwrap_or_default();
        let pulse = pulse::trips(survey.end(SMALL));
        Ok(TierRun { pair, path, survey, pulse, measurements: Vec::new() })
    }

    /// Measures pairs across all hosts, each host in two pairs, to find slow hosts.
    fn pairs(&mut self, ranks: &Ranks) -> Result<(), Failure> {
        let ring = ranks.host_ring();
        let name = "pairs across hosts";
        if ring.len() < 3 || self.file.has(name) {
            return Ok(());
        }
        let begin = Instant::now();
        let effort = Effort { warm_up: 5, min: 20, max: 200, precision: 0.05, seconds: 0.2 };
        let mut samples = Vec::new();
        for (leader, partner) in ring {
            let pair = TierPair { name: "network", reach: Reach::Inter, leader, partner };
            let steps = [SMALL, LARGE].map(|size| Step::PingPong { size, effort });
            samples.extend(self.run(&pair, (0, 0), steps.to_vec())?.samples);
        }
        let remarks = loggia_fit::pairs::slow(&samples, &ranks.hosts());
        let done = Measured { remarks, ..done_since(begin, name.to_owned()) };
        self.keep(None, done, samples)
    }

    /// Measures 1, 2, 4 … and all pairs of two hosts concurrently, for R_N.
    fn shared_card(&mut self, ranks: &Ranks, network: &TierRun) -> Result<(), Failure> {
        let pairs = ranks.pairs_of_two_hosts();
        let name = "pairs sharing a network card";
        let is_selected = self.options.only.contains(&MeasurementKind::Bandwidth);
        if pairs.len() < 2 || !is_selected || self.file.has(name) {
            return Ok(());
        }
        self.progress.start_part(name);
        let begin = Instant::now();
        let mut samples = Vec::new();
        for (count, streams) in card_streams(self.options, &network.survey, pairs.len()) {
            let (pairs, clock) = (pairs[..count].to_vec(), self.clock.clone());
            let command = ConcurrentPairsCommand { pairs, clock, steps: vec![streams] };
            samples.extend(run_concurrent_pairs(self.transport, command).map_err(Failure::Failed)?);
        }
        self.keep(Some(network.pair.name), done_since(begin, name.to_owned()), samples)
    }

    fn planner<'b>(&'b mut self, tier: &'b TierRun, tiers: usize) -> Planner<'b> {
        let transport = &mut *self.transport;
        let is_supported = |name: &String| {
            SendMode::named(name).is_some_and(|send| transport.can_send(send.mode, send.blocking))
        };
        let styles =
            self.options.styles.iter().filter(|name| is_supported(name)).cloned().collect();
        let seconds = match self.options.max_seconds {
            Some(max) => {
                let is_shared = self.options.only.contains(&MeasurementKind::Collectives)
                    && transport.has_collectives();
                let collectives_share = if is_shared { Collectives::TIME_SHARE } else { 0.0 };
                (MEASURING_SHARE - collectives_share) * max / tiers as f64
            }
            None => self.options.level.seconds(),
        };
        let one_sided = transport.one_sided().is_some();
        Planner::new(self.options, &tier.survey, styles, one_sided, seconds)
    }

    /// Makes one measurement, unless the file contains it.
    fn make(&mut self, tier: &TierRun, measurement: &Measurement) -> Result<(), Failure> {
        let pair = &tier.pair;
        let title = measurement.title(pair.name);
        self.progress.start_part(&title);
        if !self.file.has(&title) {
            let begin = Instant::now();
            let found =
                self.run(pair, (measurement.round, tier.pulse), measurement.steps.clone())?;
            self.keep(Some(pair.name), done_since(begin, title), found.samples)?;
        }
        self.progress.finish_part(measurement.estimate);
        Ok(())
    }

    /// Makes one round of collective operations, unless the file contains it.
    fn make_collectives(&mut self, operations: &Collectives) -> Result<(), Failure> {
        let Collectives { ref group, round, pulse, ref steps, estimate } = *operations;
        let title = operations.title();
        self.progress.start_part(&title);
        if !self.file.has(&title) {
            let begin = Instant::now();
            let (group, clock, steps) = (group.clone(), self.clock.clone(), steps.clone());
            let command = GroupCommand { group, clock, round, pulse, steps };
            let samples = run_group(self.transport, &mut self.common, command);
            let samples = samples.map_err(Failure::Failed)?;
            self.keep(None, done_since(begin, title), samples)?;
        }
        self.progress.finish_part(estimate);
        Ok(())
    }

    /// Runs steps on a pair and returns the leader's result.
    fn run(
        &mut self,
        pair: &TierPair,
        (round, pulse): (u32, u32),
        steps: Vec<Step>,
    ) -> Result<PairResult, Failure> {
        let TierPair { leader, partner, .. } = *pair;
        let clock = self.clock.clone();
        let command = PairCommand { leader, partner, clock, round, pulse, steps };
        run_pair(self.transport, command).map_err(Failure::Failed)
    }

    /// Adds samples to the file, and saves the file if that is due.
    fn keep(
        &mut self,
        tier: Option<&str>,
        done: Measured,
        samples: Vec<Samples>,
    ) -> Result<(), Failure> {
        self.file.add(tier, done, samples);
        if !self.saving.is_due() {
            return Ok(());
        }
        let begin = Instant::now();
        self.save()?;
        self.saving.done_since(begin);
        Ok(())
    }

    fn save(&self) -> Result<(), Failure> {
        if let Err(error) = self.file.signature.validate() {
            // Save the samples anyway.
            remark(&format!("! the signature is invalid, please report this: {error}"));
        }
        self.file.save(self.options).map_err(Failure::Failed)
    }
}

/// A measurement that started at `begin`; its time is rounded to milliseconds.
fn done_since(begin: Instant, name: String) -> Measured {
    let seconds = (begin.elapsed().as_secs_f64() * 1e3).round() / 1e3;
    Measured { name, seconds, remarks: Vec::new() }
}

//! A part of a timeline, at the resolution of a picture.

use loggia_model::Error;
use loggia_model::units::Micros;
use loggia_replay::report::COMPUTATION;
use loggia_schedule::observe::{Activity, Work};
use loggia_schedule::overview::{Overview, Section};
use loggia_schedule::schedule::Schedule;
use loggia_schedule::timeline::{Flight, Recorder, Span, Timeline};
use loggia_simulate::Simulation;
use loggia_simulate::result::{Word, known};
use loggia_trace::call::KINDS;
use serde::{Deserialize, Serialize};

/// The visible part, and the resolution of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Viewport {
    /// Start.
    pub from: Micros,
    /// End.
    pub to: Micros,
    /// First rank.
    pub first: u32,
    /// Number of ranks.
    pub ranks: u32,
    /// Maximum number of columns.
    pub cells: u32,
    /// Maximum number of rows.
    pub rows: u32,
}

/// A part of a timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimelineSection {
    /// The requested part.
    pub viewport: Viewport,
    /// Number of intervals in it.
    pub intervals: u64,
    /// The intervals, if there are few.
    pub each: Option<Vec<BusyInterval>>,
    /// Number of messages in flight in it.
    pub messages: u64,
    /// The messages, if there are few.
    pub arrows: Option<Vec<MessageFlight>>,
    /// Ranks per row of cells.
    pub ranks_a_row: u32,
    /// Duration of a cell.
    pub cell_us: Micros,
    /// Length of `shares`.
    pub shares_length: usize,
    /// If there are too many intervals: for each cell, row by row, the shares of computing,
    /// sending, receiving and control messages in 1/255 of its time. Sent as binary data.
    #[serde(skip)]
    pub shares: Vec<u8>,
}

/// An activity of a processor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BusyInterval {
    pub rank: u32,
    /// Its processor.
    pub cpu: u8,
    #[serde(deserialize_with = "known")]
    pub activity: Word,
    /// The operation.
    pub op: String,
    pub start_us: Micros,
    pub end_us: Micros,
}

/// A message in flight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageFlight {
    /// Sender.
    pub from: u32,
    /// Receiver.
    pub to: u32,
    /// Start of the flight.
    pub leaves_us: Micros,
    /// Arrival of its first byte.
    pub arrives_us: Micros,
}

/// Maximum number of intervals or messages reported one by one.
const MAX_INTERVALS: usize = 4000;
const MAX_ARROWS: usize = 1200;

/// Collects a part of a timeline, as intervals and as cells.
pub(super) struct SectionBuilder<'a> {
    schedule: &'a Schedule,
    /// Describes an operation.
    describe: &'a dyn Fn(&Work) -> String,
    section: Section,
    overview: Overview,
    spans: Vec<Span>,
    intervals: u64,
    flights: Vec<Flight>,
    messages: u64,
}

impl Recorder for SectionBuilder<'_> {
    fn span(&mut self, span: Span) {
        let Section { ranks, .. } = &self.section;
        if ranks.contains(&span.work.rank) && self.section.meets(span.start, span.end) {
            self.intervals += 1;
            if self.spans.len() < MAX_INTERVALS {
                self.spans.push(span);
            }
            self.overview.span(span);
        }
    }

    fn flight(&mut self, flight: Flight) {
        let op = &self.schedule.ops()[flight.send as usize];
        let (low, high) = (op.rank.min(op.peer), op.rank.max(op.peer));
        let Section { ranks, .. } = &self.section;
        let meets = high >= ranks.start && low < ranks.end;
        if meets && self.section.meets(flight.leaves, flight.arrives) {
            self.messages += 1;
            if self.flights.len() < MAX_ARROWS {
                self.flights.push(flight);
            }
        }
    }
}

pub(super) fn of_run(
    simulation: &Simulation,
    timeline: Option<&Timeline>,
    viewport: Viewport,
) -> Result<TimelineSection, Error> {
    let describe = |work: &Work| simulation.work_in_words(work);
    build(simulation, viewport, &describe, |builder| match timeline {
        Some(timeline) => builder.add_timeline(timeline),
        None => {
            simulation.timeline(builder);
        }
    })
}

/// The same for calls of a traced program.
pub(super) fn of_calls(
    simulation: &Simulation,
    viewport: Viewport,
    collect: impl FnOnce(&mut SectionBuilder),
) -> Result<TimelineSection, Error> {
    let describe = |work: &Work| match work.activity {
        Activity::Compute => COMPUTATION.to_owned(),
        _ => KINDS.get(usize::from(work.label)).copied().unwrap_or_default().to_owned(),
    };
    build(simulation, viewport, &describe, collect)
}

fn build<'a>(
    simulation: &'a Simulation,
    viewport: Viewport,
    describe: &'a dyn Fn(&Work) -> String,
    collect: impl FnOnce(&mut SectionBuilder<'a>),
) -> Result<TimelineSection, Error> {
    /// Maximum number of rows or columns.
    const MAX_CELLS: u32 = 1 << 13;
    let ticks = simulation.ticks();
    let at = |time: Micros| ticks.of(Micros(time.0.max(0.0)));
    let all = simulation.schedule().ranks();
    let first = viewport.first.min(all);
    let ranks = first..first.saturating_add(viewport.ranks).min(all);
    let rows = viewport.rows.clamp(1, MAX_CELLS) as usize;
    let section = Section { between: (at(viewport.from)?, at(viewport.to)?), ranks, rows };
    let mut builder = SectionBuilder {
        schedule: simulation.schedule(),
        describe,
        overview: Overview::new(section.clone(), viewport.cells.clamp(1, MAX_CELLS) as usize),
        section,
        spans: Vec::new(),
        intervals: 0,
        flights: Vec::new(),
        messages: 0,
    };
    collect(&mut builder);
    Ok(builder.finish(simulation, viewport))
}

impl SectionBuilder<'_> {
    /// Adds a timeline that is kept in memory.
    pub(super) fn add_timeline(&mut self, timeline: &Timeline) {
        timeline.spans.iter().for_each(|span| self.span(*span));
        timeline.flights.iter().for_each(|flight| self.flight(*flight));
    }

    fn finish(self, simulation: &Simulation, viewport: Viewport) -> TimelineSection {
        let few = self.intervals <= MAX_INTERVALS as u64;
        let shares = if few { Vec::new() } else { self.shares() };
        let interval = |span: &Span| BusyInterval {
            rank: span.work.rank,
            cpu: span.work.cpu,
            activity: span.work.activity.name(),
            op: (self.describe)(&span.work),
            start_us: simulation.micros(span.start),
            end_us: simulation.micros(span.end),
        };
        let arrow = |flight: &Flight| {
            let op = &self.schedule.ops()[flight.send as usize];
            let (from, to) = if flight.back { (op.peer, op.rank) } else { (op.rank, op.peer) };
            let (leaves, arrives) = (flight.leaves, flight.arrives);
            let (leaves_us, arrives_us) = (simulation.micros(leaves), simulation.micros(arrives));
            MessageFlight { from, to, leaves_us, arrives_us }
        };
        TimelineSection {
            viewport,
            intervals: self.intervals,
            each: few.then(|| self.spans.iter().map(interval).collect()),
            messages: self.messages,
            arrows: (self.messages <= MAX_ARROWS as u64)
                .then(|| self.flights.iter().map(arrow).collect()),
            ranks_a_row: self.section.ranks_a_row(),
            cell_us: simulation.micros(self.overview.width()),
            shares_length: shares.len(),
            shares,
        }
    }

    /// Shares of each cell; any activity counts at least 1/255, so that it is visible.
    fn shares(&self) -> Vec<u8> {
        let cpus = self.schedule.cpus() as u64 * u64::from(self.section.ranks_a_row());
        let whole = u128::from(self.overview.width().saturating_mul(cpus).max(1));
        let share = |ticks: u64| (u128::from(ticks) * 255).div_ceil(whole).min(255) as u8;
        self.overview.busy().flat_map(|cell| cell.map(share)).collect()
    }
}

//! A part of a timeline, as exact as a picture can show it.

use loggia_model::Error;
use loggia_model::units::Micros;
use loggia_replay::report::COMPUTATION;
use loggia_schedule::observe::{Activity, Work};
use loggia_schedule::overview::{Overview, Section};
use loggia_schedule::schedule::Schedule;
use loggia_schedule::timeline::{Flight, Span, Taker, Timeline};
use loggia_simulate::Simulation;
use loggia_simulate::result::{Word, known};
use loggia_trace::call::KINDS;
use serde::{Deserialize, Serialize};

/// Which part is looked at, and by how large a picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Viewport {
    /// From then on.
    pub from: Micros,
    /// Until then.
    pub to: Micros,
    /// From this rank on.
    pub first: u32,
    /// So many ranks.
    pub ranks: u32,
    /// So many cells across …
    pub cells: u32,
    /// Maximum number of rows.
    pub rows: u32,
}

/// What is seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimelineSection {
    /// Where it was looked.
    pub glass: Viewport,
    /// How many intervals lie there.
    pub intervals: u64,
    /// All of them, if they are few.
    pub each: Option<Vec<BusyInterval>>,
    /// How many messages are in flight there.
    pub messages: u64,
    /// All of them, if they are few.
    pub arrows: Option<Vec<MessageFlight>>,
    /// How many ranks a row of cells stands for.
    pub ranks_a_row: u32,
    /// How long a cell is.
    pub cell_us: Micros,
    /// How long `shares` is.
    pub shares_length: usize,
    /// Where there are too many to tell each: of each cell, row by row, the 255ths that are spent
    /// with computing, sending, receiving and control messages. It travels beside the rest.
    #[serde(skip)]
    pub shares: Vec<u8>,
}

/// A processor is at something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BusyInterval {
    /// Whose.
    pub rank: u32,
    /// Which of its processors.
    pub cpu: u8,
    /// At what.
    #[serde(deserialize_with = "known")]
    pub activity: Word,
    /// For which operation.
    pub op: String,
    /// From when on.
    pub start_us: Micros,
    /// Until when.
    pub end_us: Micros,
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageFlight {
    /// From this rank.
    pub from: u32,
    /// To this one.
    pub to: u32,
    /// When it leaves.
    pub leaves_us: Micros,
    /// When its head arrives.
    pub arrives_us: Micros,
}

/// So many are told one by one.
const MOST_INTERVALS: usize = 4000;
const MOST_ARROWS: usize = 1200;

/// Keeps what lies in a section: each as long as they are few, and in cells.
pub(super) struct SectionBuilder<'a> {
    schedule: &'a Schedule,
    /// What a span is about, in words.
    describe: &'a dyn Fn(&Work) -> String,
    section: Section,
    overview: Overview,
    spans: Vec<Span>,
    intervals: u64,
    flights: Vec<Flight>,
    messages: u64,
}

impl Taker for SectionBuilder<'_> {
    fn span(&mut self, span: Span) {
        let Section { ranks, .. } = &self.section;
        if ranks.contains(&span.work.rank) && self.section.meets(span.start, span.end) {
            self.intervals += 1;
            if self.spans.len() < MOST_INTERVALS {
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
            if self.flights.len() < MOST_ARROWS {
                self.flights.push(flight);
            }
        }
    }
}

pub(super) fn sight(
    simulation: &Simulation,
    timeline: Option<&Timeline>,
    glass: Viewport,
) -> Result<TimelineSection, Error> {
    let describe = |work: &Work| simulation.work_in_words(work);
    look(simulation, glass, &describe, |looking| match timeline {
        Some(kept) => looking.keep(kept),
        None => {
            simulation.timeline(looking);
        }
    })
}

/// The same of a traced program's calls.
pub(super) fn of_calls(
    simulation: &Simulation,
    glass: Viewport,
    tell: impl FnOnce(&mut SectionBuilder),
) -> Result<TimelineSection, Error> {
    let describe = |work: &Work| match work.activity {
        Activity::Compute => COMPUTATION.to_owned(),
        _ => KINDS.get(usize::from(work.label)).copied().unwrap_or_default().to_owned(),
    };
    look(simulation, glass, &describe, tell)
}

fn look<'a>(
    simulation: &'a Simulation,
    glass: Viewport,
    describe: &'a dyn Fn(&Work) -> String,
    tell: impl FnOnce(&mut SectionBuilder<'a>),
) -> Result<TimelineSection, Error> {
    /// No screen has more.
    const MOST: u32 = 1 << 13;
    let ticks = simulation.ticks();
    let at = |time: Micros| ticks.of(Micros(time.0.max(0.0)));
    let all = simulation.schedule().ranks();
    let first = glass.first.min(all);
    let ranks = first..first.saturating_add(glass.ranks).min(all);
    let rows = glass.rows.clamp(1, MOST) as usize;
    let section = Section { between: (at(glass.from)?, at(glass.to)?), ranks, rows };
    let mut looking = SectionBuilder {
        schedule: simulation.schedule(),
        describe,
        overview: Overview::new(section.clone(), glass.cells.clamp(1, MOST) as usize),
        section,
        spans: Vec::new(),
        intervals: 0,
        flights: Vec::new(),
        messages: 0,
    };
    tell(&mut looking);
    Ok(looking.seen(simulation, glass))
}

impl SectionBuilder<'_> {
    /// Looks at what was kept.
    pub(super) fn keep(&mut self, timeline: &Timeline) {
        timeline.spans.iter().for_each(|span| self.span(*span));
        timeline.flights.iter().for_each(|flight| self.flight(*flight));
    }

    fn seen(self, simulation: &Simulation, glass: Viewport) -> TimelineSection {
        let few = self.intervals <= MOST_INTERVALS as u64;
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
            glass,
            intervals: self.intervals,
            each: few.then(|| self.spans.iter().map(interval).collect()),
            messages: self.messages,
            arrows: (self.messages <= MOST_ARROWS as u64)
                .then(|| self.flights.iter().map(arrow).collect()),
            ranks_a_row: self.section.ranks_a_row(),
            cell_us: simulation.micros(self.overview.width()),
            shares_length: shares.len(),
            shares,
        }
    }

    /// What is there at all is seen: it has one 255th at least.
    fn shares(&self) -> Vec<u8> {
        let cpus = self.schedule.cpus() as u64 * u64::from(self.section.ranks_a_row());
        let whole = u128::from(self.overview.width().saturating_mul(cpus).max(1));
        let share = |ticks: u64| (u128::from(ticks) * 255).div_ceil(whole).min(255) as u8;
        self.overview.busy().flat_map(|cell| cell.map(share)).collect()
    }
}

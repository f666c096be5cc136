//! A complete record of a short run for a picture: activities, messages in flight, and the critical
//! path.

use super::Simulation;
use loggia_model::units::Micros;
use loggia_schedule::explain::Stop;
pub use loggia_schedule::observe::Activity;
use loggia_schedule::schedule::OpId;
use loggia_schedule::timeline::Timeline;

/// A completely recorded run.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Number of ranks.
    pub ranks: u32,
    /// Completion time.
    pub end: Micros,
    /// Activities, in the order of their starts.
    pub spans: Vec<Span>,
    /// Messages in flight, roughly in the order of their departures.
    pub flights: Vec<Flight>,
}

/// An activity of a rank's processor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub rank: u32,
    pub activity: Activity,
    pub start: Micros,
    pub end: Micros,
    /// Whether it is on the critical path.
    pub is_critical: bool,
}

/// A message in flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// Sender.
    pub from: u32,
    /// Receiver.
    pub to: u32,
    /// Start of the flight.
    pub leaves: Micros,
    /// Arrival of its first byte.
    pub arrives: Micros,
    /// Whether it is on the critical path.
    pub is_critical: bool,
}

impl Simulation<'_> {
    /// Runs and records everything.
    pub fn record(&self) -> Record {
        let mut timeline = Timeline::default();
        self.timeline(&mut timeline);
        let (outcome, trace) = self.explain();
        let end = outcome.end();
        let path = trace.critical_path(&end);
        let spans = timeline.spans.iter().map(|span| Span {
            rank: span.work.rank,
            activity: span.work.activity,
            start: self.micros(span.start),
            end: self.micros(span.end),
            is_critical: path.iter().any(|stop| stop.work == span.work && stop.start == span.start),
        });
        let mut flights: Vec<Flight> = timeline
            .flights
            .iter()
            .map(|flight| {
                let send = self.schedule().op(OpId(flight.send));
                let (from, to) =
                    if flight.back { (send.peer, send.rank) } else { (send.rank, send.peer) };
                let (leaves, arrives) = (self.micros(flight.leaves), self.micros(flight.arrives));
                Flight { from, to, leaves, arrives, is_critical: false }
            })
            .collect();
        for hop in path.windows(2) {
            self.mark(&hop[0], &hop[1], &mut flights);
        }
        let end = self.micros(loggia_schedule::time::Time::ticks(end));
        Record { ranks: self.schedule().ranks(), end, spans: spans.collect(), flights }
    }

    /// Marks the message between two events of the critical path: the last one that arrives in
    /// time.
    fn mark(&self, before: &Stop, after: &Stop, flights: &mut [Flight]) {
        let (from, to) = (before.work.rank, after.work.rank);
        let (begun, there) = (self.micros(before.start), self.micros(after.start));
        let leads = |flight: &&mut Flight| {
            (flight.from, flight.to) == (from, to)
                && flight.leaves.0 >= begun.0
                && flight.arrives.0 <= there.0
        };
        let last =
            flights.iter_mut().filter(leads).max_by(|a, b| a.leaves.0.total_cmp(&b.leaves.0));
        if let Some(flight) = last {
            flight.is_critical = true;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use crate::request::CollectiveRequest;
    use loggia_model::library;
    use loggia_model::model::composition::Question;
    use loggia_model::signature::Operation;
    use loggia_model::units::{Bytes, Procs};

    /// A broadcast to 8 ranks on a tree: three consecutive messages with both ends.
    #[test]
    fn the_critical_path_of_a_tree_is_its_depth() {
        let t3d = library::load("cray-t3d").unwrap();
        let question = Question::of(&t3d, Operation::Bcast, Procs(8), Bytes(16), None).unwrap();
        let request = CollectiveRequest::of(&t3d, question);
        let binomial = crate::collective::named(Operation::Bcast, "binomial").unwrap();
        let (record, result) = request
            .algorithm_model()
            .unwrap()
            .simulated(&question, binomial, |run| (run.record(), run.answer(&run.run())))
            .unwrap();
        assert_eq!(Some(record.end), result.time_us);
        assert_eq!((record.ranks, record.flights.len()), (8, 7));
        assert_eq!(record.spans.iter().filter(|span| span.is_critical).count(), 6);
        assert_eq!(record.flights.iter().filter(|flight| flight.is_critical).count(), 3);
        let last = record.spans.iter().map(|span| span.end.0).fold(0.0, f64::max);
        assert!((last - record.end.0).abs() < 1e-6);
    }
}

//! A streamed schedule gives the same result as the same schedule in memory.

use crate::handshakes::Handshakes;
use crate::random::Random;
use loggia_schedule::loggops::Costs;
use loggia_schedule::loggpo::{MessageProtocol, run, run_stream};
use loggia_schedule::outcome::Outcome;
use loggia_schedule::schedule::{ANY, Builder, OpId, Schedule, Step};
use loggia_schedule::stream::{Next, OperationSink, OperationSource};
use loggia_schedule::stuck::{Stuck, describe};
use loggia_schedule::timeline::Splits;

/// A call: its operation, whether the next call may begin when this call has begun, and the earlier
/// calls for which it waits.
struct Call {
    step: Step,
    is_open: bool,
    waits: Vec<usize>,
}

/// The calls of every rank, in order.
struct Calls {
    ranks: Vec<Vec<Call>>,
    /// Number of calls fetched so far.
    streamed: Vec<usize>,
    /// Maximum number of calls per fetch.
    batch: usize,
}

fn put(calls: &[Call], at: usize, first: u32, out: &mut (impl OperationSink + ?Sized)) -> OpId {
    let op = out.push(calls[at].step);
    if let Some(before) = at.checked_sub(1) {
        let earlier = OpId(first + before as u32);
        match calls[before].is_open {
            true => out.after_start(op, earlier),
            false => out.after(op, earlier),
        }
    }
    for wait in &calls[at].waits {
        out.after(op, OpId(first + *wait as u32));
    }
    op
}

impl OperationSource for Calls {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn next(&mut self, rank: u32, out: &mut dyn OperationSink) -> Next {
        let (calls, streamed) = (&self.ranks[rank as usize], &mut self.streamed[rank as usize]);
        let mut last = None;
        for at in *streamed..calls.len().min(*streamed + self.batch) {
            last = Some(put(calls, at, 0, out));
            *streamed += 1;
        }
        last.map_or(Next::End, Next::AfterStartOf)
    }
}

fn calls(random: &mut Random) -> Calls {
    let count = 1 + random.below(5) as usize;
    let mut ranks: Vec<Vec<Call>> = (0..count).map(|_| Vec::new()).collect();
    let mut add = |random: &mut Random, rank: usize, step: Step| {
        let known = ranks[rank].len();
        let waits = (0..random.below(3)).filter(|_| known > 1 && random.chance(40));
        let waits: Vec<u64> = waits.collect();
        let waits = waits.iter().map(|_| random.below(known as u64) as usize).collect();
        ranks[rank].push(Call { step, is_open: random.chance(50), waits });
    };
    for _ in 0..random.below(60) {
        let [from, to] = [0, 1].map(|_| random.below(count as u64) as u32);
        let (bytes, tag) = ([0, 1, 8, 100, 1000][random.below(5) as usize], random.below(2) as u32);
        let source = if random.chance(5) { ANY } else { from };
        let [early, late] = [Step::recv(bytes, source).tag(tag), Step::send(bytes, to).tag(tag)];
        // Sometimes the receive is first.
        let swapped = from == to || random.chance(40);
        let mut both = [(to as usize, early), (from as usize, late)];
        if !swapped {
            both.reverse();
        }
        for (rank, step) in both {
            if random.chance(99) {
                add(random, rank, step);
            }
        }
        let rank = random.below(count as u64) as usize;
        let time = [0, 0, 5, 700, 5000][random.below(5) as usize];
        add(random, rank, Step::calc(time));
    }
    let streamed = vec![0; count];
    Calls { ranks, streamed, batch: 1 + random.below(3) as usize }
}

#[test]
fn a_streamed_schedule_equals_one_in_memory() {
    let mut random = Random(5);
    let mut stuck = 0;
    for number in 0..10_000 {
        let mut calls = calls(&mut random);
        let mut builder = Builder::default();
        for rank in &calls.ranks {
            builder.rank();
            let mut first = None;
            for at in 0..rank.len() {
                let number = first.map_or(0, |first: OpId| first.0);
                let op = put(rank, at, number, &mut builder);
                first = first.or(Some(op));
            }
        }
        let schedule = builder.finish().unwrap();
        let costs = Costs {
            latency: random.below(3000),
            overhead: random.below(300),
            gap: random.below(500),
            gap_per_byte: random.below(4),
            overhead_per_byte: 0,
            eager_limit: [0, 50, 1 << 40][random.below(3) as usize],
        };
        let protocol = if number % 2 == 0 { MessageProtocol::Rat } else { MessageProtocol::Rta };
        let machine = Handshakes { costs, protocol, dependent: number % 3 == 0 };
        let mut splits = [Splits::new(schedule.ranks()), Splits::new(schedule.ranks())];
        let known: Outcome<u64> = run(&schedule, &machine, 1, &mut splits[0]);
        let streamed: Outcome<u64> = run_stream(&mut calls, &machine, 1, &mut splits[1]);
        assert_eq!(
            (&streamed.ends, streamed.events, streamed.messages),
            (&known.ends, known.events, known.messages)
        );
        assert_eq!(splits[0].of, splits[1].of);
        assert_eq!(known.left.is_empty(), streamed.left.is_empty());
        let Some(rest) = &streamed.left.of else { continue };
        stuck += 1;
        let words = |ids: &[OpId], of: &Schedule| {
            let mut words: Vec<String> = ids.iter().map(|id| describe(of.op(*id))).collect();
            words.sort();
            words
        };
        let [before, after] = [Stuck::of(&schedule, &known.left), Stuck::of(rest, &streamed.left)];
        let parts = |stuck: &Stuck| {
            [stuck.without_send.clone(), stuck.without_receive.clone(), stuck.unanswered.clone()]
        };
        for (left, right) in parts(&before).iter().zip(parts(&after)) {
            assert_eq!(words(left, &schedule), words(&right, rest));
        }
        assert_eq!(before.cycle.is_empty(), after.cycle.is_empty());
        for (left, right) in [
            (&known.left.receives, &streamed.left.receives),
            (&known.left.messages, &streamed.left.messages),
            (&known.left.waiting, &streamed.left.waiting),
        ] {
            assert_eq!(words(left, &schedule), words(right, rest));
        }
    }
    assert!(stuck > 300, "{stuck}");
}

//! Synthetic times of every candidate of every operation, with noise, on machines with slightly
//! wrong parameters. Each algorithm is identified or undetermined, and never identified as another
//! one.

use super::candidates::{Machine, Point, TimeParts};
use super::{Evidence, Finding, Time, identify, note};
use loggia_model::library;
use loggia_model::signature::{
    Collection, Host, Operation, Quantity, Range, Samples, Signature, Statistic,
};
use loggia_model::units::{Bytes, Micros, Procs};

const MACHINES: [&str; 3] = ["cray-t3d", "now-sparc", "convex-exemplar"];
const SIZES: [u64; 6] = [0, 8, 1024, 16384, 65536, 262_144];

struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn around_one(&mut self, deviation: f64) -> f64 {
        1.0 + deviation * ((0..12).map(|_| self.uniform()).sum::<f64>() - 6.0)
    }

    /// A uniform number from −`most` to `most`.
    fn symmetric(&mut self, most: f64) -> f64 {
        most * (2.0 * self.uniform() - 1.0)
    }
}

/// The deviation of times from the model.
#[derive(Clone, Copy)]
struct Trial {
    /// Independent noise.
    noise: f64,
    /// Maximum factor of each parameter.
    wrong: f64,
    /// Maximum exponent of p.
    drift: f64,
    /// Maximum factor of the time of bytes.
    shared: f64,
    /// Maximum additional cost of a call, in overheads of a message.
    call: f64,
}

impl Trial {
    /// Times at these points, from their parts.
    fn times(
        self,
        points: &[Point],
        simulated: &[TimeParts],
        overheads: f64,
        noise: &mut Noise,
    ) -> Vec<Time> {
        let mut factors: TimeParts = [(); 4].map(|()| self.wrong.powf(noise.symmetric(1.0)));
        factors[2] *= self.shared.powf(noise.uniform());
        let drift = noise.symmetric(self.drift);
        let call = overheads * self.call * noise.uniform();
        let time = |(at, simulated): (&Point, &TimeParts)| {
            let time: f64 = simulated.iter().zip(factors).map(|(part, factor)| part * factor).sum();
            let micros = (time + call) * at.0.count().powf(drift) * noise.around_one(self.noise);
            Time { at: *at, micros, noise: self.noise / 4.0 }
        };
        points.iter().zip(simulated).map(time).collect()
    }
}

/// Results of trials over every method of every operation.
#[derive(Default)]
struct Score {
    named: usize,
    undetermined: usize,
    /// Times attributed to another algorithm.
    wrong: Vec<String>,
}

impl Score {
    /// Adds a trial for each candidate of an operation as the true one.
    fn add(&mut self, trial: Trial, signature: &Signature, op: Operation, procs: &[u32]) {
        let sizes = if op == Operation::Barrier { &SIZES[..1] } else { &SIZES };
        let at = |p: &u32| sizes.iter().map(|m| (Procs(*p), Bytes(*m))).collect::<Vec<Point>>();
        let points: Vec<Point> = procs.iter().flat_map(at).collect();
        let machine = Machine::of(signature).unwrap();
        let (mut candidates, call) = (machine.candidates(op, &points), machine.overheads());
        for truth in 0..candidates.len() {
            for variant in 0..candidates[truth].variants.len() {
                let noise = &mut Noise((truth * 64 + variant) as u64 + 1);
                let simulated = &candidates[truth].variants[variant];
                let times = trial.times(&points, simulated, call, noise);
                let evidence = Evidence { times, candidates, call };
                let Finding { named, words } = evidence.finding();
                candidates = evidence.candidates;
                let truth = &candidates[truth];
                let ours = truth.algorithm.map(|algorithm| algorithm.name);
                if named.iter().any(|(_, found)| Some(found.name) != ours) {
                    self.wrong.push(format!("{} by {}: {words}", op.name(), truth.name));
                }
                match named.is_empty() {
                    true => self.undetermined += usize::from(ours.is_some()),
                    false => self.named += 1,
                }
            }
        }
    }
}

/// Trials on three machines, with powers of two and other p.
fn trials(trial: Trial) -> Score {
    let mut score = Score::default();
    for machine in MACHINES {
        let signature = library::load(machine).unwrap();
        for procs in [&[2, 4, 8, 16][..], &[2, 3, 5, 6, 12]] {
            for op in Operation::ALL {
                score.add(trial, &signature, op, procs);
            }
        }
    }
    println!("{} named, {} undetermined", score.named, score.undetermined);
    score
}

#[test]
fn most_algorithms_are_identified_with_nearly_right_parameters() {
    let score = trials(Trial { noise: 0.05, wrong: 1.1, drift: 0.1, shared: 1.2, call: 0.5 });
    assert_eq!(score.wrong, [""; 0]);
    assert!(score.named > score.undetermined, "{} {}", score.named, score.undetermined);
}

#[test]
fn no_algorithm_is_misidentified_with_wrong_parameters() {
    let score = trials(Trial { noise: 0.05, wrong: 1.4, drift: 0.2, shared: 2.0, call: 1.0 });
    assert_eq!(score.wrong, [""; 0]);
}

/// A signature with times of a broadcast, with one algorithm per size.
fn broadcast(by: fn(u64) -> &'static str, procs: &[u32], statistic: Statistic) -> Signature {
    let mut signature = library::load("cray-t3d").unwrap();
    let noise = &mut Noise(5);
    let mut samples = Vec::new();
    {
        let machine = Machine::of(&signature).unwrap();
        for (procs, size) in procs.iter().flat_map(|p| SIZES.map(|m| (Procs(*p), m))) {
            let candidates = machine.candidates(Operation::Bcast, &[(procs, Bytes(size))]);
            let used = candidates.iter().find(|c| c.name == by(size)).unwrap();
            let time: f64 = used.variants[0][0].iter().sum();
            samples.push(Samples {
                op: Some("bcast".to_owned()),
                procs: Some(procs),
                bytes: Some(Bytes(size)),
                statistic,
                times: (0..30).map(|_| Micros(time * noise.around_one(0.02))).collect(),
                ..Samples::raw(Quantity::Collective)
            });
        }
    }
    signature.samples = samples;
    signature
}

fn words(signature: &Signature) -> String {
    identify(signature, Operation::Bcast).unwrap().words
}

#[test]
fn short_and_long_messages_are_identified_separately() {
    let by = |size| if size <= 1024 { "flat" } else { "pipelined-chain" };
    let found = identify(&broadcast(by, &[2, 4, 8, 16], Statistic::Raw), Operation::Bcast).unwrap();
    let named: Vec<_> = found.named.iter().map(|(range, a)| (*range, a.name)).collect();
    let range = |low, high| Range { low: Bytes(low), high: Bytes(high) };
    // At 16 KiB, in two segments, a chain takes as long as a flat tree.
    let truth = [(range(0, 1024), "flat"), (range(65536, 262_144), "pipelined-chain")];
    assert_eq!(named, truth, "{}", found.words);
    assert!(found.words.contains("undetermined at 16384 bytes"), "{}", found.words);
}

#[test]
fn the_reason_for_undetermined_is_given() {
    let flat = |_| "flat";
    let assert_undetermined = |signature: &Signature, part: &str| {
        let words = words(signature);
        assert!(words.starts_with("algorithm undetermined: ") && words.contains(part), "{words}");
    };
    let good = broadcast(flat, &[2, 4, 8, 16], Statistic::Raw);
    assert!(words(&good).starts_with("algorithm flat (error"), "{}", words(&good));
    assert_undetermined(&broadcast(flat, &[2, 4, 8], Statistic::MaximumOverRanks), "blocks only");
    assert_undetermined(&broadcast(flat, &[2, 3], Statistic::Raw), "needs times on 4 processes");
    assert_undetermined(&broadcast(flat, &[8], Statistic::Raw), "a second p");
    let alone = Signature { tiers: Vec::new(), ..good.clone() };
    assert_undetermined(&alone, "single messages");
    let mut crowded = good.clone();
    crowded.machine.cores_per_node = Some(1);
    crowded.collection = Some(Collection {
        hosts: vec![Host { name: "here".into(), ranks: (0..16).collect(), processors: vec![] }],
        ..crate::trials::collection()
    });
    assert_undetermined(&crowded, "more ranks than processors");
    // 4 chains equal the flat algorithm on up to 5 ranks.
    assert_undetermined(&broadcast(|_| "4 chains", &[2, 3, 4, 5], Statistic::Raw), "flat");
    assert_undetermined(&broadcast(|_| "4 chains", &[2, 4, 8, 16], Statistic::Raw), "4 chains");
    assert!(identify(&good, Operation::Scan).is_none());
}

fn collection() -> Collection {
    serde_json::from_str(
        r#"{"transport": "mpi", "plan": "", "ranks": 16, "hosts": [],
            "clock": {"source": "", "resolution": 0, "overhead": 0}}"#,
    )
    .unwrap()
}

#[test]
fn notes_are_added_to_the_forms() {
    let mut signature = broadcast(|_| "chain", &[2, 4, 8, 16], Statistic::Raw);
    let before = signature.collectives.clone();
    note(&mut signature);
    for (after, before) in signature.collectives.iter().zip(before) {
        match after.op {
            Operation::Bcast => {
                assert!(after.note.as_ref().unwrap().contains("algorithm chain (error"));
            }
            _ => assert_eq!(*after, before),
        }
    }
}

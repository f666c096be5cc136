//! Times made from every known way of every operation, with noise, on machines whose parameters are
//! somewhat wrong: each is named, or left undetermined, and never called by another name.

use super::candidates::{Machine, Made, Point};
use super::{Evidence, Finding, Time, identify, note};
use crate::library;
use crate::signature::{
    Collection, Host, Operation, Quantity, Range, Samples, Signature, Statistic,
};
use crate::units::{Bytes, Micros, Procs};

const MACHINES: [&str; 3] = ["cray-t3d", "now-sparc", "convex-exemplar"];
const SIZES: [u64; 6] = [0, 8, 1024, 16384, 65536, 262_144];
/// Long messages in segments on many ranks take their time here.
const PROCS: [u32; 4] = [2, 4, 8, 16];

struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn around_one(&mut self, deviation: f64) -> f64 {
        1.0 + deviation * ((0..12).map(|_| self.uniform()).sum::<f64>() - 6.0)
    }

    /// Up to so much either way.
    fn either_way(&mut self, most: f64) -> f64 {
        most * (2.0 * self.uniform() - 1.0)
    }
}

/// How far the times are from what the model says.
#[derive(Clone, Copy)]
struct Trial {
    /// From point to point.
    noise: f64,
    /// Each parameter, by up to this factor.
    wrong: f64,
    /// With each doubling of p, by up to this power.
    drift: f64,
    /// How many times as long bytes may take.
    shared: f64,
    /// So many of a message's overheads for the call itself, at most.
    call: f64,
}

impl Trial {
    /// Times at these points, of what they are made of.
    fn times(
        self,
        points: &[Point],
        made: &[Made],
        overheads: f64,
        noise: &mut Noise,
    ) -> Vec<Time> {
        let mut factors: Made = [(); 4].map(|()| self.wrong.powf(noise.either_way(1.0)));
        factors[2] *= self.shared.powf(noise.uniform());
        let drift = noise.either_way(self.drift);
        let call = overheads * self.call * noise.uniform();
        let time = |(at, made): (&Point, &Made)| {
            let time: f64 = made.iter().zip(factors).map(|(part, factor)| part * factor).sum();
            let micros = (time + call) * at.0.count().powf(drift) * noise.around_one(self.noise);
            Time { at: *at, micros, noise: self.noise / 4.0 }
        };
        points.iter().zip(made).map(time).collect()
    }
}

/// Survey
fn named(trial: Trial, machine: &str, procs: &[u32], sizes: &[u64]) {
    let signature = library::load(machine).unwrap();
    let (mut right, mut of, mut wrong, mut rivals) = (0, 0, 0, 0);
    for op in Operation::ALL {
        let sizes = if op == Operation::Barrier { &[0] } else { sizes };
        let at = |p: &u32| sizes.iter().map(|m| (Procs(*p), Bytes(*m))).collect::<Vec<Point>>();
        let points: Vec<Point> = procs.iter().flat_map(at).collect();
        let machine_ = Machine::of(&signature).unwrap();
        let mut candidates = machine_.candidates(op, &points);
        let call = machine_.overheads();
        for truth in 0..candidates.len() {
            for variant in 0..candidates[truth].variants.len() {
                for seed in 0..3 {
                    let noise = &mut Noise((truth * 64 + variant + seed * 6400) as u64 + 1);
                    let times =
                        trial.times(&points, &candidates[truth].variants[variant], call, noise);
                    let evidence = Evidence { times, candidates, call };
                    let Finding { named: found, words } = evidence.finding();
                    candidates = evidence.candidates;
                    let truth = &candidates[truth];
                    let ours = truth.algorithm.map(|algorithm| algorithm.name);
                    let bad = found.iter().any(|(_, a)| Some(a.name) != ours);
                    if bad {
                        wrong += 1;
                        println!("   WRONG {machine} {} {}: {words}", op.name(), truth.name);
                    }
                    if ours.is_some() {
                        of += 1;
                        right += u32::from(!found.is_empty() && !bad)
                    } else {
                        rivals += 1
                    }
                }
            }
        }
    }
    println!(
        "{machine} {procs:?} {} sizes, noise {} wrong {} shared {}: {right} of {of}, of {rivals} others none; wrong {wrong}",
        sizes.len(),
        trial.noise,
        trial.wrong,
        trial.shared
    );
}

#[test]
fn survey() {
    let quiet = Trial { noise: 0.01, wrong: 1.1, drift: 0.0, shared: 1.0, call: 0.1 };
    let usual = Trial { noise: 0.05, wrong: 1.1, drift: 0.1, shared: 1.2, call: 0.5 };
    let shared = Trial { noise: 0.05, wrong: 1.2, drift: 0.1, shared: 2.0, call: 0.5 };
    let wrong = Trial { noise: 0.05, wrong: 1.4, drift: 0.2, shared: 1.5, call: 1.0 };
    let wild = Trial { noise: 0.05, wrong: 2.0, drift: 0.3, shared: 2.0, call: 2.0 };
    for machine in MACHINES {
        for procs in
            [&[2, 4, 8, 16, 32][..], &[2, 4, 8, 16], &[2, 4, 8], &[2, 4], &[2, 3, 5, 6, 12]]
        {
            for sizes in [&SIZES[..], &SIZES[..3]] {
                for trial in [quiet, usual, shared, wrong, wild] {
                    named(trial, machine, procs, sizes);
                }
            }
        }
    }
}

/// A signature with times of a broadcast, by the algorithm that is used for each size.
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
                times: (0..30).map(|_| Micros(time * noise.around_one(0.05))).collect(),
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
fn sizes_that_are_done_in_two_ways_are_looked_at_apart() {
    let by = |size| if size <= 1024 { "chain" } else { "scatter+allgather" };
    let found = identify(&broadcast(by, &[2, 4, 8, 16], Statistic::Raw), Operation::Bcast).unwrap();
    let named: Vec<_> = found.named.iter().map(|(range, a)| (range.high, a.name)).collect();
    assert_eq!(
        named,
        [(Bytes(1024), "chain"), (Bytes(262_144), "scatter+allgather")],
        "{}",
        found.words
    );
    assert_eq!(found.named[1].0, Range { low: Bytes(16384), high: Bytes(262_144) });
    assert!(found.words.contains("chain up to 1024 bytes (off by"), "{}", found.words);
}

#[test]
fn what_stands_against_naming_one_is_said() {
    let flat = |_| "flat";
    let said = |signature: &Signature, part: &str| {
        let words = words(signature);
        assert!(words.starts_with("algorithm undetermined: ") && words.contains(part), "{words}");
    };
    let good = broadcast(flat, &[2, 4, 8, 16], Statistic::Raw);
    assert!(words(&good).starts_with("algorithm flat (off by"), "{}", words(&good));
    said(&broadcast(flat, &[2, 4, 8], Statistic::MaximumOverRanks), "in blocks only");
    said(&broadcast(flat, &[2, 3], Statistic::Raw), "it takes 4 processes");
    said(&broadcast(flat, &[8], Statistic::Raw), "another number of them");
    let alone = Signature { tiers: Vec::new(), ..good.clone() };
    said(&alone, "single messages");
    let mut crowded = good.clone();
    crowded.machine.cores_per_node = Some(1);
    crowded.collection = Some(Collection {
        hosts: vec![Host { name: "here".into(), ranks: (0..16).collect(), processors: vec![] }],
        ..crate::fit::algorithm::trials::collection()
    });
    said(&crowded, "more ranks than processors");
    // 4 chains are broadcast as flat as flat on up to 5 ranks.
    said(&broadcast(|_| "4 chains", &[2, 3, 4, 5], Statistic::Raw), "flat");
    said(&broadcast(|_| "4 chains", &[2, 4, 8, 16], Statistic::Raw), "4 chains");
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
fn notes_stand_beside_the_forms() {
    let mut signature = broadcast(|_| "chain", &[2, 4, 8, 16], Statistic::Raw);
    let before = signature.collectives.clone();
    note(&mut signature);
    for (after, before) in signature.collectives.iter().zip(before) {
        match after.op {
            Operation::Bcast => {
                assert!(after.note.as_ref().unwrap().contains("algorithm chain (off by"));
            }
            _ => assert_eq!(*after, before),
        }
    }
}

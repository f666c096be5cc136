//! Identification of the algorithm of a collective operation: each candidate is simulated on the
//! measured machine and compared with the measured times over p and m.
//!
//! An algorithm is named only if its error is small and every other candidate has a clearly larger
//! error. Parameters are fitted to the other candidate for this test. Algorithms of libraries that
//! Loggia lacks are also candidates, but are never named. If no algorithm fits all sizes, short and
//! long messages are examined separately.

mod candidates;
mod misfit;
// Too slow in an interpreter.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod trials;

use candidates::{Candidate, Machine, Point};
use loggia_fit::collective::conditions::{Conditions, Curve};
use loggia_fit::states::States;
use loggia_model::signature::{Operation, Range, Samples, Signature, Statistic};
use loggia_model::stats::quantile::median;
use loggia_model::units::words::unsigned_percent;
use loggia_model::units::{Bytes, Procs};
use loggia_simulate::collective::Algorithm;
use misfit::{Freedom, Misfit, misfit};
use std::collections::BTreeSet;

/// The largest error of a named algorithm, unless noise explains more.
const MAX_ERROR: f64 = 0.1;
/// Least error of the model; smaller errors are set to this.
const ERROR_FLOOR: f64 = 0.04;
/// Least error of the model for a part of the sizes.
const ERROR_FLOOR_OF_PART: f64 = 0.06;
/// The smallest ratio of the next algorithm's error to the error of the named one.
const MIN_SEPARATION: f64 = 2.0;
/// Smallest tolerance of a parameter, as a factor. All algorithms agree at p = 2: if the model is
/// off by a factor r there, the tolerance is max(1.3, r²).
const PARAMETER_TOLERANCE: f64 = 1.3;
/// Tolerance without times at p = 2.
const TOLERANCE_WITHOUT_PAIR: f64 = 1.6;
/// Smallest p at which algorithms differ enough.
const ENOUGH_PROCS: Procs = Procs(4);
/// Up to this size t_c is neglected if no empty reduction was timed.
const NEGLIGIBLE_ARITHMETIC: Bytes = Bytes(64);

/// The identified algorithm of an operation.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The named algorithms, each with its range of sizes.
    pub named: Vec<(Range<Bytes>, &'static Algorithm)>,
    /// The evidence as text, or the reason why no algorithm is named.
    pub words: String,
}

/// A median and its relative standard error.
#[derive(Clone, Copy, Debug)]
struct Time {
    at: Point,
    micros: f64,
    noise: f64,
}

/// The result for a range of sizes.
enum Outcome {
    Named(&'static Algorithm, String),
    Undetermined(String),
}

/// Adds a note with the identified algorithm to each closed form of a signature.
pub fn note(signature: &mut Signature) {
    for index in 0..signature.collectives.len() {
        let found = identify(signature, signature.collectives[index].op);
        let note = &mut signature.collectives[index].note;
        let words = [note.take(), found.map(|found| found.words)];
        *note = words.into_iter().flatten().reduce(|a, b| format!("{a}; {b}"));
    }
}

/// The probable algorithm of an operation on a signature's machine, from its samples. None without
/// samples of the operation.
#[must_use]
pub fn identify(signature: &Signature, op: Operation) -> Option<Finding> {
    // In blocks, executions overlap, but the simulation has a single execution.
    let is_single = |samples: &&Samples| samples.statistic != Statistic::MaximumOverRanks;
    let samples = &signature.samples;
    let states = States::of(samples.iter());
    Conditions::of(op, samples, &states)?;
    let undetermined = |words: &str| {
        Some(Finding { named: Vec::new(), words: format!("algorithm undetermined: {words}") })
    };
    let Some(conditions) = Conditions::of(op, samples.iter().filter(is_single), &states) else {
        return undetermined("the executions were timed in blocks only, in which they overlap");
    };
    let mut times = times(op, &conditions);
    times.retain(|time| !is_oversubscribed(signature, time.at.0));
    if times.is_empty() {
        return undetermined("there were more ranks than processors");
    }
    let Some(machine) = Machine::of(signature) else {
        return undetermined("the costs of single messages are unknown");
    };
    let counts: BTreeSet<Procs> = times.iter().map(|time| time.at.0).collect();
    if counts.range(ENOUGH_PROCS..).count() == 0 || counts.len() < 2 {
        return undetermined(
            "identification needs times on 4 processes or more, and at a second p",
        );
    }
    let points: Vec<Point> = times.iter().map(|time| time.at).collect();
    let candidates = machine.candidates(op, &points);
    Some(Evidence { times, candidates, call: machine.overheads() }.finding())
}

/// Whether some host has more ranks than processors, so that ranks share processors.
fn is_oversubscribed(signature: &Signature, procs: Procs) -> bool {
    let (Some(cores), Some(collection)) = (signature.machine.cores_per_node, &signature.collection)
    else {
        return false;
    };
    let here = |ranks: &[u32]| ranks.iter().filter(|rank| **rank < procs.0).count();
    collection.hosts.iter().any(|host| here(&host.ranks) > cores as usize)
}

/// The times of an operation, with their noise.
fn times(op: Operation, conditions: &Conditions) -> Vec<Time> {
    let reduces = matches!(
        op,
        Operation::Reduce | Operation::Allreduce | Operation::Scan | Operation::ReduceScatter
    );
    let curves = if conditions.empty.is_empty() { &conditions.real } else { &conditions.empty };
    let longest = if reduces && conditions.empty.is_empty() {
        NEGLIGIBLE_ARITHMETIC
    } else {
        Bytes(u64::MAX)
    };
    let time = |procs: &Procs, (bytes, parts): (&Bytes, &Vec<f64>)| {
        let micros = median(parts).filter(|micros| *micros > 0.0)?;
        let count = parts.len() as f64;
        let squares: f64 = parts.iter().map(|part| (part / micros - 1.0).powi(2)).sum();
        let noise = (squares / (count - 1.0).max(1.0) / count).sqrt();
        Some(Time { at: (*procs, *bytes), micros, noise })
    };
    let of = |(procs, curve): (_, &Curve)| -> Vec<Time> {
        curve.range(..=longest).filter_map(|condition| time(procs, condition)).collect()
    };
    curves.iter().flat_map(of).collect()
}

struct Evidence {
    times: Vec<Time>,
    /// The candidates, simulated at the points of the times.
    candidates: Vec<Candidate>,
    /// Additional cost of a call, in µs.
    call: f64,
}

impl Evidence {
    fn finding(&self) -> Finding {
        let sizes: BTreeSet<Bytes> = self.times.iter().map(|time| time.at.1).collect();
        let sizes: Vec<Bytes> = sizes.into_iter().collect();
        let (mut named, mut words) = (Vec::new(), Vec::new());
        for piece in self.pieces(&sizes) {
            let (Some(&low), Some(&high)) = (piece.first(), piece.last()) else { continue };
            let (begins, ends) = (Some(&low) == sizes.first(), Some(&high) == sizes.last());
            let here = match (begins, ends) {
                (true, true) => String::new(),
                (true, false) => format!(" up to {} bytes", high.0),
                (false, true) => format!(" from {} bytes on", low.0),
                (false, false) if low == high => format!(" at {} bytes", low.0),
                (false, false) => format!(" from {} to {} bytes", low.0, high.0),
            };
            match self.outcome(piece) {
                Outcome::Named(algorithm, why) => {
                    named.push((Range { low, high }, algorithm));
                    words.push(format!("{}{here} ({why})", algorithm.name));
                }
                Outcome::Undetermined(why) => words.push(format!("undetermined{here}: {why}")),
            }
        }
        Finding { named, words: format!("algorithm {}", words.join("; ")) }
    }

    /// All sizes; or, if no algorithm fits them, small sizes, large sizes, and the sizes between
    /// with an unknown boundary.
    fn pieces<'b>(&self, sizes: &'b [Bytes]) -> Vec<&'b [Bytes]> {
        let named = |sizes: &[Bytes]| match self.outcome(sizes) {
            Outcome::Named(found, _) => {
                sizes.iter().all(|m| self.suits(found, *m)).then_some(found)
            }
            Outcome::Undetermined(_) => None,
        };
        if named(sizes).is_some() {
            return vec![sizes];
        }
        let all = sizes.len();
        let short = (2..all).rev().find_map(|n| Some((n, named(&sizes[..n])?)));
        let first = short.map_or(1, |(n, _)| n);
        let long = (first..all.saturating_sub(1)).find_map(|n| Some((n, named(&sizes[n..])?)));
        let (mut low, mut high) = (short.map_or(0, |(n, _)| n), long.map_or(all, |(n, _)| n));
        if let (Some((_, before)), Some((_, after))) = (short, long) {
            low = (0..low).rfind(|i| !self.suits(after, sizes[*i])).map_or(0, |i| i + 1);
            high = (high..all).find(|i| !self.suits(before, sizes[*i])).unwrap_or(all);
        }
        let pieces = [&sizes[..low], &sizes[low..high], &sizes[high..]];
        pieces.into_iter().filter(|piece| !piece.is_empty()).collect()
    }

    /// Whether no other candidate has a much smaller error at this size.
    fn suits(&self, algorithm: &Algorithm, size: Bytes) -> bool {
        let here: Vec<usize> =
            (0..self.times.len()).filter(|index| self.times[*index].at.1 == size).collect();
        let freedom = Freedom { factor: self.tolerance(&here), call: self.call };
        let is_algorithm = |candidate: &&Candidate| {
            candidate.algorithm.is_some_and(|known| known.name == algorithm.name)
        };
        let misfit = |candidate: &Candidate| self.misfit(candidate, &here, freedom).shape;
        let own = self.candidates.iter().find(is_algorithm).map_or(f64::INFINITY, misfit);
        let others = self.candidates.iter().filter(|candidate| !is_algorithm(candidate));
        own <= ERROR_FLOOR || others.map(misfit).all(|other| MIN_SEPARATION * other >= own)
    }

    /// The result for these sizes.
    fn outcome(&self, sizes: &[Bytes]) -> Outcome {
        let here: Vec<usize> = (0..self.times.len())
            .filter(|index| sizes.contains(&self.times[*index].at.1))
            .collect();
        let enough = here.iter().filter(|index| self.times[**index].at.0 >= ENOUGH_PROCS).count();
        if enough < 2 {
            return Outcome::Undetermined("too few times on 4 processes or more".to_owned());
        }
        let squares: f64 = here.iter().map(|index| self.times[*index].noise.powi(2)).sum();
        let noise = (squares / here.len() as f64).sqrt();
        let freedom = Freedom { factor: self.tolerance(&here), call: self.call };
        let smallest =
            if here.len() == self.times.len() { ERROR_FLOOR } else { ERROR_FLOOR_OF_PART };
        let mut ranking: Vec<(Misfit, &Candidate)> = self
            .candidates
            .iter()
            .map(|candidate| (self.misfit(candidate, &here, freedom), candidate))
            .collect();
        ranking.sort_by(|a, b| a.0.shape.total_cmp(&b.0.shape));
        let Some(((best, first), others)) = ranking.split_first().map(|(a, b)| (*a, b)) else {
            return Outcome::Undetermined("no algorithm could be simulated".to_owned());
        };
        if best.shape > MAX_ERROR.max(1.5 * noise) {
            return Outcome::Undetermined(format!(
                "no known algorithm is close; the closest, {}, has an error of {}",
                first.name,
                unsigned_percent(best.shape)
            ));
        }
        let clearly = MIN_SEPARATION * best.shape.max(noise).max(smallest);
        let rivals: Vec<&str> = others
            .iter()
            .filter(|(misfit, _)| misfit.shape < clearly || misfit.overall < best.overall)
            .map(|(_, candidate)| candidate.name)
            .collect();
        match (first.algorithm, rivals.as_slice()) {
            (Some(algorithm), []) => {
                let next = others.first().map_or(String::new(), |(next, candidate)| {
                    format!("; next: {}, error {}", candidate.name, unsigned_percent(next.shape))
                });
                Outcome::Named(algorithm, format!("error {}{next}", unsigned_percent(best.shape)))
            }
            (None, []) => Outcome::Undetermined(format!("like {}, which Loggia lacks", first.name)),
            (_, rivals) => Outcome::Undetermined(format!(
                "{} or {}: indistinguishable here",
                first.name,
                rivals.join(" or ")
            )),
        }
    }

    /// The tolerance of parameters, from the error at p = 2, where most algorithms agree.
    fn tolerance(&self, here: &[usize]) -> f64 {
        let two: Vec<usize> =
            here.iter().copied().filter(|index| self.times[*index].at.0 == Procs(2)).collect();
        let error = |simulated: &Vec<candidates::TimeParts>| {
            let ratio = |index: &usize| {
                (simulated[*index].iter().sum::<f64>() / self.times[*index].micros).ln().abs()
            };
            median(&two.iter().map(ratio).collect::<Vec<_>>())
        };
        let errors =
            self.candidates.iter().flat_map(|candidate| &candidate.variants).filter_map(error);
        errors
            .min_by(f64::total_cmp)
            .map_or(TOLERANCE_WITHOUT_PAIR, |error| (2.0 * error).exp().max(PARAMETER_TOLERANCE))
    }

    /// The misfit of a candidate's best variant.
    fn misfit(&self, candidate: &Candidate, here: &[usize], freedom: Freedom) -> Misfit {
        let point = |index: &usize| {
            let time = &self.times[*index];
            (time.at.0.count(), time.micros)
        };
        let times: Vec<(f64, f64)> = here.iter().map(point).collect();
        let of = |simulated: &Vec<candidates::TimeParts>| {
            let simulated: Vec<_> = here.iter().map(|index| simulated[*index]).collect();
            misfit(&simulated, &times, freedom)
        };
        let variants = candidate.variants.iter().map(of);
        let best = variants.min_by(|a, b| a.shape.total_cmp(&b.shape));
        best.unwrap_or(Misfit { overall: f64::INFINITY, shape: f64::INFINITY })
    }
}

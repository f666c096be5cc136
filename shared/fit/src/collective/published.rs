//! The fit recovers the forms of Hwang, Wang & Wang, Table 3, and Touriño & Doallo, Tables 2 to 4,
//! from synthetic times.

use super::collectives;
use loggia_model::library;
use loggia_model::model::collective::cost;
use loggia_model::signature::{
    Collective, Form, FormTerm, Operation, Quality, Quantity, Range, RankFunction, Round, Samples,
};
use loggia_model::units::{Bytes, Micros, Procs};

/// Approximately normal random factors with mean 1, and 2% outliers up to four times as large.
struct Noise(u64, f64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn next(&mut self) -> f64 {
        let normal = (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0;
        let outlier = if self.uniform() < 0.02 { 1.0 + 3.0 * self.uniform() } else { 1.0 };
        (1.0 + self.1 * normal) * outlier
    }
}

/// Six rounds of 30 times each, at p = 2, 4, 8 … in the range of the form.
fn samples(form: &Collective, quantity: Quantity, noise: &mut Noise) -> Vec<Samples> {
    let sizes = if form.per_byte.is_some() { &SIZES[..] } else { &SIZES[..1] };
    let mut all = Vec::new();
    for p in powers(form) {
        for (size, time) in sizes.iter().filter_map(|size| Some((*size, time(form, p, *size)?))) {
            all.push(Samples {
                op: Some(form.op.name().to_owned()),
                procs: Some(p),
                bytes: Some(Bytes(size)),
                times: (0..180).map(|_| Micros(time * noise.next())).collect(),
                rounds: (0..6).map(|round| Round { round, count: 30, pulse: None }).collect(),
                ..Samples::raw(quantity)
            });
        }
    }
    all
}

fn powers(form: &Collective) -> impl Iterator<Item = Procs> {
    (1..=7).map(|k| Procs(1 << k)).filter(|p| form.procs.contains(*p))
}

fn time(form: &Collective, p: Procs, size: u64) -> Option<f64> {
    cost(form, p, size as f64).prediction.time().map(|time| time.0)
}

const SIZES: [u64; 9] = [0, 4, 16, 64, 256, 1024, 4096, 16384, 65536];

fn published() -> impl Iterator<Item = Collective> {
    let machines = ["ibm-sp2", "cray-t3d", "intel-paragon", "ap3000-mpi"];
    machines.into_iter().flat_map(|machine| library::load(machine).unwrap().collectives)
}

/// Published coefficients with the bounds of the fitted coefficients.
fn pairs(published: Option<&Form>, fitted: Option<&Form>) -> Vec<(f64, [f64; 2])> {
    let (Some(published), Some(fitted)) = (published, fitted) else { return Vec::new() };
    let kind = |term: &FormTerm| (term.times, term.power == 1.0);
    let is_same_shape = (published.terms.len(), published.reciprocal)
        == (fitted.terms.len(), fitted.reciprocal)
        && fitted.terms.iter().all(|t| published.terms.iter().any(|u| kind(u) == kind(t)));
    let fitted = fitted.terms.iter().filter(|_| is_same_shape);
    let bounds = |term: &FormTerm| {
        let same = published.terms.iter().find(|other| kind(other) == kind(term));
        (same.unwrap().value, [term.low.unwrap(), term.high.unwrap()])
    };
    fitted.map(bounds).collect()
}

#[test]
fn published_coefficients_are_inside_fitted_intervals() {
    let (mut coefficients, mut inside, mut published_coefficients) = (0, 0, 0);
    for published in published() {
        let truth = Collective { compute_per_byte: None, ..published };
        for seed in 1..=5 {
            let times = samples(&truth, Quantity::Collective, &mut Noise(seed, 0.05));
            let forms = collectives(&times);
            let [fitted] = &forms.collectives[..] else { panic!("{truth:?}: {:?}", forms.remarks) };
            for p in powers(fitted) {
                for size in SIZES {
                    let Some(expected) = time(&truth, p, size) else { continue };
                    let error = time(fitted, p, size).unwrap() / expected - 1.0;
                    assert!(error.abs() < 0.05, "{:?} {p:?} {size}: {error}", truth.op);
                }
            }
            let startup = pairs(Some(&truth.startup), Some(&fitted.startup));
            let per_byte = pairs(truth.per_byte.as_ref(), fitted.per_byte.as_ref());
            for (value, [low, high]) in startup.into_iter().chain(per_byte) {
                coefficients += 1;
                inside += u32::from(low <= value && value <= high);
            }
            let terms = [Some(&truth.startup), truth.per_byte.as_ref()];
            published_coefficients +=
                terms.into_iter().flatten().map(|f| f.terms.len()).sum::<usize>();
        }
    }
    let part = f64::from(inside) / f64::from(coefficients);
    assert!((0.9..=0.99).contains(&part), "{inside} of {coefficients}");
    // A term below the noise cannot be fitted: 0.011 log p next to 3 µs.
    assert!(f64::from(coefficients) > 0.9 * published_coefficients as f64, "{coefficients}");
}

/// Touriño & Doallo, Table 4: arithmetic = real operator − empty operator.
#[test]
fn the_arithmetic_of_reductions_is_fitted() {
    let ap3000 = library::load("ap3000-mpi").unwrap();
    for op in [Operation::Reduce, Operation::Allreduce, Operation::Scan] {
        let truth = ap3000.collective(op).unwrap();
        let noise = &mut Noise(7, 0.02);
        let mut times = samples(truth, Quantity::Collective, noise);
        let empty = Collective { compute_per_byte: None, ..truth.clone() };
        times.extend(samples(&empty, Quantity::CollectiveEmpty, noise));
        let forms = collectives(&times);
        let fitted = &forms.collectives[0];
        assert!(fitted.compute_per_byte.is_some(), "{:?}", forms.remarks);
        for (form, of) in [
            (&fitted.per_byte, &truth.per_byte),
            (&fitted.compute_per_byte, &truth.compute_per_byte),
        ] {
            let at = |form: &Option<Form>| form.as_ref().unwrap().at(Procs(8));
            let (fitted, truth) = (at(form), at(of).value);
            assert!(fitted.low <= truth && truth <= fitted.high, "{fitted:?} {truth}");
        }
    }
}

#[test]
fn arithmetic_below_the_noise_is_left_out() {
    let ap3000 = library::load("ap3000-mpi").unwrap();
    let truth = ap3000.collective(Operation::Reduce).unwrap();
    let truth = Collective { compute_per_byte: None, ..truth.clone() };
    let noise = &mut Noise(7, 0.05);
    let mut times = samples(&truth, Quantity::Collective, noise);
    times.extend(samples(&truth, Quantity::CollectiveEmpty, noise));
    let forms = collectives(&times);
    assert_eq!(forms.collectives[0].compute_per_byte, None);
    assert!(forms.remarks[0].ends_with("so t_b includes the arithmetic"), "{:?}", forms.remarks);
}

#[test]
fn two_ranks_have_a_constant_form() {
    let ap3000 = library::load("ap3000-mpi").unwrap();
    let truth = Collective {
        procs: Range { low: Procs(2), high: Procs(2) },
        ..ap3000.collective(Operation::Bcast).unwrap().clone()
    };
    let times = samples(&truth, Quantity::Collective, &mut Noise(1, 0.05));
    let fitted = collectives(&times).collectives.remove(0);
    assert_eq!(fitted.procs, truth.procs);
    assert_eq!(fitted.bytes, Some(Range { low: Bytes(0), high: Bytes(65536) }));
    assert!(fitted.startup.terms.len() == 1 && fitted.startup.terms[0].times == RankFunction::One);
    assert!((fitted.startup.at(Procs(2)).value / 69.0 - 1.0).abs() < 0.02);
    assert_eq!(fitted.quality, Quality::Good);
}

/// A protocol change at 8 KiB doubles the time; a single slope cannot describe it.
#[test]
fn a_jump_between_sizes_is_reported() {
    let all: Vec<Samples> = [2, 4, 8]
        .into_iter()
        .flat_map(|p| (0..=16).map(move |k| (p, 1u64 << k)))
        .map(|(p, m)| {
            let line = 10.0 * Procs(p).log() + 0.002 * m as f64;
            let time = if m > 4096 { 2.0 * line } else { line };
            let noise = &mut Noise(m + 1, 0.01);
            Samples {
                op: Some("bcast".to_owned()),
                procs: Some(Procs(p)),
                bytes: Some(Bytes(m)),
                times: (0..60).map(|_| Micros(time * noise.next())).collect(),
                ..Samples::raw(Quantity::Collective)
            }
        })
        .collect();
    let forms = collectives(&all);
    assert_eq!(forms.collectives[0].quality, Quality::Uncertain);
    let remark = &forms.remarks[0];
    assert!(remark.contains("from 4096 to 8192 bytes, 8 processes take"), "{remark}");
}

#[test]
fn large_noise_gives_no_form() {
    let truth = library::load("ap3000-mpi").unwrap().collectives.remove(0);
    let noise = &mut Noise(3, 0.0);
    let mut times = samples(&truth, Quantity::Collective, noise);
    for time in times.iter_mut().flat_map(|samples| &mut samples.times) {
        time.0 *= libm::exp(12.0 * noise.uniform() - 6.0);
    }
    let forms = collectives(&times);
    assert!(forms.collectives.is_empty(), "{:?}", forms.collectives);
    assert!(forms.remarks[0].starts_with("bcast: T0 at p"), "{:?}", forms.remarks);
}

#[test]
fn without_growth_there_is_no_time_per_byte() {
    let noise = &mut Noise(5, 0.03);
    let truth = library::load("ap3000-mpi").unwrap().collectives.remove(0);
    let mut times = samples(&truth, Quantity::Collective, noise);
    times.retain(|samples| samples.bytes < Some(Bytes(100)));
    let forms = collectives(&times);
    assert_eq!(forms.collectives[0].per_byte, None, "{:?}", forms.collectives);
    assert!(forms.remarks[0].contains("t_b"), "{:?}", forms.remarks);
}

//! Closed forms of collective operations (Hwang, Wang & Wang 1997, Equation 1; Touriño & Doallo
//! 2001, Equation 3; Xu & Hwang).
//!
//! # Formula
//! T(m, p) = T0(p) + t_b(p) m + t_c(p) m
//! - T0: startup; t_b: transmission per byte; t_c: arithmetic of a reduction per byte
//! - m: bytes, counted according to the form's `bytes_are`
//!
//! Published fits are also evaluated outside their range. A negative or infinite term gives no
//! time, and the warning names the term. No value is clamped.

use super::error::ModelError;
use super::{Prediction, Term, Warning};
use crate::Error;
use crate::signature::{BytesAre, Collective, Form, Operation, Scale, Signature};
use crate::units::words::number;
use crate::units::{Bytes, Interval, Micros, Procs};

/// The cost of one operation, in its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    pub op: Operation,
    /// Number of bytes, as the form counts them.
    pub bytes: f64,
    pub bytes_are: BytesAre,
    /// T0(p)
    pub startup: Option<Micros>,
    /// t_b(p) m
    pub transmission: Option<Micros>,
    /// t_c(p) m
    pub compute: Option<Micros>,
    /// The sum, its terms and its warnings.
    pub prediction: Prediction,
}

/// Name of this model (Touriño & Doallo 2001: Xu & Hwang).
pub const XU_HWANG: &str = "xu-hwang";

/// The error for fewer than two processes, which exchange no message.
pub fn check_procs(procs: Procs) -> Result<(), Error> {
    if procs.0 >= 2 {
        return Ok(());
    }
    Err(ModelError::TooFewProcs(procs).into())
}

/// The closed form of an operation; the error names the operations that have one.
pub fn form_of(signature: &Signature, op: Operation) -> Result<&Collective, Error> {
    signature.collective(op).ok_or_else(|| {
        let reported = signature.collectives.iter().map(|form| form.op).collect();
        ModelError::NoClosedForm { machine: signature.title.clone(), op, reported }.into()
    })
}

/// The measured cost of the operation on this number of ranks and of ranks per node; `bytes` counts
/// as algorithms do. The startup is the time of the smallest message.
pub fn measured_cost(
    signature: &Signature,
    op: Operation,
    (procs, per_node): (Procs, Option<u32>),
    bytes: f64,
) -> Option<Cost> {
    let read = |bytes: f64| signature.measured_collective(op, procs, per_node, Bytes(bytes as u64));
    let reading = read(bytes.round())?;
    let time = reading.time.value;
    let startup = read(0.0)?.time.value.0.min(time.0);
    let term = |symbol, time| Term::new(symbol, 1.0, Interval::exact(Micros(time)));
    let terms = vec![term("T0", startup), term("transmission", time.0 - startup)];
    Some(Cost {
        op,
        bytes,
        bytes_are: op.bytes_are(),
        startup: Some(Micros(startup)),
        transmission: Some(Micros(time.0 - startup)),
        compute: None,
        prediction: Prediction::read(reading, "T(m, p)", terms),
    })
}

/// A term's value, unless it is negative or not finite.
fn checked(
    term: &'static str,
    form: &Form,
    scale: Scale,
    warnings: &mut Vec<Warning>,
) -> Option<Interval<Micros>> {
    let at = form.at_scale(scale);
    if at.value.is_finite() && at.value >= 0.0 {
        return Some(at.map(Micros));
    }
    warnings.push(Warning::NoNumber { term, procs: scale.procs, value: at.value });
    None
}

/// The largest number of processes tried for a peak or a crossover.
pub(crate) const MAX_PROCS: u32 = 65_536;

/// The cost of the operation by its closed form. `bytes` counts as the form does.
///
/// Hwang, Wang & Wang 1997, Section 8: total exchange of 512 bytes on 64 nodes of the T3D takes
/// 2.86 ms.
/// ```
/// use loggia_model::library;
/// use loggia_model::model::collective;
/// use loggia_model::signature::Operation;
/// use loggia_model::units::Procs;
/// let t3d = library::load("cray-t3d")?;
/// let form = collective::form_of(&t3d, Operation::Alltoall)?;
/// let cost = collective::cost(form, Procs(64), 512.0);
/// assert_eq!(format!("{:.2}", cost.prediction.time().unwrap().0), "2856.34");
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn cost(form: &Collective, procs: Procs, bytes: f64) -> Cost {
    let mut warnings = Vec::new();
    let is_known = form.is_known_at(procs);
    if !is_known {
        warnings.push(Warning::OneNumberOfProcs(form.procs.low));
    } else if !form.procs.contains(procs) {
        warnings.push(Warning::OutsideProcs(form.procs));
    }
    if let Some(range) = form.bytes
        && !(range.low.count()..=range.high.count()).contains(&bytes)
    {
        warnings.push(Warning::OutsideBytes(range));
    }
    if form.per_byte.is_none() && bytes > 0.0 {
        warnings
            .push(Warning::Remark("this form has no term for bytes: their time is not included"));
    }
    let scale = Scale::of(procs);
    let mut value = |term, form: Option<&Form>| match form {
        _ if !is_known => None,
        None => Some(Interval::exact(Micros(0.0))),
        Some(form) => checked(term, form, scale, &mut warnings),
    };
    let startup = value("startup T0(p)", Some(&form.startup));
    let per_byte = value("time per byte t_b(p)", form.per_byte.as_ref());
    let compute = value("arithmetic per byte t_c(p)", form.compute_per_byte.as_ref());
    let of_bytes = |each: Option<Interval<Micros>>| each.map(|each| each.value * bytes);

    let mut terms = Vec::with_capacity(3);
    terms.extend(startup.map(|each| Term::new("T0", 1.0, each)));
    if form.per_byte.is_some() {
        terms.extend(per_byte.map(|each| Term::new("t_b", bytes, each)));
    }
    if form.compute_per_byte.is_some() {
        terms.extend(compute.map(|each| Term::new("t_c", bytes, each)));
    }
    let symbols = match (&form.per_byte, &form.compute_per_byte) {
        (None, _) => "T0(p)",
        (Some(_), None) => "T0(p) + t_b(p) m",
        (Some(_), Some(_)) => "T0(p) + t_b(p) m + t_c(p) m",
    };
    let whole = startup.is_some() && per_byte.is_some() && compute.is_some();
    let mut prediction = Prediction::sum(None, symbols, terms, warnings);
    if !whole {
        prediction.total = None;
    }
    Cost {
        op: form.op,
        bytes,
        bytes_are: form.bytes_are,
        startup: startup.map(|t| t.value),
        transmission: of_bytes(per_byte),
        compute: of_bytes(compute),
        prediction,
    }
}

/// The cost's formula: in symbols, over p, and with values.
///
/// `alltoall, m = 512: T0(p) + t_b(p) m = (26 p + 8.6) + (0.038 p − 0.12) m = 1672.6 + … µs`
///
/// For measured times: `alltoall, m = 512: T(m, p) = 1672.6 + … µs`
pub fn formula(cost: &Cost, signature: &Signature) -> String {
    let m = match cost.bytes > 0.0 {
        true => format!(", m = {}", number(cost.bytes, 17)),
        false => String::new(),
    };
    let prediction = &cost.prediction;
    let form = evaluated_form(cost, signature);
    let form = form.map(|form| format!("{} = ", words(form))).unwrap_or_default();
    let values = prediction.substituted();
    format!("{}{m}: {} = {form}{values}", cost.op.name(), prediction.symbols)
}

/// The closed form whose value a cost is: not a measured time, nor a scaled form.
#[must_use]
pub fn evaluated_form<'a>(cost: &Cost, signature: &'a Signature) -> Option<&'a Collective> {
    let is_value = !cost.prediction.basis.is_of_table() && !signature.is_changed();
    signature.collective(cost.op).filter(|_| is_value)
}

/// The form in words: `(26 p + 8.6) + (0.038 p − 0.12) m`.
pub fn words(form: &Collective) -> String {
    let mut text = match &form.per_byte {
        None => return form.startup.words(),
        Some(per_byte) => format!("({}) + ({}) m", form.startup.words(), per_byte.words()),
    };
    if let Some(compute) = &form.compute_per_byte {
        text.push_str(&format!(" + ({}) m", compute.words()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    fn of(name: &str, op: Operation, p: u32, m: f64) -> Cost {
        let signature = library::load(name).unwrap();
        cost(form_of(&signature, op).unwrap(), Procs(p), m)
    }

    /// Hwang, Wang & Wang 1997, Section 4: startups measured on 64 nodes, and by the forms of Table
    /// 3.
    #[test]
    fn t3d_startups_on_64_nodes() {
        for (op, measured, tolerance) in [
            (Operation::Bcast, 150.0, 0.0),
            (Operation::Alltoall, 1700.0, 0.02),
            (Operation::Scatter, 298.0, 0.15),
            (Operation::Gather, 365.0, 0.02),
            (Operation::Scan, 209.0, 0.001),
            (Operation::Reduce, 253.0, 0.001),
        ] {
            let startup = of("cray-t3d", op, 64, 0.0).startup.unwrap().0;
            assert!((startup - measured).abs() <= measured * tolerance, "{op:?}: {startup}");
        }
        assert_eq!(of("cray-t3d", Operation::Bcast, 2, 0.0).startup, Some(Micros(35.0)));
    }

    /// Hwang, Wang & Wang 1997, Section 7: Paragon's measured 3857 and 2918 µs against the forms'
    /// 3186 and 1551.
    #[test]
    fn paragon_startups_on_32_nodes_differ_from_the_measured_ones() {
        let startup = |op| of("intel-paragon", op, 32, 0.0).startup.unwrap();
        assert_eq!(startup(Operation::Alltoall), Micros(3186.0));
        assert_eq!(startup(Operation::Gather), Micros(1551.0));
    }

    /// Hwang, Wang & Wang 1997, Section 5: total exchange of 64 KiB on 64 SP2 nodes was measured at
    /// 317 ms.
    #[test]
    fn sp2_total_exchange_of_64_kib() {
        let time = of("ibm-sp2", Operation::Alltoall, 64, 65536.0).prediction.time().unwrap();
        assert!((time.0 / 317_000.0 - 1.0).abs() < 0.05, "{time:?}");
    }

    /// Hwang, Wang & Wang 1997, abstract: the T3D's barrier takes 3 µs, at least 30 times less than
    /// on the SP2 and the Paragon.
    #[test]
    fn t3d_barrier() {
        let barrier = |name, p| of(name, Operation::Barrier, p, 0.0).prediction.time().unwrap().0;
        assert!((barrier("cray-t3d", 64) - 3.066).abs() < 1e-9);
        for other in ["ibm-sp2", "intel-paragon"] {
            assert!(barrier(other, 64) > 30.0 * barrier("cray-t3d", 64));
        }
    }

    /// The fitted t_b of total exchange is negative on SP2 and T3D at p = 2, 3.
    #[test]
    fn a_negative_slope_gives_no_time_and_names_the_term() {
        for (name, p) in [("ibm-sp2", 2), ("ibm-sp2", 3), ("cray-t3d", 2), ("cray-t3d", 3)] {
            let cost = of(name, Operation::Alltoall, p, 512.0);
            assert_eq!(cost.prediction.time(), None, "{name} {p}");
            assert_eq!(cost.transmission, None);
            assert!(cost.startup.is_some(), "the startup is still good");
            let text = cost.prediction.warnings[0].to_string();
            assert!(text.contains("t_b(p) is negative"), "{text}");
        }
        assert!(of("ibm-sp2", Operation::Alltoall, 4, 512.0).prediction.time().is_some());
    }

    /// AP3000's gather has a pole near p = 23.6.
    #[test]
    fn beyond_a_pole_there_is_no_number() {
        let cost = of("ap3000-mpi", Operation::Gather, 24, 512.0);
        assert_eq!(cost.prediction.time(), None);
        assert_eq!(cost.startup, None);
        let texts: Vec<String> = cost.prediction.warnings.iter().map(ToString::to_string).collect();
        assert!(texts[0].contains("outside 2–12"), "{texts:?}");
        assert!(texts[1].contains("T0(p) is negative"), "{texts:?}");
    }

    /// Fitted at 32 ranks, both terms are constants: on 1024 ranks they are no time.
    #[test]
    fn a_form_of_one_number_of_ranks_gives_no_time_at_another() {
        assert!(of("aws-p5-48xlarge", Operation::Alltoall, 32, 512.0).prediction.time().is_some());
        let cost = of("aws-p5-48xlarge", Operation::Alltoall, 1024, 512.0);
        assert_eq!((cost.prediction.time(), cost.startup), (None, None));
        let text = cost.prediction.warnings[0].to_string();
        assert!(text.contains("fitted at p = 32 alone"), "{text}");
    }

    #[test]
    fn outside_its_range_a_form_warns_but_gives_a_time() {
        let cost = of("cray-t3d", Operation::Bcast, 1024, 2e6);
        assert!(cost.prediction.time().is_some());
        assert_eq!(cost.prediction.warnings.len(), 2);
        assert!(cost.prediction.is_extrapolated());
    }

    #[test]
    fn terms_add_up() {
        let cost = of("ap3000-mpi", Operation::Reduce, 8, 1000.0);
        let parts = cost.startup.unwrap() + cost.transmission.unwrap() + cost.compute.unwrap();
        assert!((parts.0 - cost.prediction.time().unwrap().0).abs() < 1e-9);
        assert_eq!(cost.prediction.terms.len(), 3);
    }

    #[test]
    fn forms_read_as_printed() {
        let t3d = library::load("cray-t3d").unwrap();
        let words = |op| words(t3d.collective(op).unwrap());
        assert_eq!(words(Operation::Alltoall), "(26 p + 8.6) + (0.038 p − 0.12) m");
        assert_eq!(words(Operation::Barrier), "0.011 log p + 3");
    }

    #[test]
    fn fewer_than_two_processes_are_refused() {
        assert!(check_procs(Procs(0)).is_err() && check_procs(Procs(1)).is_err());
        assert!(check_procs(Procs(2)).is_ok());
    }
}

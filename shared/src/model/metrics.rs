//! Single numbers that sum up a machine: how fast at best, how long for nothing, what is "large".
//!
//! # Formula
//! - r_inf = lim n/T(n); for Hockney 1/t_b (`004`, Section 2.1)
//! - pi_s = 1/T(0); for Hockney 1/t_s
//! - n_1/2: the smallest size that reaches r_inf/2; for Hockney t_s/t_b, rounded up
//! - aggregated (`001`, Equation 4; `004`, Section 2.1): times f(m, p)/m, which is p−1, or p(p−1)
//!   for a total exchange; peak: the largest over p; minimum: the smallest n_1/2 over p
//! - r_cc = t_b(p)/t_c(p) (`004`, Equation 4)
//! - large message (`003`, Section 5.5): g/G
//! - overlap potential (`003`, Section 5.2): EEL − o_s, and EEL − (o_s + o_r) where both sides share
//!   one processor's time; a negative one contradicts LogP's serial assumption

use super::collective::MOST_PROCS;
use super::{Model, Route, Warning};
use crate::Error;
use crate::signature::{Collective, Curve, Form};
use crate::units::{Bytes, BytesPerMicro, Micros, Procs};
use serde::Serialize;

/// What sums up one way of sending.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointToPoint {
    /// The model of the first three; none where none is possible.
    pub model: Option<Model>,
    /// r_inf
    #[serde(rename = "asymptotic_bandwidth_bytes_per_us")]
    pub asymptotic_bandwidth: Option<BytesPerMicro>,
    /// pi_s
    #[serde(rename = "specific_performance_bytes_per_us")]
    pub specific_performance: Option<BytesPerMicro>,
    /// n_1/2
    #[serde(rename = "half_length_bytes")]
    pub half_length: Option<Bytes>,
    /// g/G
    #[serde(rename = "large_message_bytes")]
    pub large_message: Option<Bytes>,
    /// EEL − o_s
    #[serde(rename = "overlap_potential_us")]
    pub overlap_potential: Option<Micros>,
    /// EEL − (o_s + o_r)
    #[serde(rename = "overlap_potential_both_sides_us")]
    pub overlap_potential_both: Option<Micros>,
    /// What to know about them.
    pub warnings: Vec<Warning>,
}

/// What sums up a collective operation on p processes, and over all p.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OfCollective {
    /// p of the numbers that are not peaks.
    pub procs: Procs,
    /// 1/t_b(p)
    #[serde(rename = "asymptotic_bandwidth_bytes_per_us")]
    pub asymptotic_bandwidth: Option<BytesPerMicro>,
    /// 1/t_s(p)
    #[serde(rename = "specific_performance_bytes_per_us")]
    pub specific_performance: Option<BytesPerMicro>,
    /// t_s(p)/t_b(p), rounded up
    #[serde(rename = "half_length_bytes")]
    pub half_length: Option<Bytes>,
    /// R_inf(p)
    #[serde(rename = "aggregated_bandwidth_bytes_per_us")]
    pub aggregated_bandwidth: Option<BytesPerMicro>,
    /// The same factor times pi_s(p)
    #[serde(rename = "aggregated_specific_performance_bytes_per_us")]
    pub aggregated_specific_performance: Option<BytesPerMicro>,
    /// The largest R_inf(p)
    #[serde(rename = "peak_aggregated_bandwidth_bytes_per_us")]
    pub peak_bandwidth: Option<BytesPerMicro>,
    /// Its p
    #[serde(rename = "peak_aggregated_bandwidth_procs")]
    pub peak_bandwidth_procs: Option<Procs>,
    /// The largest aggregated specific performance
    #[serde(rename = "peak_specific_performance_bytes_per_us")]
    pub peak_specific_performance: Option<BytesPerMicro>,
    /// Its p
    #[serde(rename = "peak_specific_performance_procs")]
    pub peak_specific_performance_procs: Option<Procs>,
    /// The smallest n_1/2(p)
    #[serde(rename = "min_half_length_bytes")]
    pub min_half_length: Option<Bytes>,
    /// Its p
    #[serde(rename = "min_half_length_procs")]
    pub min_half_length_procs: Option<Procs>,
    /// r_cc
    pub ratio_transfer_compute: Option<f64>,
    /// What to know about them.
    pub warnings: Vec<Warning>,
}

/// A length rounded up, but not for the last bits of a division: 22/0.011 is 2000.
fn rounded_up(length: f64) -> Option<Bytes> {
    if !length.is_finite() || length < 0.0 {
        return None;
    }
    let nearest = libm::round(length);
    let close = (length - nearest).abs() <= nearest * 1e-9;
    Some(Bytes(if close { nearest } else { libm::ceil(length) } as u64))
}

fn rate(each: f64) -> Option<BytesPerMicro> {
    (each.is_finite() && each > 0.0).then(|| BytesPerMicro(1.0 / each))
}

/// The metrics of a route, under a model or the richest possible.
///
/// `004`, Table 1: Send on the AP3000.
/// ```
/// use loggia_model::{library, model::{Route, metrics}, units::Bytes};
/// let ap3000 = library::load("ap3000-mpi")?;
/// let of_send = metrics::point_to_point(&Route::of(&ap3000, None, Some("send"))?, None)?;
/// assert_eq!(of_send.half_length, Some(Bytes(4260)));
/// let bandwidth = of_send.asymptotic_bandwidth.unwrap();
/// assert_eq!(format!("{:.2}", bandwidth.mebibytes_per_second()), "58.87");
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn point_to_point(route: &Route, model: Option<Model>) -> Result<PointToPoint, Error> {
    let model = model.or_else(|| Model::richest(route));
    let mut metrics = PointToPoint {
        model,
        asymptotic_bandwidth: None,
        specific_performance: None,
        half_length: None,
        large_message: None,
        overlap_potential: None,
        overlap_potential_both: None,
        warnings: Vec::new(),
    };
    match model {
        Some(Model::Hockney) => {
            let prediction = Model::Hockney.predict(route, Bytes(0))?;
            let [startup, per_byte] = [0, 1].map(|i| prediction.terms[i].each.value.0);
            metrics.asymptotic_bandwidth = rate(per_byte);
            metrics.specific_performance = rate(startup);
            metrics.half_length = rounded_up(startup / per_byte);
        }
        Some(Model::LogP) => {
            metrics.specific_performance = rate(time(Model::LogP, route, Bytes(0))?);
            metrics
                .warnings
                .push(Warning::Remark("LogP has no term for bytes, so it knows no bandwidth"));
        }
        Some(Model::PLogP) => by_largest_measured(route, &mut metrics)?,
        Some(model) => by_search(model, route, &mut metrics)?,
        None => {}
    }
    of_gaps_and_overheads(route, &mut metrics);
    Ok(metrics)
}

fn time(model: Model, route: &Route, bytes: Bytes) -> Result<f64, Error> {
    Ok(model.predict(route, bytes)?.time().unwrap_or_default().0)
}

/// The time that one more byte takes a message of any length, however large.
fn time_a_byte(model: Model, route: &Route) -> Option<f64> {
    let gap = route.gap_per_byte()?.value.0;
    let slope = |curve: Option<&Curve>| curve.and_then(|c| c.per_byte).unwrap_or_default().0;
    let overheads = route
        .style
        .map_or(0.0, |s| slope(s.send_overhead.as_ref()) + slope(s.recv_overhead.as_ref()));
    let progress = route.tier.progress.as_ref();
    match model {
        // The rendezvous' three ways each cost the overheads.
        Model::LogGps => Some(gap + 3.0 * overheads),
        Model::LogGpo => Some(gap + slope(progress?.initiation.as_ref())),
        _ => Some(gap + overheads),
    }
}

/// r_inf from the time a byte, and n_1/2 by bisection.
fn by_search(model: Model, route: &Route, metrics: &mut PointToPoint) -> Result<(), Error> {
    const HUGE: u64 = 1 << 62;
    metrics.specific_performance = rate(time(model, route, Bytes(0))?);
    let Some(asymptotic) = time_a_byte(model, route).and_then(rate) else {
        metrics
            .warnings
            .push(Warning::Remark("without a time a byte there is no asymptotic bandwidth"));
        return Ok(());
    };
    metrics.asymptotic_bandwidth = Some(asymptotic);
    let bandwidth = |n: u64| Ok::<f64, Error>(Bytes(n).count() / time(model, route, Bytes(n))?);
    let (mut below, mut reached) = (0, HUGE);
    while reached - below > 1 {
        let middle = below + (reached - below) / 2;
        if bandwidth(middle)? >= asymptotic.0 / 2.0 { reached = middle } else { below = middle }
    }
    metrics.half_length = Some(Bytes(reached));
    Ok(())
}

/// PLogP knows no size beyond its largest measured one: the bandwidth there stands for r_inf.
fn by_largest_measured(route: &Route, metrics: &mut PointToPoint) -> Result<(), Error> {
    metrics.specific_performance = rate(time(Model::PLogP, route, Bytes(0))?);
    let Some(largest) = route.tier.gap_by_size.as_ref().and_then(|curve| curve.points.last())
    else {
        return Ok(());
    };
    metrics.asymptotic_bandwidth = rate(largest.value.0 / largest.bytes.count());
    metrics
        .warnings
        .push(Warning::Remark("the bandwidth is that of the gap at the largest measured size"));
    Ok(())
}

fn of_gaps_and_overheads(route: &Route, metrics: &mut PointToPoint) {
    if let (Some(gap), Some(per_byte)) = (route.gap(), route.gap_per_byte()) {
        metrics.large_message = rounded_up(gap.value.0 / per_byte.value.0);
    }
    let smallest = Bytes(8);
    let Some(latency) = route.end_to_end_latency() else { return };
    let Some(send) = route.send_overhead(smallest) else { return };
    let left = latency.value - send.time.value;
    metrics.overlap_potential = Some(left);
    metrics.overlap_potential_both =
        route.recv_overhead(smallest).map(|recv| left - recv.time.value);
    let potentials = [metrics.overlap_potential, metrics.overlap_potential_both];
    if potentials.into_iter().flatten().any(|left| left.0 < 0.0) {
        metrics.warnings.push(Warning::Remark(
            "EEL is less than the overheads: they overlap, which contradicts LogP's assumption \
             that they are serial (003, Section 3)",
        ));
    }
}

/// A form's value where it is a number: finite and not negative.
fn number(form: Option<&Form>, procs: Procs) -> Option<f64> {
    let value = form?.at(procs).value;
    (value.is_finite() && value >= 0.0).then_some(value)
}

/// The metrics of a closed form for p processes, and its peaks over the range it was fitted to.
pub fn of_collective(form: &Collective, procs: Procs) -> OfCollective {
    let startup = |p| number(Some(&form.startup), p);
    let per_byte = |p| number(form.per_byte.as_ref(), p);
    let messages = |p| form.op.aggregated_messages(p);
    let bandwidth = |p| Some(rate(per_byte(p)?)? * messages(p)?);
    let performance = |p| Some(rate(startup(p)?)? * messages(p)?);
    let half = |p| Some(startup(p)? / per_byte(p)?).filter(|length| length.is_finite());

    let all = || (form.procs.low.0..=form.procs.high.0.min(MOST_PROCS)).map(Procs);
    let peak = |of: &dyn Fn(Procs) -> Option<BytesPerMicro>| {
        all().filter_map(|p| Some((p, of(p)?))).max_by(|a, b| a.1.0.total_cmp(&b.1.0))
    };
    let (peak_bandwidth, peak_performance) = (peak(&bandwidth), peak(&performance));
    let shortest = all().filter_map(|p| Some((p, half(p)?))).min_by(|a, b| a.1.total_cmp(&b.1));
    let ratio = number(form.compute_per_byte.as_ref(), procs)
        .and_then(|compute| Some(per_byte(procs)? / compute))
        .filter(|ratio| ratio.is_finite());
    OfCollective {
        procs,
        asymptotic_bandwidth: per_byte(procs).and_then(rate),
        specific_performance: startup(procs).and_then(rate),
        half_length: half(procs).and_then(rounded_up),
        aggregated_bandwidth: bandwidth(procs),
        aggregated_specific_performance: performance(procs),
        peak_bandwidth: peak_bandwidth.map(|(_, value)| value),
        peak_bandwidth_procs: peak_bandwidth.map(|(p, _)| p),
        peak_specific_performance: peak_performance.map(|(_, value)| value),
        peak_specific_performance_procs: peak_performance.map(|(p, _)| p),
        min_half_length: shortest.and_then(|(_, length)| rounded_up(length)),
        min_half_length_procs: shortest.map(|(p, _)| p),
        ratio_transfer_compute: ratio,
        warnings: warnings(form, procs),
    }
}

fn warnings(form: &Collective, procs: Procs) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = super::collective::cost(form, procs, 0.0)
        .prediction
        .warnings
        .into_iter()
        .filter(|w| !matches!(w, Warning::OutsideBytes(_)))
        .collect();
    if form.op.aggregated_messages(procs).is_none() {
        warnings.push(Warning::Remark(
            "the aggregated message length f(m, p) is not defined for this operation (001, \
             Section 3)",
        ));
    }
    if form.op.aggregated_messages(procs).is_some() && form.bytes_are != form.op.bytes_are() {
        warnings.push(Warning::Remark(
            "the aggregated numbers count as the papers do, f(m, p)/m, though m holds all blocks \
             here: the links carry up to p times less",
        ));
    }
    if form.procs.high.0 > MOST_PROCS {
        warnings.push(Warning::Remark("peaks were sought up to 65,536 processes"));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::signature::Operation;

    fn close(got: f64, printed: f64, half_unit: f64) {
        assert!((got - printed).abs() <= half_unit, "{got} against {printed}");
    }

    /// `004`, Table 1, every column; xy_send's bandwidth as corrected.
    #[test]
    fn point_to_point_metrics_of_the_ap3000() {
        for (name, style, pi_s, bandwidth, half) in [
            ("ap3000-mpi", "send", 14.15, 58.87, 4260),
            ("ap3000-mpi", "bsend", 11.63, 44.77, 3944),
            ("ap3000-mpi", "ssend", 13.02, 55.77, 4386),
            ("ap3000-mpi", "rsend", 14.15, 58.87, 4260),
            ("ap3000-pvm", "psend", 18.43, 58.87, 3272),
            ("ap3000-pvm", "pvm_send", 19.53, 36.26, 1902),
            ("ap3000-aplib", "l_send", 21.23, 58.87, 2840),
            ("ap3000-aplib", "xy_send", 21.23, 58.87, 2840),
        ] {
            let signature = library::load(name).unwrap();
            let route = Route::of(&signature, None, Some(style)).unwrap();
            let metrics = point_to_point(&route, None).unwrap();
            close(metrics.specific_performance.unwrap().kibibytes_per_second(), pi_s, 0.005);
            close(metrics.asymptotic_bandwidth.unwrap().mebibytes_per_second(), bandwidth, 0.005);
            assert_eq!(metrics.half_length, Some(Bytes(half)), "{name} {style}");
        }
    }

    fn broadcast(name: &str) -> OfCollective {
        let signature = library::load(name).unwrap();
        of_collective(signature.collective(Operation::Bcast).unwrap(), Procs(12))
    }

    /// `004`, Table 2: the peak and minimum rows.
    #[test]
    fn broadcast_metrics_of_the_ap3000() {
        for (name, performance, bandwidth, half) in [
            ("ap3000-mpi", 43.43, 180.63, 4260),
            ("ap3000-pvm", 40.69, 79.47, 2000),
            ("ap3000-aplib", 36.29, 83.13, 2346),
        ] {
            let metrics = broadcast(name);
            let peak = metrics.peak_specific_performance.unwrap();
            close(peak.kibibytes_per_second(), performance, 0.005);
            close(metrics.peak_bandwidth.unwrap().mebibytes_per_second(), bandwidth, 0.005);
            assert_eq!(metrics.min_half_length, Some(Bytes(half)), "{name}");
            assert_eq!(metrics.peak_bandwidth_procs, Some(Procs(12)));
            assert_eq!(metrics.peak_specific_performance_procs, Some(Procs(12)));
        }
        let mpi = broadcast("ap3000-mpi");
        close(mpi.peak_bandwidth.unwrap().0, 189.41, 0.005);
        close(mpi.peak_specific_performance.unwrap().0, 0.04447, 0.000_005);
    }

    /// `001`, Section 8 prints 1.745, 0.879 and 0.818 GB/s; its Table 3 gives these.
    #[test]
    fn aggregated_bandwidth_of_total_exchange() {
        for (name, bandwidth) in
            [("cray-t3d", 1744.0), ("ibm-sp2", 813.0), ("intel-paragon", 882.0)]
        {
            let signature = library::load(name).unwrap();
            let form = signature.collective(Operation::Alltoall).unwrap();
            close(of_collective(form, Procs(64)).aggregated_bandwidth.unwrap().0, bandwidth, 0.5);
        }
    }

    /// `004`, Section 4.3: r_cc of Reduce goes from 14.86 at p = 2 to 4.46 at p = 12.
    #[test]
    fn ratio_of_transfer_to_computation() {
        let ap3000 = library::load("ap3000-mpi").unwrap();
        let form = ap3000.collective(Operation::Reduce).unwrap();
        let ratio = |p| of_collective(form, Procs(p)).ratio_transfer_compute.unwrap();
        close(ratio(2), 14.86, 0.005);
        close(ratio(12), 4.46, 0.005);
    }

    #[test]
    fn what_the_paper_leaves_undefined_is_null() {
        let ap3000 = library::load("ap3000-mpi").unwrap();
        let form = ap3000.collective(Operation::Allgather).unwrap();
        let metrics = of_collective(form, Procs(8));
        assert_eq!(metrics.aggregated_bandwidth, None);
        assert_eq!(metrics.peak_bandwidth, None);
        assert!(metrics.half_length.is_some());
        assert!(metrics.warnings.iter().any(|w| w.to_string().contains("not defined")));
    }

    /// `003`, Section 5.2.
    #[test]
    fn overlap_potential() {
        for (name, potential) in [("myrinet-gm", 7.8), ("quadrics-shmem", 1.3)] {
            let signature = library::load(name).unwrap();
            let route = Route::of(&signature, None, None).unwrap();
            let metrics = point_to_point(&route, None).unwrap();
            close(metrics.overlap_potential.unwrap().0, potential, 1e-12);
            assert_eq!(metrics.model, None);
        }
    }

    /// `003`, Section 3: overheads that overlap contradict LogP.
    #[test]
    fn a_negative_potential_is_remarked() {
        let mut quadrics = library::load("quadrics-shmem").unwrap();
        quadrics.set("o_r", "2us").unwrap();
        let route = Route::of(&quadrics, None, None).unwrap();
        let metrics = point_to_point(&route, None).unwrap();
        close(metrics.overlap_potential_both.unwrap().0, -0.7, 1e-12);
        assert!(metrics.warnings[0].to_string().contains("contradicts LogP"));
    }

    /// `003`, Section 5.5: M = g/G.
    #[test]
    fn large_messages_begin_where_gap_and_bytes_weigh_the_same() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("g", "2us").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        assert_eq!(point_to_point(&route, None).unwrap().large_message, Some(Bytes(50)));
    }

    /// The reciprocal of G is the bandwidth of long messages (`000`, Section 2).
    #[test]
    fn loggp_has_metrics_too() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        let metrics = point_to_point(&route, None).unwrap();
        assert_eq!(metrics.asymptotic_bandwidth, Some(BytesPerMicro(25.0)));
        let half = metrics.half_length.unwrap();
        let bandwidth = |n: u64| n as f64 / time(Model::LogGp, &route, Bytes(n)).unwrap();
        assert!(bandwidth(half.0) >= 12.5 && bandwidth(half.0 - 1) < 12.5, "{half:?}");
    }

    #[test]
    fn without_a_time_a_byte_there_is_no_bandwidth() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("G", "0").unwrap();
        let metrics = point_to_point(&Route::of(&t3d, None, None).unwrap(), None).unwrap();
        assert_eq!((metrics.asymptotic_bandwidth, metrics.half_length), (None, None));
        assert!(!metrics.warnings.is_empty());
    }

    #[test]
    fn plogp_ends_with_its_largest_size() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("g(m)", "8:2us,1000:50us").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        let metrics = point_to_point(&route, Some(Model::PLogP)).unwrap();
        assert_eq!(metrics.asymptotic_bandwidth, Some(BytesPerMicro(20.0)));
        assert_eq!(metrics.half_length, None);
    }

    #[test]
    fn a_length_is_rounded_up_but_not_for_noise() {
        assert_eq!(rounded_up(22.0 / 0.011), Some(Bytes(2000)));
        assert_eq!(rounded_up(4259.2), Some(Bytes(4260)));
        assert_eq!(rounded_up(f64::INFINITY), None);
    }
}

//! The metrics of a collective operation, and their peaks over p.

use super::{rate, rounded_up};
use crate::model::Warning;
use crate::model::collective::{MAX_PROCS, cost};
use crate::signature::{Collective, Form};
use crate::units::{Bytes, BytesPerMicro, Procs};
use serde::Serialize;

/// Metrics of a collective operation on p processes, and over all p.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OfCollective {
    /// p of the metrics except the peaks and minima.
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
    /// pi_s(p) with the factor f(m, p)/m
    #[serde(rename = "aggregated_specific_performance_bytes_per_us")]
    pub aggregated_specific_performance: Option<BytesPerMicro>,
    /// The largest R_inf(p)
    #[serde(rename = "peak_aggregated_bandwidth_bytes_per_us")]
    pub peak_bandwidth: Option<BytesPerMicro>,
    #[serde(rename = "peak_aggregated_bandwidth_procs")]
    pub peak_bandwidth_procs: Option<Procs>,
    /// The largest aggregated specific performance
    #[serde(rename = "peak_specific_performance_bytes_per_us")]
    pub peak_specific_performance: Option<BytesPerMicro>,
    #[serde(rename = "peak_specific_performance_procs")]
    pub peak_specific_performance_procs: Option<Procs>,
    /// The smallest n_1/2(p)
    #[serde(rename = "min_half_length_bytes")]
    pub min_half_length: Option<Bytes>,
    #[serde(rename = "min_half_length_procs")]
    pub min_half_length_procs: Option<Procs>,
    /// r_cc
    pub ratio_transfer_compute: Option<f64>,
    pub warnings: Vec<Warning>,
}

/// The value of a form; none unless it is finite and not negative.
fn number(form: Option<&Form>, procs: Procs) -> Option<f64> {
    let value = form?.at(procs).value;
    (value.is_finite() && value >= 0.0).then_some(value)
}

/// The metrics of a closed form for p processes, and its peaks over its fitted range.
pub fn of_collective(form: &Collective, procs: Procs) -> OfCollective {
    let startup = |p| number(Some(&form.startup).filter(|_| form.is_known_at(p)), p);
    let per_byte = |p| number(form.per_byte.as_ref().filter(|_| form.is_known_at(p)), p);
    let messages = |p| form.op.aggregated_messages(p);
    let bandwidth = |p| Some(rate(per_byte(p)?)? * messages(p)?);
    let performance = |p| Some(rate(startup(p)?)? * messages(p)?);
    let half = |p| Some(startup(p)? / per_byte(p)?).filter(|length| length.is_finite());

    let all = || (form.procs.low.0..=form.procs.high.0.min(MAX_PROCS)).map(Procs);
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
    let mut warnings: Vec<Warning> = cost(form, procs, 0.0)
        .prediction
        .warnings
        .into_iter()
        .filter(|w| !matches!(w, Warning::OutsideBytes(_)))
        .collect();
    if form.op.aggregated_messages(procs).is_none() {
        warnings.push(Warning::Remark(
            "the aggregated message length f(m, p) is not defined for this operation \
             (Hwang, Wang & Wang 1997, Section 3)",
        ));
    }
    if form.op.aggregated_messages(procs).is_some() && form.bytes_are != form.op.bytes_are() {
        warnings.push(Warning::Remark(
            "the aggregated numbers count f(m, p)/m as in the papers, though m holds all blocks \
             here: the links carry up to p times less",
        ));
    }
    if form.procs.high.0 > MAX_PROCS {
        warnings.push(Warning::Remark("peaks were searched up to 65,536 processes"));
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

    fn broadcast(name: &str) -> OfCollective {
        let signature = library::load(name).unwrap();
        of_collective(signature.collective(Operation::Bcast).unwrap(), Procs(12))
    }

    /// Touriño & Doallo 2001, Table 2: the peak and minimum rows.
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

    /// Hwang, Wang & Wang 1997, Section 8 prints 1.745, 0.879 and 0.818 GB/s; its Table 3 gives
    /// these.
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

    /// Touriño & Doallo 2001, Section 4.3: r_cc of Reduce falls from 14.86 at p = 2 to 4.46 at p =
    /// 12.
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
}

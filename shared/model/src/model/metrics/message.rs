//! The metrics of one message.

use super::{rate, rounded_up};
use crate::Error;
use crate::model::{Model, Route, Warning};
use crate::signature::Curve;
use crate::units::{Bytes, BytesPerMicro, Micros};
use serde::Serialize;

/// Metrics of one send mode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointToPoint {
    /// The model of the first three metrics; none if no model is possible.
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
    pub warnings: Vec<Warning>,
}

/// The metrics of a route, under a model or the richest possible.
///
/// Touriño & Doallo 2001, Table 1: Send on the AP3000.
/// ```
/// use loggia_model::library;
/// use loggia_model::model::{Route, metrics};
/// use loggia_model::units::Bytes;
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
                .push(Warning::Remark("LogP has no term for bytes, so it gives no bandwidth"));
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

/// The time per additional byte of an arbitrarily long message.
fn time_per_byte(model: Model, route: &Route) -> Option<f64> {
    let gap = route.gap_per_byte()?.value.0;
    let slope = |curve: Option<&Curve>| curve.and_then(|c| c.per_byte).unwrap_or_default().0;
    let overheads = route
        .style
        .map_or(0.0, |s| slope(s.send_overhead.as_ref()) + slope(s.recv_overhead.as_ref()));
    let progress = route.tier.progress.as_ref();
    match model {
        Model::LogGpo => Some(gap + slope(progress?.initiation.as_ref())),
        _ => Some(gap + overheads),
    }
}

/// r_inf from the time per byte, and n_1/2 by bisection.
fn by_search(model: Model, route: &Route, metrics: &mut PointToPoint) -> Result<(), Error> {
    const HUGE: u64 = 1 << 62;
    metrics.specific_performance = rate(time(model, route, Bytes(0))?);
    let Some(asymptotic) = time_per_byte(model, route).and_then(rate) else {
        metrics
            .warnings
            .push(Warning::Remark("without a time per byte there is no asymptotic bandwidth"));
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

/// PLogP is limited to the measured sizes: r_inf is the bandwidth at the largest.
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
             that they are serial (Bell et al. 2003, Section 3)",
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    fn close(got: f64, printed: f64, half_unit: f64) {
        assert!((got - printed).abs() <= half_unit, "{got} against {printed}");
    }

    /// Touriño & Doallo 2001, Table 1, every column; xy_send's bandwidth as corrected.
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

    /// Bell et al. 2003, Section 5.2.
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

    /// Bell et al. 2003, Section 3: overheads that overlap contradict LogP.
    #[test]
    fn a_negative_potential_is_remarked() {
        let mut quadrics = library::load("quadrics-shmem").unwrap();
        quadrics.set("o_r", "2us").unwrap();
        let route = Route::of(&quadrics, None, None).unwrap();
        let metrics = point_to_point(&route, None).unwrap();
        close(metrics.overlap_potential_both.unwrap().0, -0.7, 1e-12);
        assert!(metrics.warnings[0].to_string().contains("contradicts LogP"));
    }

    /// Bell et al. 2003, Section 5.5: M = g/G.
    #[test]
    fn a_message_is_large_from_where_its_bytes_take_the_gap() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("g", "2us").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        assert_eq!(point_to_point(&route, None).unwrap().large_message, Some(Bytes(50)));
    }

    /// The reciprocal of G is the bandwidth of long messages (Al-Tawil & Moritz 2001, Section 2).
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
    fn without_a_time_per_byte_there_is_no_bandwidth() {
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
}

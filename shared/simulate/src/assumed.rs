//! Assumed values for unknown costs of messages.

use loggia_model::Error;
use loggia_model::model::{Need, Route};
use loggia_model::signature::{At, Curve, Parameter, Signature, Style, Tier};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Micros, MicrosPerByte};

/// Size of a small message, for RTT/2 and overheads.
pub const SMALL: Bytes = Bytes(8);

/// Assumes values for unknown costs of messages, if no schedule can be simulated without them;
/// returns a warning.
///
/// # Errors
/// If neither RTT/2 nor L is known.
pub fn assume_missing_costs(
    signature: &mut Signature,
    tier: Option<&str>,
    style: Option<&str>,
) -> Result<Option<String>, Error> {
    let route = Route::of(signature, tier, style)?;
    if SimulationModel::richest(&route).is_ok() {
        return Ok(None);
    }
    let tier = route.tier.name.clone();
    assume_costs(signature, &tier, style)
}

/// The symbols of parameters, with this text between.
#[must_use]
pub fn symbols(needs: &[Need], separator: &str) -> String {
    needs.iter().map(|need| need.symbol()).collect::<Vec<_>>().join(separator)
}

/// Divides RTT/2 among unknown overheads and L, and returns a warning. An unknown G becomes t_b, or
/// else zero. Nothing changes if the tier has a simulation model, overheads and G. On a changed
/// machine, the costs are those assumed before the change.
///
/// # Errors
/// If neither RTT/2 nor L is known.
pub fn assume_costs(
    signature: &mut Signature,
    tier: &str,
    style: Option<&str>,
) -> Result<Option<String>, Error> {
    if let Some(mut before) = signature.before_change() {
        let warning = assume_costs(&mut before, tier, style)?;
        for own in &mut signature.tiers {
            let before = before.tiers.iter().find(|before| before.name == own.name);
            before
                .filter(|before| has_same_rtt(own, before))
                .into_iter()
                .for_each(|before| fill_costs(own, before));
        }
        signature.tiers_before_change = before.tiers;
        // If RTT/2 itself was changed, it is divided anew.
        return Ok(divided(signature, tier, style)?.or(warning));
    }
    divided(signature, tier, style)
}

/// Divides RTT/2 as [`assume_costs`] does.
fn divided(
    signature: &mut Signature,
    tier: &str,
    style: Option<&str>,
) -> Result<Option<String>, Error> {
    let route = Route::of(signature, Some(tier), style)?;
    let needs = [Need::SendOverhead, Need::RecvOverhead, Need::Latency];
    let missing: Vec<Need> = needs.into_iter().filter(|need| !route.has(*need)).collect();
    let error = match SimulationModel::richest(&route) {
        Ok(_) if missing.is_empty() && route.has(Need::GapPerByte) => return Ok(None),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    let known = |at: Option<At>| at.map(|at| at.time.value.0);
    let overheads = [known(route.send_overhead(SMALL)), known(route.recv_overhead(SMALL))];
    let lacks_bytes = !route.has(Need::GapPerByte);
    let latency = route.latency().map(|latency| latency.value.0);
    let any_style = || route.tier.styles.iter().find_map(|style| style.startup.as_ref()?.value);
    let measured = route.end_to_end_latency().or_else(|| route.startup()).map(|time| time.value);
    let measured = measured.or_else(any_style).map(|time| time.0);
    let per_byte = route
        .per_byte()
        .map(|time| time.value)
        .or_else(|| route.tier.styles.iter().find_map(|style| style.per_byte.as_ref()?.value));
    let known: f64 = overheads.iter().flatten().sum();
    let is_possible = error.is_none();
    // Without RTT/2 or L, there is no time to divide.
    let half_rtt = measured.or(latency.map(|latency| latency + known));
    if let (None, Some(error)) = (half_rtt, error) {
        return Err(error);
    }
    let half_rtt = half_rtt.unwrap_or(known);
    let unknown = overheads.iter().filter(|time| time.is_none()).count().max(1) as f64;
    let overhead = (half_rtt - known - latency.unwrap_or(half_rtt - known)).max(0.0) / unknown;
    let latency = latency.unwrap_or((half_rtt - known).max(0.0));
    let style = route.style.map(|style| style.name.clone());
    let Some(tier) = signature.tiers.iter_mut().find(|known| known.name == tier) else {
        return Ok(None);
    };
    let source = || "assumed: the rest of RTT/2".to_owned();
    if tier.styles.is_empty() {
        tier.styles.push(Style::unknown("send"));
    }
    let at = tier.styles.iter().position(|known| Some(&known.name) == style.as_ref());
    let lacks = |need| missing.contains(&need);
    if let Some(style) = tier.styles.get_mut(at.unwrap_or_default()) {
        let curve = || Curve { source: source(), ..Curve::assumed(Micros(overhead)) };
        if lacks(Need::SendOverhead) {
            style.send_overhead = Some(curve());
        }
        if lacks(Need::RecvOverhead) {
            style.recv_overhead = Some(curve());
        }
    }
    if lacks(Need::Latency) {
        let latency = Parameter::assumed(Micros(latency));
        tier.latency = Some(Parameter { source: source(), ..latency });
    }
    if lacks_bytes {
        let each = Parameter::assumed(per_byte.unwrap_or(MicrosPerByte(0.0)));
        tier.gap_per_byte = Some(Parameter { source: source(), ..each });
    }
    // Simulations of LogGPO have overheads of their own.
    if missing.is_empty() || is_possible {
        return Ok(None);
    }
    Ok(Some(format!(
        "{} is unknown; assumed from RTT/2, so times of consecutive messages and of overlap with \
         computation may be too short (Netgauge, logp_mpi or loggia collect measure it)",
        symbols(&missing, " or ")
    )))
}

/// Whether the parameters that unknown costs are assumed from have the same values.
fn has_same_rtt(tier: &Tier, other: &Tier) -> bool {
    let values = |tier: &Tier| {
        let line = |style: &Style| {
            let startup = style.startup.as_ref().and_then(|time| time.value);
            (startup, style.per_byte.as_ref().and_then(|each| each.value))
        };
        let known = |line: &(Option<_>, Option<_>)| *line != (None, None);
        let lines: Vec<_> = tier.styles.iter().map(line).filter(known).collect();
        (tier.end_to_end_latency.as_ref().and_then(|time| time.value), lines)
    };
    values(tier) == values(other)
}

/// Takes unknown costs from another tier.
fn fill_costs(tier: &mut Tier, from: &Tier) {
    fill(&mut tier.latency, &from.latency);
    fill(&mut tier.gap_per_byte, &from.gap_per_byte);
    for style in &from.styles {
        match tier.styles.iter_mut().find(|own| own.name == style.name) {
            None => tier.styles.push(style.clone()),
            Some(own) => {
                fill(&mut own.send_overhead, &style.send_overhead);
                fill(&mut own.recv_overhead, &style.recv_overhead);
            }
        }
    }
}

fn fill<T: Clone>(of: &mut Option<T>, from: &Option<T>) {
    if of.is_none() {
        of.clone_from(from);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use loggia_model::library;

    #[test]
    fn only_a_machine_without_a_simulation_model_gets_assumed_costs() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let before = t3d.clone();
        assert_eq!(assume_missing_costs(&mut t3d, None, None).unwrap(), None);
        assert_eq!(t3d, before);

        let mut cloud = library::load("aws-c5n-18xlarge").unwrap();
        let half_rtt = Route::of(&cloud, None, None).unwrap().end_to_end_latency().unwrap().value;
        let warning = assume_missing_costs(&mut cloud, None, None).unwrap().unwrap();
        assert!(warning.starts_with("o_s or o_r or L is unknown"), "{warning}");
        let route = Route::of(&cloud, None, None).unwrap();
        assert!(SimulationModel::richest(&route).is_ok());
        let time = |at: Option<At>| at.unwrap().time.value;
        let sum = time(route.send_overhead(SMALL)) + time(route.recv_overhead(SMALL));
        assert_eq!(sum + route.latency().unwrap().value, half_rtt);
    }
}

//! Changes of parameters by the user: `L=5us` or `intra.isend.o_s=2us`.

use super::error::SignatureError;
use super::{
    ASSUMED, Curve, Parameter, Point, Progress, ProgressKind, Quality, Signature, Style, StyleName,
    Tier, Transfer, TransferFrom,
};
use crate::Error;
use crate::error::{Expected, ValueError};
use crate::units::{Bytes, Magnitude, Micros, float};
use std::str::FromStr;

/// The parameters that can be set, with their descriptions.
pub fn parameters() -> impl Iterator<Item = (&'static str, &'static str)> {
    SYMBOLS.iter().copied()
}

const SYMBOLS: [(&str, &str); 16] = [
    ("L", "latency"),
    ("g", "gap between messages"),
    ("G", "gap per byte"),
    ("R_N", "rate of a node's network card, which its ranks share, such as 10GB/s"),
    ("EEL", "end-to-end latency of 8 bytes"),
    ("g(m)", "gap by size: size:time,size:time"),
    ("o_s", "send overhead: a time, or size:time,size:time"),
    ("o_r", "receive overhead: a time, or size:time,size:time"),
    ("t_s", "startup of Hockney's line"),
    ("t_b", "time per byte of Hockney's line"),
    ("S", "eager limit, in bytes"),
    ("O'", "overhead of a control message (also written O_control)"),
    ("O_i", "initiation overhead: a time, or size:time,size:time"),
    ("O_c", "copy overhead: a time, or size:time,size:time"),
    ("progress", "dependent or independent"),
    ("transfer", "rat or rta, above the eager limit"),
];

/// The symbol of the parameter in a key `[tier.][style.]symbol`.
pub fn symbol_of(key: &str) -> Option<&'static str> {
    let spelled = match key.rsplit('.').next().unwrap_or_default().trim() {
        "O_control" => "O'",
        "1/R_N" => "R_N",
        symbol => symbol,
    };
    SYMBOLS.iter().map(|(symbol, _)| *symbol).find(|symbol| *symbol == spelled)
}

/// The default tier and send mode of a key.
#[derive(Clone, Copy, Debug, Default)]
pub struct Defaults<'a> {
    /// The tier; by default the first.
    pub tier: Option<&'a str>,
    /// The send mode; by default the tier's first.
    pub style: Option<&'a str>,
}

impl Signature {
    /// Sets `[tier.][style.]symbol` to a typed value; `none` removes it.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        self.set_within(Defaults::default(), key, value)
    }

    /// Sets a parameter; a key without tier or send mode refers to the defaults.
    pub fn set_within(&mut self, defaults: Defaults, key: &str, value: &str) -> Result<(), Error> {
        let mut scopes: Vec<&str> = key.split('.').map(str::trim).collect();
        let word = scopes.pop().unwrap_or_default();
        let symbol = symbol_of(word)
            .ok_or_else(|| Error::unknown("parameter", word, key, SYMBOLS.map(|(s, _)| s)))?;
        let Defaults { mut tier, mut style } = defaults;
        for scope in scopes {
            if self.tiers.iter().any(|t| t.name == scope) {
                tier = Some(scope);
            } else if self.styles().any(|name| name.0 == scope)
                || StyleName(scope.to_owned()).mpi().is_some()
            {
                style = Some(scope);
            } else {
                let tiers = self.tiers.iter().map(|t| t.name.as_str());
                let known = tiers.chain(self.styles().map(|name| name.0.as_str()));
                return Err(Error::unknown("tier or send mode", scope, key, known));
            }
        }
        let original = self.clone();
        let is_change = knows(tier_mut(self, tier)?, style, symbol);
        let done = check_unit(word, value)
            .and_then(|()| set_in_tier(tier_mut(self, tier)?, style, symbol, value))
            .and_then(|()| self.validate())
            .map_err(|e| if e.place.is_nowhere() { e.at(key) } else { e });
        if done.is_err() {
            *self = original;
        } else if is_change {
            // The tables do not hold for the changed machine. Assuming an unknown parameter keeps
            // them.
            self.tables.clear();
            self.changed_from = None;
        }
        done
    }

    /// Restores a parameter from the original signature.
    pub fn reset_within(&mut self, defaults: Defaults, symbol: &str, original: &Signature) {
        let Defaults { tier, style } = defaults;
        let (Ok(to), Ok(from)) = (tier_mut(self, tier), original.tier(tier)) else { return };
        if let (Ok(own), Ok(Some(of))) = (style_mut(to, style), from.style(style)) {
            match symbol {
                "o_s" => own.send_overhead.clone_from(&of.send_overhead),
                "o_r" => own.recv_overhead.clone_from(&of.recv_overhead),
                "t_s" => own.startup.clone_from(&of.startup),
                "t_b" => own.per_byte.clone_from(&of.per_byte),
                "S" => own.eager_limit.clone_from(&of.eager_limit),
                _ => {}
            }
        }
        match symbol {
            "L" => to.latency.clone_from(&from.latency),
            "g" => to.gap.clone_from(&from.gap),
            "G" => to.gap_per_byte.clone_from(&from.gap_per_byte),
            "g(m)" => to.gap_by_size.clone_from(&from.gap_by_size),
            "R_N" => to.node_gap_per_byte.clone_from(&from.node_gap_per_byte),
            "EEL" => to.end_to_end_latency.clone_from(&from.end_to_end_latency),
            _ => reset_in_progress(&mut to.progress, symbol, from.progress.as_ref()),
        }
    }

    fn styles(&self) -> impl Iterator<Item = &StyleName> {
        self.tiers.iter().flat_map(|tier| tier.styles.iter().map(|style| &style.name))
    }
}

fn tier_mut<'a>(signature: &'a mut Signature, name: Option<&str>) -> Result<&'a mut Tier, Error> {
    if signature.tiers.is_empty() {
        signature.tiers.push(Tier::unknown(name.unwrap_or("network")));
    }
    let index = match name {
        None => 0,
        Some(name) => {
            let names = signature.tiers.iter().map(|t| t.name.as_str());
            let unknown = Error::unknown("tier", name, "", names);
            signature.tiers.iter().position(|t| t.name == name).ok_or(unknown)?
        }
    };
    Ok(&mut signature.tiers[index])
}

fn style_mut<'a>(tier: &'a mut Tier, name: Option<&str>) -> Result<&'a mut Style, Error> {
    let mode = name
        .map(str::to_owned)
        .or_else(|| tier.styles.first().map(|s| s.name.0.clone()))
        .unwrap_or_else(|| "send".to_owned());
    let index = match tier.styles.iter().position(|s| s.name.0 == mode) {
        Some(index) => index,
        None if StyleName(mode.clone()).mpi().is_some() => {
            tier.styles.push(Style::unknown(&mode));
            tier.styles.len() - 1
        }
        None => {
            let names = tier.styles.iter().map(|s| s.name.0.as_str());
            return Err(Error::unknown("send mode", &mode, "", names));
        }
    };
    Ok(&mut tier.styles[index])
}

/// Whether a parameter has a value.
fn knows(tier: &Tier, style: Option<&str>, symbol: &str) -> bool {
    fn has<U>(parameter: Option<&Parameter<U>>) -> bool {
        parameter.is_some_and(|parameter| parameter.value.is_some())
    }
    let style_of = || tier.style(style).ok().flatten();
    let progress = tier.progress.as_ref();
    match symbol {
        "L" => has(tier.latency.as_ref()),
        "g" => has(tier.gap.as_ref()),
        "G" => has(tier.gap_per_byte.as_ref()),
        "g(m)" => tier.gap_by_size.is_some(),
        "R_N" => has(tier.node_gap_per_byte.as_ref()),
        "EEL" => has(tier.end_to_end_latency.as_ref()),
        "o_s" => style_of().is_some_and(|style| style.send_overhead.is_some()),
        "o_r" => style_of().is_some_and(|style| style.recv_overhead.is_some()),
        "t_s" => style_of().is_some_and(|style| has(style.startup.as_ref())),
        "t_b" => style_of().is_some_and(|style| has(style.per_byte.as_ref())),
        "S" if style.is_some() => style_of().is_some_and(|style| has(style.eager_limit.as_ref())),
        "S" => progress.is_some_and(|progress| has(progress.eager_limit.as_ref())),
        "O'" => progress.is_some_and(|progress| has(progress.control_overhead.as_ref())),
        "O_i" => progress.is_some_and(|progress| progress.initiation.is_some()),
        "O_c" => progress.is_some_and(|progress| progress.copy.is_some()),
        "progress" => progress.is_some_and(|progress| progress.kind.is_some()),
        _ => progress.is_some_and(|progress| !progress.transfer.is_empty()),
    }
}

fn set_in_tier(
    tier: &mut Tier,
    style: Option<&str>,
    symbol: &str,
    value: &str,
) -> Result<(), Error> {
    match symbol {
        "L" => tier.latency = parameter(value)?,
        "g" => tier.gap = parameter(value)?,
        "G" => tier.gap_per_byte = parameter(value)?,
        "g(m)" => tier.gap_by_size = curve(value)?,
        "R_N" => tier.node_gap_per_byte = parameter(value)?,
        "EEL" => tier.end_to_end_latency = parameter(value)?,
        "o_s" => style_mut(tier, style)?.send_overhead = curve(value)?,
        "o_r" => style_mut(tier, style)?.recv_overhead = curve(value)?,
        "t_s" => style_mut(tier, style)?.startup = parameter(value)?,
        "t_b" => style_mut(tier, style)?.per_byte = parameter(value)?,
        "S" if style.is_some() => style_mut(tier, style)?.eager_limit = parameter(value)?,
        _ => {
            let progress = tier.progress.get_or_insert_with(|| Progress {
                quality: Quality::Assumed,
                source: ASSUMED.to_owned(),
                ..Progress::default()
            });
            set_in_progress(progress, symbol, value)?;
        }
    }
    Ok(())
}

/// A bare number is not a rate: 12 might be 12 GB/s, or 12 µs per byte.
fn check_unit(word: &str, value: &str) -> Result<(), Error> {
    match (word, float(value)) {
        ("R_N", Some(_)) => {
            Err(ValueError::Malformed { text: value.to_owned(), expected: Expected::Rate }.into())
        }
        _ => Ok(()),
    }
}

fn set_in_progress(progress: &mut Progress, symbol: &str, value: &str) -> Result<(), Error> {
    match symbol {
        "S" => progress.eager_limit = parameter(value)?,
        "O'" => progress.control_overhead = parameter(value)?,
        "O_i" => progress.initiation = curve(value)?,
        "O_c" => progress.copy = curve(value)?,
        "progress" => {
            progress.kind = match value {
                "none" => None,
                value => Some(ProgressKind::named(value)?),
            };
        }
        _ => {
            progress.transfer = match value {
                "none" => Vec::new(),
                value => match Transfer::named(value)? {
                    transfer @ (Transfer::Rat | Transfer::Rta) => {
                        vec![TransferFrom { from: Bytes(0), transfer }]
                    }
                    _ => {
                        return Err(SignatureError::NoHandshake(value.to_owned()).into());
                    }
                },
            };
        }
    }
    Ok(())
}

fn reset_in_progress(to: &mut Option<Progress>, symbol: &str, from: Option<&Progress>) {
    let (Some(own), Some(from)) = (to.as_mut(), from) else {
        to.clone_from(&from.cloned());
        return;
    };
    match symbol {
        "S" => own.eager_limit.clone_from(&from.eager_limit),
        "O'" => own.control_overhead.clone_from(&from.control_overhead),
        "O_i" => own.initiation.clone_from(&from.initiation),
        "O_c" => own.copy.clone_from(&from.copy),
        "progress" => own.kind = from.kind,
        "transfer" => own.transfer.clone_from(&from.transfer),
        _ => {}
    }
}

fn parameter<U>(value: &str) -> Result<Option<Parameter<U>>, Error>
where
    U: Magnitude + FromStr<Err = Error>,
{
    match value.trim() {
        "none" => Ok(None),
        value => value.parse().map(|v| Some(Parameter::assumed(v))),
    }
}

fn curve(value: &str) -> Result<Option<Curve>, Error> {
    match value.trim() {
        "none" => Ok(None),
        value if value.contains(':') => {
            let points: Result<Vec<Point>, Error> = value.split(',').map(point).collect();
            Ok(Some(Curve { points: points?, fixed: None, ..Curve::assumed(Micros(0.0)) }))
        }
        value => value.parse().map(|time| Some(Curve::assumed(time))),
    }
}

fn point(text: &str) -> Result<Point, Error> {
    let (bytes, time) =
        text.split_once(':').ok_or_else(|| SignatureError::NotAPoint(text.to_owned()))?;
    Ok(Point { bytes: bytes.parse()?, value: time.parse()?, low: None, high: None })
}

impl ProgressKind {
    /// The kind with this name, or with this abbreviation of Chen et al. 2009.
    pub fn named(name: &str) -> Result<Self, Error> {
        match name.trim().to_ascii_lowercase().as_str() {
            "dependent" | "dcp" => Ok(ProgressKind::Dependent),
            "independent" | "icp" => Ok(ProgressKind::Independent),
            _ => Err(Error::unknown("progress", name, "", ["dependent", "independent"])),
        }
    }

    /// The abbreviation in Chen et al. 2009.
    pub fn symbol(self) -> &'static str {
        match self {
            ProgressKind::Dependent => "DCP",
            ProgressKind::Independent => "ICP",
        }
    }
}

impl Transfer {
    /// All mechanisms.
    pub const ALL: [Transfer; 4] = [Transfer::T, Transfer::Ta, Transfer::Rta, Transfer::Rat];

    /// The mechanism with this name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let symbol = name.trim().to_ascii_uppercase();
        Transfer::ALL
            .into_iter()
            .find(|t| t.symbol() == symbol)
            .ok_or_else(|| Error::unknown("protocol", name, "", ["t", "ta", "rta", "rat"]))
    }

    /// The messages of the mechanism.
    pub fn words(self) -> &'static str {
        match self {
            Transfer::T => "T: transfer",
            Transfer::Ta => "TA: transfer, acknowledge",
            Transfer::Rta => "RTA: request, transfer (pulled), acknowledge",
            Transfer::Rat => "RAT: request, acknowledge, transfer (pushed), acknowledge",
        }
    }

    /// The symbol in papers.
    pub fn symbol(self) -> &'static str {
        match self {
            Transfer::T => "T",
            Transfer::Ta => "TA",
            Transfer::Rta => "RTA",
            Transfer::Rat => "RAT",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    /// Measured tables stay if an unknown parameter is assumed, and are removed if a known one
    /// changes.
    #[test]
    fn a_change_of_a_known_parameter_removes_measured_times() {
        let mut cloud = library::load("aws-c5n-18xlarge").unwrap();
        let measured = cloud.tables.clone();
        for (key, value) in [("L", "5us"), ("o_s", "2us"), ("send.o_r", "2us"), ("O'", "1us")] {
            cloud.set(key, value).unwrap();
            assert_eq!(cloud.tables, measured, "{key}");
        }
        cloud.set("G", "0.1ns").unwrap();
        assert!(cloud.tables.is_empty());
    }

    /// 12 might be 12 GB/s, or 12 µs per byte; as 1/R_N it is the latter.
    #[test]
    fn a_rate_needs_its_unit() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let error = t3d.set("R_N", "12").unwrap_err();
        assert!(error.help.to_string().contains("12") || error.message.contains("12"), "{error}");
        assert!(error.help.to_string().contains("10GB/s"), "{error}");
        for (key, value) in [("R_N", "100Gb/s"), ("R_N", "12.5GB/s"), ("1/R_N", "0.00008")] {
            t3d.set(key, value).unwrap();
            let card = t3d.tiers[0].node_gap_per_byte.clone().unwrap().value.unwrap().0;
            assert!((card - 8e-5).abs() < 1e-12, "{key}={value}: {card}");
        }
    }

    #[test]
    fn a_parameter_is_set_and_marked_as_assumed() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("L", "5us").unwrap();
        let latency = t3d.tiers[0].latency.clone().unwrap();
        assert_eq!((latency.value, latency.quality), (Some(Micros(5.0)), Quality::Assumed));
    }

    #[test]
    fn tier_and_send_mode_can_be_named() {
        let mut convex = library::load("convex-exemplar").unwrap();
        convex.set("intra-hypernode.isend.o_r", "16:1us,1KiB:3us").unwrap();
        let style = &convex.tiers[1].styles[0];
        assert_eq!(style.recv_overhead.as_ref().unwrap().points.len(), 2);
    }

    #[test]
    fn a_machine_can_be_made_from_an_empty_signature() {
        let mut sp2 = library::load("ibm-sp2").unwrap();
        for (key, value) in [("o_s", "1"), ("O'", "2"), ("S", "64KiB"), ("progress", "dcp")] {
            sp2.set(key, value).unwrap();
        }
        assert_eq!(sp2.tiers[0].styles[0].name.0, "send");
        let progress = sp2.tiers[0].progress.as_ref().unwrap();
        assert_eq!(progress.kind, Some(ProgressKind::Dependent));
        assert_eq!(progress.eager_limit.as_ref().unwrap().value, Some(Bytes(65536)));
    }

    #[test]
    fn none_removes_a_parameter() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("G", "none").unwrap();
        assert_eq!(t3d.tiers[0].gap_per_byte, None);
    }

    #[test]
    fn a_refusal_changes_nothing() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let original = t3d.clone();
        for (key, value) in [
            ("L", "-1"),
            ("L", "NaN"),
            ("Q", "1"),
            ("moon.L", "1"),
            ("o_s", "16:1us,16:2us"),
            ("o_s", "16-1us,"),
            ("progress", "sideways"),
            ("transfer", "push"),
            ("transfer", "ta"),
        ] {
            let error = t3d.set(key, value).unwrap_err();
            assert!(!error.place.is_nowhere() && !error.help.is_empty(), "{key}: {error:?}");
            assert_eq!(t3d, original, "{key}={value}");
        }
    }
}

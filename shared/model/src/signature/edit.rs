//! Changes of parameters by the user: `L=5us` or `intra.isend.o_s=2us`.

use super::error::SignatureError;
use super::{
    ASSUMED, Curve, Parameter, Point, Progress, ProgressKind, Quality, Signature, Style, StyleName,
    Tier, Transfer, TransferFrom,
};
use crate::Error;
use crate::error::{Expected, ValueError};
use crate::units::{Bytes, Magnitude, Micros, MicrosPerByte, float};
use std::mem;
use std::str::FromStr;

/// The parameters that can be set, with their descriptions.
pub fn parameters() -> impl Iterator<Item = (&'static str, &'static str)> {
    KEYS.iter().map(|(_, symbol, description)| (*symbol, *description))
}

/// What can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Latency,
    Gap,
    GapPerByte,
    NodeGapPerByte,
    EndToEndLatency,
    GapBySize,
    SendOverhead,
    RecvOverhead,
    Startup,
    PerByte,
    EagerLimit,
    ControlOverhead,
    Initiation,
    Copy,
    Progress,
    Transfer,
}

/// Keys with their symbols and descriptions.
const KEYS: [(Key, &str, &str); 16] = [
    (Key::Latency, "L", "latency"),
    (Key::Gap, "g", "gap between messages"),
    (Key::GapPerByte, "G", "gap per byte"),
    (
        Key::NodeGapPerByte,
        "R_N",
        "rate of a node's network card, which its ranks share, such as 10GB/s",
    ),
    (Key::EndToEndLatency, "EEL", "end-to-end latency of 8 bytes"),
    (Key::GapBySize, "g(m)", "gap by size: size:time,size:time"),
    (Key::SendOverhead, "o_s", "send overhead: a time, or size:time,size:time"),
    (Key::RecvOverhead, "o_r", "receive overhead: a time, or size:time,size:time"),
    (Key::Startup, "t_s", "startup of Hockney's line"),
    (Key::PerByte, "t_b", "time per byte of Hockney's line"),
    (Key::EagerLimit, "S", "eager limit, in bytes"),
    (Key::ControlOverhead, "O'", "overhead of a control message (also written O_control)"),
    (Key::Initiation, "O_i", "initiation overhead: a time, or size:time,size:time"),
    (Key::Copy, "O_c", "copy overhead: a time, or size:time,size:time"),
    (Key::Progress, "progress", "dependent or independent"),
    (Key::Transfer, "transfer", "rat or rta, above the eager limit"),
];

impl Key {
    /// The key of `[tier.][style.]symbol`, and its symbol.
    fn named(key: &str) -> Option<(Key, &'static str)> {
        let spelled = match key.rsplit('.').next().unwrap_or_default().trim() {
            "O_control" => "O'",
            "1/R_N" => "R_N",
            symbol => symbol,
        };
        let named = KEYS.iter().find(|(_, symbol, _)| *symbol == spelled);
        named.map(|(key, symbol, _)| (*key, *symbol))
    }
}

/// The symbol of the parameter in a key `[tier.][style.]symbol`.
pub fn symbol_of(key: &str) -> Option<&'static str> {
    Key::named(key).map(|(_, symbol)| symbol)
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
    /// Sets `[tier.][style.]symbol` to a typed value; after `none` it is unknown.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        self.set_within(Defaults::default(), key, value)
    }

    /// Sets a parameter; a key without tier or send mode refers to the defaults.
    pub fn set_within(&mut self, defaults: Defaults, key: &str, value: &str) -> Result<(), Error> {
        let mut scopes: Vec<&str> = key.split('.').map(str::trim).collect();
        let word = scopes.pop().unwrap_or_default();
        let symbols = KEYS.map(|(_, symbol, _)| symbol);
        let (parameter, _) =
            Key::named(word).ok_or_else(|| Error::unknown("parameter", word, key, symbols))?;
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
        let done = check_unit(word, value)
            .and_then(|()| {
                let mut before = self.described_tiers().to_vec();
                let described = before.iter().any(|of| tier.is_none_or(|name| of.name == name));
                let described = match described {
                    true => Some(slot(tier_mut(&mut before, tier)?, style, parameter)?),
                    false => None,
                };
                // Unknown means unknown before the change, too.
                let described =
                    described.filter(|slot| value.trim() != "none" && slot.is_described());
                let mut own = slot(tier_mut(&mut self.tiers, tier)?, style, parameter)?;
                let is_new = own.set(value)?;
                match described {
                    Some(described) if own.has_value_of(&described) => {
                        own.restore(described);
                        self.changed_from(&[]);
                    }
                    Some(_) if is_new => self.changed_from(original.described_tiers()),
                    Some(_) => {}
                    // A value assumed for an unknown parameter holds before the change, too.
                    None if self.is_changed() => {
                        let before = tier_mut(&mut self.tiers_before_change, tier);
                        before.and_then(|tier| slot(tier, style, parameter)?.set(value)).ok();
                    }
                    None => {}
                }
                self.validate()
            })
            .map_err(|e| if e.place.is_nowhere() { e.at(key) } else { e });
        if done.is_err() {
            *self = original;
        }
        done
    }

    /// Restores a parameter from the original signature.
    pub fn reset_within(&mut self, defaults: Defaults, symbol: &str, original: &Signature) {
        let Some((key, _)) = Key::named(symbol) else { return };
        reset(&mut self.tiers, defaults, key, &original.tiers);
        if self.is_changed() {
            reset(&mut self.tiers_before_change, defaults, key, original.described_tiers());
            self.changed_from(&[]);
        }
    }

    fn styles(&self) -> impl Iterator<Item = &StyleName> {
        self.tiers.iter().flat_map(|tier| tier.styles.iter().map(|style| &style.name))
    }
}

fn tier_mut<'a>(tiers: &'a mut Vec<Tier>, name: Option<&str>) -> Result<&'a mut Tier, Error> {
    if tiers.is_empty() {
        tiers.push(Tier::unknown(name.unwrap_or("network")));
    }
    let index = match name {
        None => 0,
        Some(name) => {
            let names = tiers.iter().map(|t| t.name.as_str());
            let unknown = Error::unknown("tier", name, "", names);
            tiers.iter().position(|t| t.name == name).ok_or(unknown)?
        }
    };
    Ok(&mut tiers[index])
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

/// Copies a parameter from other tiers, and removes what was added only for it.
fn reset(to: &mut Vec<Tier>, Defaults { tier, style }: Defaults, key: Key, from: &[Tier]) {
    let Ok(tier) = tier_mut(to, tier) else { return };
    let known = from.iter().find(|of| of.name == tier.name);
    let empty = Tier::unknown(&tier.name);
    let from = known.unwrap_or(&empty);
    restore(tier, from, style, key);
    // The eager limit may be the send mode's or the tier's.
    if key == Key::EagerLimit && style.is_some() {
        restore(tier, from, None, key);
    }
    if known.is_none() {
        to.retain(|tier| *tier != empty);
    }
}

/// Copies a parameter of a tier, and removes parts that were added only for it.
fn restore(to: &mut Tier, from: &Tier, style: Option<&str>, key: Key) {
    let mut of = from.clone();
    if let (Ok(own), Ok(of)) = (slot(to, style, key), slot(&mut of, style, key)) {
        own.restore(of);
    }
    let is_added = |style: &Style| from.styles.iter().all(|of| of.name != style.name);
    to.styles.retain(|style| !is_added(style) || *style != Style::unknown(&style.name.0));
    if from.progress.is_none() {
        to.progress = to.progress.take().filter(|progress| *progress != assumed_progress());
    }
}

/// The place of a parameter's value.
enum Slot<'a> {
    Time(&'a mut Option<Parameter<Micros>>),
    TimePerByte(&'a mut Option<Parameter<MicrosPerByte>>),
    Size(&'a mut Option<Parameter<Bytes>>),
    BySize(&'a mut Option<Curve>),
    Progress(&'a mut Option<ProgressKind>),
    Transfer(&'a mut Vec<TransferFrom>),
}

/// The place of a parameter; missing parts of the tier are added.
fn slot<'a>(tier: &'a mut Tier, style: Option<&str>, key: Key) -> Result<Slot<'a>, Error> {
    let progress = |tier: &'a mut Tier| tier.progress.get_or_insert_with(assumed_progress);
    Ok(match key {
        Key::Latency => Slot::Time(&mut tier.latency),
        Key::Gap => Slot::Time(&mut tier.gap),
        Key::GapPerByte => Slot::TimePerByte(&mut tier.gap_per_byte),
        Key::NodeGapPerByte => Slot::TimePerByte(&mut tier.node_gap_per_byte),
        Key::EndToEndLatency => Slot::Time(&mut tier.end_to_end_latency),
        Key::GapBySize => Slot::BySize(&mut tier.gap_by_size),
        Key::SendOverhead => Slot::BySize(&mut style_mut(tier, style)?.send_overhead),
        Key::RecvOverhead => Slot::BySize(&mut style_mut(tier, style)?.recv_overhead),
        Key::Startup => Slot::Time(&mut style_mut(tier, style)?.startup),
        Key::PerByte => Slot::TimePerByte(&mut style_mut(tier, style)?.per_byte),
        Key::EagerLimit if style.is_some() => Slot::Size(&mut style_mut(tier, style)?.eager_limit),
        Key::EagerLimit => Slot::Size(&mut progress(tier).eager_limit),
        Key::ControlOverhead => Slot::Time(&mut progress(tier).control_overhead),
        Key::Initiation => Slot::BySize(&mut progress(tier).initiation),
        Key::Copy => Slot::BySize(&mut progress(tier).copy),
        Key::Progress => Slot::Progress(&mut progress(tier).kind),
        Key::Transfer => Slot::Transfer(&mut progress(tier).transfer),
    })
}

fn assumed_progress() -> Progress {
    Progress { quality: Quality::Assumed, source: ASSUMED.to_owned(), ..Progress::default() }
}

impl Slot<'_> {
    /// Whether the value is known, and not assumed by the reader.
    fn is_described(&self) -> bool {
        fn has<U: Magnitude>(parameter: &Option<Parameter<U>>) -> bool {
            parameter.as_ref().is_some_and(|of| of.interval().is_some() && of.source != ASSUMED)
        }
        match self {
            Slot::Time(time) => has(time),
            Slot::TimePerByte(time) => has(time),
            Slot::Size(size) => has(size),
            Slot::BySize(curve) => curve.as_ref().is_some_and(|curve| curve.source != ASSUMED),
            Slot::Progress(kind) => kind.is_some(),
            Slot::Transfer(transfer) => !transfer.is_empty(),
        }
    }

    /// Sets a typed value; `none` removes it. Returns whether the value is new.
    fn set(&mut self, value: &str) -> Result<bool, Error> {
        Ok(match self {
            Slot::Time(time) => replaced(time, parameter(value)?),
            Slot::TimePerByte(time) => replaced(time, parameter(value)?),
            Slot::Size(size) => replaced(size, parameter(value)?),
            Slot::BySize(times) => {
                **times = curve(value)?;
                true
            }
            Slot::Progress(kind) => {
                let new = match value {
                    "none" => None,
                    value => Some(ProgressKind::named(value)?),
                };
                mem::replace(&mut **kind, new) != new
            }
            Slot::Transfer(transfer) => {
                let new = match value {
                    "none" => Vec::new(),
                    value => match Transfer::named(value)? {
                        transfer @ (Transfer::Rat | Transfer::Rta) => {
                            vec![TransferFrom { from: Bytes(0), transfer }]
                        }
                        _ => return Err(SignatureError::NoHandshake(value.to_owned()).into()),
                    },
                };
                let is_new = **transfer != new;
                **transfer = new;
                is_new
            }
        })
    }

    /// Whether the same parameter elsewhere has this value.
    fn has_value_of(&self, other: &Slot) -> bool {
        fn value<U: Copy>(of: &Option<Parameter<U>>) -> Option<U> {
            of.as_ref().and_then(|of| of.value)
        }
        match (self, other) {
            (Slot::Time(own), Slot::Time(other)) => value(own) == value(other),
            (Slot::TimePerByte(own), Slot::TimePerByte(other)) => value(own) == value(other),
            (Slot::Size(own), Slot::Size(other)) => value(own) == value(other),
            (Slot::Progress(own), Slot::Progress(other)) => own == other,
            (Slot::Transfer(own), Slot::Transfer(other)) => own == other,
            _ => false,
        }
    }

    /// Takes the value of the same parameter elsewhere.
    fn restore(self, from: Slot) {
        match (self, from) {
            (Slot::Time(to), Slot::Time(from)) => to.clone_from(from),
            (Slot::TimePerByte(to), Slot::TimePerByte(from)) => to.clone_from(from),
            (Slot::Size(to), Slot::Size(from)) => to.clone_from(from),
            (Slot::BySize(to), Slot::BySize(from)) => to.clone_from(from),
            (Slot::Progress(to), Slot::Progress(from)) => *to = *from,
            (Slot::Transfer(to), Slot::Transfer(from)) => to.clone_from(from),
            _ => unreachable!("one key has one kind of value"),
        }
    }
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

/// Replaces a parameter; returns whether its value is new.
fn replaced<U: Copy + PartialEq>(of: &mut Option<Parameter<U>>, new: Option<Parameter<U>>) -> bool {
    let value = |parameter: Option<Parameter<U>>| parameter.and_then(|known| known.value);
    let new_value = new.as_ref().and_then(|known| known.value);
    value(mem::replace(of, new)) != new_value
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

    /// A value assumed for an unknown parameter holds for the measured times, too; another value of a
    /// known parameter does not.
    #[test]
    fn the_tiers_before_a_change_of_a_known_parameter_are_kept() {
        let mut cloud = library::load("aws-c5n-18xlarge").unwrap();
        let assumed = [("L", "5us"), ("o_s", "2us"), ("send.o_r", "2us"), ("O'", "1us")];
        for (key, value) in assumed.into_iter().chain([("L", "4us")]) {
            cloud.set(key, value).unwrap();
            assert!(!cloud.is_changed(), "{key}");
        }
        let original = cloud.clone();
        let same = original.tiers[0].gap_per_byte.as_ref().unwrap().value.unwrap();
        cloud.set("G", &same.0.to_string()).unwrap();
        assert!(!cloud.is_changed(), "the same value");
        cloud.reset_within(Defaults::default(), "G", &original);
        for value in ["0.1ns", "0.2ns"] {
            cloud.set("G", value).unwrap();
            assert_eq!(cloud.before_change().as_ref(), Some(&original));
        }
        cloud.set("o_s", "3us").unwrap();
        assert_eq!(cloud.described_tiers()[0].styles, cloud.tiers[0].styles, "still assumed");
        cloud.set("o_s", "2us").unwrap();
        cloud.reset_within(Defaults::default(), "G", &original);
        assert_eq!(cloud, original);
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

    /// The T3D has no progress, the cloud no send modes, the SP2 no tiers.
    #[test]
    fn a_reset_restores_one_parameter_and_no_other() {
        const VALUES: [(&str, &str); 16] = [
            ("L", "1us"),
            ("g", "2us"),
            ("G", "3ns"),
            ("R_N", "4GB/s"),
            ("EEL", "5us"),
            ("g(m)", "1:6us,1KiB:7us"),
            ("o_s", "8us"),
            ("o_r", "9us"),
            ("t_s", "10us"),
            ("t_b", "11ns"),
            ("S", "12KiB"),
            ("O'", "13us"),
            ("O_i", "14us"),
            ("O_c", "15us"),
            ("progress", "independent"),
            ("transfer", "rta"),
        ];
        assert!(
            VALUES.iter().map(|(symbol, _)| *symbol).eq(parameters().map(|(symbol, _)| symbol))
        );
        for (name, style) in [
            ("cray-t3d", None),
            ("cray-t3d", Some("send")),
            ("azure-hbv2-calibrated", None),
            ("azure-hbv2-calibrated", Some("send")),
            ("ibm-sp2", None),
        ] {
            let original = library::load(name).unwrap();
            let defaults = Defaults { style, ..Defaults::default() };
            let changed = |without: &str| {
                let mut machine = original.clone();
                for (symbol, value) in VALUES.iter().filter(|(symbol, _)| *symbol != without) {
                    machine.set_within(defaults, symbol, value).unwrap();
                }
                machine
            };
            let mut all = changed("");
            for (symbol, _) in VALUES {
                let mut one = all.clone();
                one.reset_within(defaults, symbol, &original);
                assert_eq!(one, changed(symbol), "{name}: {symbol}");
            }
            for (symbol, _) in VALUES {
                all.reset_within(defaults, symbol, &original);
            }
            assert_eq!(all, original, "{name}");
        }
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

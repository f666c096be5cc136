//! The place of a parameter's value in a tier, and how a value is typed.

use super::Key;
use crate::Error;
use crate::signature::error::SignatureError;
use crate::signature::{
    ASSUMED, Curve, Parameter, Point, Progress, ProgressKind, Quality, Style, StyleName, Tier,
    Transfer, TransferFrom,
};
use crate::units::{Bytes, Magnitude, Micros, MicrosPerByte};
use std::mem;
use std::str::FromStr;

/// The place of a parameter's value.
pub(super) enum Slot<'a> {
    Time(&'a mut Option<Parameter<Micros>>),
    TimePerByte(&'a mut Option<Parameter<MicrosPerByte>>),
    Size(&'a mut Option<Parameter<Bytes>>),
    BySize(&'a mut Option<Curve>),
    Progress(&'a mut Option<ProgressKind>),
    Transfer(&'a mut Vec<TransferFrom>),
}

/// The place of a parameter; missing parts of the tier are added.
pub(super) fn slot<'a>(
    tier: &'a mut Tier,
    style: Option<&str>,
    key: Key,
) -> Result<Slot<'a>, Error> {
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

pub(super) fn assumed_progress() -> Progress {
    Progress { quality: Quality::Assumed, source: ASSUMED.to_owned(), ..Progress::default() }
}

impl Slot<'_> {
    /// Whether the value is known, and not assumed by the reader.
    pub(super) fn is_described(&self) -> bool {
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
    pub(super) fn set(&mut self, value: &str) -> Result<bool, Error> {
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
    pub(super) fn has_value_of(&self, other: &Slot) -> bool {
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
    pub(super) fn restore(self, from: Slot) {
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

pub(super) fn tier_mut<'a>(
    tiers: &'a mut Vec<Tier>,
    name: Option<&str>,
) -> Result<&'a mut Tier, Error> {
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

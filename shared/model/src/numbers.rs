//! One number per parameter, as in LogGOPSim.

use crate::Error;
use crate::error::ValueError;
use crate::signature::{
    Curve, Machine, Origin, Parameter, Progress, Quality, Signature, Style, StyleName, Tier,
};
use crate::units::{Bytes, Magnitude, Micros, MicrosPerByte};

/// One number per parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Numbers {
    /// L
    pub latency: Micros,
    /// o
    pub overhead: Micros,
    /// g
    pub gap: Micros,
    /// G
    pub gap_per_byte: MicrosPerByte,
    /// O
    pub overhead_per_byte: MicrosPerByte,
    /// S; without it, all messages are eager
    pub eager_limit: Option<Bytes>,
}

const SOURCE: &str = "given as a number";

impl Numbers {
    /// A signature with these numbers, for the simulation models that need one.
    pub fn signature(&self) -> Result<Signature, Error> {
        if self.overhead_per_byte.0 > 0.0 {
            return Err(ValueError::OverheadPerByte.into());
        }
        let overhead = || {
            Some(Curve {
                points: Vec::new(),
                fixed: Some(self.overhead),
                per_byte: Some(MicrosPerByte(0.0)),
                quality: Quality::default(),
                source: SOURCE.to_owned(),
            })
        };
        let style = Style {
            name: StyleName("send".to_owned()),
            routines: None,
            send_overhead: overhead(),
            recv_overhead: overhead(),
            startup: None,
            per_byte: None,
            eager_limit: None,
        };
        let progress = Progress { eager_limit: self.eager_limit.map(known), ..Progress::default() };
        let tier = Tier {
            latency: Some(known(self.latency)),
            gap: Some(known(self.gap)),
            gap_per_byte: Some(known(self.gap_per_byte)),
            styles: vec![style],
            progress: self.eager_limit.is_some().then_some(progress),
            ..Tier::unknown("network")
        };
        Ok(Signature {
            loggia: Signature::VERSION,
            name: "numbers".to_owned(),
            title: "The given numbers".to_owned(),
            origin: Origin::Citation { citation: SOURCE.to_owned(), date: None },
            machine: Machine::default(),
            collection: None,
            notes: Vec::new(),
            tiers: vec![tier],
            collectives: Vec::new(),
            tables: Vec::new(),
            samples: Vec::new(),
            tiers_before_change: Vec::new(),
        })
    }
}

fn known<U: Magnitude>(value: U) -> Parameter<U> {
    Parameter {
        value: Some(value),
        low: None,
        high: None,
        quality: Quality::default(),
        source: SOURCE.to_owned(),
    }
}

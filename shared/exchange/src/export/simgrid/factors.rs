//! Factors and overheads of a platform, by message size.

use super::lines::{ENVELOPE, Line};
use loggia_model::model::Model;
use loggia_model::units::{Bytes, Micros};

/// All message parameters of a platform.
pub(super) struct Factors {
    pub(super) model: Option<Model>,
    /// lat
    pub(super) latency: Micros,
    /// 1/bw, in µs per byte
    pub(super) per_byte: f64,
    /// lf: the fixed part of lines over w
    pub(super) latency_factors: Vec<Line>,
    /// bf: the part per byte
    pub(super) bandwidth_factors: Vec<Line>,
    /// In µs, over k
    pub(super) send: Vec<Line>,
    pub(super) isend: Vec<Line>,
    pub(super) recv: Vec<Line>,
    /// Messages below this size are eager.
    pub(super) threshold: u64,
    pub(super) loopback: Option<Loopback>,
    /// Whether a line of the prediction was approximated.
    pub(super) is_bent: bool,
}

/// Messages inside a node.
pub(super) struct Loopback {
    pub(super) tier: String,
    pub(super) latency: Micros,
    pub(super) per_byte: f64,
    /// Size, SMPI time and predicted time of two messages.
    pub(super) times: [(Bytes, Micros, Micros); 2],
}

/// The parts of SMPI's time for a message of one size.
pub(super) struct Shares {
    pub(super) overheads: f64,
    pub(super) lf: f64,
    /// w/bf
    pub(super) transfer: f64,
}

impl Factors {
    pub(super) fn shares(&self, size: u64) -> Shares {
        let of = |lines: &[Line]| last(lines, size).map_or(0.0, |line| line.at(size));
        let is_eager = size < self.threshold;
        let wire = size + ENVELOPE;
        let factor = |lines: &[Line], part: fn(&Line) -> f64| last(lines, wire).map_or(1.0, part);
        Shares {
            overheads: if is_eager { of(&self.send) + of(&self.recv) } else { 0.0 },
            lf: factor(&self.latency_factors, |line| line.fixed),
            transfer: wire as f64 / factor(&self.bandwidth_factors, |line| line.per_byte),
        }
    }
}

/// The line that applies to a size.
fn last(lines: &[Line], size: u64) -> Option<&Line> {
    lines.iter().rev().find(|line| line.after < size)
}

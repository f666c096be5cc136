//! Filling unknown parameters from another signature; known parameters stay.

use super::{Curve, Parameter, Progress, Style, Tier};

impl Tier {
    /// Takes the unknown parameters from another tier. S of a send mode is taken only if the tier has
    /// no S.
    pub fn add_unknown(&mut self, other: &Tier) {
        add_parameter(&mut self.latency, other.latency.as_ref());
        add_parameter(&mut self.gap, other.gap.as_ref());
        add_parameter(&mut self.gap_per_byte, other.gap_per_byte.as_ref());
        add_parameter(&mut self.node_gap_per_byte, other.node_gap_per_byte.as_ref());
        self.ranks_per_node = self.ranks_per_node.or(other.ranks_per_node);
        add_parameter(&mut self.end_to_end_latency, other.end_to_end_latency.as_ref());
        add_curve(&mut self.gap_by_size, other.gap_by_size.as_ref());
        if self.gap_by_depth.is_empty() {
            self.gap_by_depth.clone_from(&other.gap_by_depth);
        }
        let limit = self.progress.as_ref().and_then(|progress| progress.eager_limit.as_ref());
        let has_limit = limit.is_some_and(|limit| limit.value.is_some());
        for style in &other.styles {
            add_to_style(self.style_or_new(&style.name.0), style, has_limit);
        }
        match (&mut self.progress, &other.progress) {
            (Some(known), Some(other)) => add_to_progress(known, other),
            (known, other) => add_value(known, other.as_ref()),
        }
    }
}

fn add_to_style(known: &mut Style, other: &Style, has_limit: bool) {
    add_value(&mut known.routines, other.routines.as_ref());
    add_curve(&mut known.send_overhead, other.send_overhead.as_ref());
    add_curve(&mut known.recv_overhead, other.recv_overhead.as_ref());
    add_parameter(&mut known.startup, other.startup.as_ref());
    add_parameter(&mut known.per_byte, other.per_byte.as_ref());
    if !has_limit {
        add_parameter(&mut known.eager_limit, other.eager_limit.as_ref());
    }
}

fn add_to_progress(known: &mut Progress, other: &Progress) {
    add_parameter(&mut known.eager_limit, other.eager_limit.as_ref());
    add_parameter(&mut known.control_overhead, other.control_overhead.as_ref());
    add_curve(&mut known.initiation, other.initiation.as_ref());
    add_curve(&mut known.copy, other.copy.as_ref());
    add_value(&mut known.kind, other.kind.as_ref());
    if known.transfer.is_empty() {
        known.transfer.clone_from(&other.transfer);
    }
}

/// Adds a parameter if the known one has no value.
fn add_parameter<U: Clone>(known: &mut Option<Parameter<U>>, other: Option<&Parameter<U>>) {
    if known.as_ref().is_none_or(|known| known.value.is_none()) {
        *known = other.cloned().or_else(|| known.take());
    }
}

/// Adds a curve if the known one has no value.
fn add_curve(known: &mut Option<Curve>, other: Option<&Curve>) {
    if known.as_ref().is_none_or(|known| known.points.is_empty() && known.fixed.is_none()) {
        *known = other.cloned().or_else(|| known.take());
    }
}

/// Adds a value if there is none.
fn add_value<T: Clone>(known: &mut Option<T>, other: Option<&T>) {
    if known.is_none() {
        *known = other.cloned();
    }
}

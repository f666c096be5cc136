//! The parameters of a route that the user can change, with their values at a size.

use super::Route;
use crate::signature::{At, Parameter};
use crate::units::{Bytes, Interval, Magnitude, Micros, MicrosPerByte};

/// The unit of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// µs
    Micros,
    /// µs per byte
    MicrosPerByte,
    /// bytes
    Bytes,
}

impl Unit {
    /// The symbol of the unit.
    pub fn words(self) -> &'static str {
        match self {
            Unit::Micros => "µs",
            Unit::MicrosPerByte => "µs/B",
            Unit::Bytes => "B",
        }
    }
}

/// A known parameter. [`Signature::set`](crate::Signature::set) changes it by its symbol.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Editable {
    /// The paper's symbol.
    pub symbol: &'static str,
    pub unit: Unit,
    /// The value, with bounds if the source gave a range.
    pub value: Interval<f64>,
    /// Whether it depends on the size. A value set by the user holds for every size.
    pub by_size: bool,
}

impl Route<'_> {
    /// All known parameters, in the order of a message's path.
    pub fn editable(&self, bytes: Bytes) -> Vec<Editable> {
        let micros = |symbol, value: Option<Interval<Micros>>| plain(symbol, Unit::Micros, value);
        let slope = |symbol, value: Option<Interval<MicrosPerByte>>| {
            plain(symbol, Unit::MicrosPerByte, value)
        };
        let curve = |symbol, at: Option<At>| {
            let value = at?.time.map(|time| time.0);
            Some(Editable { symbol, unit: Unit::Micros, value, by_size: true })
        };
        let limit = self.eager_limit().map(|limit| limit.map(|bytes| bytes.count()));
        let all = [
            curve("o_s", self.send_overhead(bytes)),
            micros("L", self.latency()),
            slope("G", self.gap_per_byte()),
            slope("1/R_N", self.tier.node_gap_per_byte.as_ref().and_then(Parameter::interval)),
            curve("o_r", self.recv_overhead(bytes)),
            micros("g", self.gap()),
            micros("EEL", self.end_to_end_latency()),
            curve("g(m)", self.gap_at(bytes)),
            micros("t_s", self.startup()),
            slope("t_b", self.per_byte()),
            limit.map(|value| Editable { symbol: "S", unit: Unit::Bytes, value, by_size: false }),
            micros("O'", self.control_overhead()),
            curve("O_i", self.initiation(bytes)),
            curve("O_c", self.copy(bytes)),
        ];
        all.into_iter().flatten().collect()
    }
}

fn plain<U: Magnitude + Copy>(
    symbol: &'static str,
    unit: Unit,
    value: Option<Interval<U>>,
) -> Option<Editable> {
    Some(Editable { symbol, unit, value: value?.map(|v| v.magnitude()), by_size: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn listed_parameters_can_be_set_by_symbol() {
        for name in library::names() {
            let mut signature = library::load(name).unwrap();
            let Ok(route) = Route::of(&signature, None, None) else { continue };
            let listed = route.editable(Bytes(1024));
            let other = 9.0_f64;
            for parameter in listed {
                signature.set(parameter.symbol, &other.to_string()).unwrap();
                let route = Route::of(&signature, None, None).unwrap();
                let now = route.editable(Bytes(77));
                let now = now.iter().find(|other| other.symbol == parameter.symbol).unwrap();
                assert_eq!(now.value, Interval::exact(other), "{name} {}", parameter.symbol);
            }
        }
    }
}

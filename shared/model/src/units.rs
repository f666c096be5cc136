//! Quantities as types: every number carries its unit through the code.
//!
//! | type | unit | written |
//! |---|---|---|
//! | [`Micros`] | microseconds | `2500ns`, `3.1us`, `1ms`; a bare number is µs |
//! | [`MicrosPerByte`] | microseconds per byte | `6ns`, `0.04` |
//! | [`BytesPerMicro`] | bytes per microsecond = MB/s | |
//! | [`Bytes`] | bytes | `64KiB` (binary), `1M` (SI, 10^6) |
//! | [`Procs`] | processes of a collective | `64`, `1Mi` |

mod parse;
pub mod words;

pub use parse::{float, list_of};

use serde::{Deserialize, Serialize};
use std::ops::{Add, Mul, Sub};

/// A quantity that is one `f64` with a unit.
macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(
            #[cfg_attr(feature = "schema", schemars(range(min = 0.0)))] pub f64,
        );

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                $name(self.0 + other.0)
            }
        }
        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                $name(self.0 - other.0)
            }
        }
        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                $name(self.0 * factor)
            }
        }
        impl std::iter::Sum for $name {
            fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
                items.fold($name(0.0), Add::add)
            }
        }
        impl $name {
            /// The larger of both.
            #[must_use]
            pub fn max(self, other: Self) -> Self {
                $name(self.0.max(other.0))
            }

            /// The smaller of both.
            #[must_use]
            pub fn min(self, other: Self) -> Self {
                $name(self.0.min(other.0))
            }
        }
        impl Magnitude for $name {
            fn magnitude(self) -> f64 {
                self.0
            }
            fn from_magnitude(magnitude: f64) -> Self {
                $name(magnitude)
            }
        }
    };
}

/// A quantity that can be compared and interpolated as a plain number in its own unit.
pub trait Magnitude: Copy {
    /// The number in the type's unit.
    fn magnitude(self) -> f64;
    /// The quantity with this number.
    fn from_magnitude(magnitude: f64) -> Self;
}

impl Magnitude for f64 {
    fn magnitude(self) -> f64 {
        self
    }
    fn from_magnitude(magnitude: f64) -> Self {
        magnitude
    }
}

quantity! {
    /// Microseconds.
    Micros
}
quantity! {
    /// Microseconds per byte.
    MicrosPerByte
}
quantity! {
    /// Bytes per microsecond, which is MB/s.
    BytesPerMicro
}

impl MicrosPerByte {
    /// Time of this many bytes.
    #[must_use]
    pub fn of(self, bytes: f64) -> Micros {
        Micros(self.0 * bytes)
    }
}

impl BytesPerMicro {
    /// The rate of bytes (possibly fractional) in a time.
    pub fn of(bytes: f64, time: Micros) -> Self {
        BytesPerMicro(bytes / time.0)
    }

    /// In MiB/s, as in Touriño & Doallo 2001.
    pub fn mebibytes_per_second(self) -> f64 {
        self.0 * 1e6 / 1_048_576.0
    }

    /// In KiB/s, as in Touriño & Doallo 2001.
    pub fn kibibytes_per_second(self) -> f64 {
        self.0 * 1e6 / 1024.0
    }
}

/// A size in bytes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl Bytes {
    /// The number of bytes, for arithmetic.
    pub fn count(self) -> f64 {
        self.0 as f64
    }

    /// The bandwidth of these bytes in a time.
    pub fn within(self, time: Micros) -> BytesPerMicro {
        BytesPerMicro(self.count() / time.0)
    }

    /// `max(k−1, 0)`: the bytes of a message that follow its first one.
    pub fn after_the_first(self) -> f64 {
        self.0.saturating_sub(1) as f64
    }
}

impl Magnitude for Bytes {
    fn magnitude(self) -> f64 {
        self.count()
    }
    fn from_magnitude(magnitude: f64) -> Self {
        Bytes(magnitude as u64)
    }
}

/// A plain count, such as of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count(pub u64);

/// Number of processes (p).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Procs(pub u32);

impl Procs {
    /// The number of processes, for arithmetic.
    pub fn count(self) -> f64 {
        f64::from(self.0)
    }

    /// As text: `1 rank`, `64 ranks`.
    pub fn ranks(self) -> String {
        words::counted(self.0, "rank")
    }

    /// The warning for a time on more ranks than this measured number. With a known rate of network
    /// cards, contention of the ranks of a node is known too.
    pub fn beyond(self, has_card: bool) -> String {
        let contention = if has_card { "" } else { "; contention there was not measured" };
        format!("Extrapolated beyond {}{contention}.", self.ranks())
    }

    /// log2 p, bit-identical on every platform.
    pub fn log(self) -> f64 {
        if self.0.is_power_of_two() {
            return f64::from(self.0.trailing_zeros());
        }
        libm::log2(self.count())
    }
}

/// A value with the bounds of its source. Without bounds, all three numbers are the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval<U> {
    /// The value itself.
    pub value: U,
    /// The lower bound.
    pub low: U,
    /// The upper bound.
    pub high: U,
}

/// An end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalEnd {
    Low,
    High,
}

impl<U> Interval<U> {
    /// The bound at this end; without one, the value.
    pub fn at(self, end: Option<IntervalEnd>) -> U {
        match end {
            Some(IntervalEnd::Low) => self.low,
            None => self.value,
            Some(IntervalEnd::High) => self.high,
        }
    }
}

impl<U: Add<Output = U>> Add for Interval<U> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Interval {
            value: self.value + other.value,
            low: self.low + other.low,
            high: self.high + other.high,
        }
    }
}

impl std::iter::Sum for Interval<Micros> {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(Interval::exact(Micros(0.0)), Add::add)
    }
}

impl<U: Magnitude> Interval<U> {
    /// A value without bounds.
    pub fn exact(value: U) -> Self {
        Interval { value, low: value, high: value }
    }

    /// Whether the source gave bounds.
    pub fn is_bounded(&self) -> bool {
        self.low.magnitude() != self.high.magnitude()
    }

    /// Applies a non-decreasing function to all three.
    pub fn map<V>(self, f: impl Fn(U) -> V) -> Interval<V> {
        Interval { value: f(self.value), low: f(self.low), high: f(self.high) }
    }
}

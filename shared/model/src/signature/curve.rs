//! A time over the message size.

use super::{ASSUMED, Quality};
use crate::units::{Bytes, Interval, Micros, MicrosPerByte};
use serde::{Deserialize, Serialize};

/// A time over the message size: points, or a fixed and a per-byte part. Linear in bytes between
/// points; clamped outside them, with a warning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// Measured points, by size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Point>,
    /// The fixed part of each message; instead of points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<Micros>,
    /// The part per byte; with `fixed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_byte: Option<MicrosPerByte>,
    /// Quality of the curve.
    #[serde(default, rename = "verdict")]
    pub quality: Quality,
    /// Paper and table, or measurement and estimator.
    #[serde(default)]
    pub source: String,
}

/// The value of a curve at one size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Message size.
    pub bytes: Bytes,
    /// Time at this size.
    pub value: Micros,
    /// Lower bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<Micros>,
    /// Upper bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<Micros>,
}

/// The value of a curve at a size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    /// The time.
    pub time: Interval<Micros>,
    /// The reported size whose value is used, if the requested one is outside the curve.
    pub clamped_from: Option<Bytes>,
}

impl Point {
    fn interval(&self) -> Interval<Micros> {
        Interval {
            value: self.value,
            low: self.low.unwrap_or(self.value),
            high: self.high.unwrap_or(self.value),
        }
    }
}

impl Curve {
    /// A constant time, assumed by the user.
    pub fn assumed(time: Micros) -> Self {
        Curve {
            points: Vec::new(),
            fixed: Some(time),
            per_byte: None,
            quality: Quality::Assumed,
            source: ASSUMED.to_owned(),
        }
    }

    /// The time at a size, if messages above `limit` use another protocol: no interpolation across
    /// the limit, if a point marks it.
    pub fn at_with_limit(&self, limit: Option<Bytes>, bytes: Bytes) -> Option<At> {
        let Some(limit) = limit else { return self.at(bytes) };
        let marks =
            |point: &Point| point.bytes == limit || point.bytes.0 == limit.0.saturating_add(1);
        if !self.points.iter().any(marks) {
            return self.at(bytes);
        }
        let (below, above) =
            self.points.split_at(self.points.partition_point(|p| p.bytes <= limit));
        match if bytes <= limit { below } else { above } {
            [] => self.at(bytes),
            points => self.among(points, bytes),
        }
    }

    /// The time at a size; none if the curve is unusable.
    pub fn at(&self, bytes: Bytes) -> Option<At> {
        self.among(&self.points, bytes)
    }

    fn among(&self, points: &[Point], bytes: Bytes) -> Option<At> {
        if self.quality == Quality::Unusable {
            return None;
        }
        if let Some(fixed) = self.fixed {
            let time = fixed + self.per_byte.unwrap_or_default().of(bytes.count());
            return Some(At { time: Interval::exact(time), clamped_from: None });
        }
        let above = points.partition_point(|p| p.bytes < bytes);
        let upper = points.get(above).or(points.last())?;
        if upper.bytes == bytes {
            return Some(At { time: upper.interval(), clamped_from: None });
        }
        let Some(lower) = above.checked_sub(1).and_then(|i| points.get(i)) else {
            return Some(At { time: upper.interval(), clamped_from: Some(upper.bytes) });
        };
        if upper.bytes < bytes {
            return Some(At { time: upper.interval(), clamped_from: Some(upper.bytes) });
        }
        let share = (bytes.0 - lower.bytes.0) as f64 / (upper.bytes.0 - lower.bytes.0) as f64;
        let (a, b) = (lower.interval(), upper.interval());
        let between = |a: Micros, b: Micros| a + (b - a) * share;
        let time = Interval {
            value: between(a.value, b.value),
            low: between(a.low, b.low),
            high: between(a.high, b.high),
        };
        Some(At { time, clamped_from: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t3d_send_overhead() -> Curve {
        let point = |bytes, value| Point {
            bytes: Bytes(bytes),
            value: Micros(value),
            low: None,
            high: None,
        };
        Curve {
            points: vec![point(16, 30.0), point(10_000, 130.0)],
            fixed: None,
            per_byte: None,
            quality: Quality::Published,
            source: String::new(),
        }
    }

    #[test]
    fn linear_in_bytes_between_points() {
        let at = t3d_send_overhead().at(Bytes(5008)).unwrap();
        assert_eq!(at.time.value, Micros(80.0));
        assert_eq!(at.clamped_from, None);
    }

    #[test]
    fn clamped_outside_with_a_warning() {
        let curve = t3d_send_overhead();
        let below = curve.at(Bytes(0)).unwrap();
        assert_eq!((below.time.value, below.clamped_from), (Micros(30.0), Some(Bytes(16))));
        let above = curve.at(Bytes(u64::MAX)).unwrap();
        assert_eq!((above.time.value, above.clamped_from), (Micros(130.0), Some(Bytes(10_000))));
        assert_eq!(curve.at(Bytes(16)).unwrap().clamped_from, None);
        assert_eq!(curve.at(Bytes(10_000)).unwrap().clamped_from, None);
    }

    #[test]
    fn fixed_and_per_byte() {
        let curve = Curve { per_byte: Some(MicrosPerByte(0.5)), ..Curve::assumed(Micros(2.0)) };
        assert_eq!(curve.at(Bytes(4)).unwrap().time.value, Micros(4.0));
    }

    #[test]
    fn an_unusable_curve_has_no_value() {
        let curve = Curve { quality: Quality::Unusable, ..t3d_send_overhead() };
        assert_eq!(curve.at(Bytes(16)), None);
    }

    #[test]
    fn an_empty_curve_has_no_value() {
        assert_eq!(Curve { fixed: None, ..Curve::assumed(Micros(1.0)) }.at(Bytes(1)), None);
    }

    #[test]
    fn no_interpolation_across_a_measured_limit() {
        let mut curve = t3d_send_overhead();
        let point = |bytes, value| Point {
            bytes: Bytes(bytes),
            value: Micros(value),
            low: None,
            high: None,
        };
        curve.points = vec![point(8, 1.0), point(1024, 2.0), point(4097, 50.0), point(8193, 60.0)];
        let at = |limit, bytes| curve.at_with_limit(Some(Bytes(limit)), Bytes(bytes)).unwrap();
        // The point just above 4096 marks the limit; below, the time is clamped to the last point.
        assert_eq!(at(4096, 3000).time.value, Micros(2.0));
        assert_eq!(at(4096, 3000).clamped_from, Some(Bytes(1024)));
        assert_eq!(at(4096, 4097).time.value, Micros(50.0));
        assert_eq!(at(4096, 6145).time.value, Micros(55.0));
        // No point marks 2048: curves of papers and users are interpolated across.
        assert_eq!(at(2048, 3000), curve.at(Bytes(3000)).unwrap());
    }
}

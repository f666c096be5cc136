//! Parsing of quantities that users type.

use super::{Bytes, Count, Micros, MicrosPerByte, Procs};
use crate::Error;
use crate::error::{Expected, ValueError};
use std::str::FromStr;

/// Splits `64KiB` into `64` and `KiB`.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text
        .char_indices()
        .find(|&(i, c)| {
            let exponent = matches!(c, 'e' | 'E')
                && text[i + 1..].starts_with(|n: char| n.is_ascii_digit() || n == '-');
            !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '_') || exponent)
        })
        .map_or(text.len(), |(i, _)| i);
    (&text[..end], text[end..].trim())
}

fn malformed(text: &str, expected: Expected) -> Error {
    ValueError::Malformed { text: text.to_owned(), expected }.into()
}

/// A finite number: `5`, `-0.5`, `+.5`, `5.`, `1e3`.
///
/// Uses serde_json's number parser, which the page contains anyway: `str::parse` would add 15 kB of
/// tables.
#[must_use]
pub fn float(text: &str) -> Option<f64> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => digits.split_at(at),
        None => (digits, ""),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    let value: f64 = serde_json::from_str(&format!("{whole}.{fraction}{exponent}")).ok()?;
    Some(sign * value)
}

/// A number that is finite and not negative.
fn plain_number(digits: &str) -> Option<f64> {
    let value = float(&digits.replace('_', ""))?;
    (value.is_finite() && value >= 0.0).then_some(value)
}

fn duration(text: &str) -> Option<f64> {
    let (digits, unit) = split(text);
    let scale = match unit {
        "" | "us" | "µs" | "μs" => 1.0,
        "ns" => return plain_number(digits).map(|v| v / 1e3),
        "ps" => return plain_number(digits).map(|v| v / 1e6),
        "ms" => 1e3,
        "s" => 1e6,
        _ => return None,
    };
    let value = plain_number(digits)? * scale;
    value.is_finite().then_some(value)
}

/// µs per byte of a rate, such as `10GB/s`, or `100Gb/s` (bits).
fn at_rate(text: &str) -> Option<f64> {
    let (digits, unit) = split(text);
    let per_micro = match unit {
        "B/s" => 1e-6,
        "kB/s" | "KB/s" => 1e-3,
        "MB/s" => 1.0,
        "GB/s" => 1e3,
        "TB/s" => 1e6,
        "Mb/s" | "Mbit/s" => 1.0 / 8.0,
        "Gb/s" | "Gbit/s" => 1e3 / 8.0,
        "Tb/s" | "Tbit/s" => 1e6 / 8.0,
        "KiB/s" => 1024.0 / 1e6,
        "MiB/s" => 1_048_576.0 / 1e6,
        "GiB/s" => 1_073_741_824.0 / 1e6,
        _ => return None,
    };
    let each = 1.0 / (plain_number(digits)? * per_micro);
    (each.is_finite() && each > 0.0).then_some(each)
}

/// Parses a list such as `8,64KiB`; a range such as `3..24` doubles from its start, and includes its
/// end. Sorted, without duplicates.
///
/// # Errors
/// As `one`.
pub fn list_of(text: &str, one: impl Fn(&str) -> Result<u64, Error>) -> Result<Vec<u64>, Error> {
    let mut all = Vec::new();
    for part in text.split(',') {
        let Some((low, high)) = part.split_once("..") else {
            all.push(one(part)?);
            continue;
        };
        let (low, high) = (one(low)?.max(1), one(high)?);
        let doubled = std::iter::successors(Some(low), |at| at.checked_mul(2));
        all.extend(doubled.take_while(|at| *at < high));
        all.extend((low <= high).then_some(high));
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

impl FromStr for Micros {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        duration(text).map(Micros).ok_or_else(|| malformed(text, Expected::Time))
    }
}

impl FromStr for MicrosPerByte {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        if let Some(each) = at_rate(text) {
            return Ok(MicrosPerByte(each));
        }
        let time = text.trim().trim_end_matches("/byte").trim_end_matches("/B");
        duration(time).map(MicrosPerByte).ok_or_else(|| malformed(text, Expected::TimePerByte))
    }
}

/// A whole number with an SI or binary suffix.
fn count(text: &str, unit: &str) -> Option<u64> {
    let (digits, suffix) = split(text);
    let suffix = suffix.strip_suffix(unit).unwrap_or(suffix);
    let scale: u64 = match suffix {
        "" => 1,
        "k" | "K" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        "Ki" | "ki" => 1 << 10,
        "Mi" => 1 << 20,
        "Gi" => 1 << 30,
        "Ti" => 1 << 40,
        _ => return None,
    };
    if let Ok(whole) = digits.replace('_', "").parse::<u64>() {
        return whole.checked_mul(scale);
    }
    // 16.1 · 1000 is not exactly 16100 in floating point.
    let value = plain_number(digits)? * scale as f64;
    let whole = libm::round(value);
    ((value - whole).abs() <= whole * f64::EPSILON && whole < 9e15).then_some(whole as u64)
}

impl FromStr for Bytes {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        count(text, "B").map(Bytes).ok_or_else(|| malformed(text, Expected::Size))
    }
}

impl FromStr for Count {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        count(text, "").map(Count).ok_or_else(|| malformed(text, Expected::Count))
    }
}

impl FromStr for Procs {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let procs = count(text, "").ok_or_else(|| malformed(text, Expected::Procs))?;
        let too_many = |_| ValueError::TooManyProcs {
            text: text.to_owned(),
            most: u32::MAX,
            expected: Expected::Procs,
        };
        Ok(Procs(u32::try_from(procs).map_err(too_many)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_rust_reads_them() {
        for text in [
            "5",
            "-0.5",
            "+.5",
            "5.",
            "007",
            "1e3",
            "1E-3",
            "2.5e+10",
            "0.1",
            "1e-320",
            "-0",
            "123456789012345678901234567890",
            "0.30000000000000004",
        ] {
            assert_eq!(float(text), text.parse::<f64>().ok(), "{text}");
        }
        for text in ["", ".", "-", "e5", "1e", "1e999", "inf", "nan", "1.2.3", "0x1", "--1", "1 2"]
        {
            assert_eq!(float(text), None, "{text}");
        }
    }

    #[test]
    fn durations() {
        for (text, us) in [
            ("2500ns", 2.5),
            ("3.1us", 3.1),
            ("3.1 µs", 3.1),
            ("1ms", 1000.0),
            ("7", 7.0),
            ("2s", 2e6),
        ] {
            assert_eq!(text.parse::<Micros>(), Ok(Micros(us)), "{text}");
        }
        for text in ["", "us", "-1", "NaN", "inf", "1 hour", "1e400", "1e306s", "3,1us", "1.2.3"] {
            assert!(text.parse::<Micros>().is_err(), "{text}");
        }
    }

    #[test]
    fn gaps_per_byte() {
        for text in ["6ns", "6ns/B", "6 ns/byte", "0.006"] {
            assert_eq!(text.parse::<MicrosPerByte>(), Ok(MicrosPerByte(0.006)), "{text}");
        }
        for (text, each) in [("10GB/s", 1e-4), ("1 MB/s", 1.0), ("250kB/s", 4.0), ("80Gb/s", 1e-4)]
        {
            assert_eq!(text.parse::<MicrosPerByte>(), Ok(MicrosPerByte(each)), "{text}");
        }
        for text in ["0GB/s", "-1GB/s", "GB/s", "1GB/min"] {
            assert!(text.parse::<MicrosPerByte>().is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for (text, n) in [
            ("0", 0),
            ("64KiB", 65536),
            ("64 KiB", 65536),
            ("1M", 1_000_000),
            ("1MB", 1_000_000),
            ("64k", 64_000),
            ("1.5KiB", 1536),
            ("16.1K", 16_100),
            ("1.001MB", 1_001_000),
            ("480_000", 480_000),
            ("9223372036854775808", 1 << 63),
            ("18446744073709551615", u64::MAX),
            ("1e3", 1000),
        ] {
            assert_eq!(text.parse::<Bytes>(), Ok(Bytes(n)), "{text}");
        }
        for text in
            ["", "B", "-1", "1.5", "18446744073709551616", "16777216TiB", "64kb", "NaN", "1e"]
        {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
    }

    #[test]
    fn processes() {
        assert_eq!("1Mi".parse::<Procs>(), Ok(Procs(1 << 20)));
        assert_eq!("4294967295".parse::<Procs>(), Ok(Procs(u32::MAX)));
        assert!("4294967296".parse::<Procs>().is_err());
        assert!("64B".parse::<Procs>().is_err());
    }
}

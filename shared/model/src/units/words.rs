//! Formatting of quantities for readers, shared by the command and the page.

use super::{Bytes, BytesPerMicro, Micros, MicrosPerByte};
use std::fmt::Display;

/// A number with this many significant digits, without trailing zeros: `2856.34`, `0.038`.
pub fn number(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "—".to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = libm::floor(libm::log10(value.abs())) as i32;
    if !(-7..15).contains(&exponent) {
        let text = format!("{value:.*e}", digits.saturating_sub(1));
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", trimmed(mantissa));
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// A time in a fitting unit: `48.1 µs`, `2.86 ms`.
pub fn time(value: Micros) -> String {
    let us = value.0;
    let (scaled, unit) = match us.abs() {
        0.0 => (us, "µs"),
        a if a < 1e-3 => (us * 1e6, "ps"),
        a if a < 1.0 => (us * 1e3, "ns"),
        a if a < 1e3 => (us, "µs"),
        a if a < 1e6 => (us / 1e3, "ms"),
        _ => (us / 1e6, "s"),
    };
    format!("{} {unit}", number(scaled, 4))
}

/// The sign of a difference.
fn sign(value: f64) -> &'static str {
    match value {
        0.0 => "",
        negative if negative < 0.0 => "−",
        _ => "+",
    }
}

/// A difference of times: `+3.1 µs`, `−2.86 ms`.
pub fn difference(value: Micros) -> String {
    format!("{}{}", sign(value.0), time(Micros(value.0.abs())))
}

/// A bandwidth in a fitting unit: `58.87 MB/s`, `8.423 GB/s`.
pub fn rate(value: BytesPerMicro) -> String {
    let (scaled, unit) = match value.0.abs() {
        a if a < 1e-3 => (value.0 * 1e6, "B/s"),
        a if a < 1.0 => (value.0 * 1e3, "kB/s"),
        a if a < 1e3 => (value.0, "MB/s"),
        _ => (value.0 / 1e3, "GB/s"),
    };
    format!("{} {unit}", number(scaled, 4))
}

/// Between groups of three digits: many readers take a comma for a decimal comma.
pub const THOUSANDS: char = '\u{202f}';

/// A whole number, with digits in groups of three: "1 048 576".
pub fn whole(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = if value < 0.0 { "−".to_owned() } else { String::new() };
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(THOUSANDS);
        }
        text.push(digit);
    }
    text
}

/// A fitting unit for a time per byte, and its size in µs/byte: `0.0809 ns/byte`, `2.5 µs/byte`.
pub fn per_byte_unit(value: MicrosPerByte) -> (f64, &'static str) {
    match value.0.abs() {
        a if a < 1.0 => (1e-3, "ns/byte"),
        _ => (1.0, "µs/byte"),
    }
}

/// A time per byte in a fitting unit: `0.0809 ns/byte`.
pub fn per_byte(value: MicrosPerByte) -> String {
    let (size, unit) = per_byte_unit(value);
    format!("{} {unit}", number(value.0 / size, 4))
}

/// A count with its noun: `1 pair`, `3 pairs`.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str) -> String {
    let plural = if count == N::from(1) { "" } else { "s" };
    format!("{count} {one}{plural}")
}

/// An unsigned relative error: `24%`, `2380%`.
pub fn error(part: f64) -> String {
    format!("{}%", number(part * 100.0, 3))
}

/// A relative difference: `+12%`, `−3%`.
pub fn percent(part: f64) -> String {
    // Rounding errors count as no difference.
    let part = if part.abs() < 1e-9 { 0.0 } else { part };
    format!("{}{}", sign(part), unsigned_percent(part))
}

/// The size of a relative difference, in two digits: `12%`, `0.31%`.
pub fn unsigned_percent(part: f64) -> String {
    format!("{}%", number(part.abs() * 100.0, 2))
}

/// A relative error, to hundredths of a percent: `+0.31%`, `−2.07%`, `0.00%`.
pub fn off(part: f64) -> String {
    let hundredths = libm::round(part * 1e4);
    format!("{}{:.2}%", sign(hundredths), hundredths.abs() / 100.0)
}

/// A share of a whole, in whole percents if large: `2.7%`, `95%`.
pub fn share(part: f64) -> String {
    match part * 100.0 {
        percent if percent.abs() < 0.05 => "0%".to_owned(),
        percent if percent.abs() < 9.95 => format!("{percent:.1}%"),
        percent => format!("{percent:.0}%"),
    }
}

/// A size in KiB, MiB … if it is a whole multiple, otherwise in bytes: `64 KiB`, `480000 B`.
pub fn size(bytes: Bytes) -> String {
    let n = bytes.0;
    for (shift, unit) in
        [(60, "EiB"), (50, "PiB"), (40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")]
    {
        if n != 0 && n.is_multiple_of(1 << shift) {
            return format!("{} {unit}", n >> shift);
        }
    }
    format!("{n} B")
}

/// A size for a sentence, in three or four digits: `64 KiB`, `172 KiB`, `480 B`.
pub fn rounded_size(bytes: Bytes) -> String {
    let exact = size(bytes);
    let (shift, unit) = match bytes.0 {
        n if n < 1 << 10 || !exact.ends_with(" B") => return exact,
        n if n < 1 << 20 => (10, "KiB"),
        n if n < 1 << 30 => (20, "MiB"),
        _ => (30, "GiB"),
    };
    format!("{} {unit}", number(bytes.0 as f64 / f64::from(1 << shift), 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_significant_digits() {
        for (value, text) in [
            (2856.344, "2856.34"),
            (0.038, "0.038"),
            (1_048_576.0, "1048576"),
            (-3.0, "-3"),
            (1e-9, "1e-9"),
            (9.223_372_036_854_776e18, "9.22337e18"),
            (f64::NAN, "—"),
        ] {
            assert_eq!(number(value, 6), text);
        }
    }

    #[test]
    fn times_have_a_fitting_unit() {
        assert_eq!(time(Micros(2856.344)), "2.856 ms");
        assert_eq!(time(Micros(0.04)), "40 ns");
        assert_eq!(time(Micros(0.0)), "0 µs");
        assert_eq!(time(Micros(48.1)), "48.1 µs");
        let all = [3.1, -2860.0, 0.0].map(|us| difference(Micros(us)));
        assert_eq!(all, ["+3.1 µs", "−2.86 ms", "0 µs"]);
    }

    #[test]
    fn a_zero_error_has_no_sign() {
        let all = [0.0031, -0.02074, -1e-9, 1.5].map(off);
        assert_eq!(all, ["+0.31%", "−2.07%", "0.00%", "+150.00%"]);
    }

    #[test]
    fn bandwidths_and_shares_have_a_fitting_unit() {
        assert_eq!(rate(BytesPerMicro(58.87)), "58.87 MB/s");
        assert_eq!(rate(BytesPerMicro(8423.0)), "8.423 GB/s");
        assert_eq!(rate(BytesPerMicro(0.25)), "250 kB/s");
        assert_eq!(percent(0.1234), "+12%");
        assert_eq!(percent(-0.03), "−3%");
        assert_eq!(percent(0.0), "0%");
        assert_eq!([0.0003, 0.027, 0.0996, 1.0].map(share), ["0%", "2.7%", "10%", "100%"]);
    }

    #[test]
    fn digits_are_grouped_by_three() {
        for (value, text) in
            [(0.0, "0"), (999.0, "999"), (1000.0, "1 000"), (-1_048_576.0, "−1 048 576")]
        {
            assert_eq!(whole(value).replace(THOUSANDS, " "), text);
        }
    }

    #[test]
    fn times_per_byte_have_a_fitting_unit() {
        let all = [0.000_008_76, 0.04, 2.5].map(|value| per_byte(MicrosPerByte(value)));
        assert_eq!(all, ["0.00876 ns/byte", "40 ns/byte", "2.5 µs/byte"]);
    }

    #[test]
    fn sizes_are_exact() {
        assert_eq!(size(Bytes(65536)), "64 KiB");
        assert_eq!(size(Bytes(480_000)), "480000 B");
        assert_eq!(size(Bytes(0)), "0 B");
        assert_eq!(size(Bytes(1 << 63)), "8 EiB");
    }

    #[test]
    fn sizes_in_sentences_have_three_digits() {
        for (bytes, text) in
            [(600, "600 B"), (65536, "64 KiB"), (175_731, "172 KiB"), ((5 << 28) + 1, "1.25 GiB")]
        {
            assert_eq!(rounded_size(Bytes(bytes)), text);
        }
    }
}

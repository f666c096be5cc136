//! Netgauge's console output has RTT/2 of one size, the file of the same run has it of all sizes.

use crate::{fixtures, import};
use loggia_exchange::import::ImportOptions;
use loggia_model::measured::{Basis, Doubt};
use loggia_model::model::{Route, Warning, predict};
use loggia_model::signature::Signature;
use loggia_model::units::Bytes;

/// Console output and file of the quiet runs.
fn runs() -> Vec<(String, [Signature; 2])> {
    let all = fixtures();
    let signature = |name: &str| {
        let (name, text) = all.iter().find(|(known, _)| known == name)?;
        import(name, text, &ImportOptions::default()).signature
    };
    let quiet = all.iter().filter_map(|(name, _)| name.strip_suffix(".txt"));
    quiet
        .filter(|name| name.starts_with("netgauge-2.4.6-loggp-quiet"))
        .filter_map(|name| {
            let [console, file] = ["txt", "out"].map(|end| signature(&format!("{name}.{end}")));
            Some((name.to_owned(), [console?, file?]))
        })
        .collect()
}

/// From RTT/2 of 1 B and G alone, 130,049 B took 14.66 µs in run 1: less than the send call,
/// 21.53 µs. The file has 21.83 µs.
#[test]
fn a_message_takes_at_least_as_long_as_its_calls() {
    for (name, [console, file]) in runs() {
        let [console, file] = [&console, &file].map(|of| Route::of(of, None, None).unwrap());
        let (mut sizes, mut inside) = (0, 0);
        for point in &file.signature.message_table(file.tier, Some("send")).unwrap().points {
            let prediction = predict(&console, None, point.bytes).unwrap();
            let (total, calls) = (
                prediction.total.unwrap(),
                [
                    console.send_overhead(point.bytes).unwrap(),
                    console.recv_overhead(point.bytes).unwrap(),
                ],
            );
            if point.bytes > Bytes(1) {
                assert_eq!(prediction.basis, Basis::Extrapolated, "{name}");
                let least = calls.map(|call| call.time.value);
                assert!(total.value >= least[0].max(least[1]), "{name}: {point:?}, {total:?}");
                sizes += 1;
                inside += usize::from(total.low <= point.value && point.value <= total.high);
            }
            if point.bytes == Bytes(130_049) && name.ends_with("run1") {
                assert!((total.value.0 / 21.83 - 1.0).abs() < 0.02, "{total:?}");
                assert!(prediction.warnings.contains(&Warning::Measured(Doubt::LongCall("o_s"))));
            }
        }
        println!("{name}: {inside} of {sizes} sizes of the file are inside the interval");
        assert!(sizes > 100 && inside * 20 >= sizes * 17, "{name}: {inside} of {sizes}");
    }
}

/// The console prints g and G of a line through all sizes, not the time of a stream of 1 B.
#[test]
fn the_fitted_line_is_no_stream() {
    for (name, signatures) in runs() {
        let sources = signatures.map(|signature| {
            let tier = &signature.tiers[0];
            let gap = tier.gap.as_ref().map(|gap| gap.source.clone());
            [gap.unwrap_or_default(), tier.gap_per_byte.as_ref().unwrap().source.clone()]
        });
        let [[gap, slope], [stream, least_squares]] = sources;
        assert!(gap.is_empty() || gap.starts_with("line g + G s at "), "{name}: {gap}");
        assert!(slope.starts_with("slope of the line g + G s over "), "{name}: {slope}");
        assert!(slope.contains("by Netgauge 2.4.6 loggp"), "{name}: {slope}");
        assert!(stream.starts_with("stream of 1 bytes, by Netgauge loggp"), "{name}: {stream}");
        assert!(!least_squares.contains("line g"), "{name}: {least_squares}");
    }
}

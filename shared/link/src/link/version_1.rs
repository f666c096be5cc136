//! Links of version 1, which are no longer written: checksum and length of a state's JSON, and the JSON
//! deflated with the dictionary `dictionary-1.txt`. This must never change: old links open forever.

use super::{CHECK, Damage, LARGEST_STATE};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

const DICTIONARY: &[u8] = include_bytes!("dictionary-1.txt");

/// The JSON of a state, from its checksum and the rest of the payload.
pub(super) fn text(checksum: u32, rest: &[u8]) -> Result<String, Damage> {
    let (length, deflated) = rest.split_first_chunk().ok_or(Damage::CutOff)?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > LARGEST_STATE {
        return Err(Damage::ClaimsTooMuch);
    }
    let json = inflate(deflated, length).ok_or(Damage::CutOff)?;
    if CHECK.checksum(&json) != checksum {
        return Err(Damage::CutOff);
    }
    String::from_utf8(json).map_err(|_| Damage::NoText)
}

/// Inflates exactly `length` bytes; `None` for another length or a damaged stream.
fn inflate(deflated: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut out = DICTIONARY.to_vec();
    out.resize(DICTIONARY.len() + length, 0);
    let (status, _, written) = decompress(
        &mut DecompressorOxide::new(),
        deflated,
        &mut out,
        DICTIONARY.len(),
        inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
    );
    (status == TINFLStatus::Done && written == length).then(|| out.split_off(DICTIONARY.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode;
    use crate::state::State;

    const GOLDEN: &str = include_str!("../../tests/golden-link-1.txt");

    #[test]
    fn a_golden_link_opens() {
        let opened = decode(GOLDEN).unwrap();
        let expected: State =
            serde_json::from_str(include_str!("../../tests/golden-link-1.json")).unwrap();
        assert_eq!(opened, expected);
        assert_eq!(opened.inputs.procs.map(|p| p.0), Some(64));
    }

    #[test]
    fn a_truncated_or_changed_link_is_refused() {
        let link = GOLDEN.trim();
        for length in 0..link.len() {
            assert!(decode(&link[..length]).is_err(), "truncated at {length}");
        }
        for i in "#1.".len()..link.len() - 1 {
            let other = if &link[i..=i] == "A" { "B" } else { "A" };
            let changed = format!("{}{other}{}", &link[..i], &link[i + 1..]);
            assert!(decode(&changed).is_err(), "character {i}");
        }
    }

    #[test]
    fn a_too_large_stated_length_is_refused_before_allocation() {
        let error = text(0, &u32::MAX.to_le_bytes()).unwrap_err();
        assert_eq!(error, Damage::ClaimsTooMuch);
    }
}

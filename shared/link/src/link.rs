//! Encoding of a state as a link: `#2.`, then base64url of a checksum and the state's JSON with
//! compact signatures, packed numbers and compressed text.
//!
//! Links of every version open forever; only the latest version is written.

mod compact;
mod error;
mod packed;
mod steps;
mod tables;
mod version_1;
mod version_2;

pub use error::{Damage, LinkError};

use crate::state::State;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::{DecodeError, Engine};
use compact::compacted;
use crc::{CRC_32_ISO_HDLC, Crc};
use loggia_model::Signature;
use loggia_model::json;
use serde_json::Value;
use tables::IncludedTables;

/// Maximum length of a short link. Some mail programs and chats truncate longer links; then the
/// page offers the file.
pub const RECOMMENDED_LENGTH: usize = 1_900;

/// The checksum of all versions.
const CHECK: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
const CHECKSUM_BYTES: usize = 4;
const PREFIX: &str = "#2.";
/// Maximum length of a state's JSON; bounds the memory for decoding.
const LARGEST_STATE: usize = 4 << 20;
const LARGEST_LINK: usize = 1 << 20;

/// A state as the fragment of a link, and a list of the omitted parts. Measured tables are omitted
/// until the link is short.
pub fn encode(state: &State) -> (String, Vec<String>) {
    let tables = || state.signatures.iter().flat_map(|signature| &signature.tables);
    let points = tables().map(|table| table.points.len()).sum();
    let mut encoded = Default::default();
    for included in IncludedTables::decreasing(tables().count(), points) {
        encoded = encode_with(state, *included);
        if encoded.0.len() <= RECOMMENDED_LENGTH {
            break;
        }
    }
    encoded
}

fn encode_with(state: &State, tables: IncludedTables) -> (String, Vec<String>) {
    let mut omitted = Vec::new();
    let compact_signature = |signature: &Signature| {
        let (mut compact, mut left_out) = compacted(signature);
        left_out.extend(tables.thin(&mut compact));
        omitted.extend(left_out.into_iter().map(|part| format!("{}: {part}", signature.name)));
        compact
    };
    let signatures = state.signatures.iter().map(compact_signature).collect();
    let compact = State { signatures, ..state.clone() };
    let mut value = serde_json::to_value(&compact).unwrap_or_default();
    packed::pack(&mut value);
    let compressed = version_2::compress(value.to_string().as_bytes());
    let mut payload = CHECK.checksum(&compressed).to_le_bytes().to_vec();
    payload.extend(compressed);
    (format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(payload)), omitted)
}

/// Whether a text looks like a Loggia link of any version.
pub fn is_link(text: &str) -> bool {
    fragment(text).is_some()
}

/// Version and payload of a link: a whole address, its fragment, or the fragment without `#`.
fn fragment(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let fragment = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
    let (version, payload) = fragment.split_once('.')?;
    let payload = payload.trim_end_matches(is_punctuation);
    let is_number = !version.is_empty() && version.chars().all(|c| c.is_ascii_digit());
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '%' | '=');
    (is_number && (text.contains('#') || payload.len() > 40 && payload.chars().all(is_allowed)))
        .then_some((version, payload))
}

/// Punctuation after a link in a text, as in `(see <…>).`; no link ends with it.
fn is_punctuation(c: char) -> bool {
    !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '=')
}

/// The state in a link.
///
/// ```
/// use loggia_link::state::State;
/// let state = State::default();
/// let (link, _) = loggia_link::encode(&state);
/// let opened = loggia_link::decode(&format!("https://example.org/loggia/{link}"))?;
/// assert_eq!(opened.signatures[0].tiers, state.signatures[0].tiers);
/// # Ok::<(), loggia_link::LinkError>(())
/// ```
pub fn decode(text: &str) -> Result<State, LinkError> {
    let (version, payload) = fragment(text).ok_or(LinkError::NotALink)?;
    let text_of: fn(u32, &[u8]) -> Result<String, Damage> = match version {
        "1" => version_1::text,
        "2" => unpacked,
        _ => return Err(LinkError::UnknownVersion(version.to_owned())),
    };
    if payload.len() > LARGEST_LINK {
        return Err(LinkError::TooLong);
    }
    let bytes = URL_SAFE_NO_PAD.decode(payload.trim_end_matches('=')).map_err(|e| match e {
        DecodeError::InvalidByte(..) => Damage::Character,
        _ => Damage::CutOff,
    })?;
    let (checksum, rest) = bytes.split_first_chunk::<CHECKSUM_BYTES>().ok_or(Damage::CutOff)?;
    let json = text_of(u32::from_le_bytes(*checksum), rest)?;
    let state: State = json::read(&json).map_err(LinkError::UnknownContent)?;
    state.validate().map_err(LinkError::Invalid)?;
    Ok(state)
}

/// The JSON in a link of version 2, from its checksum and compressed text.
fn unpacked(checksum: u32, compressed: &[u8]) -> Result<String, Damage> {
    if CHECK.checksum(compressed) != checksum {
        return Err(Damage::CutOff);
    }
    let text = version_2::expand(compressed, LARGEST_STATE).ok_or(Damage::NoText)?;
    let mut value: Value = serde_json::from_slice(&text).map_err(|_| Damage::NoText)?;
    packed::unpack(&mut value);
    Ok(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::View;
    use loggia_model::{Error, library};

    fn state(name: &str) -> State {
        let mut state = State::of(library::load(name).unwrap());
        state.view = View::Collectives;
        state.set("procs", "64").unwrap();
        state
    }

    #[test]
    fn every_built_in_machine_fits_into_a_link_exactly() {
        for name in library::names() {
            let mut state = state(name);
            let (link, omitted) = encode(&state);
            assert!(link.len() <= RECOMMENDED_LENGTH, "{name}: {}", link.len());
            assert_eq!(omitted.is_empty(), state.signatures[0].samples.is_empty());
            state.signatures[0].samples.clear();
            assert_eq!(decode(&link), Ok(state), "{name}");
        }
    }

    #[test]
    fn any_single_change_is_detected() {
        let (link, _) = encode(&state("myrinet-gm"));
        let opened = decode(&link);
        for i in PREFIX.len()..link.len() {
            let mut changed = link.clone().into_bytes();
            changed[i] = if changed[i] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            // The last character contains unused bits.
            let changed = decode(&changed);
            assert!(changed.is_err() || (changed == opened && i + 1 == link.len()), "{i}");
        }
    }

    #[test]
    fn a_link_truncated_anywhere_is_refused() {
        let (link, _) = encode(&state("myrinet-gm"));
        for length in 0..link.len() {
            let error = decode(&link[..length]).unwrap_err();
            let is_expected = error == LinkError::Damaged(Damage::CutOff) || length <= PREFIX.len();
            assert!(is_expected, "truncated at {length}: {error}");
        }
    }

    #[test]
    fn punctuation_around_a_link_is_ignored() {
        let (link, _) = encode(&state("myrinet-gm"));
        let opened = decode(&link);
        assert!(opened.is_ok());
        for text in
            ["LINK.", "<https://example.org/LINK>", "(LINK),", "'LINK';", "LINK…\n", "LINK”"]
        {
            assert_eq!(decode(&text.replace("LINK", &link)), opened, "{text}");
        }
    }

    #[test]
    fn other_versions_and_other_texts_are_distinguished() {
        let newer = decode("#3.AAAA").unwrap_err();
        assert_eq!(newer, LinkError::UnknownVersion("3".to_owned()));
        assert!(Error::from(newer).message.contains("version 3"));
        assert_eq!(decode("cray-t3d"), Err(LinkError::NotALink));
        assert!(!is_link("cray-t3d") && !is_link("./a.json") && !is_link("1.json"));
        assert!(is_link("https://example.org/#1.AAAA") && is_link("#2.x"));
        assert!(decode("#2.").is_err());
    }

    /// A link with a valid checksum and any payload.
    fn sealed(compressed: &[u8]) -> String {
        let payload = [&CHECK.checksum(compressed).to_le_bytes(), compressed].concat();
        format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(payload))
    }

    #[test]
    fn what_cannot_be_unpacked_is_refused() {
        for bytes in [&[][..], &[0; 100], &[0xff; 100], b"no text of ours, but sealed"] {
            assert!(decode(&sealed(bytes)).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn a_link_with_a_too_long_state_is_refused() {
        let link = sealed(&version_2::compress(&vec![b' '; LARGEST_STATE + 1]));
        assert!(link.len() < LARGEST_LINK, "{}", link.len());
        let error = decode(&link).unwrap_err();
        assert_eq!(error, LinkError::Damaged(Damage::NoText));
        assert!(Error::from(error).message.contains("damaged"));
    }
}

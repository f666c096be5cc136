//! How a state becomes a link and back: `#1.` and base64url of a checksum, a length and the state's
//! JSON, deflated.
//!
//! The compressor begins with the words of `link-dictionary-1.txt` in its window, which halves a
//! link. That file is part of version 1 and must never change: old links open forever.

use super::json;
use super::light::lighten;
use crate::state::State;
use crate::{Error, Signature};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use crc::{CRC_32_ISO_HDLC, Crc};
use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

/// Longer links are cut by some mail programs and chats: the page then offers the file.
pub const DIGNIFIED_LENGTH: usize = 1_900;

/// The dictionary of version 1. Frozen.
const DICTIONARY: &[u8] = include_bytes!("link-dictionary-1.txt");
/// The checksum of version 1. Links are short: a small table does.
const CHECK: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
const PREFIX: &str = "#1.";
/// No state needs more, so no link can make us hold more.
const LARGEST_STATE: usize = 4 << 20;
const LARGEST_LINK: usize = 1 << 20;
/// Checksum and length, four bytes each.
const HEADER: usize = 8;

/// A state as the fragment of a link, and what was left out of it.
pub fn encode(state: &State) -> (String, Vec<String>) {
    let mut omitted = Vec::new();
    let lighter = |signature: &Signature| {
        let (light, left_out) = lighten(signature);
        omitted.extend(left_out.into_iter().map(|what| format!("{}: {what}", signature.name)));
        light
    };
    let signatures = state.signatures.iter().map(lighter).collect();
    let light = State { signatures, ..state.clone() };
    let text = serde_json::to_vec(&light).unwrap_or_default();
    let mut payload = Vec::with_capacity(text.len());
    payload.extend(CHECK.checksum(&text).to_le_bytes());
    payload.extend((text.len() as u32).to_le_bytes());
    deflate(&text, &mut payload);
    (format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(payload)), omitted)
}

/// Whether a text is meant as a Loggia link, of whatever version.
pub fn is_link(text: &str) -> bool {
    fragment(text).is_some()
}

/// Version and payload of a link: a whole address, its fragment, or the fragment without `#`.
fn fragment(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let fragment = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
    let (version, payload) = fragment.split_once('.')?;
    let is_number = !version.is_empty() && version.chars().all(|c| c.is_ascii_digit());
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '%' | '=');
    (is_number && (text.contains('#') || payload.len() > 40 && payload.chars().all(fits)))
        .then_some((version, payload))
}

fn damaged(why: &str) -> Error {
    Error::new(
        format!("this link is damaged: {why}"),
        "link",
        "copy the whole link again, from #1. to its end",
    )
}

/// The state that a link holds.
///
/// ```
/// use loggia_model::{codec, state::State};
/// let state = State::default();
/// let (link, _) = codec::encode(&state);
/// let opened = codec::decode(&format!("https://example.org/loggia/{link}"))?;
/// assert_eq!(opened.signatures[0].tiers, state.signatures[0].tiers);
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn decode(text: &str) -> Result<State, Error> {
    let (version, payload) = fragment(text).ok_or_else(|| {
        Error::new("this is not a Loggia link", "link", "a link has a part that begins with #1.")
    })?;
    if version != "1" {
        return Err(Error::new(
            format!("link version {version} is not known here"),
            "link",
            "it may be newer than this program: use a newer Loggia",
        ));
    }
    if payload.len() > LARGEST_LINK {
        return Err(Error::new("this link is too long", "link", "1 MiB at most; share the file"));
    }
    let bytes = URL_SAFE_NO_PAD
        .decode(payload.trim_end_matches('='))
        .map_err(|_| damaged("a character in it cannot be part of a link"))?;
    let Some((header, deflated)) = bytes.split_at_checked(HEADER) else {
        return Err(damaged("it was cut off"));
    };
    let word =
        |i: usize| u32::from_le_bytes([header[i], header[i + 1], header[i + 2], header[i + 3]]);
    let (checksum, length) = (word(0), word(4) as usize);
    if length > LARGEST_STATE {
        return Err(damaged("it claims more than a link can hold"));
    }
    let json = inflate(deflated, length).ok_or_else(|| damaged("a part is missing or changed"))?;
    if CHECK.checksum(&json) != checksum {
        return Err(damaged("its checksum does not match"));
    }
    let text = String::from_utf8(json).map_err(|_| damaged("it holds no text"))?;
    let state: State = json::read(&text).map_err(|e| {
        Error::new(
            format!("this link holds what this program does not know: {}", e.message),
            e.place,
            "it may be newer than this program: use a newer Loggia",
        )
    })?;
    state.validate()?;
    Ok(state)
}

/// Appends the deflated bytes, which refer back into the dictionary.
fn deflate(bytes: &[u8], out: &mut Vec<u8>) {
    const SMALLEST: i32 = 10;
    const RAW: i32 = -15;
    let mut compressor = CompressorOxide::new(create_comp_flags_from_zip_params(SMALLEST, RAW, 0));
    // What comes of the dictionary itself is thrown away; a sync flush ends on a whole byte.
    compress_to_output(&mut compressor, DICTIONARY, TDEFLFlush::Sync, |_| true);
    compress_to_output(&mut compressor, bytes, TDEFLFlush::Finish, |part| {
        out.extend_from_slice(part);
        true
    });
}

/// Exactly `length` bytes, or none where the stream holds another number or is broken.
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
    use crate::library;
    use crate::state::View;

    fn state(name: &str) -> State {
        let mut state = State::of(library::load(name).unwrap());
        state.view = View::Collectives;
        state.set("procs", "64").unwrap();
        state
    }

    #[test]
    fn every_built_in_machine_fits_into_a_link_and_comes_back_exactly() {
        for name in library::names() {
            let mut state = state(name);
            let (link, omitted) = encode(&state);
            assert!(link.len() <= DIGNIFIED_LENGTH, "{name}: {}", link.len());
            assert_eq!(omitted.is_empty(), state.signatures[0].samples.is_empty());
            state.signatures[0].samples.clear();
            assert_eq!(decode(&link), Ok(state), "{name}");
        }
    }

    /// A link of version 1 that was made once must open forever, to the same state.
    #[test]
    fn a_golden_link_opens() {
        let opened = decode(include_str!("../../tests/golden-link-1.txt")).unwrap();
        let expected: State = json::read(include_str!("../../tests/golden-link-1.json")).unwrap();
        assert_eq!(opened, expected);
        assert_eq!(opened.inputs.procs.map(|p| p.0), Some(64));
    }

    #[test]
    fn any_single_change_is_noticed() {
        let (link, _) = encode(&state("myrinet-gm"));
        for i in PREFIX.len()..link.len() {
            let mut changed = link.clone().into_bytes();
            changed[i] = if changed[i] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            // The last character holds bits that no byte uses.
            let same = decode(&changed) == decode(&link);
            assert!(decode(&changed).is_err() || (same && i + 1 == link.len()), "character {i}");
        }
    }

    #[test]
    fn a_link_cut_anywhere_is_refused() {
        let (link, _) = encode(&state("myrinet-gm"));
        for cut in 0..link.len() {
            assert!(decode(&link[..cut]).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn other_versions_and_other_texts_are_told_apart() {
        assert!(decode("#2.AAAA").unwrap_err().message.contains("version 2"));
        assert!(!is_link("cray-t3d") && !is_link("./a.json") && !is_link("1.json"));
        assert!(is_link("https://example.org/#1.AAAA") && is_link("#1.x"));
        assert!(decode("#1.").is_err());
    }

    #[test]
    fn a_link_that_claims_gigabytes_is_refused_before_they_are_held() {
        let mut payload = vec![0; HEADER];
        payload[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        let link = format!("#1.{}", URL_SAFE_NO_PAD.encode(payload));
        assert!(decode(&link).unwrap_err().message.contains("more than a link can hold"));
    }
}

//! Links: as text, as a state, and as the payload of either version.

use super::check_error;
use loggia_link::state::State;
use loggia_link::{decode, encode, is_link};
use loggia_model::{Error, json};

/// The first byte selects the layer of a link that the other bytes represent.
pub(crate) fn check(bytes: &[u8]) {
    let Some((layer, bytes)) = bytes.split_first() else { return };
    match layer {
        b'{' | b's' => state(bytes, *layer),
        b'1' => decoded(&first(bytes)),
        b'2' => decoded(&sealed("2", &checked(bytes))),
        _ => {
            let text = String::from_utf8_lossy(bytes);
            let _ = is_link(&text);
            decoded(&text);
            decoded(&format!("#{text}"));
        }
    }
}

fn decoded(link: &str) {
    match decode(link) {
        Ok(state) => written(&state),
        Err(error) => check_error(&Error::from(error)),
    }
}

/// A state as JSON.
fn state(bytes: &[u8], layer: u8) {
    let text = String::from_utf8_lossy(bytes);
    let text = if layer == b'{' { format!("{{{text}") } else { text.into_owned() };
    let Ok(state) = json::read::<State>(&text) else { return };
    match state.validate() {
        Ok(()) => written(&state),
        Err(error) => check_error(&error),
    }
}

/// Checks that a state survives encoding and decoding.
fn written(state: &State) {
    let opened = decode(&encode(state).0).expect("an encoded link can be decoded");
    let reopened = decode(&encode(&opened).0).expect("an encoded link can be decoded");
    assert_eq!(reopened, opened);
    assert_eq!(opened.inputs, state.inputs);
}

/// A link of version 1: a checksum, the length of the text, and the text without compression.
fn first(text: &[u8]) -> String {
    let Ok(length) = u16::try_from(text.len()) else { return String::new() };
    let mut payload = crc(text).to_le_bytes().to_vec();
    payload.extend(u32::from(length).to_le_bytes());
    payload.push(1);
    payload.extend(length.to_le_bytes());
    payload.extend((!length).to_le_bytes());
    payload.extend(text);
    sealed("1", &payload)
}

fn checked(bytes: &[u8]) -> Vec<u8> {
    [&crc(bytes).to_le_bytes(), bytes].concat()
}

fn sealed(version: &str, payload: &[u8]) -> String {
    format!("#{version}.{}", base64(payload))
}

/// CRC-32 as in Ethernet.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    })
}

/// Base64 for URLs, without padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let group = |three: &[u8]| {
        let bits = (0..3).fold(0, |bits, at| {
            bits << 8 | usize::from(three.get(at).copied().unwrap_or_default())
        });
        let count = three.len() + 1;
        (0..count).map(move |at| char::from(LETTERS[bits >> (18 - 6 * at) & 63]))
    };
    bytes.chunks(3).flat_map(group).collect()
}

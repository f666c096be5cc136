//! The text of links of version 2: PPMd with a dictionary.
//!
//! Dictionary and text form one compressed stream; a link contains the part after the dictionary.
//! So the dictionary is stored in compressed form. Its bytes are part of version 2 and must never
//! change: old links open forever. `tests/link-dictionary-2.txt` is the uncompressed dictionary.

use ppmd_rust::{Ppmd8Decoder, Ppmd8Encoder, RestoreMethod};
use std::io::{Read, Write};
use std::sync::LazyLock;

/// The compressed dictionary, as a complete stream.
const DICTIONARY: &[u8] = include_bytes!("dictionary-2.ppmd");
/// Length of the uncompressed dictionary.
const DICTIONARY_LENGTH: usize = 38_299;
/// Length of the end of a stream, which is absent if the stream continues.
const END: usize = 4;
/// Order of the PPMd model.
const ORDER: u32 = 12;
/// Memory of the PPMd model; a full model forgets the dictionary.
const MEMORY: u32 = 4 << 20;

/// Compresses a text for a link.
pub(super) fn compress(text: &[u8]) -> Vec<u8> {
    static TEXT: LazyLock<Vec<u8>> = LazyLock::new(|| dictionary().unwrap_or_default());
    let stream = stream(&[&TEXT, text], true).unwrap_or_default();
    stream.get(DICTIONARY.len() - END..).unwrap_or_default().to_vec()
}

/// The text from a link, if it is complete and not longer than `max_length`.
pub(super) fn expand(compressed: &[u8], max_length: usize) -> Option<Vec<u8>> {
    let (dictionary, _) = DICTIONARY.split_last_chunk::<END>()?;
    let mut decoder = decoder(dictionary.chain(compressed))?;
    decoder.read_exact(&mut [0; DICTIONARY_LENGTH]).ok()?;
    let mut text = Vec::new();
    decoder.take(max_length as u64 + 1).read_to_end(&mut text).ok()?;
    (text.len() <= max_length).then_some(text)
}

fn dictionary() -> Option<Vec<u8>> {
    let mut text = vec![0; DICTIONARY_LENGTH];
    decoder(DICTIONARY)?.read_exact(&mut text).ok()?;
    Some(text)
}

fn decoder<R: Read>(stream: R) -> Option<Ppmd8Decoder<R>> {
    Ppmd8Decoder::new(stream, ORDER, MEMORY, RestoreMethod::Restart).ok()
}

/// Compresses texts as one stream.
fn stream(texts: &[&[u8]], has_end_mark: bool) -> Option<Vec<u8>> {
    let mut encoder = Ppmd8Encoder::new(Vec::new(), ORDER, MEMORY, RestoreMethod::Restart).ok()?;
    texts.iter().try_for_each(|text| encoder.write_all(text)).ok()?;
    encoder.finish(has_end_mark).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionary_is_its_compressed_text() {
        let text = include_bytes!("../../tests/link-dictionary-2.txt");
        if std::env::var_os("LOGGIA_WRITE_DICTIONARY").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/link/dictionary-2.ppmd");
            std::fs::write(path, stream(&[text], false).unwrap()).unwrap();
            panic!("written; DICTIONARY_LENGTH is {}", text.len());
        }
        assert_eq!(dictionary().unwrap(), text);
        assert!(stream(&[text], false).unwrap() == DICTIONARY);
    }

    #[test]
    fn any_text_is_restored() {
        for text in ["", "{}", "µs", "\"verdict\":\"good\"", &"o_s ".repeat(10_000)] {
            let compressed = compress(text.as_bytes());
            assert_eq!(expand(&compressed, 1 << 20).unwrap(), text.as_bytes());
            assert!(text.is_empty() || expand(&compressed, text.len() - 1).is_none());
        }
    }
}

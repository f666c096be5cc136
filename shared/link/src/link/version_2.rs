//! The text of links of version 2: PPMd, by a model that has read a dictionary first.
//!
//! Dictionary and text are one stream, of which a link carries what comes after the dictionary. So
//! the dictionary is kept as the bytes that it compresses to. They are part of version 2 and must
//! never change: old links open forever. `tests/link-dictionary-2.txt` says what is in it.

use ppmd_rust::{Ppmd8Decoder, Ppmd8Encoder, RestoreMethod};
use std::io::{Read, Write};
use std::sync::LazyLock;

/// The dictionary as a stream of its own.
const DICTIONARY: &[u8] = include_bytes!("dictionary-2.ppmd");
/// The bytes that it expands to.
const DICTIONARY_LENGTH: usize = 38_299;
/// Bytes that end a stream and are not there where it goes on.
const END: usize = 4;
/// Length of the model's context.
const ORDER: u32 = 12;
/// Memory of the model: a full model drops the dictionary.
const MEMORY: u32 = 4 << 20;

/// A text as what a link carries of it.
pub(super) fn compress(text: &[u8]) -> Vec<u8> {
    static TEXT: LazyLock<Vec<u8>> = LazyLock::new(|| dictionary().unwrap_or_default());
    let stream = stream(&[&TEXT, text], true).unwrap_or_default();
    stream.get(DICTIONARY.len() - END..).unwrap_or_default().to_vec()
}

/// The text of which a link carries this, if it is whole and no longer than `most`.
pub(super) fn expand(compressed: &[u8], most: usize) -> Option<Vec<u8>> {
    let (dictionary, _) = DICTIONARY.split_last_chunk::<END>()?;
    let mut decoder = decoder(dictionary.chain(compressed))?;
    decoder.read_exact(&mut [0; DICTIONARY_LENGTH]).ok()?;
    let mut text = Vec::new();
    decoder.take(most as u64 + 1).read_to_end(&mut text).ok()?;
    (text.len() <= most).then_some(text)
}

fn dictionary() -> Option<Vec<u8>> {
    let mut text = vec![0; DICTIONARY_LENGTH];
    decoder(DICTIONARY)?.read_exact(&mut text).ok()?;
    Some(text)
}

fn decoder<R: Read>(stream: R) -> Option<Ppmd8Decoder<R>> {
    Ppmd8Decoder::new(stream, ORDER, MEMORY, RestoreMethod::Restart).ok()
}

/// Texts as one stream, which says itself where it ends if it is marked.
fn stream(texts: &[&[u8]], marked: bool) -> Option<Vec<u8>> {
    let mut encoder = Ppmd8Encoder::new(Vec::new(), ORDER, MEMORY, RestoreMethod::Restart).ok()?;
    texts.iter().try_for_each(|text| encoder.write_all(text)).ok()?;
    encoder.finish(marked).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionary_is_what_its_text_compresses_to() {
        let text = include_bytes!("../../tests/link-dictionary-2.txt");
        if std::env::var_os("LOGGIA_WRITE_DICTIONARY").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/codec/link/dictionary-2.ppmd");
            std::fs::write(path, stream(&[text], false).unwrap()).unwrap();
            panic!("written; DICTIONARY_LENGTH is {}", text.len());
        }
        assert_eq!(dictionary().unwrap(), text);
        assert!(stream(&[text], false).unwrap() == DICTIONARY);
    }

    #[test]
    fn any_text_comes_back() {
        for text in ["", "{}", "µs", "\"verdict\":\"good\"", &"o_s ".repeat(10_000)] {
            let compressed = compress(text.as_bytes());
            assert_eq!(expand(&compressed, 1 << 20).unwrap(), text.as_bytes());
            assert!(text.is_empty() || expand(&compressed, text.len() - 1).is_none());
        }
    }
}

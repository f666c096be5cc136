//! Checks of all readers with arbitrary bytes, for the fuzzer and `cargo test`: one file per reader.
//!
//! No reader may panic or hold more memory than its bound. Accepted input is written and
//! read again, and predictions are finite numbers.

#![allow(clippy::panic, unreachable_pub, reason = "the root of a crate, and a module of a test")]

mod archive;
mod expression;
mod goal;
mod import;
mod lesson;
mod link;
mod memory;
mod merge;
mod signature;
mod sketch;
mod small;
mod trace;
mod worker;

/// A reader, and the maximum memory that it may hold for an input.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    pub name: &'static str,
    /// Bytes held for any input, such as built-in machines.
    pub base: usize,
    /// Bytes held per byte of the input.
    pub per_byte: usize,
    check: fn(&[u8]),
}

/// All readers; each has a file with its name in `fuzz_targets/`.
pub const READERS: [Reader; 11] = [
    reader("archive", 16 * MIB, 2048, archive::check),
    reader("expression", MIB, 512, expression::check),
    reader("goal", MIB, 512, goal::goal_bytes),
    reader("import", 8 * MIB, 4096, merge::check),
    reader("lesson", 64 * MIB, 4096, lesson::check),
    reader("link", 256 * MIB, 4096, link::check),
    reader("signature", 4 * MIB, 4096, signature::check),
    reader("sketch", 64 * MIB, 4096, sketch::check),
    reader("small", 8 * MIB, 4096, small::check),
    reader("trace", 32 * MIB, 8192, trace::check),
    reader("worker", 256 * MIB, 8192, worker::check),
];

const MIB: usize = 1 << 20;

const fn reader(name: &'static str, base: usize, per_byte: usize, check: fn(&[u8])) -> Reader {
    Reader { name, base, per_byte, check }
}

/// Runs a reader on these bytes.
///
/// # Panics
/// If the reader violates a guarantee.
pub fn check(name: &str, bytes: &[u8]) {
    let reader = READERS.iter().find(|reader| reader.name == name).expect("a reader of that name");
    let ((), most) = memory::peak(|| (reader.check)(bytes));
    let allowed = reader.base + reader.per_byte * bytes.len();
    assert!(most <= allowed, "{name} held {most} bytes for {} bytes", bytes.len());
}

/// The files in an input: each begins with a line `== NAME`. The bytes before the first such line
/// are the first result, without a name.
fn files(bytes: &[u8]) -> (&[u8], Vec<(String, &[u8])>) {
    const MARK: &[u8] = b"== ";
    let is_start = |at: usize| bytes[at..].starts_with(MARK) && (at == 0 || bytes[at - 1] == b'\n');
    let starts: Vec<usize> = (0..bytes.len()).filter(|at| is_start(*at)).collect();
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    let file = |(start, end): (&usize, usize)| {
        let whole = &bytes[start + MARK.len()..end];
        let line = whole.iter().position(|byte| *byte == b'\n').unwrap_or(whole.len());
        let name = String::from_utf8_lossy(&whole[..line]).into_owned();
        (name, whole.get(line + 1..).unwrap_or_default())
    };
    let named = starts.iter().zip(ends).map(file).collect();
    (&bytes[..starts.first().copied().unwrap_or(bytes.len())], named)
}

/// The files of an input, for a reader; an input without names is one file.
fn opened(bytes: &[u8]) -> Vec<loggia_files::File> {
    let (first, mut named) = files(bytes);
    if named.is_empty() {
        named.push(("input".to_owned(), first));
    }
    let file = |(name, bytes): (String, &[u8])| loggia_files::File {
        name,
        bytes: loggia_files::Bytes::new(bytes.to_vec()),
    };
    named.into_iter().map(file).collect()
}

/// Checks that an error has a message of limited length.
fn check_error<E: Clone + Into<loggia_model::Error>>(error: &E) {
    let error = error.clone().into();
    assert!(!error.message.is_empty(), "{error:?}");
    assert!(error.message.len() <= 4096, "{} bytes of message", error.message.len());
}

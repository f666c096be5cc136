//! Progress as a short code: Crockford's base32 with a checksum. A student sends it to the teacher,
//! and the page's address contains it.
//!
//! Fields in bits: the lesson's checksum (20) and the seed (5); for each step: answered (1), the
//! first answer (option 3, number 20, order 7, free text 0), tries (2), hint, gave up, right (1
//! each); then a checksum (10).

use crate::lesson::{Lesson, QuestionKind, Step};
use crate::progress::{First, Progress, Record};
use crc::{CRC_10_ATM, CRC_32_ISO_HDLC, Crc};

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CHECK: Crc<u16> = Crc::<u16>::new(&CRC_10_ATM);
const LESSON: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
const LESSON_BITS: usize = 20;
const SEED_BITS: usize = 5;
const CHECK_BITS: usize = 10;
/// Numbers keep four digits.
const NUMBER_BITS: usize = 20;

/// Number of seeds.
pub const SEEDS: u8 = 1 << SEED_BITS;

/// Numbers from 1e-6 to 1e9 are stored on a logarithmic scale; 0 stands for numbers ≤ 0.
const SMALLEST: f64 = 1e-6;
const DECADES: f64 = 15.0;

/// Why a code cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// A character is missing or wrong.
    Damaged,
    /// The code of another lesson, or of another version of the lesson.
    OtherLesson,
}

impl Lesson {
    /// A checksum that identifies the lesson.
    fn checksum(&self) -> u32 {
        LESSON.checksum(self.written.as_bytes()) >> (32 - LESSON_BITS)
    }

    /// Progress as a code.
    pub fn code(&self, progress: &Progress) -> String {
        let mut bits = Bits::default();
        bits.put(self.checksum(), LESSON_BITS);
        bits.put(u32::from(progress.seed % SEEDS), SEED_BITS);
        for (at, step) in self.steps.iter().enumerate() {
            let record = progress.record(at);
            bits.put(u32::from(record.is_some()), 1);
            if let Some(record) = record {
                put(&mut bits, step, record);
            }
        }
        let check = check(&bits.0);
        bits.put(check, CHECK_BITS);
        bits.text()
    }

    /// Reads progress from a code.
    ///
    /// # Errors
    /// If the code is damaged or of another lesson.
    pub fn progress(&self, code: &str) -> Result<Progress, Unreadable> {
        let bits = Bits::of(code).ok_or(Unreadable::Damaged)?;
        let mut reader = Reader { bits: &bits.0, at: 0 };
        let lesson = reader.take(LESSON_BITS).ok_or(Unreadable::Damaged)?;
        if lesson != self.checksum() {
            return Err(Unreadable::OtherLesson);
        }
        self.read_steps(&mut reader).ok_or(Unreadable::Damaged)
    }

    fn read_steps(&self, reader: &mut Reader) -> Option<Progress> {
        let seed = reader.take(SEED_BITS)? as u8;
        let mut steps = Vec::new();
        for step in &self.steps {
            let is_answered = reader.take(1)? == 1;
            steps.push(if is_answered { Some(take(reader, step)?) } else { None });
        }
        let end = reader.at;
        let checksum = reader.take(CHECK_BITS)?;
        let is_rest_zero = reader.bits[reader.at..].iter().all(|bit| !bit);
        let is_valid = checksum == check(&reader.bits[..end])
            && is_rest_zero
            && reader.bits.len() - reader.at < 5;
        is_valid.then_some(Progress { seed, steps })
    }
}

fn check(bits: &[bool]) -> u32 {
    let bytes: Vec<u8> = bits
        .chunks(8)
        .map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit)))
        .collect();
    u32::from(CHECK.checksum(&bytes))
}

fn put(bits: &mut Bits, step: &Step, record: &Record) {
    match (&step.ask, &record.first) {
        (QuestionKind::Choice { .. }, First::Option(at)) => bits.put(u32::from(*at), 3),
        (QuestionKind::Choice { .. }, _) => bits.put(0, 3),
        (QuestionKind::Order { .. }, First::Order(order)) => bits.put(permutation_index(order), 7),
        (QuestionKind::Order { .. }, _) => bits.put(0, 7),
        (QuestionKind::Number { .. } | QuestionKind::Target { .. }, First::Number(value)) => {
            bits.put(logarithmic(*value), NUMBER_BITS);
        }
        (QuestionKind::Number { .. } | QuestionKind::Target { .. }, _) => bits.put(0, NUMBER_BITS),
        (QuestionKind::Say, _) => {}
    }
    bits.put(u32::from(record.tries.min(3)), 2);
    for flag in [record.hint, record.gave_up, record.right] {
        bits.put(u32::from(flag), 1);
    }
}

fn take(reader: &mut Reader, step: &Step) -> Option<Record> {
    let first = match &step.ask {
        QuestionKind::Choice { .. } => First::Option(reader.take(3)? as u8),
        QuestionKind::Order { options } => {
            First::Order(permutation(reader.take(7)?, options.len())?)
        }
        QuestionKind::Number { .. } | QuestionKind::Target { .. } => {
            First::Number(from_logarithmic(reader.take(NUMBER_BITS)?))
        }
        QuestionKind::Say => First::Text,
    };
    let tries = reader.take(2)? as u8;
    let mut flag = || reader.take(1).map(|bit| bit == 1);
    let [hint, gave_up, right] = [flag()?, flag()?, flag()?];
    Some(Record { first, tries, hint, gave_up, right })
}

fn logarithmic(value: f64) -> u32 {
    let largest = ((1u32 << NUMBER_BITS) - 1) as f64;
    if value.is_nan() || value <= 0.0 {
        return 0;
    }
    let share = libm::log10(value / SMALLEST) / DECADES;
    libm::round(share * largest).clamp(1.0, largest) as u32
}

fn from_logarithmic(stored: u32) -> f64 {
    let largest = ((1u32 << NUMBER_BITS) - 1) as f64;
    match stored {
        0 => 0.0,
        stored => SMALLEST * libm::pow(10.0, f64::from(stored) / largest * DECADES),
    }
}

/// The index of an order among all permutations.
fn permutation_index(order: &[u8]) -> u32 {
    order.iter().enumerate().fold(0, |index, (at, option)| {
        let smaller = order[at + 1..].iter().filter(|later| *later < option).count();
        index * (order.len() - at) as u32 + smaller as u32
    })
}

fn permutation(index: u32, count: usize) -> Option<Vec<u8>> {
    let mut digits = vec![0; count];
    let mut rest = index;
    for at in (0..count).rev() {
        let base = (count - at) as u32;
        digits[at] = rest % base;
        rest /= base;
    }
    let mut remaining: Vec<u8> = (0..count as u8).collect();
    let order = digits.into_iter().map(|digit| remaining.remove(digit as usize)).collect();
    (rest == 0).then_some(order)
}

#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    fn put(&mut self, value: u32, count: usize) {
        self.0.extend((0..count).rev().map(|bit| value >> bit & 1 == 1));
    }

    fn text(&self) -> String {
        let letter = |bits: &[bool]| {
            let padded = bits.iter().copied().chain(std::iter::repeat(false)).take(5);
            let value = padded.fold(0, |value, bit| value << 1 | usize::from(bit));
            char::from(ALPHABET[value])
        };
        self.0.chunks(5).map(letter).collect()
    }

    /// The bits of a code; letters that look like digits count as digits.
    fn of(code: &str) -> Option<Self> {
        let mut bits = Bits::default();
        for c in code.chars().filter(|c| !matches!(c, '-' | ' ')) {
            let c = match c.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                c => c,
            };
            let value = ALPHABET.iter().position(|known| char::from(*known) == c)?;
            bits.put(value as u32, 5);
        }
        Some(bits)
    }
}

struct Reader<'a> {
    bits: &'a [bool],
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Option<u32> {
        let bits = self.bits.get(self.at..self.at + count)?;
        self.at += count;
        Some(bits.iter().fold(0, |value, bit| value << 1 | u32::from(*bit)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::library;

    fn answered(lesson: &Lesson) -> Progress {
        let record = |step: &Step| {
            let first = match &step.ask {
                QuestionKind::Choice { .. } => First::Option(2),
                QuestionKind::Order { options } => {
                    First::Order((0..options.len() as u8).rev().collect())
                }
                QuestionKind::Say => First::Text,
                _ => First::Number(42.5),
            };
            Some(Record { first, tries: 2, hint: true, gave_up: false, right: true })
        };
        Progress { seed: 21, steps: lesson.steps.iter().map(record).collect() }
    }

    #[test]
    fn progress_is_restored_with_numbers_of_four_digits() {
        for lesson in library::all() {
            let lesson = lesson.unwrap();
            let progress = answered(&lesson);
            let code = lesson.code(&progress);
            assert!(code.len() <= 44, "{} {}", code, code.len());
            let read = lesson.progress(&code.to_lowercase()).unwrap();
            for (read, expected) in read.steps.iter().flatten().zip(progress.steps.iter().flatten())
            {
                match (&read.first, &expected.first) {
                    (First::Number(a), First::Number(b)) => assert!((a / b - 1.0).abs() < 5e-5),
                    (a, b) => assert_eq!(a, b),
                }
                assert_eq!((read.tries, read.hint, read.right), (2, true, true));
            }
            assert_eq!(read.seed, 21);
        }
    }

    #[test]
    fn a_wrong_character_is_detected() {
        let lesson = library::named("four-numbers").unwrap();
        let code = lesson.code(&answered(&lesson));
        let mut accepted = 0;
        let mut tried = 0;
        for at in 4..code.len() {
            for letter in ALPHABET {
                let mut changed = code.clone().into_bytes();
                if changed[at] != *letter {
                    changed[at] = *letter;
                    tried += 1;
                    let text = String::from_utf8(changed).unwrap();
                    accepted += usize::from(lesson.progress(&text).is_ok());
                }
            }
        }
        // A checksum of 10 bits accepts 1 in 1,024 random changes, and fewer burst errors.
        assert!(accepted * 200 < tried, "{accepted} of {tried}");
        assert_eq!(lesson.progress(&code[1..]), Err(Unreadable::OtherLesson));
        assert_eq!(lesson.progress(""), Err(Unreadable::Damaged));
        let other = library::named("who-waits").unwrap();
        assert_eq!(other.progress(&code), Err(Unreadable::OtherLesson));
    }

    #[test]
    fn orders_and_numbers_are_restored() {
        for index in 0..120 {
            let order = permutation(index, 5).unwrap();
            assert_eq!(permutation_index(&order), index);
        }
        assert_eq!(permutation(120, 5), None);
        assert_eq!(permutation(0, 3), Some(vec![0, 1, 2]));
        for value in [1e-5, 0.23, 2204.0, 1e9] {
            assert!((from_logarithmic(logarithmic(value)) / value - 1.0).abs() < 5e-5, "{value}");
        }
        assert_eq!(from_logarithmic(logarithmic(-3.0)), 0.0);
    }
}

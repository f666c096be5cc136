//! Any schedule survives a round trip in text and binary; any bytes are read safely.

use crate::memory;
use crate::round_trip::{goal_bytes, round_trip};
use loggia_schedule::goal;
use loggia_schedule::schedule::{ANY, Builder, OpId, Schedule, Step};
use proptest::prelude::*;

/// Checks that reading neither panics nor allocates much more memory than the file's size.
pub(crate) fn check_safe(bytes: &[u8]) {
    let (_, most) = memory::peak(|| goal::read(bytes).is_ok());
    let allowed = 48 * bytes.len() + 4096;
    assert!(most <= allowed, "{most} bytes for a file of {}", bytes.len());
    goal_bytes(bytes);
}

/// Mostly small numbers, and the extremes.
fn any_u32() -> impl Strategy<Value = u32> {
    prop_oneof![3 => 0..4u32, 1 => any::<u32>(), 1 => Just(ANY)]
}

fn any_u8() -> impl Strategy<Value = u8> {
    prop_oneof![3 => 0..3u8, 1 => any::<u8>()]
}

fn any_step(ranks: u32) -> impl Strategy<Value = Step> {
    let size = prop_oneof![0..3u64, any::<u64>(), Just(u64::MAX)];
    (0..4u8, size, 0..ranks, any_u32(), any_u8(), any_u8()).prop_map(
        |(kind, size, peer, tag, cpu, nic)| match kind {
            0 => Step::send(size, peer).tag(tag).cpu(cpu).nic(nic),
            1 => Step::recv(size, peer).tag(tag).cpu(cpu).nic(nic),
            2 => Step::recv(size, ANY).tag(tag).cpu(cpu).nic(nic),
            _ => Step::calc(size).cpu(cpu),
        },
    )
}

/// A rank's operations and dependencies, in any direction, with repetitions.
type Rank = (Vec<Step>, Vec<(prop::sample::Index, prop::sample::Index, bool)>);

fn any_rank(ranks: u32) -> impl Strategy<Value = Rank> {
    let wait = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>());
    (prop::collection::vec(any_step(ranks), 0..12), prop::collection::vec(wait, 0..30))
}

fn any_schedule() -> impl Strategy<Value = Schedule> {
    let ranks = (1..5u32).prop_flat_map(|n| prop::collection::vec(any_rank(n), n as usize));
    ranks.prop_map(|ranks| {
        let mut builder = Builder::default();
        for (steps, waits) in ranks {
            builder.rank();
            let ops: Vec<OpId> = steps.into_iter().map(|step| builder.push(step)).collect();
            for (op, earlier, start) in waits.into_iter().filter(|_| ops.len() > 1) {
                let [op, earlier] = [op, earlier].map(|index| ops[index.index(ops.len())]);
                match start {
                    _ if op == earlier => {}
                    false => builder.after(op, earlier),
                    true => builder.after_start(op, earlier),
                }
            }
        }
        builder.finish().unwrap()
    })
}

fn both_forms(schedule: &Schedule) -> [Vec<u8>; 2] {
    let (mut text, mut binary) = (String::new(), Vec::new());
    goal::text::write(schedule, &mut text).unwrap();
    goal::binary::write(schedule, &mut binary).unwrap();
    [text.into_bytes(), binary]
}

/// Words of the grammar, and random bytes.
fn any_piece() -> impl Strategy<Value = Vec<u8>> {
    let words = "num_ranks |rank |{|}|\n| |send |recv |calc |b to |b from | tag | cpu | nic |-1|0|1\
        |4294967295|18446744073709551616|l0|l1|: | requires | irequires |//|/*|*/|\r\n|é|\0\
        |\u{7f}\u{10}\0\0|\0\0\0\0|\u{1}\0\0\0";
    prop_oneof![
        4 => prop::sample::select(words.split('|').collect::<Vec<_>>()).prop_map(|word| word.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..9),
    ]
}

/// Replaces `length` bytes of a file.
fn splice(file: &mut Vec<u8>, at: prop::sample::Index, length: usize, by: Vec<u8>) {
    let at = at.index(file.len() + 1);
    let end = (at + length).min(file.len());
    file.splice(at..end, by);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn any_schedule_survives_both_forms(schedule in any_schedule()) {
        round_trip(&schedule);
    }

    #[test]
    fn a_file_with_replaced_words_is_read_safely(
        schedule in any_schedule(),
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..6usize, any_piece()), 1..4),
    ) {
        for mut file in both_forms(&schedule) {
            for (at, length, by) in changes.clone() {
                splice(&mut file, at, length, by);
                check_safe(&file);
            }
        }
    }

    #[test]
    fn a_file_cut_anywhere_is_read_safely(
        schedule in any_schedule(),
        at in any::<prop::sample::Index>(),
    ) {
        let [text, binary] = both_forms(&schedule);
        check_safe(&text[..at.index(text.len())]);
        let cut = &binary[..at.index(binary.len())];
        check_safe(cut);
        prop_assert!(goal::read(cut).is_err());
    }

    #[test]
    fn words_in_any_order_are_read_safely(pieces in prop::collection::vec(any_piece(), 0..60)) {
        let begin = b"num_ranks 2\nrank 0 {\n";
        check_safe(&pieces.concat());
        check_safe(&[&begin[..], &pieces.concat()].concat());
    }

    #[test]
    fn any_bytes_are_read_safely(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check_safe(&bytes);
        check_safe(&[&4223u64.to_le_bytes()[..], &bytes].concat());
        check_safe(&[&4223u64.to_le_bytes()[..], &1u64.to_le_bytes(), &bytes].concat());
    }
}

/// Extreme values at every offset of a binary file, also across fields.
#[test]
fn extreme_numbers_are_read_safely() {
    let text = b"num_ranks 2\nrank 0 {\na: calc 1\nb: send 1b to 1\nb requires a\n}\n\
                 rank 1 {\na: recv 1b from 0\nb: calc 1\nb irequires a\n}\n";
    let [_, file] = both_forms(&goal::read(text).unwrap().0);
    for at in 8..file.len() {
        for bytes in [1, 2, 4, 8] {
            for value in [0u64, 1, 7, 8, 1 << 31, u64::MAX - 8, u64::MAX - 7, u64::MAX] {
                let mut file = file.clone();
                for (to, from) in file[at..].iter_mut().zip(&value.to_le_bytes()[..bytes]) {
                    *to = *from;
                }
                check_safe(&file);
            }
        }
    }
}

#[test]
fn large_counts_in_small_files_take_no_memory() {
    check_safe(b"num_ranks 4294967295\nrank 0 {\n}\n");
    let header = |ranks: u32| [&4223u64.to_le_bytes()[..], &ranks.to_le_bytes(), &[0; 2]].concat();
    check_safe(&header(u32::MAX));
    let mut one = header(1);
    for word in [22u64, 22 + 8, u64::MAX] {
        one.extend_from_slice(&word.to_le_bytes());
    }
    check_safe(&one);
}

/// Many operations that share a long list must not multiply its memory.
#[test]
fn a_list_shared_by_many_takes_no_memory() {
    const OPS: u32 = 1000;
    let mut file = [&4223u64.to_le_bytes()[..], &1u32.to_le_bytes(), &[0; 2]].concat();
    let end = 22 + 8 + u64::from(OPS) * 39 + 4000 * 4;
    file.extend_from_slice(&[22u64.to_le_bytes(), end.to_le_bytes()].concat());
    file.extend_from_slice(&[OPS.to_le_bytes(), 0u32.to_le_bytes()].concat());
    for _ in 0..OPS {
        let mut op = [0u8; 39];
        op[0..4].copy_from_slice(&4_000_000u32.to_le_bytes());
        op[4] = 3;
        op[23..27].copy_from_slice(&4000u32.to_le_bytes());
        file.extend_from_slice(&op);
    }
    file.extend_from_slice(&[7, 0, 0, 0].repeat(4000));
    check_safe(&file);
    assert!(goal::read(&file).is_err());
}

/// A rank with many labels must not slow down the small ranks after it.
#[test]
fn small_ranks_after_a_large_one_are_quick() {
    const RANKS: usize = 20_000;
    let mut text = format!("num_ranks {RANKS}\nrank 0 {{\n");
    for label in 0..RANKS {
        text += &format!("l{label}: calc 1\n");
    }
    for rank in 1..RANKS {
        text += &format!("}}\nrank {rank} {{\na: calc 1\nb: calc 1\nb requires a\n");
    }
    text += "}\n";
    check_safe(text.as_bytes());
}

//! Writes GOAL binary, byte for byte like `txt2bin`.

use super::{COUNTS, HEADER, MAGIC, OP, RANGE};
use crate::goal::time;
use crate::schedule::{Kind, Schedule};
use std::io::{self, Write};

/// Writes GOAL binary. Returns warnings about rounded times: GOAL counts whole nanoseconds.
///
/// The pieces are small: write to a file through a buffer.
pub fn write(schedule: &Schedule, out: &mut impl Write) -> io::Result<Vec<String>> {
    out.write_all(&MAGIC)?;
    out.write_all(&schedule.ranks().to_le_bytes())?;
    out.write_all(&[highest(schedule.cpus()), highest(schedule.nics())])?;
    let mut begin = (HEADER - MAGIC.len()) as u64 + RANGE as u64 * u64::from(schedule.ranks());
    for rank in 0..schedule.ranks() {
        let end = begin + block_length(schedule, rank);
        out.write_all(&begin.to_le_bytes())?;
        out.write_all(&end.to_le_bytes())?;
        begin = end;
    }
    for rank in 0..schedule.ranks() {
        block(schedule, rank, out)?;
    }
    Ok(time::warnings(schedule))
}

/// Number of the last of `count` items.
fn highest(count: usize) -> u8 {
    count.saturating_sub(1).min(u8::MAX.into()) as u8
}

fn block_length(schedule: &Schedule, rank: u32) -> u64 {
    let length = |op: usize| {
        let root = usize::from(!schedule.needs().waits(op));
        let list = schedule.after_done(op).len() + schedule.after_start(op).len();
        (OP + 4 * (root + list)) as u64
    };
    COUNTS as u64 + schedule.of_rank(rank).map(length).sum::<u64>()
}

fn block(schedule: &Schedule, rank: u32, out: &mut impl Write) -> io::Result<()> {
    let ops = schedule.of_rank(rank);
    let first = ops.start as u32;
    let roots = || ops.clone().filter(|op| !schedule.needs().waits(*op));
    out.write_all(&(ops.len() as u32).to_le_bytes())?;
    out.write_all(&(roots().count() as u32).to_le_bytes())?;
    for root in roots() {
        out.write_all(&(root as u32 - first).to_le_bytes())?;
    }
    let mut listed = 0u32;
    for op in ops.clone() {
        out.write_all(&operation(schedule, op, &mut listed))?;
    }
    for op in ops {
        for waiting in schedule.after_done(op).iter().chain(schedule.after_start(op)) {
            out.write_all(&(waiting - first).to_le_bytes())?;
        }
    }
    Ok(())
}

/// Encodes an operation, whose dependents begin at entry `listed` of the list.
fn operation(schedule: &Schedule, index: usize, listed: &mut u32) -> [u8; OP] {
    let op = &schedule.ops()[index];
    let kind = match op.kind {
        Kind::Send | Kind::Ssend => 1,
        Kind::Recv => 2,
        Kind::Calc => 3,
    };
    let mut bytes = [0; OP];
    bytes[0..4].copy_from_slice(&schedule.needs().of(index).to_le_bytes());
    bytes[4] = kind;
    bytes[9..17].copy_from_slice(&time::size(op, schedule.calc_unit()).to_le_bytes());
    bytes[21] = op.cpu;
    if op.kind != Kind::Calc {
        bytes[5..9].copy_from_slice(&op.peer.to_le_bytes());
        bytes[17..21].copy_from_slice(&op.tag.to_le_bytes());
        bytes[22] = op.nic;
    }
    for (at, list) in [(23, schedule.after_done(index)), (31, schedule.after_start(index))] {
        bytes[at..at + 4].copy_from_slice(&(list.len() as u32).to_le_bytes());
        bytes[at + 4..at + 8].copy_from_slice(&listed.to_le_bytes());
        *listed += list.len() as u32;
    }
    bytes
}

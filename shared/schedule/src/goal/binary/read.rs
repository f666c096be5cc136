//! Reads GOAL binary. Every count is compared with the remaining bytes before memory is allocated,
//! so memory is at most a small multiple of the file.

use super::{COUNTS, HEADER, MAGIC, OP, RANGE, is_binary};
use crate::goal::error::BinaryError;
use crate::schedule::{ANY, Builder, MAX_OPS, OpId, Schedule, Step};
use loggia_model::Error;
use std::ops::Range;

/// Reads GOAL binary. Returns the schedule and warnings, each a line that begins with its byte
/// offset.
///
/// ```
/// use loggia_schedule::goal::binary;
/// let error = binary::read(b"\x7f\x10\0\0\0\0\0\0\xff\xff\xff\xff\0\0").unwrap_err();
/// assert_eq!(error.place.to_string(), "byte 8");
/// assert_eq!(error.message, "4294967295 ranks need at least 103079215094 bytes, but the file has 14");
/// ```
pub fn read(bytes: &[u8]) -> Result<(Schedule, Vec<String>), Error> {
    if !is_binary(bytes) {
        return Err(BinaryError::NotBinary.at(0));
    }
    if bytes.len() < HEADER {
        return Err(BinaryError::ShortHeader(bytes.len()).at(bytes.len()));
    }
    let ranks = u32_at(bytes, MAGIC.len());
    let least = HEADER as u64 + (RANGE + COUNTS) as u64 * u64::from(ranks);
    if least > bytes.len() as u64 {
        let has = bytes.len();
        return Err(BinaryError::ShortFile { ranks, least, has }.at(MAGIC.len()));
    }
    let mut builder = Builder::default();
    builder.reserve(ranks as usize, (bytes.len() as u64 - least) as usize / OP)?;
    let (needs, taken) = (Vec::new(), Vec::new());
    let mut part = Part { bytes, ranks, builder, first: 0, needs, taken };
    let mut end = HEADER + RANGE * ranks as usize;
    let mut unread = 0;
    for rank in 0..ranks {
        let block = part.range(rank, end)?;
        unread += block.start - end;
        end = block.end;
        part.block(rank, block)?;
    }
    unread += bytes.len() - end;
    let schedule = part.builder.finish()?;
    let warnings = warnings(bytes, &schedule, unread);
    Ok((schedule, warnings))
}

/// Warnings about a readable file.
fn warnings(bytes: &[u8], schedule: &Schedule, unread: usize) -> Vec<String> {
    let mut warnings = Vec::new();
    for (at, name, count) in [(12, "cpu", schedule.cpus()), (13, "nic", schedule.nics())] {
        let stated = usize::from(bytes[at]);
        if stated + 1 < count {
            warnings.push(format!(
                "byte {at}: the highest {name} is {stated} in the header, but an operation uses {}",
                count - 1
            ));
        }
    }
    if unread > 0 {
        warnings.push(format!("{unread} bytes belong to no rank and were not read"));
    }
    warnings
}

/// The state of reading a rank.
struct Part<'a> {
    bytes: &'a [u8],
    ranks: u32,
    builder: Builder,
    /// The rank's first operation, numbered over all ranks.
    first: usize,
    /// For each operation, the number of stated dependencies that are not found yet.
    needs: Vec<u32>,
    /// Entries of the list that belong to an operation.
    taken: Vec<bool>,
}

/// Offsets of the tables in a block.
struct Block {
    rank: u32,
    roots: Range<usize>,
    ops: Range<usize>,
    list: Range<usize>,
}

impl Block {
    fn ops(&self) -> usize {
        self.ops.len() / OP
    }

    fn listed(&self) -> usize {
        self.list.len() / 4
    }
}

impl Part<'_> {
    /// The range of a rank's block, which follows the one before.
    fn range(&self, rank: u32, after: usize) -> Result<Range<usize>, Error> {
        let at = HEADER + RANGE * rank as usize;
        let length = self.bytes.len() as u64;
        let [begin, end] =
            [at, at + 8].map(|at| u64_at(self.bytes, at).saturating_add(MAGIC.len() as u64));
        if begin < after as u64 {
            return Err(BinaryError::OutOfOrder { rank, begin }.at(at));
        }
        if end > length {
            return Err(BinaryError::BlockBeyondEnd { rank, end, length }.at(at + 8));
        }
        if end.saturating_sub(begin) < COUNTS as u64 {
            return Err(BinaryError::ShortBlock { rank, begin, end }.at(at));
        }
        Ok(begin as usize..end as usize)
    }

    fn block(&mut self, rank: u32, range: Range<usize>) -> Result<(), Error> {
        let at = range.start;
        let [ops, roots] = [at, at + 4].map(|at| u64::from(u32_at(self.bytes, at)));
        let (needed, has) = (COUNTS as u64 + 4 * roots + OP as u64 * ops, range.len());
        if needed > has as u64 {
            return Err(BinaryError::ShortTables { rank, ops, roots, needed, has }.at(at));
        }
        let ops_at = at + COUNTS + 4 * roots as usize;
        let list_at = at + needed as usize;
        if !(range.end - list_at).is_multiple_of(4) {
            let bytes = range.end - list_at;
            return Err(BinaryError::OddList { rank, bytes }.at(list_at));
        }
        let block = Block {
            rank,
            roots: at + COUNTS..ops_at,
            ops: ops_at..list_at,
            list: list_at..range.end,
        };
        if self.first + block.ops() > MAX_OPS {
            return Err(BinaryError::TooManyOps.at(at));
        }
        self.builder.rank();
        self.operations(&block)?;
        self.roots(&block)?;
        self.dependencies(&block)?;
        self.first += block.ops();
        Ok(())
    }

    fn operations(&mut self, block: &Block) -> Result<(), Error> {
        self.needs.clear();
        for at in block.ops.clone().step_by(OP) {
            self.needs.push(u32_at(self.bytes, at));
            let step = self.step(block.rank, at)?;
            self.builder.push(step);
        }
        Ok(())
    }

    fn step(&self, rank: u32, at: usize) -> Result<Step, Error> {
        let (kind, peer) = (self.bytes[at + 4], u32_at(self.bytes, at + 5));
        let (size, tag) = (u64_at(self.bytes, at + 9), u32_at(self.bytes, at + 17));
        let (cpu, nic) = (self.bytes[at + 21], self.bytes[at + 22]);
        let step = match kind {
            1 => Step::send(size, peer),
            2 => Step::recv(size, peer),
            // Peer and tag of a computation are meaningless.
            3 => return Ok(Step::calc(size).cpu(cpu)),
            kind => return Err(BinaryError::UnknownKind { rank, kind }.at(at + 4)),
        };
        if peer >= self.ranks && !(kind == 2 && peer == ANY) {
            return Err(BinaryError::NoSuchRank { rank, peer, ranks: self.ranks }.at(at + 5));
        }
        Ok(step.tag(tag).cpu(cpu).nic(nic))
    }

    /// Checks that the roots are the operations without dependencies, in order.
    fn roots(&self, block: &Block) -> Result<(), Error> {
        let rank = block.rank;
        let mut free = (0..).zip(&self.needs).filter(|(_, needs)| **needs == 0).map(|(op, _)| op);
        for at in block.roots.clone().step_by(4) {
            let root = u32_at(self.bytes, at);
            let expected = free.next();
            if expected != Some(root) {
                return Err(BinaryError::WrongRoot { rank, root, expected }.at(at));
            }
        }
        match free.next() {
            None => Ok(()),
            Some(op) => Err(BinaryError::MissingRoot { rank, op }.at(block.roots.end)),
        }
    }

    fn dependencies(&mut self, block: &Block) -> Result<(), Error> {
        let rank = block.rank;
        self.taken.clear();
        self.taken.resize(block.listed(), false);
        for (op, at) in (0..).zip(block.ops.clone().step_by(OP)) {
            self.waiting(block, op, at + 23, Builder::after)?;
            self.waiting(block, op, at + 31, Builder::after_start)?;
        }
        if let Some(entry) = self.taken.iter().position(|taken| !taken) {
            return Err(BinaryError::StrayEntry { rank, entry }.at(block.list.start + 4 * entry));
        }
        if let Some(op) = self.needs.iter().position(|needs| *needs > 0) {
            let at = block.ops.start + OP * op;
            let stated = u32_at(self.bytes, at);
            let found = Some(stated - self.needs[op]);
            return Err(BinaryError::WrongCount { rank, op, stated, found }.at(at));
        }
        Ok(())
    }

    /// Reads the dependents of operation `op`; count and start of their list are at `at`.
    fn waiting(
        &mut self,
        block: &Block,
        op: u32,
        at: usize,
        wait: fn(&mut Builder, OpId, OpId),
    ) -> Result<(), Error> {
        let rank = block.rank;
        let (count, first) = (u32_at(self.bytes, at), u32_at(self.bytes, at + 4));
        if count == 0 {
            return Ok(());
        }
        let (begin, end) = (u64::from(first), u64::from(first) + u64::from(count));
        let has = block.listed();
        if end > has as u64 {
            return Err(BinaryError::EntriesBeyondList { rank, begin, end, has }.at(at));
        }
        let taken = &mut self.taken[begin as usize..end as usize];
        if let Some(twice) = taken.iter().position(|taken| *taken) {
            let entry = first as usize + twice;
            return Err(BinaryError::SharedEntry { rank, entry }.at(at));
        }
        taken.fill(true);
        let base = self.first as u32;
        let list = block.list.start + 4 * begin as usize..block.list.start + 4 * end as usize;
        for at in list.step_by(4) {
            let waiting = u32_at(self.bytes, at);
            let error = match self.needs.get_mut(waiting as usize) {
                Some(_) if waiting == op => BinaryError::WaitsForItself { rank, op },
                Some(needs) if *needs > 0 => {
                    *needs -= 1;
                    wait(&mut self.builder, OpId(base + waiting), OpId(base + op));
                    continue;
                }
                Some(_) => {
                    let op = waiting as usize;
                    let stated = u32_at(self.bytes, block.ops.start + OP * op);
                    BinaryError::WrongCount { rank, op, stated, found: None }
                }
                None => BinaryError::NoSuchOp { rank, op: waiting, ops: block.ops() },
            };
            return Err(error.at(at));
        }
        Ok(())
    }
}

/// The number at an offset inside the file.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    match bytes[at..].first_chunk() {
        Some(chunk) => u32::from_le_bytes(*chunk),
        None => 0,
    }
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    match bytes[at..].first_chunk() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => 0,
    }
}

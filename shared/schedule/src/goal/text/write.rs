//! Writes GOAL text that `txt2bin` reads, without optional words, a few kilobytes at a time.

use crate::goal::time;
use crate::schedule::{ANY, CalcUnit, Kind, Op, Schedule};
use std::fmt::{self, Write};

/// Size of a piece of output.
const PIECE: usize = 1 << 14;

/// Writes GOAL text. Returns warnings about rounded times: GOAL counts whole nanoseconds.
///
/// ```
/// use loggia_schedule::schedule::{Builder, Step};
/// let mut builder = Builder::default();
/// builder.rank();
/// let sent = builder.push(Step::send(8, 0));
/// let received = builder.push(Step::recv(8, 0).tag(1));
/// builder.after(received, sent);
/// let mut text = String::new();
/// loggia_schedule::goal::text::write(&builder.finish().unwrap(), &mut text)?;
/// assert_eq!(text, "num_ranks 1\n\nrank 0 {\n\
///     l0: send 8b to 0\nl1: recv 8b from 0 tag 1\nl1 requires l0\n}\n");
/// # Ok::<(), std::fmt::Error>(())
/// ```
pub fn write(schedule: &Schedule, out: &mut impl Write) -> Result<Vec<String>, fmt::Error> {
    let mut piece = String::with_capacity(2 * PIECE);
    let needs = schedule.needs();
    let mut waits = Vec::new();
    writeln!(piece, "num_ranks {}", schedule.ranks())?;
    for rank in 0..schedule.ranks() {
        let ops = schedule.of_rank(rank);
        let first = ops.start;
        waits_in_order(schedule, ops.clone(), &mut waits);
        let mut waits = waits.iter().peekable();
        writeln!(piece, "\nrank {rank} {{")?;
        for index in ops {
            let labelled = needs.waits(index)
                || !schedule.after_done(index).is_empty()
                || !schedule.after_start(index).is_empty();
            if labelled {
                label(&mut piece, index - first);
                piece.push_str(": ");
            }
            operation(&mut piece, &schedule.ops()[index], schedule.calc_unit());
            while let Some(wait) = waits.next_if(|wait| wait.below as usize == index) {
                label(&mut piece, wait.op as usize - first);
                piece.push_str(if wait.start { " irequires " } else { " requires " });
                label(&mut piece, wait.earlier as usize - first);
                piece.push('\n');
                flush(&mut piece, out)?;
            }
            flush(&mut piece, out)?;
        }
        piece.push_str("}\n");
    }
    out.write_str(&piece)?;
    Ok(time::warnings(schedule))
}

/// A line `op requires earlier` or `op irequires earlier`, written right below operation `below`.
struct Wait {
    below: u32,
    op: u32,
    earlier: u32,
    start: bool,
}

/// The dependencies of a rank in the order of their lines.
///
/// A line follows both of its operations, because `txt2bin` knows no label before its definition.
/// It is as near to them as the order allows: `below` is the later operation, or the `below` of the
/// previous line of the same list if that is later.
///
/// Reading these lines gives the same schedule. A schedule stores two lists per operation: the
/// operations that begin after its end, and those that begin after its begin. The reader appends to
/// such a list line by line, so only the order of lines with the same `earlier` and `start`
/// matters. It is kept: within a list `below` never decreases, and the sort is stable.
fn waits_in_order(schedule: &Schedule, ops: std::ops::Range<usize>, waits: &mut Vec<Wait>) {
    waits.clear();
    for earlier in ops {
        for (start, list) in
            [(false, schedule.after_done(earlier)), (true, schedule.after_start(earlier))]
        {
            let earlier = earlier as u32;
            let mut below = earlier;
            for &op in list {
                below = below.max(op);
                waits.push(Wait { below, op, earlier, start });
            }
        }
    }
    waits.sort_by_key(|wait| wait.below);
}

fn flush(piece: &mut String, out: &mut impl Write) -> fmt::Result {
    if piece.len() >= PIECE {
        out.write_str(piece)?;
        piece.clear();
    }
    Ok(())
}

fn label(out: &mut String, index: usize) {
    out.push('l');
    number(out, index as u64);
}

fn operation(out: &mut String, op: &Op, unit: CalcUnit) {
    let size = time::size(op, unit);
    let (name, between) = match op.kind {
        Kind::Send | Kind::Ssend => ("send ", "b to "),
        Kind::Recv => ("recv ", "b from "),
        Kind::Calc => ("calc ", ""),
    };
    out.push_str(name);
    number(out, size);
    if op.kind == Kind::Calc {
        option(out, " cpu ", op.cpu.into());
    } else {
        out.push_str(between);
        number_or_any(out, op.peer);
        option(out, " tag ", op.tag);
        option(out, " cpu ", op.cpu.into());
        option(out, " nic ", op.nic.into());
    }
    out.push('\n');
}

/// The value 0 is omitted.
fn option(out: &mut String, name: &str, value: u32) {
    if value != 0 {
        out.push_str(name);
        number_or_any(out, value);
    }
}

fn number_or_any(out: &mut String, value: u32) {
    if value == ANY {
        out.push_str("-1");
    } else {
        number(out, value.into());
    }
}

/// Faster than `write!`, which would take most of the time.
fn number(out: &mut String, mut value: u64) {
    let mut digits = [b'0'; 20];
    let mut begin = digits.len();
    loop {
        begin -= 1;
        digits[begin] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend(digits[begin..].iter().map(|digit| char::from(*digit)));
}

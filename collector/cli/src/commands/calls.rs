//! `loggia calls TRACE`

use crate::cli::Calls;
use crate::report::{Failure, Output};
use crate::traces;
use loggia_model::Error;
use loggia_replay::trace::{OpenedTrace, SPEED, Timed};
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Call {
    rank: u32,
    /// Relative to the start of the first rank.
    start_us: f64,
    duration_us: f64,
    call: &'static str,
    /// The call with its arguments.
    words: String,
}

pub(crate) fn run(args: &Calls, output: &mut Output) -> Result<(), Failure> {
    let names: Vec<&str> = args.trace.iter().map(String::as_str).collect();
    let OpenedTrace::Calls(trace) = traces::open(&names, SPEED)? else {
        return Err(Failure::Refused(Error::new(
            "this is a schedule, which has no calls",
            names[0],
            "run it with `loggia simulate`",
        )));
    };
    if let Some(rank) = args.rank.filter(|rank| *rank as usize >= trace.ranks.len()) {
        return Err(Failure::Refused(Error::new(
            format!("the trace has no rank {rank}"),
            "--rank",
            format!("use 0 to {}", trace.ranks.len() - 1),
        )));
    }
    let is_json = output.is_json();
    let out = output.writer();
    if is_json {
        write!(out, "[")?;
    }
    let first = trace.start();
    let mut comma = "";
    for (number, rank) in (0..).zip(&trace.ranks) {
        if args.rank.is_some_and(|selected| selected != number) {
            continue;
        }
        for call in rank.timed(first).map(|timed| Call::of(number, &timed)) {
            if !is_json {
                let Call { rank, start_us, duration_us, words, .. } = call;
                writeln!(out, "{rank:>4} {start_us:>14.3} {duration_us:>12.3}  {words}")?;
                continue;
            }
            write!(out, "{comma}\n ")?;
            comma = ",";
            serde_json::to_writer(&mut *out, &call).map_err(io::Error::from)?;
        }
    }
    if is_json {
        writeln!(out, "\n]")?;
    }
    Ok(())
}

impl Call {
    fn of(rank: u32, timed: &Timed) -> Self {
        let Timed { called, record, .. } = timed;
        Call {
            rank,
            start_us: *called as f64 / 1e3,
            duration_us: record.duration as f64 / 1e3,
            call: record.call.name(),
            words: record.call.to_string(),
        }
    }
}

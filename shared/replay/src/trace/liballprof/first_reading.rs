//! The first pass over a rank's file: its rank, its communicators, and the last call for each
//! request.

use super::handles::{self, Event, Handles};
use super::line::{self, LineContent};
use super::open_by_address::Requests;
use crate::trace::error::TraceError;
use crate::trace::text::{self, Lines};
use loggia_files::File;

/// Results of the first reading.
pub(super) struct FirstReading {
    /// Events of its communicators.
    pub(super) events: Vec<Event>,
    /// Rank and size of the first communicator of several ranks, and its line.
    pub(super) world: Option<(u32, u32, usize)>,
    /// Difference between its clock and rank 0's, in ns, at the start and at the end.
    pub(super) clock: [Option<i64>; 2],
    /// Times of the first and the last call.
    pub(super) span: Option<(i64, i64)>,
    /// Whether wildcards have the values of MPICH.
    pub(super) is_mpich: bool,
    pub(super) requests: Requests,
    /// The last line, if the file ends inside it.
    pub(super) cut: Option<usize>,
}

/// MPICH's handle of `MPI_COMM_WORLD`.
const MPICH_WORLD: u64 = 0x4400_0000;

/// Reads a file for the first time.
pub(super) fn first_reading(file: &File) -> Result<FirstReading, TraceError> {
    let mut first_reading = FirstReading {
        events: Vec::new(),
        world: None,
        clock: [None; 2],
        span: None,
        is_mpich: false,
        requests: Requests::default(),
        cut: None,
    };
    let mut handles = Handles::default();
    for line in Lines::new(&file.bytes) {
        if line.is_silent() {
            first_reading.comment(line.bytes);
            continue;
        }
        match line::read(line) {
            Ok(called) => first_reading.call(&called, &mut handles, line.number),
            Err(_) if line.is_cut && line.number > 1 => first_reading.cut = Some(line.number),
            Err(error) => return Err(error.in_file(&file.name)),
        }
    }
    Ok(first_reading)
}

impl FirstReading {
    /// Reads a clock comparison of the start or the end, in µs.
    fn comment(&mut self, line: &[u8]) {
        let text = line.trim_ascii_start().strip_prefix(b"#").unwrap_or(&[]).trim_ascii_start();
        let begins: [(&[u8], usize); 3] =
            [(b"Init clockdiff:", 0), (b"clockdiff:", 0), (b"Finalize clockdiff:", 1)];
        for (begin, place) in begins {
            if let Some(rest) = text.strip_prefix(begin) {
                let rest = rest.trim_ascii();
                let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
                self.clock[place] = text::nanoseconds(&rest[..end]);
            }
        }
    }

    fn call(&mut self, called: &line::CallLine, handles: &mut Handles, line: usize) {
        for time in [called.begin, called.end].into_iter().flatten() {
            let (first, last) = self.span.unwrap_or((time, time));
            self.span = Some((first, last.max(time)));
        }
        if let Some(comm) = handles::of(&called.content) {
            self.is_mpich |= comm.handle == MPICH_WORLD;
            if comm.size > 1 {
                self.world.get_or_insert((comm.rank, comm.size, line));
                if handles.seen(comm).1 {
                    self.events.push(Event::Seen(comm));
                }
            }
        }
        match called.content {
            LineContent::Make { how, comm, at } if comm.size > 1 => {
                handles.event();
                self.events.push(Event::Made { parent: comm, how, at });
            }
            LineContent::CommFree(at) => {
                handles.freed();
                self.events.push(Event::Freed(at));
            }
            LineContent::Isend(_, _, at) | LineContent::Irecv(_, at) => {
                _ = self.requests.add(at, false)
            }
            LineContent::SendInit(_, _, at) | LineContent::RecvInit(_, at) => {
                _ = self.requests.add(at, true)
            }
            LineContent::Collective(call) => {
                if let Some(at) = call.request {
                    self.requests.add(at, false);
                }
            }
            LineContent::Start { count, at } => _ = self.requests.start(count, at),
            LineContent::Complete { how, count, at } => self.requests.first_reading(how, count, at),
            LineContent::Release(at) => _ = self.requests.release(at),
            _ => {}
        }
    }
}

//! Writes the timeline of a run in the Chrome trace format, event by event.

use crate::report::Failure;
use loggia_collect::atomic_file;
use loggia_schedule::schedule::{Kind, Schedule};
use loggia_schedule::timeline::{Flight, Recorder, Span};
use loggia_simulate::Simulation;
use std::io::{self, Write};
use std::path::Path;

struct Writer<'a, 'b, W> {
    simulation: &'a Simulation<'b>,
    out: W,
    arrows: u64,
    failed: Option<io::Error>,
}

pub(in crate::commands) fn write(simulation: &Simulation, path: &Path) -> Result<(), Failure> {
    Ok(atomic_file::write_whole(path, |file| events(simulation, file))?)
}

/// Simulates and writes the events: one process per rank, one thread per CPU, one arrow per message.
fn events(simulation: &Simulation, mut out: impl Write) -> io::Result<()> {
    let schedule = simulation.schedule();
    writeln!(out, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
    for rank in 0..schedule.ranks() {
        writeln!(
            out,
            "{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{rank},\"args\":{{\"name\":\"rank {rank}\"}}}},"
        )?;
    }
    let mut writer = Writer { simulation, out, arrows: 0, failed: None };
    simulation.timeline(&mut writer);
    let Writer { mut out, failed, .. } = writer;
    match failed {
        Some(error) => Err(error),
        // The last event has no comma.
        None => writeln!(
            out,
            "{{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":0,\"args\":{{\"labels\":\"{}\"}}}}\n]}}",
            simulation.rules().name()
        ),
    }
}

impl<W: Write> Writer<'_, '_, W> {
    fn micros(&self, ticks: u64) -> f64 {
        self.simulation.micros(ticks).0
    }

    fn keep(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
        }
    }
}

impl<W: Write> Recorder for Writer<'_, '_, W> {
    fn span(&mut self, span: Span) {
        if self.failed.is_some() {
            return;
        }
        let Span { work, start, end } = span;
        let name = name(self.simulation.schedule(), work.op, work.activity.name());
        let (start, duration) = (self.micros(start), self.micros(end - start));
        let written = writeln!(
            self.out,
            "{{\"ph\":\"X\",\"name\":\"{name}\",\"cat\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{start},\"dur\":{duration}}},",
            work.activity.name(),
            work.rank,
            work.cpu
        );
        self.keep(written);
    }

    fn flight(&mut self, flight: Flight) {
        if self.failed.is_some() {
            return;
        }
        let op = &self.simulation.schedule().ops()[flight.send as usize];
        let (leaves, arrives) = (self.micros(flight.leaves), self.micros(flight.arrives));
        let (from, to) = if flight.back { (op.peer, op.rank) } else { (op.rank, op.peer) };
        self.arrows += 1;
        let id = self.arrows;
        let written = writeln!(
            self.out,
            "{{\"ph\":\"s\",\"name\":\"message\",\"cat\":\"message\",\"id\":{id},\"pid\":{},\"tid\":{},\"ts\":{leaves}}},\n\
             {{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"message\",\"cat\":\"message\",\"id\":{id},\"pid\":{},\"tid\":{},\"ts\":{arrives}}},",
            from, op.cpu, to, op.cpu
        );
        self.keep(written);
    }
}

fn name(schedule: &Schedule, op: u32, activity: &str) -> String {
    let op = &schedule.ops()[op as usize];
    match (op.kind, activity) {
        (Kind::Calc, _) => "compute".to_owned(),
        (Kind::Send | Kind::Ssend, "receive") => format!("receive {} B from {}", op.size, op.rank),
        (Kind::Send | Kind::Ssend, what) => format!("{what} {} B to {}", op.size, op.peer),
        (Kind::Recv, what) => format!("{what} {} B", op.size),
    }
}

//! Netgauge's pattern loggp: console output and file.
//!
//! The printed `GiB/s` are wrong; G itself is used, in µs per byte. Invalid and negative numbers
//! are left out. The pattern one_one is read by `one_one`.

mod one_one;

use super::reader::{LineOutcome, Out, Reader};
use super::table::{Columns, NO_SIZE, UNEVEN, is_time, number, numbers, size};
use super::{BenchmarkKind, Run, Tool};
use loggia_fit::printed::FITTED_LINE;
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::{Bytes, Micros, Procs};

/// Returns a reader if the line starts Netgauge's console output or file.
pub(super) fn detect(text: &str) -> Option<Box<dyn Reader>> {
    let text = text.trim();
    if let Some(reader) = one_one::detect(text) {
        return Some(reader);
    }
    if !text.starts_with('#') {
        return None;
    }
    let columns = text.starts_with("# size n PRTT(").then(|| Columns::words(&text[1..]));
    let banner = text.split_once("Netgauge v").map(|(_, banner)| banner);
    if columns.is_none() && banner.is_none() {
        return None;
    }
    let banner = banner.unwrap_or_default();
    let version = banner.split_ascii_whitespace().next().map(str::to_owned);
    let procs = banner
        .split_once("(P=")
        .and_then(|(_, count)| count.split([',', ')']).next()?.trim().parse().ok().map(Procs));
    // … (P=2, threadlevel=0) (netgauge -m mpi -x loggp )
    let command = banner.split_once(") (").map(|(_, rest)| rest.trim_end_matches([')', ' ']));
    let pattern = command.and_then(|command| {
        let mut words = command.split_ascii_whitespace();
        words.find(|word| matches!(*word, "-x" | "--comm_pattern"))?;
        words.next().map(str::to_owned)
    });
    let run = Run::new(Tool::Netgauge, "loggp", BenchmarkKind::Message);
    let facts = command.map(|command| ("command", command.to_owned())).into_iter().collect();
    if pattern.as_deref() == Some("one_one") {
        return Some(one_one::reader(Run { version, procs, facts, ..run }));
    }
    let unused = pattern.filter(|name| name != "loggp").map(|name| {
        format!("only Netgauge's patterns loggp and one_one can be imported, not {name}")
    });
    let run = Run { version, procs, facts, ..run };
    let (runs, fit) = (Runs::default(), Fit::default());
    Some(Box::new(Netgauge { run, unused, runs, columns, fit }))
}

/// The runs of one output.
#[derive(Clone, Copy, Default)]
struct Runs {
    message: usize,
    send: usize,
    recv: usize,
    gap: usize,
}

/// The line g + G s. The console prints a new fit with each size, over the sizes since the last
/// protocol change.
#[derive(Default)]
struct Fit {
    /// The sizes of the fit.
    sizes: Vec<u64>,
    /// The last g and G.
    line: Option<(f64, f64)>,
    /// The last size of the previous protocol, while its fit is still to be printed.
    until: Option<u64>,
}

struct Netgauge {
    run: Run,
    /// Why the numbers cannot be used.
    unused: Option<String>,
    runs: Runs,
    columns: Option<Columns>,
    fit: Fit,
}

impl Reader for Netgauge {
    fn begin(&mut self, _text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let mut begin = |kind| out.run(Run { kind, ..self.run.clone() });
        self.runs = Runs {
            message: begin(BenchmarkKind::Message),
            send: begin(BenchmarkKind::SendCall),
            recv: begin(BenchmarkKind::RecvCall),
            gap: begin(BenchmarkKind::Gap),
        };
        Ok(LineOutcome::Known)
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let text = text.trim_ascii();
        if let Some(columns) = &self.columns {
            return self.row(text, columns, out);
        }
        let text = text.trim_start_matches('.').trim();
        if let Some(rest) = text.strip_prefix("we detected a protocol change at") {
            let word = rest.split_ascii_whitespace().next().unwrap_or_default();
            self.fit.until = number(word)?.and_then(size).map(|bytes| bytes.0);
            return Ok(LineOutcome::Known);
        }
        let is_known = text.is_empty()
            || text.starts_with(['#', '!', '*', '+'])
            || text.starts_with("Testing ")
            || text.contains("protocol change");
        if is_known {
            return Ok(LineOutcome::Known);
        }
        match &self.unused {
            Some(reason) => Ok(LineOutcome::Refused(reason.clone())),
            None if text.starts_with("L=") => self.console(text, out),
            None => Ok(LineOutcome::Foreign),
        }
    }

    fn end(&mut self, out: &mut Out) {
        let sizes = std::mem::take(&mut self.fit.sizes);
        self.fit(&sizes, out);
    }
}

impl Netgauge {
    /// `L=0.59 s=1025 o_s=0.40 o_r=0.50 g=0.15 G=0.000189 (41.3 GiB/s) lsqu(g,G)=-nan`
    fn console(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let value = |name: &str| -> Result<Option<f64>, Error> {
            let word = text.split_ascii_whitespace().find_map(|word| word.strip_prefix(name));
            word.map_or(Ok(None), number)
        };
        let (latency, send, recv) = (value("L=")?, value("o_s=")?, value("o_r=")?);
        let line = value("g=")?.zip(value("G=")?);
        let Some(bytes) = value("s=")?.and_then(size) else { return Ok(LineOutcome::Foreign) };
        self.fit.line = line;
        if let Some(until) = self.fit.until.take() {
            // The final fit of the previous protocol; the next protocol's fit follows with the same
            // size.
            let (ended, remaining): (Vec<u64>, Vec<u64>) =
                std::mem::take(&mut self.fit.sizes).into_iter().partition(|size| *size <= until);
            self.fit(&ended, out);
            self.fit.sizes = remaining;
            return Ok(LineOutcome::Known);
        }
        if self.fit.sizes.last() != Some(&bytes.0) {
            self.fit.sizes.push(bytes.0);
        }
        let Runs { message, send: of_send, recv: of_recv, .. } = self.runs;
        add(of_send, bytes, send, out);
        add(of_recv, bytes, recv, out);
        if bytes == Bytes(1) {
            add(message, bytes, latency, out);
        }
        Ok(LineOutcome::Row)
    }

    /// Adds the line of a protocol by its two end points. It starts at the first size with a
    /// positive time; it may be negative for short messages.
    fn fit(&self, sizes: &[u64], out: &mut Out) {
        let Some((gap, per_byte)) = self.fit.line else { return };
        let time = |size: u64| gap + per_byte * size as f64;
        let begin = sizes.iter().copied().find(|size| is_time(time(*size)));
        let (Some(begin), Some(end)) = (begin, sizes.last().copied()) else { return };
        if Some(&begin) != sizes.first() {
            out.leave_out("Netgauge's line g + G s is negative for short messages");
        }
        if let Some(run) = out.nth(self.runs.gap) {
            run.benchmark = format!("{}{FITTED_LINE}", self.run.benchmark);
        }
        for size in [begin, end] {
            add(self.runs.gap, Bytes(size), Some(time(size)), out);
        }
    }

    /// `size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)`
    fn row(&self, text: &str, columns: &Columns, out: &mut Out) -> Result<LineOutcome, Error> {
        if text.is_empty() || text.starts_with('#') {
            return Ok(LineOutcome::Known);
        }
        let Some(row) = numbers(text)? else { return Ok(LineOutcome::Foreign) };
        if row.len() != columns.len() {
            return Ok(LineOutcome::Refused(UNEVEN.to_owned()));
        }
        let at = |name: &str| columns.find(&[name]).map(|at| row[at]);
        let Some(bytes) = at("size").and_then(size) else {
            return Ok(LineOutcome::Refused(NO_SIZE.to_owned()));
        };
        let Runs { message, send, recv, gap } = self.runs;
        add(message, bytes, at("PRTT(1,0,s)").map(|trip| trip / 2.0), out);
        add(send, bytes, at("o_s"), out);
        add(recv, bytes, at("o_r"), out);
        // Time per message in a stream of n: (PRTT(n,0,s) − PRTT(1,0,s)) / (n − 1).
        let stream = at("PRTT(n,0,s)").zip(at("PRTT(1,0,s)")).zip(at("n"));
        let time_per_message =
            stream.filter(|(_, n)| *n > 1.0).map(|((all, first), n)| (all - first) / (n - 1.0));
        add(gap, bytes, time_per_message, out);
        Ok(LineOutcome::Row)
    }
}

fn add(run: usize, bytes: Bytes, time: Option<f64>, out: &mut Out) {
    match time {
        Some(time) if is_time(time) => {
            out.row_of(run, Some(bytes), Micros(time), Statistic::Reported);
        }
        Some(_) => out.leave_out("Netgauge's time is not a positive number"),
        None => {}
    }
}

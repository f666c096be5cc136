//! Netgauge's pattern one_one: concurrent ping-pongs between ranks 0 and 1, 2 and 3, ….
//!
//! File and verbose console contain `8 - 0.1 0.1 0.1 0.2 - 1.2 1.3 1.3 1.9 - …`: the size, then
//! minimum, mean, median and maximum of the send call and of RTT/2. The file adds
//! `(deviation, outliers)` to each group. The other console prints
//! `8 bytes -> 1.20 us == 53.3 Mbit/s`, with the minimum time.

use super::super::reader::{LineOutcome, Out, Reader};
use super::super::table::{NO_SIZE, UNEVEN, is_time, number, size};
use super::super::{BenchmarkKind, Run, Tool};
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::{Bytes, Micros, Procs};

/// Numbers per row in the file, and on the verbose console.
const IN_FILE: usize = 17;
const ON_CONSOLE: usize = 13;

/// Returns a reader if the line starts a one_one file.
pub(super) fn detect(text: &str) -> Option<Box<dyn Reader>> {
    // ## Netgauge v2.4.6 - mode mpi - 4 processes
    let header = text.trim().strip_prefix("## Netgauge v")?;
    let mut parts = header.split(" - ");
    let version = parts.next()?.trim().to_owned();
    let count = parts.find_map(|part| part.trim().strip_suffix("processes"))?;
    let procs = count.trim().parse().ok().map(Procs);
    Some(reader(Run {
        version: Some(version),
        procs,
        ..Run::new(Tool::Netgauge, "", BenchmarkKind::Message)
    }))
}

/// A reader for a run with known version and number of ranks.
pub(super) fn reader(run: Run) -> Box<dyn Reader> {
    let pairs = run.procs.map(|procs| procs.0 / 2);
    let kind = match pairs {
        Some(1) => BenchmarkKind::Message,
        pairs => BenchmarkKind::ConcurrentMessage { pairs: pairs.filter(|pairs| *pairs > 0) },
    };
    Box::new(OneOne {
        run: Run { benchmark: "one_one".to_owned(), kind, ..run },
        trips: 0,
        calls: None,
    })
}

struct OneOne {
    run: Run,
    /// The run of RTT/2, and for one pair, the run of send calls.
    trips: usize,
    calls: Option<usize>,
}

impl Reader for OneOne {
    fn begin(&mut self, _text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        self.trips = out.run(self.run.clone());
        let is_one_pair = self.run.kind == BenchmarkKind::Message;
        let calls = Run { kind: BenchmarkKind::SendCall, ..self.run.clone() };
        self.calls = is_one_pair.then(|| out.run(calls));
        Ok(LineOutcome::Known)
    }

    /// The verbose console repeats the title of the file, always with two processes.
    fn continues(&self, text: &str) -> bool {
        text.trim_start().starts_with("## ")
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let text = text.trim_ascii();
        if text.is_empty() || text.starts_with(['#', '.']) {
            return Ok(LineOutcome::Known);
        }
        if let Some((bytes, rest)) = text.split_once(" bytes") {
            let time = rest.split_once("->").and_then(|(_, rest)| rest.split_once(" us"));
            let (Some(bytes), Some((time, _))) = (whole(bytes)?, time) else {
                return Ok(LineOutcome::Foreign);
            };
            let Some(time) = number(time.trim())? else { return Ok(LineOutcome::Foreign) };
            return Ok(self.add_half_trips(bytes, &[(time, Statistic::Reported)], out));
        }
        let plain = text.replace(['(', ')'], " ");
        let words = plain.split_ascii_whitespace().filter(|word| *word != "-");
        let row: Option<Vec<f64>> = words.map(number).collect::<Result<_, _>>()?;
        let Some(row) = row else { return Ok(LineOutcome::Foreign) };
        let trips = match row.len() {
            IN_FILE => &row[7..11],
            ON_CONSOLE => &row[5..9],
            0 | 1 => return Ok(LineOutcome::Foreign),
            _ => return Ok(LineOutcome::Refused(UNEVEN.to_owned())),
        };
        let Some(bytes) = size(row[0]) else {
            return Ok(LineOutcome::Refused(NO_SIZE.to_owned()));
        };
        if let (Some(calls), median) = (self.calls, row[3])
            && is_time(median)
        {
            out.row_of(calls, Some(bytes), Micros(median), Statistic::Median);
        }
        let statistics = [Statistic::Minimum, Statistic::Mean, Statistic::Median];
        let times: Vec<(f64, Statistic)> = trips.iter().copied().zip(statistics).collect();
        Ok(self.add_half_trips(bytes, &times, out))
    }
}

impl OneOne {
    fn add_half_trips(
        &self,
        bytes: Bytes,
        times: &[(f64, Statistic)],
        out: &mut Out,
    ) -> LineOutcome {
        for (time, statistic) in times.iter().filter(|(time, _)| is_time(*time)) {
            out.row_of(self.trips, Some(bytes), Micros(*time), *statistic);
        }
        LineOutcome::Row
    }
}

fn whole(text: &str) -> Result<Option<Bytes>, Error> {
    Ok(number(text.trim())?.and_then(size))
}

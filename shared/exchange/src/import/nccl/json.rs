//! The output of `-J`: one JSON object on one line.

use super::DataColumns;
use super::test::{self, OutputHeader};
use crate::import::reader::{LineOutcome, Out, Reader};
use crate::import::table::{INVALID_DATA, NO_SIZE, is_time, size};
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::{Micros, Procs};
use serde::Deserialize;

/// Whether a line starts such an output.
pub(super) fn is_json_output(text: &str) -> bool {
    let begin = text.trim_start();
    begin.starts_with('{')
        && ["\"version\"", "\"start_time\"", "\"args\""].iter().all(|key| begin.contains(key))
}

/// Reads such a line.
pub(super) struct Json;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    start_time: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    nccl_version: Option<u32>,
    config: Config,
    #[serde(default)]
    results: Vec<Row>,
}

#[derive(Deserialize)]
struct Config {
    #[serde(default = "default_count")]
    nthreads: u32,
    #[serde(default = "default_count")]
    ngpus: u32,
    #[serde(default)]
    devices: Vec<Device>,
}

fn default_count() -> u32 {
    1
}

#[derive(Deserialize)]
struct Device {
    rank: u32,
    #[serde(default)]
    hostname: String,
    #[serde(default)]
    device_info: String,
}

#[derive(Deserialize)]
struct Row {
    size: f64,
    #[serde(default, rename = "type")]
    datatype: String,
    #[serde(default)]
    redop: String,
    #[serde(default)]
    out_of_place: Option<Half>,
    #[serde(default)]
    in_place: Option<Half>,
    #[serde(default)]
    out_of_place_per_iter: Option<Each>,
    #[serde(default)]
    in_place_per_iter: Option<Each>,
}

/// A number; `nan` is written as a string.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Number(f64),
    Text(String),
}

#[derive(Deserialize)]
struct Half {
    #[serde(default)]
    time: Option<Number>,
    #[serde(default)]
    nwrong: Option<Number>,
}

#[derive(Deserialize)]
struct Each {
    #[serde(default)]
    times_us: Vec<Number>,
}

impl Number {
    fn value(&self) -> f64 {
        match self {
            Number::Number(number) => *number,
            Number::Text(word) => word.parse().unwrap_or(f64::NAN),
        }
    }
}

impl Config {
    /// Number of ranks. Some versions list only the first device of each process.
    fn procs(&self) -> Option<Procs> {
        let of_process = self.nthreads.max(1).checked_mul(self.ngpus.max(1))?;
        let last = self.devices.iter().map(|device| device.rank).max()?;
        let count = u32::try_from(self.devices.len()).ok()?;
        let are_all = count > 1 && last.checked_add(1) == Some(count);
        Some(Procs(if are_all { count } else { last.checked_add(of_process)? }))
    }
}

impl Reader for Json {
    fn begin(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let file: File = match serde_json::from_str(text.trim()) {
            Ok(file) => file,
            Err(error) => {
                let reason = format!("this JSON output of nccl-tests is damaged: {error}");
                return Ok(LineOutcome::Refused(reason));
            }
        };
        let mut header = OutputHeader { procs: file.config.procs(), ..OutputHeader::default() };
        header.name = file.args.first().and_then(|program| test::in_command(program));
        header.facts.extend((!file.args.is_empty()).then(|| ("command", file.args.join(" "))));
        header.facts.extend(file.start_time.clone().map(|time| ("date", time)));
        if let Some(code) = file.nccl_version {
            header.library(code);
        }
        let mut hosts: Vec<String> = Vec::new();
        for device in &file.config.devices {
            if !device.hostname.is_empty() && !hosts.contains(&device.hostname) {
                hosts.push(device.hostname.clone());
            }
        }
        let device = file.config.devices.first().map(|device| device.device_info.as_str());
        header.devices(&hosts, device.filter(|device| !device.is_empty()));
        let mut runs = Vec::new();
        for row in &file.results {
            if let Some(reason) = take(row, &header, &mut runs, out) {
                out.leave_out(&reason);
            }
        }
        Ok(LineOutcome::Row)
    }

    fn line(&mut self, text: &str, _out: &mut Out) -> Result<LineOutcome, Error> {
        Ok(if text.trim().is_empty() { LineOutcome::Known } else { LineOutcome::Foreign })
    }
}

/// Adds the numbers of a row; returns the reason if the row cannot be used.
fn take(
    row: &Row,
    header: &OutputHeader,
    runs: &mut Vec<DataColumns>,
    out: &mut Out,
) -> Option<String> {
    let Some(bytes) = size(row.size) else {
        return Some(NO_SIZE.to_owned());
    };
    let data = test::data(&row.datatype, &row.redop);
    let halves = [
        (&row.out_of_place, &row.out_of_place_per_iter, false),
        (&row.in_place, &row.in_place_per_iter, true),
    ];
    for (half, each, in_place) in halves {
        let Some(half) = half else { continue };
        if half.nwrong.as_ref().is_some_and(|wrong| wrong.value() > 0.0) {
            return Some(INVALID_DATA.to_owned());
        }
        let run = match super::run_of(runs, header, &data, in_place, out) {
            Ok(run) => run,
            Err(reason) => return Some(reason),
        };
        let Some(time) = &half.time else {
            return Some(super::CPU_TIME.to_owned());
        };
        let each = each.iter().flat_map(|each| &each.times_us);
        let all =
            std::iter::once((time, Statistic::Mean)).chain(each.map(|time| (time, Statistic::Raw)));
        for (time, statistic) in all {
            if is_time(time.value()) {
                out.row_of(run, Some(bytes), Micros(time.value()), statistic);
            }
        }
    }
    None
}

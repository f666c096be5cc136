//! `loggia trace -- PROGRAM …`

use crate::cli::Trace;
use crate::recording::{NAME, Recording};
use crate::report::table::remarks;
use crate::report::{Failure, Output, remark, with_options};
use crate::traces;
use loggia_collect::atomic_file;
use loggia_model::Error;
use loggia_model::units::words::time;
use loggia_model::units::{Micros, Procs};
use loggia_replay::summary::TraceSummary;
use loggia_replay::trace::loggia::{INDEX, Index};
use loggia_replay::trace::{OpenedTrace, SPEED};
use rustix::process::{Pid, Signal, kill_process};
use serde::Serialize;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::Instant;
use std::{env, fs, io, thread};

/// The preloaded library; `None` on other systems or without the feature `tracer`.
const LIBRARY: Option<&[u8]> = include!(concat!(env!("OUT_DIR"), "/tracer.rs"));

#[derive(Serialize)]
struct Report {
    trace: String,
    #[serde(flatten)]
    index: Index,
    /// From the start of the first rank to the end of the last, without MPI_Init and MPI_Finalize.
    measured_us: Option<Micros>,
    warnings: Vec<String>,
}

pub(crate) fn run(args: &Trace, output: &mut Output) -> Result<(), Failure> {
    let library = LIBRARY.ok_or_else(|| match cfg!(feature = "tracer") {
        true => Error::new(
            "tracing works on Linux only",
            "trace",
            "trace on Linux, then replay the folder here",
        ),
        false => Error::new(
            "this build of loggia has no tracer",
            "trace",
            "build with the tracer: `cargo install --path collector/cli`",
        ),
    })?;
    let recording = Recording::begin(&args.output, args.overwrite)?;
    let tracer = recording.into.join(NAME);
    let mut index = Index {
        loggia_trace: Index::VERSION,
        command: args.program.clone(),
        started: jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        ..Index::default()
    };
    let written = fs::write(&tracer, library);
    let written = written.map_err(|error| atomic_file::cannot_write(&error, &tracer));
    if let Err(error) = written.and_then(|()| write(&recording.into, &index)) {
        recording.give_up();
        return Err(error.into());
    }
    let begin = Instant::now();
    let ended = command(&args.program, &recording.into, &tracer).spawn().and_then(wait);
    let _ = fs::remove_file(&tracer);
    let Exit { status, by_signal } = match ended {
        Ok(ended) => ended,
        Err(error) => {
            recording.give_up();
            return Err(cannot_start(&args.program[0], &error));
        }
    };
    index.seconds = Some(begin.elapsed().as_secs_f64());
    index.exit_code = status.code();
    if !recording.has_calls() {
        recording.give_up();
        return Err(traces::no_trace(args.output.display().to_string(), Some(&index)).into());
    }
    write(&recording.into, &index)?;
    recording.end()?;
    let report = read_report(&args.output, index)?;
    write(&args.output, &report.index)?;
    output.print(&report, || text(&report, status, by_signal))?;
    match status.code() {
        Some(0) if !by_signal => Ok(()),
        code => {
            output.finish()?;
            // A launcher may exit with 0 after a signal.
            let code = code.and_then(|code| u8::try_from(code).ok()).filter(|code| *code > 0);
            let code = code.unwrap_or(1);
            Err(Failure::Ended(code))
        }
    }
}

/// The program with the library preloaded. Most launchers pass the environment on to other hosts;
/// Open MPI needs a list of variables.
fn command(program: &[String], folder: &Path, tracer: &Path) -> Command {
    let mut command = Command::new(&program[0]);
    let mut preload = tracer.as_os_str().to_owned();
    if let Some(existing) = env::var_os("LD_PRELOAD") {
        preload.push(":");
        preload.push(existing);
    }
    let list = "LD_PRELOAD;LOGGIA_TRACE";
    let list = match env::var("OMPI_MCA_mca_base_env_list") {
        Ok(existing) => format!("{existing};{list}"),
        Err(_) => list.to_owned(),
    };
    command.args(&program[1..]).env("LD_PRELOAD", preload).env("LOGGIA_TRACE", folder);
    command.env("OMPI_MCA_mca_base_env_list", list);
    command
}

struct Exit {
    status: ExitStatus,
    /// Whether a signal ended the program.
    by_signal: bool,
}

/// Waits for the program and forwards SIGTERM to it. A terminal sends SIGINT to both.
fn wait(mut program: Child) -> io::Result<Exit> {
    let mut signals = Signals::new([SIGTERM, SIGINT])?;
    let (handle, pid) = (signals.handle(), Pid::from_child(&program));
    let listener = thread::spawn(move || {
        let mut by_signal = false;
        for signal in &mut signals {
            by_signal = true;
            if signal == SIGTERM {
                // The program may have ended.
                let _ = kill_process(pid, Signal::TERM);
            }
        }
        by_signal
    });
    let status = program.wait();
    handle.close();
    Ok(Exit { status: status?, by_signal: listener.join().unwrap_or_default() })
}

fn cannot_start(program: &str, error: &io::Error) -> Failure {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "program not found".to_owned(),
        _ => format!("the program cannot be started: {error}"),
    };
    Failure::Refused(Error::new(reason, program, "check its name and PATH"))
}

fn write(folder: &Path, index: &Index) -> Result<(), Error> {
    atomic_file::write_whole(&folder.join(INDEX), |file| {
        serde_json::to_writer_pretty(file, index).map_err(io::Error::from)
    })
}

/// Reads the recorded trace.
fn read_report(folder: &Path, mut index: Index) -> Result<Report, Error> {
    let name = folder.display().to_string();
    let trace = match traces::open(&[&name], SPEED)? {
        OpenedTrace::Calls(trace) => trace,
        OpenedTrace::Schedule(_) => {
            return Err(Error::new("this is not a trace", name, "trace again"));
        }
    };
    index.ranks = trace.ranks.len() as u32;
    index.records = trace.ranks.iter().map(|rank| rank.records).sum();
    let mut warnings = trace.warnings.clone();
    let measured_us = match TraceSummary::of(&trace) {
        Ok(summary) => {
            warnings.extend(summary.not_replayed());
            Some(Micros(summary.measured() as f64 / 1e3))
        }
        Err(error) => {
            warnings.push(with_options(&error.into()).to_string());
            None
        }
    };
    Ok(Report { trace: name, index, measured_us, warnings })
}

fn text(report: &Report, status: ExitStatus, by_signal: bool) -> String {
    let Report { trace, index, measured_us, warnings } = report;
    let mut text = format!("{trace}: {} calls of {}", index.records, Procs(index.ranks).ranks());
    if let Some(measured) = measured_us {
        text += &format!(", {}", time(*measured));
    }
    text += "\n";
    let is_well = status.success() && !by_signal;
    if by_signal {
        text += "the program failed: a signal ended it\n";
    } else if !is_well {
        text += &format!("the program failed: {status}\n");
    }
    if !warnings.is_empty() {
        text += &remarks(warnings);
    }
    if is_well {
        remark(&format!("replay it with `loggia replay {trace} SIG`"));
    }
    text
}

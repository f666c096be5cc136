//! Runs the tasks of a plan, on the cores of this machine or the ranks of an MPI program.

use super::{PlanRequest, Report};
use crate::cli::Plan as Args;
use crate::commands::ranks::under_a_launcher;
use crate::report::{Failure, remark};
use crate::tasks::{Checkpoint, Outcome, RunTask, WorkerPool, over_cores};
use loggia_collect::atomic_file::must_be_free;
use loggia_collect::progress_bar::Progress;
use loggia_collect::run::ExitMessage;
use loggia_model::Error;
use loggia_plan::plan::Plan;
use loggia_plan::study::Study;
use std::path::Path;

/// Progress is shown only after this many seconds.
const QUIET_SECONDS: f64 = 5.0;

/// The report and its checkpoint file; nothing on ranks other than 0.
pub(super) fn report(
    args: &Args,
    json: bool,
) -> Result<Option<(Report, Option<Checkpoint>)>, Failure> {
    match under_a_launcher() {
        true => in_program(args, json),
        false => Ok(Some(in_this_process(args)?)),
    }
}

fn in_this_process(args: &Args) -> Result<(Report, Option<Checkpoint>), Failure> {
    let job = Job::of(args)?;
    job.finished(|request, remaining, on_outcome| {
        let pool = pool(args.sweeps.jobs.unwrap_or_else(cores), &request.study);
        over_cores(remaining, &pool, on_outcome)
    })
}

#[cfg(feature = "mpi")]
fn in_program(args: &Args, json: bool) -> Result<Option<(Report, Option<Checkpoint>)>, Failure> {
    use crate::tasks::{dismiss, follow, over_ranks};
    use loggia_collect::run::end_after_the_leader;
    use loggia_collect::transport::Transport;

    crate::commands::ranks::in_program(json, |mpi| {
        if mpi.ranks() == 1 {
            return in_this_process(args).map(Some);
        }
        // A launcher starts one rank per core.
        let threads = args.sweeps.jobs.unwrap_or(1);
        if mpi.rank() > 0 {
            end_after_the_leader();
            follow(mpi, threads, runner).map_err(Failure::Failed)?;
            return Ok(None);
        }
        let job = match Job::of(args) {
            Ok(job) => job,
            Err(error) => {
                dismiss(mpi).map_err(Failure::Failed)?;
                return Err(error);
            }
        };
        let finished = job.finished(|request, remaining, on_outcome| {
            over_ranks(mpi, &request.study, remaining, &pool(threads, &request.study), on_outcome)
        });
        finished.map(Some)
    })
}

#[cfg(not(feature = "mpi"))]
fn in_program(args: &Args, _: bool) -> Result<Option<(Report, Option<Checkpoint>)>, Failure> {
    crate::commands::ranks::refuse_several_processes()?;
    in_this_process(args).map(Some)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn pool<'a>(threads: usize, study: &'a Study) -> WorkerPool<impl Fn() -> RunTask<'a> + Sync> {
    WorkerPool { threads, begin: move || runner(study) }
}

/// Plans each task of a study; the result is JSON.
fn runner(study: &Study) -> RunTask<'_> {
    let runner = study.runner();
    // A plan always serializes.
    Box::new(move |task| serde_json::to_string(&runner.plan(task)).unwrap_or_default())
}

fn decoded(text: &str) -> Result<Result<Plan, Error>, Error> {
    serde_json::from_str(text).map_err(|error| {
        Error::new(
            format!("a plan cannot be read back: {error}"),
            "",
            "if it comes from a file, start anew with --overwrite; otherwise please report this",
        )
    })
}

/// A request and its tasks that are finished already.
struct Job {
    request: PlanRequest,
    checkpoint: Option<Checkpoint>,
    known: Vec<Outcome>,
}

impl Job {
    fn of(args: &Args) -> Result<Self, Failure> {
        let options = &args.sweeps;
        if let Some(path) = &options.output {
            must_be_no_input(path, args)?;
            let part = Checkpoint::path_of(path);
            if options.resume && path.exists() && !part.exists() {
                let [path, part] = [path, &part].map(|path| path.display());
                remark(&format!("{path} exists, and no {part}: there is nothing to resume"));
                return Err(Failure::Ended(0));
            }
        }
        if let Some(path) = options.output.as_deref().filter(|_| !options.overwrite) {
            must_be_free(path)?;
        }
        let request = PlanRequest::of(args)?;
        let (mut checkpoint, mut known) = (None, Vec::new());
        if let Some(path) = &options.output {
            let fingerprint = request.study.fingerprint()?;
            let (file, found) =
                Checkpoint::open(path, &fingerprint, options.resume, options.overwrite)?;
            (checkpoint, known) = (Some(file), found);
        }
        Ok(Job { request, checkpoint, known })
    }

    /// Runs the remaining tasks with `work`, which reports each outcome.
    fn finished(
        self,
        work: impl FnOnce(&PlanRequest, &[usize], &mut OnOutcome) -> Result<(), Error>,
    ) -> Result<(Report, Option<Checkpoint>), Failure> {
        let Job { request, mut checkpoint, known } = self;
        let all = request.study.cases();
        let mut texts: Vec<Option<String>> = vec![None; all];
        for Outcome { task, text } in known {
            if let Some(place) = texts.get_mut(task) {
                *place = Some(text);
            }
        }
        let remaining: Vec<usize> = (0..all).filter(|task| texts[*task].is_none()).collect();
        let mut done = all - remaining.len();
        if let (Some(checkpoint), true) = (&checkpoint, done > 0) {
            remark(&format!(
                "{done} of {all} plans were read from {}",
                checkpoint.path().display()
            ));
        }
        let exit_message =
            checkpoint.as_ref().map(|_| ExitMessage::prepare("no plan is finished yet"));
        // With a single plan there is no progress to show.
        let quiet = if remaining.len() > 1 { QUIET_SECONDS } else { f64::INFINITY };
        let mut progress = Progress::start().quiet_for(quiet);
        progress.set_total(remaining.len() as f64);
        let mut on_outcome = |found: Outcome| {
            done += 1;
            if let (Some(checkpoint), Some(message)) = (&mut checkpoint, &exit_message) {
                let mut message = message.hold();
                checkpoint.add(&found)?;
                let file = checkpoint.path().display();
                *message =
                    format!("{done} of {all} plans are saved in {file}; continue with --resume");
            }
            texts[found.task] = Some(found.text);
            progress.finish_part(1.0);
            progress.start_part(&format!("{done} of {all} plans"));
            Ok(())
        };
        work(&request, &remaining, &mut on_outcome).map_err(Failure::Failed)?;
        progress.end("planned");
        let answers: Vec<_> = texts
            .iter()
            .map(|text| decoded(text.as_deref().unwrap_or_default()))
            .collect::<Result<_, _>>()?;
        Ok((request.report(answers)?, checkpoint))
    }
}

/// Refuses to overwrite an input.
fn must_be_no_input(output: &Path, args: &Args) -> Result<(), Error> {
    let real = |path: &Path| path.canonicalize().ok();
    let inputs = args.sketch.iter().chain(&args.sigs).chain(&args.fit);
    let is_input = |input: &String| real(Path::new(input)) == real(output);
    if real(output).is_none() || !inputs.into_iter().any(is_input) {
        return Ok(());
    }
    let place = output.display().to_string();
    Err(Error::new("this file is read as an input of the plan", place, "write to another file"))
}

type OnOutcome<'a> = dyn FnMut(Outcome) -> Result<(), Error> + 'a;

//! A plan's pieces: over the cores of this machine, or over the ranks of an MPI program.

use super::{Asked, Said};
use crate::cli::Plan as Args;
use crate::commands::ranks::under_a_launcher;
use crate::pieces::{Answer, Found, Kept, Workers, over_cores};
use crate::report::{Failure, remark};
use loggia_collect::progress::Progress;
use loggia_collect::run::LastWords;
use loggia_collect::whole_file::must_be_free;
use loggia_model::Error;
use loggia_plan::plan::Plan;
use loggia_plan::study::Study;
use std::path::Path;

/// What takes less than so many seconds needs no word of how far it is.
const PATIENCE: f64 = 5.0;

/// All that is asked, and the file that kept it meanwhile; nothing in a process of another rank.
pub(super) fn answered(args: &Args, json: bool) -> Result<Option<(Said, Option<Kept>)>, Failure> {
    match under_a_launcher() {
        true => in_program(args, json),
        false => Ok(Some(alone(args)?)),
    }
}

fn alone(args: &Args) -> Result<(Said, Option<Kept>), Failure> {
    let begun = Begun::of(args)?;
    begun.finished(|asked, left, tell| {
        let workers = workers(args.wide.jobs.unwrap_or_else(cores), &asked.question);
        over_cores(left, &workers, tell)
    })
}

#[cfg(feature = "mpi")]
fn in_program(args: &Args, json: bool) -> Result<Option<(Said, Option<Kept>)>, Failure> {
    use crate::pieces::{dismiss, follow, over_ranks};
    use loggia_collect::run::end_after_the_leader;
    use loggia_collect::transport::Transport;

    crate::commands::ranks::in_program(json, |mpi| {
        if mpi.ranks() == 1 {
            return alone(args).map(Some);
        }
        // A launcher starts a rank for each core.
        let threads = args.wide.jobs.unwrap_or(1);
        if mpi.rank() > 0 {
            end_after_the_leader();
            follow(mpi, threads, answering).map_err(Failure::Failed)?;
            return Ok(None);
        }
        let begun = match Begun::of(args) {
            Ok(begun) => begun,
            Err(error) => {
                dismiss(mpi).map_err(Failure::Failed)?;
                return Err(error);
            }
        };
        let finished = begun.finished(|asked, left, tell| {
            over_ranks(mpi, &asked.question, left, &workers(threads, &asked.question), tell)
        });
        finished.map(Some)
    })
}

#[cfg(not(feature = "mpi"))]
fn in_program(args: &Args, _: bool) -> Result<Option<(Said, Option<Kept>)>, Failure> {
    use crate::commands::ranks::{launched, no_mpi};
    match launched() {
        0 | 1 => alone(args).map(Some),
        // Each would do all of it, and write the same file.
        _ => Err(Failure::Refused(no_mpi("mpirun"))),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn workers<'a>(threads: usize, question: &'a Study) -> Workers<impl Fn() -> Answer<'a> + Sync> {
    Workers { threads, begin: move || answering(question) }
}

/// What answers a question's pieces, each with a text that any rank understands.
fn answering(question: &Study) -> Answer<'_> {
    let answering = question.runner();
    // Plans are numbers and words: there is nothing in them that is no JSON.
    Box::new(move |piece| serde_json::to_string(&answering.plan(piece)).unwrap_or_default())
}

fn understood(text: &str) -> Result<Result<Plan, Error>, Error> {
    serde_json::from_str(text).map_err(|error| {
        Error::new(
            format!("a plan cannot be read back: {error}"),
            "",
            "if it was kept in a file, begin anew by --overwrite; else please report this",
        )
    })
}

/// What is asked, and what is known of it already.
struct Begun {
    asked: Asked,
    kept: Option<Kept>,
    known: Vec<Found>,
}

impl Begun {
    fn of(args: &Args) -> Result<Self, Failure> {
        let wide = &args.wide;
        if let Some(path) = &wide.output {
            must_be_no_input(path, args)?;
            if wide.resume && path.exists() && !Kept::path_of(path).exists() {
                remark(&format!("{} is complete: nothing is left to do", path.display()));
                return Err(Failure::Ended(0));
            }
        }
        if let Some(path) = wide.output.as_deref().filter(|_| !wide.overwrite) {
            must_be_free(path)?;
        }
        let asked = Asked::of(args)?;
        let (mut kept, mut known) = (None, Vec::new());
        if let Some(path) = &wide.output {
            let question = asked.question.fingerprint()?;
            let (file, found) = Kept::open(path, &question, wide.resume, wide.overwrite)?;
            (kept, known) = (Some(file), found);
        }
        Ok(Begun { asked, kept, known })
    }

    /// Has what is not known yet found out: `work` tells each piece of these that is done.
    fn finished(
        self,
        work: impl FnOnce(&Asked, &[usize], &mut Tell) -> Result<(), Error>,
    ) -> Result<(Said, Option<Kept>), Failure> {
        let Begun { asked, mut kept, known } = self;
        let all = asked.question.cases();
        let mut texts: Vec<Option<String>> = vec![None; all];
        for Found { piece, text } in known {
            if let Some(place) = texts.get_mut(piece) {
                *place = Some(text);
            }
        }
        let left: Vec<usize> = (0..all).filter(|piece| texts[*piece].is_none()).collect();
        let mut done = all - left.len();
        if let (Some(kept), true) = (&kept, done > 0) {
            remark(&format!("{done} of {all} plans are known from {}", kept.path().display()));
        }
        let words = kept.as_ref().map(|_| LastWords::prepare("nothing is planned yet"));
        // Who waits for one plan learns nothing from how many are done.
        let patience = if left.len() > 1 { PATIENCE } else { f64::INFINITY };
        let mut progress = Progress::start().patient(patience);
        progress.expect(left.len() as f64);
        let mut tell = |found: Found| {
            done += 1;
            if let (Some(kept), Some(words)) = (&mut kept, &words) {
                let mut words = words.hold();
                kept.add(&found)?;
                let file = kept.path().display();
                *words = format!("{done} of {all} plans are kept in {file}: go on by --resume");
            }
            texts[found.piece] = Some(found.text);
            progress.did(1.0);
            progress.at(&format!("{done} of {all} plans"));
            Ok(())
        };
        work(&asked, &left, &mut tell).map_err(Failure::Failed)?;
        progress.end("planned");
        let answers: Vec<_> = texts
            .iter()
            .map(|text| understood(text.as_deref().unwrap_or_default()))
            .collect::<Result<_, _>>()?;
        Ok((asked.said(answers)?, kept))
    }
}

/// What is read is not written over.
fn must_be_no_input(output: &Path, args: &Args) -> Result<(), Error> {
    let real = |path: &Path| path.canonicalize().ok();
    let inputs = args.sketch.iter().chain(&args.sigs).chain(&args.fit);
    let is_input = |input: &String| real(Path::new(input)) == real(output);
    if real(output).is_none() || !inputs.into_iter().any(is_input) {
        return Ok(());
    }
    let place = output.display().to_string();
    Err(Error::new("this file is read for the plan", place, "write to another one"))
}

/// What is told of each piece that is done.
type Tell<'a> = dyn FnMut(Found) -> Result<(), Error> + 'a;

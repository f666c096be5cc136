//! `loggia lesson`

mod text;

use crate::cli::{Lesson as Verb, LessonOutput};
use crate::page;
use crate::report::{Failure, Output, with_options};
use crate::source;
use loggia_collect::atomic_file::write_whole;
use loggia_lesson::check::{StepReport, check};
use loggia_lesson::class::Class;
use loggia_lesson::evaluation::Evaluator;
use loggia_lesson::handout::handout;
use loggia_lesson::lesson::Lesson;
use loggia_lesson::library;
use loggia_lesson::presentation::{Summary, opening};
use loggia_link::single;
use loggia_model::Error;
use loggia_model::error::Worded;
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Exit status of a lesson that is refused.
const REFUSED: u8 = 1;

#[derive(Serialize)]
struct CheckReport {
    #[serde(flatten)]
    lesson: Summary,
    answers: Vec<StepReport>,
    problems: Vec<Worded>,
    warnings: Vec<Worded>,
}

pub(crate) fn run(verb: &Verb, output: &mut Output) -> Result<(), Failure> {
    match verb {
        Verb::List => list(output),
        Verb::Check(args) => checked(&args.lesson, output),
        Verb::Page(args) => write_page(args, output),
        Verb::Handout(args) => write_handout(args, output),
        Verb::Class(args) => {
            let (lesson, _) = read(&args.of.lesson)?;
            let class = Class::of(&lesson, &source::text(&args.codes)?, &mut Evaluator::default())?;
            if class.has_no_codes() {
                return Err(Failure::Refused(Error::new(
                    "this text has no code of a lesson",
                    args.codes.clone(),
                    "paste the codes that *My answers* of a lesson copies; other text may surround them",
                )));
            }
            output.print(&class, || text::class(&class))
        }
    }
}

/// A built-in lesson with its name, or a lesson from a file with its text.
fn read(given: &str) -> Result<(Lesson, String), Error> {
    let is_built_in = library::LESSONS.iter().any(|(name, _)| *name == given);
    if is_built_in {
        return Ok((library::named(given)?, given.to_owned()));
    }
    let is_path = given == "-" || given.contains(['/', '\\', '.']) || Path::new(given).exists();
    if !is_path {
        let unknown = library::named(given).err();
        return Err(unknown.unwrap_or_else(|| {
            Error::new("this is not a lesson", given, "see `loggia lesson list`")
        }));
    }
    let text = source::text(given)?;
    Ok((Lesson::read(&text).map_err(|error| error.in_file(given))?, text))
}

fn list(output: &mut Output) -> Result<(), Failure> {
    let lessons: Vec<Summary> = library::all()
        .map(|lesson| lesson.map(|lesson| lesson.summary()))
        .collect::<Result<_, _>>()?;
    output.print(&lessons, || text::list(&lessons))
}

fn checked(given: &str, output: &mut Output) -> Result<(), Failure> {
    let (lesson, _) = read(given)?;
    let found = check(&lesson, &mut Evaluator::default());
    let worded = |errors: &[Error]| -> Vec<Worded> {
        let placed = errors.iter().map(|error| with_options(&error.clone().in_file(given)));
        placed.map(|error| error.worded(|input, _| input.name().to_owned())).collect()
    };
    let report = CheckReport {
        lesson: lesson.summary(),
        answers: found.steps,
        problems: worded(&found.problems),
        warnings: worded(&found.warnings),
    };
    output.print(&report, || text::checked(&report))?;
    match report.problems.is_empty() {
        true => Ok(()),
        false => {
            output.finish()?;
            Err(Failure::Ended(REFUSED))
        }
    }
}

fn write_page(args: &LessonOutput, output: &mut Output) -> Result<(), Failure> {
    args.overwrite.check([args.output.as_path()])?;
    let (_, given) = read(&args.of.lesson)?;
    let state = opening(&given, None);
    let page = single::with_state(&page::one_file()?, &state).ok_or_else(page::not_built)?;
    write(&args.output, &page, output)
}

fn write_handout(args: &LessonOutput, output: &mut Output) -> Result<(), Failure> {
    args.overwrite.check([args.output.as_path()])?;
    let (lesson, _) = read(&args.of.lesson)?;
    let page = handout(&lesson, &mut Evaluator::default())
        .map_err(|error| error.in_file(&args.of.lesson))?;
    write(&args.output, &page, output)
}

fn write(path: &Path, page: &str, output: &mut Output) -> Result<(), Failure> {
    write_whole(path, |out| out.write_all(page.as_bytes())).map_err(Failure::Failed)?;
    let file = path.display().to_string();
    let answer = json!({ "file": file, "bytes": page.len() });
    output.print(&answer, || format!("{file}: open it in a browser"))
}

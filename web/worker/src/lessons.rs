//! Lessons: the student's view of a step, grading, the codes of a class.

use loggia_lesson::check::{StepReport, check};
use loggia_lesson::class::Class;
use loggia_lesson::draft::with_link;
use loggia_lesson::evaluation::Evaluator;
use loggia_lesson::grading::Attempt;
use loggia_lesson::lesson::Lesson;
use loggia_lesson::library;
use loggia_lesson::presentation::{Outcome, StepView, Student, Summary};
use loggia_model::Error;
use serde::{Deserialize, Serialize};

/// A request about lessons. A lesson is given by its name, or by its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LessonRequest {
    /// The built-in lessons, and the lessons in these texts.
    List(Vec<String>),
    /// A step, from 1, with a student's progress as a code; without a code, the seed of a new
    /// student.
    Step { lesson: String, at: usize, code: String, seed: u8, want: StepQuery },
    /// The codes in a text.
    Class { lesson: String, text: String },
    /// A draft of a lesson, to which a step with the state of a link is added.
    AddStep { draft: String, link: String },
    /// All answers of a lesson, and its errors.
    Check(String),
}

/// The query about a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StepQuery {
    View,
    Answer(Attempt),
    GiveUp,
    /// The answer, for a class; the progress stays as it is.
    Reveal,
}

/// The response to a request about lessons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LessonResponse {
    List(Vec<Summary>),
    Step(Box<StepView>),
    Outcome(Box<Outcome>),
    Class(Class),
    Draft(String),
    Checked(Checked),
}

/// A lesson that was checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    pub summary: Summary,
    pub steps: Vec<StepReport>,
    pub problems: Vec<Error>,
    pub warnings: Vec<Error>,
}

/// Answers a request.
pub(super) fn answer(
    request: &LessonRequest,
    evaluator: &mut Evaluator,
) -> Result<LessonResponse, Error> {
    Ok(match request {
        LessonRequest::List(own) => {
            let built_in = library::all().map(|lesson| lesson.map(|lesson| lesson.summary()));
            let own = own.iter().map(|text| {
                let lesson = Lesson::read(text)?;
                Ok(Summary { name: text.clone(), ..lesson.summary() })
            });
            LessonResponse::List(built_in.chain(own).collect::<Result<_, Error>>()?)
        }
        LessonRequest::Step { lesson, at, code, seed, want } => {
            let mut student = Student::new(lesson, *at, code, *seed)?;
            match want {
                StepQuery::View => LessonResponse::Step(Box::new(student.view(evaluator)?)),
                StepQuery::Reveal => {
                    LessonResponse::Step(Box::new(student.shown_answer(evaluator)?))
                }
                StepQuery::GiveUp => LessonResponse::Step(Box::new(student.give_up(evaluator)?)),
                StepQuery::Answer(attempt) => {
                    LessonResponse::Outcome(Box::new(student.answer(attempt, evaluator)?))
                }
            }
        }
        LessonRequest::Class { lesson, text } => {
            LessonResponse::Class(Class::of(&library::named_or_read(lesson)?, text, evaluator)?)
        }
        LessonRequest::AddStep { draft, link } => LessonResponse::Draft(with_link(draft, link)?),
        LessonRequest::Check(text) => {
            let lesson = Lesson::read(text)?;
            let found = check(&lesson, evaluator);
            LessonResponse::Checked(Checked {
                summary: lesson.summary(),
                steps: found.steps,
                problems: found.problems,
                warnings: found.warnings,
            })
        }
    })
}

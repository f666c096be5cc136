//! The view of a step for a student. It contains the answer only after the step is over.

use crate::check::answer_text;
use crate::code::SEEDS;
use crate::error::LessonError;
use crate::evaluation::Evaluator;
use crate::grading::{ALIKE, Attempt, Graded, option_text};
pub use crate::lesson::{AnswerKind, Picture};
use crate::lesson::{Lesson, QuestionKind, Step};
use crate::library::{self, named_or_read};
use crate::page_state::PageState;
use crate::progress::{First, MAX_TRIES, Progress, Record};
pub use crate::solution::setting;
use crate::solution::{RightAnswer, Solution};
use crate::text::shown;
use loggia_link::state::{State, View};
use loggia_model::Error;
use serde::{Deserialize, Serialize};

/// A lesson in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub name: String,
    pub title: String,
    pub goal: String,
    pub minutes: u64,
    pub steps: usize,
    pub needs: Vec<String>,
}

/// A step as a student sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepView {
    pub lesson: Summary,
    /// The step, from 1.
    pub at: usize,
    /// The student's progress.
    pub code: String,
    pub statuses: Vec<Status>,
    pub text: Option<String>,
    pub picture: Option<Picture>,
    pub question: String,
    pub kind: AnswerKind,
    pub options: Vec<String>,
    pub unit: Option<String>,
    /// Inputs and parameters that a student may change to reach a target.
    pub free: Vec<String>,
    pub data: Vec<Vec<String>>,
    /// Whether the state with the answer differs from the state of the question.
    pub shows: bool,
    /// The state to open.
    pub state: Box<State>,
    /// The GOAL program to open, with its name.
    pub program: Option<(String, String)>,
    /// Hints for the wrong answers so far.
    pub hints: Vec<String>,
    pub tries_left: u8,
    pub has_tried: bool,
    pub reveal: Option<Reveal>,
    /// Name and title of the built-in lesson after this one.
    pub next: Option<(String, String)>,
}

/// The progress of a student in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    Open,
    Tried,
    RightAtFirst,
    Right,
    Shown,
}

/// The answer, once the step is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reveal {
    pub right: bool,
    pub answer: String,
    pub text: String,
    /// Numbers on an axis: the first answer and the right answer.
    pub marks: Vec<Mark>,
    pub accepted: Option<[f64; 2]>,
    /// A state that reaches the target.
    pub solution: Option<Box<State>>,
}

/// A number on the axis of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    pub kind: MarkKind,
    pub value: f64,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MarkKind {
    FirstAnswer,
    RightAnswer,
}

/// The result of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub graded: Graded,
    pub view: StepView,
}

impl Lesson {
    pub fn summary(&self) -> Summary {
        Summary {
            name: self.name.clone(),
            title: self.title.clone(),
            goal: self.goal.clone(),
            minutes: self.minutes,
            steps: self.steps.len(),
            needs: self.needs.clone(),
        }
    }
}

/// A student in a lesson.
#[derive(Debug)]
pub struct Student<'a> {
    /// The lesson in the address: a name or a text.
    lesson_input: &'a str,
    lesson: Lesson,
    progress: Progress,
    at: usize,
}

impl<'a> Student<'a> {
    /// A student in a step (from 1) with the progress of a code. An invalid code is dropped; then
    /// `seed` chooses the values of varied inputs.
    ///
    /// # Errors
    /// If the lesson or the step does not exist.
    pub fn new(lesson_input: &'a str, at: usize, code: &str, seed: u8) -> Result<Self, Error> {
        let lesson = named_or_read(lesson_input)?;
        let initial = Progress { seed: seed % SEEDS, ..Progress::default() };
        let progress = lesson.progress(code).unwrap_or(initial);
        if at == 0 || at > lesson.steps.len() {
            let steps = lesson.steps.len();
            return Err(LessonError::NoStep { at, steps }.at("at"));
        }
        Ok(Student { lesson_input, lesson, progress, at: at - 1 })
    }

    fn step(&self) -> &Step {
        &self.lesson.steps[self.at]
    }

    fn solution(&self, evaluator: &mut Evaluator) -> Result<Solution, Error> {
        self.step().solve(&self.lesson, self.progress.seed, evaluator)
    }

    /// Answers the step.
    ///
    /// # Errors
    /// If the kind of the answer does not match the question, or the model has no answer.
    pub fn answer(
        &mut self,
        attempt: &Attempt,
        evaluator: &mut Evaluator,
    ) -> Result<Outcome, Error> {
        let solution = self.solution(evaluator)?;
        let step = &self.lesson.steps[self.at];
        let graded = step.grade(&self.lesson, self.progress.seed, &solution, attempt, evaluator)?;
        let has_hint = !step.hints.is_empty();
        self.progress.try_once(self.at, graded.first.clone(), graded.right, has_hint);
        Ok(Outcome { graded, view: self.view(evaluator)? })
    }

    /// Gives up.
    ///
    /// # Errors
    /// If the model has no answer.
    pub fn give_up(&mut self, evaluator: &mut Evaluator) -> Result<StepView, Error> {
        self.progress.give_up(self.at);
        self.view(evaluator)
    }

    /// The view of the student.
    ///
    /// # Errors
    /// If the model has no answer.
    pub fn view(&self, evaluator: &mut Evaluator) -> Result<StepView, Error> {
        self.view_with(false, evaluator)
    }

    /// The view of a class when the teacher shows the answer; the progress does not change.
    ///
    /// # Errors
    /// If the model has no answer.
    pub fn shown_answer(&self, evaluator: &mut Evaluator) -> Result<StepView, Error> {
        self.view_with(true, evaluator)
    }

    fn view_with(&self, is_shown: bool, evaluator: &mut Evaluator) -> Result<StepView, Error> {
        let solution = self.solution(evaluator)?;
        let (step, names) = (self.step(), &solution.names);
        let get = |name: &str| names.get(name);
        let record = self.progress.record(self.at);
        let is_over = is_shown || record.is_some_and(Record::is_over);
        let page = step.page_state(&self.lesson, self.progress.seed)?;
        let page = match page {
            Some(page) if is_over => Some(page.with(&self.lesson, &step.show)?),
            page => page,
        };
        let code = self.lesson.code(&self.progress);
        let tries = record.map_or(0, |record| record.tries);
        let wrong = record.map_or(0, |record| usize::from(record.tries - u8::from(record.right)));
        let options = step.ask.options();
        let alike = matches!(step.ask, QuestionKind::Choice { alike: Some(_), .. })
            .then(|| ALIKE.to_owned());
        let option_texts = (0..options.len()).map(|at| option_text(options, at, names));
        let table =
            PageState { state: opening(self.lesson_input, None), program: None, curve: None };
        let state = self.state(page.as_ref().unwrap_or(&table), &code, is_over);
        Ok(StepView {
            lesson: self.lesson.summary(),
            at: self.at + 1,
            statuses: (0..self.lesson.steps.len()).map(|at| self.status(at)).collect(),
            text: step.text.as_ref().map(|text| text.filled(&get)),
            picture: step.picture,
            question: step.question.filled(&get),
            kind: step.ask.answer(),
            options: option_texts.chain(alike).collect(),
            unit: match &step.ask {
                QuestionKind::Number { unit, .. } => unit.clone(),
                _ => None,
            },
            free: step.free.clone(),
            shows: is_over && !step.show.is_empty(),
            data: step.data.clone(),
            state: Box::new(state),
            program: page.as_ref().and_then(|page| page.program.clone()),
            hints: step.hints.iter().take(wrong).map(|hint| hint.filled(&get)).collect(),
            tries_left: MAX_TRIES.saturating_sub(tries),
            has_tried: tries > 0,
            next: library::after(&self.lesson.name)
                .filter(|_| !self.lesson_input.contains('\n'))
                .map(|next| (next.name, next.title)),
            reveal: is_over.then(|| self.reveal(record, &solution, page.as_ref())),
            code,
        })
    }

    fn state(&self, page: &PageState, code: &str, is_over: bool) -> State {
        let mut state = page.state.clone();
        state.inputs.lesson = Some(self.lesson_input.to_owned());
        state.inputs.at = u32::try_from(self.at + 1).ok();
        state.inputs.answers = Some(code.to_owned());
        state.inputs.hidden = !is_over && !matches!(self.step().ask, QuestionKind::Target { .. });
        state
    }

    fn status(&self, at: usize) -> Status {
        match self.progress.record(at) {
            None => Status::Open,
            Some(record) if record.is_right_at_first() => Status::RightAtFirst,
            Some(record) if record.right => Status::Right,
            Some(record) if record.is_over() => Status::Shown,
            Some(_) => Status::Tried,
        }
    }

    fn reveal(
        &self,
        record: Option<&Record>,
        solution: &Solution,
        page: Option<&PageState>,
    ) -> Reveal {
        let step = self.step();
        let (marks, accepted) = match (record.map(|record| &record.first), &solution.right) {
            (Some(First::Number(first)), RightAnswer::Number { value, low, high }) => {
                let mark = |kind, value| Mark { kind, value, text: shown(value) };
                let marks =
                    vec![mark(MarkKind::FirstAnswer, *first), mark(MarkKind::RightAnswer, *value)];
                (marks, Some([*low, *high]))
            }
            _ => (Vec::new(), None),
        };
        let target_state = match (&step.ask, page) {
            (QuestionKind::Target { solution, .. }, Some(page)) => {
                let code = self.lesson.code(&self.progress);
                let solved = page.with(&self.lesson, solution).ok();
                solved.map(|page| Box::new(self.state(&page, &code, true)))
            }
            _ => None,
        };
        Reveal {
            right: record.is_some_and(|record| record.right),
            answer: answer_text(step, solution),
            text: step.reveal.filled(&|name| solution.names.get(name)),
            marks,
            accepted,
            solution: target_state,
        }
    }
}

/// The state of the page that opens a lesson.
pub fn opening(lesson: &str, at: Option<u32>) -> State {
    let mut state = State { view: View::Lessons, ..State::default() };
    state.inputs.lesson = Some(lesson.to_owned());
    state.inputs.at = at;
    state
}

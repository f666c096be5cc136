//! Grades answers and selects the feedback.

use crate::error::LessonError;
use crate::evaluation::Evaluator;
use crate::lesson::{Choice, Lesson, QuestionKind, Step, Wrong, WrongAnswer};
use crate::page_state::PageState;
use crate::progress::First;
use crate::solution::{Names, RightAnswer, Solution, setting};
use loggia_link::state::State;
use loggia_model::Error;
use serde::{Deserialize, Serialize};

/// An answer of a student.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Attempt {
    Option(usize),
    Number(f64),
    Order(Vec<usize>),
    /// The student's final state.
    Target(Box<State>),
    Text(String),
}

/// A graded answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Graded {
    pub right: bool,
    /// The feedback, if any.
    pub feedback: Option<String>,
    pub first: First,
}

impl Step {
    /// Grades an answer.
    ///
    /// # Errors
    /// If the kind of the answer does not match the question, or the model has no answer.
    pub fn grade(
        &self,
        lesson: &Lesson,
        seed: u8,
        solution: &Solution,
        attempt: &Attempt,
        evaluator: &mut Evaluator,
    ) -> Result<Graded, Error> {
        let names = &solution.names;
        match (attempt, &solution.right, &self.ask) {
            (
                Attempt::Number(given),
                RightAnswer::Number { low, high, .. },
                QuestionKind::Number { within, .. },
            ) => {
                let right = (*low..=*high).contains(given);
                let is_near = |wrong: &&Wrong| wrong.is_number(*given, *within, names);
                let wrong = self.wrong.iter().find(is_near);
                Ok(graded(right, wrong, names, First::Number(*given)))
            }
            (Attempt::Option(given), RightAnswer::Option(right), _) => {
                let wrong = self.wrong.iter().find(|w| w.is == WrongAnswer::Option(*given));
                Ok(graded(given == right, wrong, names, First::Option(*given as u8)))
            }
            (Attempt::Order(given), RightAnswer::Order(right), _) => {
                let wrong = self.wrong.iter().find(|wrong| match wrong.is {
                    WrongAnswer::First(at) => given.first() == Some(&at),
                    WrongAnswer::Last(at) => given.last() == Some(&at),
                    _ => false,
                });
                let first = First::Order(given.iter().map(|at| *at as u8).collect());
                Ok(graded(given == right, wrong, names, first))
            }
            (Attempt::Target(state), RightAnswer::Target, QuestionKind::Target { reached, .. }) => {
                let initial = self.page_state(lesson, seed)?.ok_or(LessonError::NoState)?;
                self.grade_target(lesson, &initial, state, reached, evaluator)
            }
            (Attempt::Text(_), RightAnswer::Free, _) => {
                Ok(Graded { right: true, feedback: None, first: First::Text })
            }
            _ => Err(LessonError::AnswerOfAnotherKind.into()),
        }
    }

    fn grade_target(
        &self,
        lesson: &Lesson,
        initial: &PageState,
        state: &State,
        reached: &crate::formula::Condition,
        evaluator: &mut Evaluator,
    ) -> Result<Graded, Error> {
        let final_page = PageState { state: state.clone(), ..initial.clone() };
        let changed = self.free.iter().find_map(|key| {
            let value = setting(state, key);
            value.filter(|_| value != setting(&initial.state, key))
        });
        let first = First::Number(changed.unwrap_or(0.0));
        let is_same = |a: &State, b: &State| {
            let name = |state: &State| state.signatures.first().map(|machine| machine.name.clone());
            name(a) == name(b)
        };
        if !is_same(&initial.state, state) {
            let feedback = Some("This is not the machine of the question.".to_owned());
            return Ok(Graded { right: false, feedback, first });
        }
        let names = self.names(lesson, Some(initial), Some(&final_page), evaluator)?;
        let get = |name: &str| names.get(name);
        let moved = names.get("moved").unwrap_or(0.0);
        let too_many = self.most_free.filter(|most| moved > *most as f64);
        let right = reached.holds(&get) && too_many.is_none();
        let wrong = self.wrong.iter().find(|wrong| match &wrong.is {
            WrongAnswer::State(condition) => condition.holds(&get),
            _ => false,
        });
        let mut graded = graded(right, wrong, &names, first);
        if let (Some(most), false, None) = (too_many, right, &graded.feedback) {
            graded.feedback = Some(match most {
                1 => "Change only one value.".to_owned(),
                most => format!("Change at most {most} values."),
            });
        }
        Ok(graded)
    }
}

fn graded(right: bool, wrong: Option<&Wrong>, names: &Names, first: First) -> Graded {
    let feedback = |wrong: &Wrong| wrong.say.filled(&|name| names.get(name));
    Graded { right, feedback: wrong.filter(|_| !right).map(feedback), first }
}

impl Wrong {
    /// Whether a number is within the tolerance of this wrong answer.
    pub fn is_number(&self, given: f64, within: f64, names: &Names) -> bool {
        let WrongAnswer::Number(formula) = &self.is else { return false };
        let value = formula.value(&|name| names.get(name));
        (given - value).abs() <= within.max(MIN_TOLERANCE) * value.abs()
    }
}

/// Minimum tolerance, since students round numbers.
const MIN_TOLERANCE: f64 = 0.005;

/// The text of an option; the index after the last option is "about the same".
pub fn option_text(options: &[Choice], at: usize, names: &Names) -> String {
    match options.get(at) {
        Some(option) => option.say.filled(&|name| names.get(name)),
        None => ALIKE.to_owned(),
    }
}

/// The option for almost equal values.
pub const ALIKE: &str = "about the same";

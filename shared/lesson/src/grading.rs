//! What an answer is worth, and its feedback.

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
    /// The state that the student has reached.
    Target(Box<State>),
    Said(String),
}

/// A graded answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Graded {
    pub right: bool,
    /// What is said about it, if something is.
    pub feedback: Option<String>,
    pub first: First,
}

impl Step {
    /// Grades an answer.
    ///
    /// # Errors
    /// The answer is of another kind than the question, or the model has no answer to it.
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
                let own = self.page_state(lesson, seed)?.ok_or(LessonError::NoState)?;
                self.grade_target(lesson, &own, state, reached, evaluator)
            }
            (Attempt::Said(_), RightAnswer::Free, _) => {
                Ok(Graded { right: true, feedback: None, first: First::Said })
            }
            _ => Err(LessonError::AnswerOfAnotherKind.into()),
        }
    }

    fn grade_target(
        &self,
        lesson: &Lesson,
        own: &PageState,
        state: &State,
        reached: &crate::formula::Condition,
        evaluator: &mut Evaluator,
    ) -> Result<Graded, Error> {
        let at_end = PageState { state: state.clone(), ..own.clone() };
        let changed = self.free.iter().find_map(|key| {
            let value = setting(state, key);
            value.filter(|_| value != setting(&own.state, key))
        });
        let first = First::Number(changed.unwrap_or(0.0));
        let is_same = |a: &State, b: &State| {
            let name = |state: &State| state.signatures.first().map(|one| one.name.clone());
            name(a) == name(b)
        };
        if !is_same(&own.state, state) {
            let feedback = Some("This is another machine than the question's.".to_owned());
            return Ok(Graded { right: false, feedback, first });
        }
        let names = self.names(lesson, Some(own), Some(&at_end), evaluator)?;
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
    let say = |wrong: &Wrong| wrong.say.filled(&|name| names.get(name));
    Graded { right, feedback: wrong.filter(|_| !right).map(say), first }
}

impl Wrong {
    /// Whether a number is within the tolerance of this wrong answer.
    pub fn is_number(&self, given: f64, within: f64, names: &Names) -> bool {
        let WrongAnswer::Number(formula) = &self.is else { return false };
        let value = formula.value(&|name| names.get(name));
        (given - value).abs() <= within.max(LEAST_TOLERANCE) * value.abs()
    }
}

/// Students round what they type.
const LEAST_TOLERANCE: f64 = 0.005;

/// The text of an option; the one after the last is "about the same".
pub fn option_text(options: &[Choice], at: usize, names: &Names) -> String {
    match options.get(at) {
        Some(option) => option.say.filled(&|name| names.get(name)),
        None => ALIKE.to_owned(),
    }
}

/// The option for values that hardly differ.
pub const ALIKE: &str = "about the same";

//! What a lesson holds.

use crate::formula::{Condition, Formula, Quantity};
use crate::state_spec::{Setting, StateSpec};
use crate::text::Text;
use loggia_model::Signature;
use loggia_model::error::Place;

/// A lesson, read and with its machines.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Its name in links and codes.
    pub name: String,
    pub title: String,
    /// What a student can do afterwards.
    pub goal: String,
    pub minutes: u64,
    /// The names of lessons that come before it.
    pub needs: Vec<String>,
    /// Machines by the names that its steps use.
    pub machines: Vec<(String, Signature)>,
    /// GOAL programs by name.
    pub programs: Vec<(String, String)>,
    /// Sketches by name.
    pub sketches: Vec<(String, String)>,
    pub steps: Vec<Step>,
    /// The lesson as it is written.
    pub written: String,
}

/// A question with its state, its answer, and what is said about answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub place: Place,
    /// What a student must know first.
    pub text: Option<Text>,
    /// The state that the step shows; none if it shows only a table.
    pub state: Option<StateSpec>,
    /// A small measured table: the first row holds the headings.
    pub data: Vec<Vec<String>>,
    /// Inputs and parameters that a student may change to reach a target.
    pub free: Vec<String>,
    /// At most this many of them.
    pub most_free: Option<u64>,
    pub question: Text,
    pub ask: QuestionKind,
    pub lets: Vec<Let>,
    pub reveal: Text,
    /// What differs from the state when the answer is shown.
    pub show: Vec<Setting>,
    /// One is shown after each wrong answer.
    pub hints: Vec<Text>,
    pub wrong: Vec<Wrong>,
    /// Inputs that differ from student to student, with their values.
    pub vary: Vec<(String, Vec<String>)>,
    /// Typed numbers that are measured or known, not computed.
    pub cited: Vec<f64>,
}

/// The kind of a question, and its right answer.
#[derive(Clone, Debug, PartialEq)]
pub enum QuestionKind {
    Number {
        answer: Formula,
        unit: Option<String>,
        /// Relative tolerance.
        within: f64,
    },
    Choice {
        options: Vec<Choice>,
        right: Right,
        /// Below this relative difference between the best two, "about the same" is right.
        alike: Option<f64>,
    },
    /// Options by rising value.
    Order { options: Vec<Choice> },
    /// A state in which a condition holds.
    Target { reached: Condition, solution: Vec<Setting> },
    /// Free text, ungraded.
    Say,
}

impl QuestionKind {
    pub fn kind(&self) -> &'static str {
        match self {
            QuestionKind::Number { .. } => "number",
            QuestionKind::Choice { .. } => "choice",
            QuestionKind::Order { .. } => "order",
            QuestionKind::Target { .. } => "target",
            QuestionKind::Say => "say",
        }
    }

    pub fn options(&self) -> &[Choice] {
        match self {
            QuestionKind::Choice { options, .. } | QuestionKind::Order { options } => options,
            _ => &[],
        }
    }
}

/// Which option is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// That with the largest value.
    Most,
    /// That with the smallest value.
    Least,
    /// That whose condition holds.
    Condition,
    /// This one.
    Option(usize),
}

/// An option.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub say: Text,
    pub value: Option<Formula>,
    pub right: Option<Condition>,
}

/// A name for a quantity of the model's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    pub name: String,
    /// What differs from the step's state.
    pub set: Vec<Setting>,
    pub report: Option<Report>,
    pub get: Quantity,
    pub place: Place,
}

/// A report that a state has besides that of its view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// The signature itself.
    Signature,
    /// The comparison of its machines.
    Comparison,
}

/// A known wrong answer and its feedback.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrong {
    pub is: WrongAnswer,
    pub say: Text,
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq)]
pub enum WrongAnswer {
    /// A number within the tolerance of this one.
    Number(Formula),
    /// An option; the one after the last is "about the same".
    Option(usize),
    /// An order with this option first.
    First(usize),
    /// An order with this option last.
    Last(usize),
    /// A state in which this holds, although the target is missed.
    State(Condition),
}

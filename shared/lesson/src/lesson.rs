//! The content of a lesson.

use crate::formula::{Condition, Formula, Quantity};
use crate::state_spec::{Setting, StateSpec};
use crate::text::Text;
use loggia_model::Signature;
use loggia_model::error::Place;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// A lesson with its machines.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Name in links.
    pub name: String,
    pub title: String,
    /// The learning goal.
    pub goal: String,
    pub minutes: u64,
    /// Names of lessons that it requires.
    pub needs: Vec<String>,
    /// Machines by the names that its steps use.
    pub machines: Vec<(String, Signature)>,
    /// GOAL programs by name.
    pub programs: Vec<(String, String)>,
    /// Sketches by name.
    pub sketches: Vec<(String, String)>,
    pub steps: Vec<Step>,
    /// The text of the lesson.
    pub written: String,
}

/// A question with its state, its answer and its feedback.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub place: Place,
    /// The introduction to the question.
    pub text: Option<Text>,
    /// A picture between text and question.
    pub picture: Option<Picture>,
    /// The shown state; `None` if the step shows only a table.
    pub state: Option<StateSpec>,
    /// A small table of measurements; the first row has the headings.
    pub data: Vec<Vec<String>>,
    /// Inputs and parameters that a student may change to reach a target.
    pub free: Vec<String>,
    /// Maximum number of changes.
    pub most_free: Option<u64>,
    pub question: Text,
    pub ask: QuestionKind,
    pub lets: Vec<Let>,
    pub reveal: Text,
    /// Changes of the state when the answer is shown.
    pub show: Vec<Setting>,
    /// Hints, one per wrong answer.
    pub hints: Vec<Text>,
    pub wrong: Vec<Wrong>,
    /// Inputs that differ between students, with their values.
    pub vary: Vec<(String, Vec<String>)>,
    /// Typed numbers with a source, which are not computed.
    pub cited: Vec<f64>,
}

/// A picture without numbers, so that it gives no answer away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Picture {
    /// A message under LogGP.
    Message,
    /// Request, reply and data of a message above the eager limit.
    Handshake,
    /// A broadcast by a binomial tree.
    Tree,
    /// Each rank sends to the next.
    Ring,
}

impl Picture {
    pub const ALL: [Picture; 4] =
        [Picture::Message, Picture::Handshake, Picture::Tree, Picture::Ring];

    /// The name in a lesson.
    pub fn name(self) -> &'static str {
        match self {
            Picture::Message => "message",
            Picture::Handshake => "handshake",
            Picture::Tree => "tree",
            Picture::Ring => "ring",
        }
    }
}

/// The kind of answer that a question asks for.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum AnswerKind {
    Number,
    Choice,
    Order,
    Target,
    Say,
}

impl AnswerKind {
    /// The name in a lesson.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
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
        /// If the two best options differ by less than this, "about the same" is right.
        alike: Option<f64>,
    },
    /// Options in increasing order of value.
    Order { options: Vec<Choice> },
    /// A state in which a condition holds.
    Target { reached: Condition, solution: Vec<Setting> },
    /// Free text, ungraded.
    Say,
}

impl QuestionKind {
    pub fn answer(&self) -> AnswerKind {
        match self {
            QuestionKind::Number { .. } => AnswerKind::Number,
            QuestionKind::Choice { .. } => AnswerKind::Choice,
            QuestionKind::Order { .. } => AnswerKind::Order,
            QuestionKind::Target { .. } => AnswerKind::Target,
            QuestionKind::Say => AnswerKind::Say,
        }
    }

    pub fn options(&self) -> &[Choice] {
        match self {
            QuestionKind::Choice { options, .. } | QuestionKind::Order { options } => options,
            _ => &[],
        }
    }
}

/// The rule for the right option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// The option with the largest value.
    Most,
    /// The option with the smallest value.
    Least,
    /// The option whose condition holds.
    Condition,
    /// The option with this index.
    Option(usize),
}

/// An option.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub say: Text,
    pub value: Option<Formula>,
    pub right: Option<Condition>,
}

/// A named quantity of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    pub name: String,
    /// Changes to the step's state.
    pub set: Vec<Setting>,
    pub report: Option<Report>,
    pub get: Quantity,
    pub place: Place,
}

/// A report other than that of the view.
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
    /// A number within the tolerance of this value.
    Number(Formula),
    /// An option; the index after the last option is "about the same".
    Option(usize),
    /// An order with this option first.
    First(usize),
    /// An order with this option last.
    Last(usize),
    /// A state that satisfies this condition and misses the target.
    State(Condition),
}

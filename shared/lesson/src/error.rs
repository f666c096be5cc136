//! Errors in lessons, and in answers to lessons.

use loggia_link::state::View;
use loggia_model::Error;
use loggia_model::error::{Input, Place, REPORT};
use loggia_plan::expression;

const FORMULA: &str = "write a formula such as 100 * o / t, with names of `let`; supported: \
                       + - * / ^ ( ), log2, sqrt, ceil, floor, abs, min and max";

/// TOML of a lesson.
pub(crate) type Toml<'a> = loggia_plan::toml_text::Toml<'a, Error>;

/// Why a lesson cannot be read or solved.
#[derive(Clone, Debug, PartialEq)]
pub enum LessonError {
    TooLong,
    /// The version of the format is missing.
    NotALesson,
    StepCount {
        most: usize,
    },
    Missing(String),
    NotAPercentage(String),
    NotANumber(String),
    MachineWithoutSource,
    LinkWithoutMachine,
    InvalidName(String),
    EmptyList,
    OptionCount {
        most: usize,
    },
    /// An option of an order question lacks a value.
    OrderWithoutValue,
    /// An option of a choice of the largest or smallest value lacks a value.
    ChoiceWithoutValue,
    /// A wrong answer to an order question is neither `first: …` nor `last: …`.
    NotAnOrder(String),
    WrongAnswerOfText,
    Formula(expression::Mistake),
    NotAFormula(String),
    NotACondition(String),
    OpenBrace,
    OpenBracket(String),
    NoMachine,
    NoState,
    /// A view without a report for lessons.
    NoReport(View),
    /// The state lacks an input that its view needs.
    MissingInput(Input),
    UnreadableReport(String),
    /// A report has no number at this path.
    NoNumber {
        path: String,
    },
    /// A report has text at this path.
    NotNumeric {
        path: String,
    },
    EqualOptions,
    NoRightOption,
    SeveralRightOptions(usize),
    EqualBest,
    InfiniteAnswer,
    NoStep {
        at: usize,
        steps: usize,
    },
    /// An answer of another kind than the question.
    AnswerOfAnotherKind,
    Finding(Finding),
}

/// A contradiction between a lesson and the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A typed number differs from its formula.
    Contradiction {
        typed: String,
        formula: String,
        computed: String,
    },
    TypedNumber(String),
    InfiniteWrongAnswer,
    WrongAnswerIsRight,
    AlreadyInOrder,
    TargetWithoutState,
    TargetReachedAtFirst,
    SolutionMisses,
}

impl LessonError {
    /// The error at a place.
    pub(crate) fn at(self, place: impl Into<Place>) -> Error {
        Error::from(self).at(place)
    }
}

impl From<Finding> for LessonError {
    fn from(finding: Finding) -> Self {
        LessonError::Finding(finding)
    }
}

impl From<LessonError> for Error {
    fn from(error: LessonError) -> Self {
        let (message, help) = error.words();
        Error::new(message, Place::Nowhere, help)
    }
}

impl LessonError {
    /// Message and remedy.
    fn words(self) -> (String, &'static str) {
        use LessonError::*;
        let (message, help) = match self {
            TooLong => ("this lesson is too long", "shorten it to at most 64 KiB"),
            NotALesson => ("this is not a lesson", "begin with loggia-lesson = 1"),
            StepCount { most } => {
                return (
                    format!("a lesson has 1 to {most} steps"),
                    "begin each step with [[step]]",
                );
            }
            Missing(key) => {
                let help = match key.as_str() {
                    "within" => "add a tolerance for the number, such as within = \"5%\"",
                    "answer" => "add it, such as answer = \"t\"",
                    "options" => "add options, each with its text (say)",
                    "minutes" => "add it, such as minutes = 10",
                    _ => "add it",
                };
                return (format!("{key} is missing"), help);
            }
            NotAPercentage(text) => {
                return (
                    format!("`{text}` is not a percentage"),
                    "write a percentage such as \"5%\"",
                );
            }
            NotANumber(text) => {
                return (
                    format!("`{text}` is not a number"),
                    "write a number such as {100*o/t = 92}",
                );
            }
            MachineWithoutSource => {
                ("this machine has no source", "add source = \"…\" with the origin of its numbers")
            }
            LinkWithoutMachine => ("this link has no machine", "copy the link of a view"),
            InvalidName(name) => {
                let help = "use letters, digits and _, and no existing name";
                return (format!("`{name}` cannot be a name"), help);
            }
            EmptyList => ("this list is empty", "add values"),
            OptionCount { most } => {
                return (format!("a choice has 2 to {most} options"), "add or remove options");
            }
            OrderWithoutValue => ("an option of an order has no value", "give each option a value"),
            ChoiceWithoutValue => (
                "an option has no value",
                "give each option a value, or mark the right option by a condition",
            ),
            NotAnOrder(text) => {
                let help = "write an order such as \"first: ring\" or \"last: ring\"";
                return (format!("`{text}` is not an order"), help);
            }
            WrongAnswerOfText => ("free text has no wrong answer", "remove it"),
            Formula(mistake) => return (mistake.to_string(), FORMULA),
            NotAFormula(text) => return (format!("`{text}` is not a formula"), FORMULA),
            NotACondition(text) => {
                let help = "write a condition such as t <= 90, or a < b and c > d";
                return (format!("`{text}` is not a condition"), help);
            }
            OpenBrace => ("a brace is not closed", "write a computed number as {t}"),
            OpenBracket(text) => {
                return (format!("`{text}` lacks a ]"), "write a path such as terms[L].total_us");
            }
            NoMachine => {
                ("the state has no machine", "add machine = \"…\" with a name of [machines]")
            }
            NoState => ("this step has no state", "add state = { … }"),
            NoReport(view) => {
                let help =
                    "use message, overlap, collectives, simulate, plan, compare or signature";
                return (format!("the view {} has no quantities for lessons", view.name()), help);
            }
            MissingInput(input) => {
                return (format!("the state lacks {}", input.name()), "add it to the state");
            }
            UnreadableReport(reason) => {
                return (format!("the report cannot be read: {reason}"), REPORT);
            }
            NoNumber { path } => {
                let message = format!("the model gives no number for {path}");
                return (message, "use another quantity");
            }
            NotNumeric { path } => {
                return (format!("{path} is not a number"), "use another quantity");
            }
            EqualOptions => ("two options have the same value", "remove one of them"),
            NoRightOption => ("no option is right", "change the options or the state"),
            SeveralRightOptions(count) => {
                let help = "exactly one option must be right: change the options or the state";
                return (format!("{count} options are right"), help);
            }
            EqualBest => ("the best two options are equal", "add alike = \"3%\""),
            InfiniteAnswer => ("the answer is not a number", "check the formula"),
            NoStep { at, steps } => {
                let message = format!("this lesson has no step {at}: it has steps 1 to {steps}");
                return (message, "choose one of these steps");
            }
            AnswerOfAnotherKind => {
                ("the kind of this answer does not match the question", "answer the question again")
            }
            Finding(finding) => return finding.words(),
        };
        (message.to_owned(), help)
    }
}

impl Finding {
    fn words(self) -> (String, &'static str) {
        use Finding::*;
        let (message, help) = match self {
            Contradiction { typed, formula, computed } => {
                let message =
                    format!("the text has {typed} for {formula}, but the model gives {computed}");
                return (message, "change the text or the state");
            }
            TypedNumber(number) => {
                let help =
                    "write {name} or {formula = number}, or list the number in cited with a source";
                return (format!("`{number}` is typed, not computed"), help);
            }
            InfiniteWrongAnswer => ("this wrong answer is not a number", "check its formula"),
            WrongAnswerIsRight => (
                "this wrong answer is right according to the model",
                "remove it, or change the state",
            ),
            AlreadyInOrder => {
                ("the options are already in the right order", "write them in another order")
            }
            TargetWithoutState => ("a target needs a state", "add state = { … }"),
            TargetReachedAtFirst => {
                ("the initial state already reaches the target", "change the state or the answer")
            }
            SolutionMisses => {
                ("the solution misses the target", "change the solution or the answer")
            }
        };
        (message.to_owned(), help)
    }
}

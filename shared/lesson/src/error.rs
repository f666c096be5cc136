//! Mistakes in lessons, and in answers to them.

use loggia_link::state::View;
use loggia_model::Error;
use loggia_model::error::{Input, Place, REPORT};
use loggia_plan::expression;

const GUIDE: &str = "see the guide for teachers, docs/lessons.md";
const FORMULA: &str = "write such as 100 * o / t, with names of `let`; known are + - * / ^ ( ), \
                       log2, sqrt, ceil, floor, abs, min and max";

/// Why a lesson cannot be read, or its model has no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum LessonError {
    TooLong,
    /// Not TOML, in the words of its reader.
    NotToml(String),
    /// No version of the format.
    NotALesson,
    StepCount {
        most: usize,
    },
    Missing(String),
    ExpectedTable,
    ExpectedList,
    ExpectedText,
    ExpectedNumber,
    ExpectedPositiveInteger,
    NotAPercentage(String),
    NotANumber(String),
    MachineWithoutSource,
    LinkWithoutMachine,
    InvalidName(String),
    EmptyList,
    OptionCount {
        most: usize,
    },
    /// An option of an order, which needs a value.
    OrderWithoutValue,
    /// An option of a choice of the most or the least.
    ChoiceWithoutValue,
    /// A wrong answer of an order that is neither `first: …` nor `last: …`.
    NotAnOrder(String),
    WrongAnswerOfText,
    Formula(expression::Mistake),
    NotAFormula(String),
    NotACondition(String),
    OpenBrace,
    OpenBracket(String),
    NoMachine,
    NoState,
    /// A view whose report lessons do not read.
    NoReport(View),
    /// The state lacks an input that its view needs.
    MissingInput(Input),
    /// A report that is not JSON.
    UnreadableReport(String),
    /// The model has no number at this path of a report.
    NoNumber {
        path: String,
    },
    /// Words at this path of a report.
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

/// What the model says against a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A number that is typed in a text, and what the formula gives.
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
            TooLong => ("this is longer than any lesson", "64 KiB at most"),
            NotToml(reason) => return (format!("this is not TOML: {reason}"), GUIDE),
            NotALesson => ("this is not a lesson", "begin with loggia-lesson = 1"),
            StepCount { most } => {
                return (format!("a lesson has 1 to {most} steps"), "begin each with [[step]]");
            }
            Missing(key) => {
                let help = match key.as_str() {
                    "within" => "a number needs a tolerance, such as within = \"5%\"",
                    "answer" => "add it, such as answer = \"t\"",
                    "options" => "add them, each with what it says",
                    "minutes" => "add it, such as minutes = 10",
                    _ => "add it",
                };
                return (format!("{key} is missing"), help);
            }
            ExpectedTable => ("expected a table", GUIDE),
            ExpectedList => ("expected a list", GUIDE),
            ExpectedText => ("expected a text", "put it between quotes"),
            ExpectedNumber => ("expected a number", "such as 606"),
            ExpectedPositiveInteger => ("expected a whole number above 0", "such as 8"),
            NotAPercentage(text) => {
                return (format!("`{text}` is not a percentage"), "such as \"5%\"");
            }
            NotANumber(text) => {
                return (format!("`{text}` is not a number"), "write such as {100*o/t = 92}");
            }
            MachineWithoutSource => {
                ("this machine has no source", "say where its numbers are from")
            }
            LinkWithoutMachine => ("this link has no machine", "copy the link of a view"),
            InvalidName(name) => {
                let help = "names are letters, digits and _, and none that is known already";
                return (format!("`{name}` cannot be a name"), help);
            }
            EmptyList => ("this list is empty", "add values"),
            OptionCount { most } => {
                return (format!("a choice has 2 to {most} options"), "add or remove some");
            }
            OrderWithoutValue => ("an option of an order has no value", "give each option a value"),
            ChoiceWithoutValue => (
                "an option has no value",
                "give each option a value, or mark the right one by a condition",
            ),
            NotAnOrder(text) => {
                let help = "write such as \"first: ring\" or \"last: ring\"";
                return (format!("`{text}` names no order"), help);
            }
            WrongAnswerOfText => ("free text has no wrong answer", "remove it"),
            Formula(mistake) => return (mistake.to_string(), FORMULA),
            NotAFormula(text) => return (format!("`{text}` is not a formula"), FORMULA),
            NotACondition(text) => {
                let help = "write such as t <= 90, or a < b and c > d";
                return (format!("`{text}` compares nothing"), help);
            }
            OpenBrace => ("a brace is not closed", "write a computed number as {t}"),
            OpenBracket(text) => {
                return (format!("`{text}` lacks a ]"), "write such as terms[L].total_us");
            }
            NoMachine => {
                ("the state names no machine", "write machine = \"…\", a name of [machines]")
            }
            NoState => ("this step has no state", "add state = { … }"),
            NoReport(view) => {
                let help =
                    "use message, overlap, collectives, simulate, plan, compare or signature";
                return (format!("lessons ask nothing of the view {}", view.name()), help);
            }
            MissingInput(input) => {
                return (format!("the state lacks {}", input.name()), "add it");
            }
            UnreadableReport(reason) => {
                return (format!("the report cannot be read: {reason}"), REPORT);
            }
            NoNumber { path } => {
                let message = format!("the model gives no number for {path}");
                return (message, "ask for another quantity");
            }
            NotNumeric { path } => {
                return (format!("{path} is not a number"), "ask for another quantity");
            }
            EqualOptions => ("two options have the same value", "remove one"),
            NoRightOption => ("no option is right", "change the options or the state"),
            SeveralRightOptions(count) => {
                let help = "exactly one must be: change the options or the state";
                return (format!("{count} options are right"), help);
            }
            EqualBest => ("the best two options are equal", "add alike = \"3%\""),
            InfiniteAnswer => ("the answer is not a number", "check the formula"),
            NoStep { at, steps } => {
                let message = format!("this lesson has no step {at}: it has steps 1 to {steps}");
                return (message, "choose one of them");
            }
            AnswerOfAnotherKind => {
                ("this answer is of another kind than the question", "answer the question again")
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
                let message = format!("the text says {typed} for {formula}, the model {computed}");
                return (message, "change the text, or the state");
            }
            TypedNumber(number) => {
                let help = "write {name}, or {formula = number}, or list it in cited with a source";
                return (format!("`{number}` is typed, not computed"), help);
            }
            InfiniteWrongAnswer => ("this wrong answer is not a number", "check its formula"),
            WrongAnswerIsRight => {
                ("this wrong answer is right by the model", "remove it, or change the state")
            }
            AlreadyInOrder => {
                ("the options already stand in the right order", "write them in another order")
            }
            TargetWithoutState => ("a target needs a state", "add state = { … }"),
            TargetReachedAtFirst => {
                ("the target is reached at the beginning", "change the state or the answer")
            }
            SolutionMisses => {
                ("the solution misses the target", "change the solution or the answer")
            }
        };
        (message.to_owned(), help)
    }
}

//! Finds the codes of a class in a text, and counts the answers of each step.

use crate::code::Unreadable;
use crate::evaluation::Evaluator;
use crate::grading::option_text;
use crate::lesson::{AnswerKind, Lesson, QuestionKind, Step, WrongAnswer};
use crate::progress::{First, Progress, Record};
use crate::solution::{RightAnswer, Solution};
use crate::text::shown;
use loggia_model::Error;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Prefix of a code in a text.
pub const PREFIX: &str = "L1";
/// Separator of prefix, name and code.
pub const SEPARATOR: char = '·';

/// A student's code with prefix and name; a later code of the same name replaces it.
pub fn signed(name: &str, code: &str) -> String {
    let name: String = name.chars().filter(|c| !is_separator(*c)).take(40).collect();
    format!("{PREFIX}{SEPARATOR}{}{SEPARATOR}{code}", name.trim())
}

/// The answers of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Class {
    pub lesson: String,
    /// Number of students with a code.
    pub students: usize,
    /// Number of codes that were replaced by a later code of the same name.
    pub replaced: usize,
    /// Number of codes of other lessons, or of other versions of this lesson.
    pub of_other_lessons: usize,
    /// Names of damaged codes.
    pub damaged: Vec<String>,
    pub steps: Vec<ClassStep>,
}

impl Class {
    /// Whether the text contained no code.
    #[must_use]
    pub fn has_no_codes(&self) -> bool {
        self.students == 0 && self.of_other_lessons == 0 && self.damaged.is_empty()
    }
}

/// The answers of a class in one step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassStep {
    pub question: String,
    pub kind: AnswerKind,
    pub answered: usize,
    pub right_at_first: usize,
    pub right_at_last: usize,
    pub with_hint: usize,
    pub gave_up: usize,
    /// Counts of first answers; for numbers, of the right answer and the known wrong answers.
    pub answers: Vec<AnswerCount>,
    /// For numbers, the first answers.
    pub numbers: Vec<f64>,
    /// For numbers, the accepted interval.
    pub accepted: Option<[f64; 2]>,
}

/// Number of students with a first answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerCount {
    pub answer: String,
    pub count: usize,
    pub is_right: bool,
    /// The feedback for a known wrong answer.
    pub feedback: Option<String>,
}

/// Finds the codes in a text: name and code, in order.
pub fn find(text: &str) -> Vec<(String, String)> {
    let mut codes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(PREFIX) {
        let is_word_start = !rest[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        rest = &rest[at + PREFIX.len()..];
        if let Some((length, name, code)) = is_word_start.then(|| parse_code(rest)).flatten() {
            rest = &rest[length..];
            codes.push((name, code));
        }
    }
    codes
}

/// Parses a code after its prefix: length in bytes, the student's name, the code.
fn parse_code(text: &str) -> Option<(usize, String, String)> {
    let after = text.strip_prefix(is_separator)?;
    let line = after.split('\n').next()?;
    let (name, code) = line.split_once(is_separator)?;
    let end = code.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(code.len());
    let code = &code[..end];
    let begin = code.as_ptr() as usize - text.as_ptr() as usize;
    (!code.is_empty() && name.chars().count() <= 40 && !name.contains(PREFIX))
        .then(|| (begin + end, name.trim().to_owned(), code.to_owned()))
}

/// The separator, or a similar character that chats replace it with.
fn is_separator(c: char) -> bool {
    matches!(c, '·' | '•' | '・' | '|')
}

impl Class {
    /// Reads all codes in a text.
    ///
    /// # Errors
    /// If the model has no answer in a step.
    pub fn of(lesson: &Lesson, text: &str, evaluator: &mut Evaluator) -> Result<Self, Error> {
        let mut students: BTreeMap<String, Progress> = BTreeMap::new();
        let (mut replaced, mut of_other_lessons, mut damaged) = (0, 0, Vec::new());
        for (name, code) in find(text) {
            match lesson.progress(&code) {
                Err(Unreadable::OtherLesson) => of_other_lessons += 1,
                Err(Unreadable::Damaged) => damaged.push(name),
                Ok(progress) => {
                    replaced += usize::from(students.insert(name, progress).is_some());
                }
            }
        }
        let mut steps = Vec::new();
        for (at, step) in lesson.steps.iter().enumerate() {
            let solution = step.solve(lesson, 0, evaluator)?;
            let mut records = Vec::new();
            for progress in students.values() {
                if let Some(record) = progress.record(at) {
                    let variant = step.solve(lesson, progress.seed, evaluator)?;
                    records.push(scaled_to_first_variant(record.clone(), &variant, &solution));
                }
            }
            steps.push(ClassStep::of(step, &solution, &records));
        }
        Ok(Class {
            lesson: lesson.title.clone(),
            students: students.len(),
            replaced,
            of_other_lessons,
            damaged,
            steps,
        })
    }
}

/// Scales a number from another variant of the step to the right answer of the first variant.
fn scaled_to_first_variant(record: Record, variant: &Solution, first: &Solution) -> Record {
    let scaled = match (&record.first, &variant.right, &first.right) {
        (
            First::Number(number),
            RightAnswer::Number { value: variant, .. },
            RightAnswer::Number { value, .. },
        ) => number / variant * value,
        _ => return record,
    };
    Record { first: First::Number(scaled), ..record }
}

impl ClassStep {
    fn of(step: &Step, solution: &Solution, records: &[Record]) -> Self {
        let count =
            |is: &dyn Fn(&Record) -> bool| records.iter().filter(|record| is(record)).count();
        let firsts: Vec<&First> = records.iter().map(|record| &record.first).collect();
        let names = &solution.names;
        let get = |name: &str| names.get(name);
        let numbers: Vec<f64> = firsts
            .iter()
            .filter_map(|first| match first {
                First::Number(number) => Some(*number),
                _ => None,
            })
            .collect();
        let accepted = match solution.right {
            RightAnswer::Number { low, high, .. } => Some([low, high]),
            _ => None,
        };
        ClassStep {
            question: step.question.filled(&get),
            kind: step.ask.answer(),
            answered: records.len(),
            right_at_first: count(&|record| record.is_right_at_first()),
            right_at_last: count(&|record| record.right),
            with_hint: count(&|record| record.hint),
            gave_up: count(&|record| record.gave_up),
            answers: answers(step, solution, &firsts, &numbers),
            numbers,
            accepted,
        }
    }
}

fn answers(
    step: &Step,
    solution: &Solution,
    firsts: &[&First],
    numbers: &[f64],
) -> Vec<AnswerCount> {
    let names = &solution.names;
    let get = |name: &str| names.get(name);
    match (&step.ask, &solution.right) {
        (QuestionKind::Choice { options, alike, .. }, RightAnswer::Option(right)) => {
            let count = options.len() + usize::from(alike.is_some());
            let answer = |at: usize| AnswerCount {
                answer: option_text(options, at, names),
                count: firsts.iter().filter(|first| ***first == First::Option(at as u8)).count(),
                is_right: at == *right,
                feedback: step
                    .wrong
                    .iter()
                    .find(|wrong| wrong.is == WrongAnswer::Option(at))
                    .map(|wrong| wrong.say.filled(&get)),
            };
            (0..count).map(answer).collect()
        }
        (QuestionKind::Order { options }, RightAnswer::Order(right)) => {
            let mut orders: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
            for first in firsts {
                if let First::Order(order) = first {
                    *orders.entry(order.clone()).or_default() += 1;
                }
            }
            let order_text = |order: &[u8]| {
                let option = |at: &u8| option_text(options, usize::from(*at), names);
                order.iter().map(option).collect::<Vec<_>>().join(" < ")
            };
            let is_right =
                |order: &[u8]| order.iter().map(|at| usize::from(*at)).eq(right.iter().copied());
            let mut all: Vec<AnswerCount> = orders
                .iter()
                .map(|(order, count)| AnswerCount {
                    answer: order_text(order),
                    count: *count,
                    is_right: is_right(order),
                    feedback: None,
                })
                .collect();
            all.sort_by_key(|answer| std::cmp::Reverse(answer.count));
            all
        }
        (QuestionKind::Number { within, unit, .. }, RightAnswer::Number { value, low, high }) => {
            let unit = unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
            let is_accepted = |number: &&f64| (*low..=*high).contains(*number);
            let right = AnswerCount {
                answer: format!("{}{unit}", shown(*value)),
                count: numbers.iter().filter(is_accepted).count(),
                is_right: true,
                feedback: None,
            };
            let wrong = step.wrong.iter().filter_map(|wrong| {
                let WrongAnswer::Number(formula) = &wrong.is else { return None };
                let is_this_answer = |number: &&f64| {
                    !is_accepted(number) && wrong.is_number(**number, *within, names)
                };
                Some(AnswerCount {
                    answer: format!("{}{unit}", shown(formula.value(&get))),
                    count: numbers.iter().filter(is_this_answer).count(),
                    is_right: false,
                    feedback: Some(wrong.say.filled(&get)),
                })
            });
            std::iter::once(right).chain(wrong).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::library;

    fn code(lesson: &Lesson, first: First, right: bool) -> String {
        let record = Record { first, tries: 1, hint: !right, gave_up: false, right };
        lesson.code(&Progress { seed: 0, steps: vec![Some(record)] })
    }

    #[test]
    fn forty_codes_are_found_in_a_chat() {
        let lesson = library::named("four-numbers").unwrap();
        let mut chat = String::from("Teacher: please send your codes! L1 is the prefix.\n");
        for at in 0..40 {
            let first = First::Option(if at % 4 == 0 { 0 } else { 2 });
            let text = signed(&format!("Student {at}"), &code(&lesson, first, at % 4 != 0));
            chat += &format!("[10:{at:02}] Student {at}: here it is {text}, thanks\n");
        }
        // A second code of a student, a damaged code, and a code of another lesson.
        chat += &signed("Student 1", &code(&lesson, First::Option(0), false));
        chat += &format!("\n{}\n", &signed("Eve", &code(&lesson, First::Option(0), false)[..9]));
        let other = library::named("who-waits").unwrap();
        chat += &signed("Mallory", &other.code(&Progress::default()));
        let class = Class::of(&lesson, &chat, &mut Evaluator::default()).unwrap();
        assert_eq!((class.students, class.replaced, class.of_other_lessons), (40, 1, 1));
        assert_eq!(class.damaged, ["Eve"]);
        let first = &class.steps[0];
        assert_eq!((first.answered, first.right_at_first), (40, 29));
        let counts: Vec<_> =
            first.answers.iter().map(|answer| (answer.count, answer.is_right)).collect();
        assert_eq!(counts, [(11, false), (0, false), (29, true)]);
        assert_eq!(class.steps[1].answered, 0);
    }

    #[test]
    fn other_texts_are_not_codes() {
        assert!(find("L1 L1· L1·a XL1·a·B3 L1·\n·x").is_empty());
        let codes = find("(L1|Zoë|0A-) and L1·b c·Z9.");
        assert_eq!(codes, [("Zoë".into(), "0A".into()), ("b c".into(), "Z9".into())]);
    }
}

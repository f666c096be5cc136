//! The codes of a class: found in any text, merged, and counted step by step.

use crate::code::Unreadable;
use crate::evaluation::Evaluator;
use crate::grading::option_text;
use crate::lesson::{Lesson, QuestionKind, Step, WrongAnswer};
use crate::progress::{First, Progress, Record};
use crate::solution::{RightAnswer, Solution};
use crate::text::shown;
use loggia_model::Error;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a code begins with.
pub const PREFIX: &str = "L1";
/// What stands between prefix, name and code.
pub const SEPARATOR: char = '·';

/// A student's code, with the name under which a later one replaces it.
pub fn signed(name: &str, code: &str) -> String {
    let name: String = name.chars().filter(|c| !is_separator(*c)).take(40).collect();
    format!("{PREFIX}{SEPARATOR}{}{SEPARATOR}{code}", name.trim())
}

/// The answers of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Class {
    pub lesson: String,
    /// How many students have sent a code.
    pub students: usize,
    /// Codes that a later code of the same name replaces.
    pub replaced: usize,
    /// Codes of other lessons, or of another version of this one.
    pub of_other_lessons: usize,
    /// The names of codes in which a character is wrong or missing.
    pub damaged: Vec<String>,
    pub steps: Vec<ClassStep>,
}

impl Class {
    /// Whether the text had no code at all.
    #[must_use]
    pub fn has_no_codes(&self) -> bool {
        self.students == 0 && self.of_other_lessons == 0 && self.damaged.is_empty()
    }
}

/// The answers of a class in one step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassStep {
    pub question: String,
    pub kind: String,
    pub answered: usize,
    pub right_at_first: usize,
    pub right_at_last: usize,
    pub with_hint: usize,
    pub gave_up: usize,
    /// How often each first answer was given; for numbers, the right answer and the known mistakes.
    pub answers: Vec<AnswerCount>,
    /// Of numbers: first answers, and the accepted band.
    pub numbers: Vec<f64>,
    pub accepted: Option<[f64; 2]>,
}

/// How often an answer was given first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerCount {
    pub answer: String,
    pub count: usize,
    pub is_right: bool,
    /// What is said about this mistake.
    pub feedback: Option<String>,
}

/// Codes in a text: name and code, in the order of the text.
pub fn find(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(PREFIX) {
        let is_begin = !rest[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        rest = &rest[at + PREFIX.len()..];
        if let Some(one) = is_begin.then(|| parse_code(rest)).flatten() {
            rest = &rest[one.0..];
            found.push((one.1, one.2));
        }
    }
    found
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

/// Chats replace the dot by similar characters.
fn is_separator(c: char) -> bool {
    matches!(c, '·' | '•' | '・' | '|')
}

impl Class {
    /// Reads all codes in a text.
    ///
    /// # Errors
    /// The model has no answer in a step.
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
                    let own = step.solve(lesson, progress.seed, evaluator)?;
                    records.push(scaled_to_first_variant(record.clone(), &own, &solution));
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

/// Scales a number given for another variant of the step to the first variant's right answer.
fn scaled_to_first_variant(record: Record, own: &Solution, first: &Solution) -> Record {
    let scaled = match (&record.first, &own.right, &first.right) {
        (
            First::Number(number),
            RightAnswer::Number { value: own, .. },
            RightAnswer::Number { value, .. },
        ) => number / own * value,
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
            kind: step.ask.kind().to_owned(),
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
            let said = |order: &[u8]| {
                let one = |at: &u8| option_text(options, usize::from(*at), names);
                order.iter().map(one).collect::<Vec<_>>().join(" < ")
            };
            let is_right =
                |order: &[u8]| order.iter().map(|at| usize::from(*at)).eq(right.iter().copied());
            let mut all: Vec<AnswerCount> = orders
                .iter()
                .map(|(order, count)| AnswerCount {
                    answer: said(order),
                    count: *count,
                    is_right: is_right(order),
                    feedback: None,
                })
                .collect();
            all.sort_by_key(|one| std::cmp::Reverse(one.count));
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
                let is_it = |number: &&f64| {
                    !is_accepted(number) && wrong.is_number(**number, *within, names)
                };
                Some(AnswerCount {
                    answer: format!("{}{unit}", shown(formula.value(&get))),
                    count: numbers.iter().filter(is_it).count(),
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
        // Sent twice; a character lost; another lesson.
        chat += &signed("Student 1", &code(&lesson, First::Option(0), false));
        chat += &format!("\n{}\n", &signed("Eve", &code(&lesson, First::Option(0), false)[..9]));
        let other = library::named("who-waits").unwrap();
        chat += &signed("Mallory", &other.code(&Progress::default()));
        let class = Class::of(&lesson, &chat, &mut Evaluator::default()).unwrap();
        assert_eq!((class.students, class.replaced, class.of_other_lessons), (40, 1, 1));
        assert_eq!(class.damaged, ["Eve"]);
        let first = &class.steps[0];
        assert_eq!((first.answered, first.right_at_first), (40, 29));
        let counts: Vec<_> = first.answers.iter().map(|one| (one.count, one.is_right)).collect();
        assert_eq!(counts, [(11, false), (0, false), (29, true)]);
        assert_eq!(class.steps[1].answered, 0);
    }

    #[test]
    fn what_is_no_code_is_passed_over() {
        assert!(find("L1 L1· L1·a XL1·a·B3 L1·\n·x").is_empty());
        let found = find("(L1|Zoë|0A-) and L1·b c·Z9.");
        assert_eq!(found, [("Zoë".into(), "0A".into()), ("b c".into(), "Z9".into())]);
    }
}

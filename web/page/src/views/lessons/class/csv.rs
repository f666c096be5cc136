//! The answers of a class as CSV: a row for each answer to each step.

use loggia_exchange::csv::row;
use loggia_worker::class::{AnswerCount, Class, ClassStep};

const HEAD: [&str; 12] = [
    "lesson",
    "step",
    "question",
    "answered",
    "right at first",
    "right at last",
    "with hint",
    "gave up",
    "answer",
    "count",
    "is right",
    "first numbers",
];

pub(super) fn csv(class: &Class) -> String {
    let mut text = row(&HEAD);
    for (at, step) in class.steps.iter().enumerate() {
        let about = about(class, at + 1, step);
        let numbers: Vec<String> = step.numbers.iter().map(f64::to_string).collect();
        if step.answers.is_empty() {
            text += &row(&[&about[..], &[(); 4].map(|()| String::new())].concat());
        }
        for (i, answer) in step.answers.iter().enumerate() {
            let numbers = if i == 0 { numbers.join(" ") } else { String::new() };
            text += &row(&[&about[..], &cells(answer), &[numbers]].concat());
        }
    }
    text
}

fn about(class: &Class, at: usize, step: &ClassStep) -> [String; 8] {
    [
        class.lesson.clone(),
        at.to_string(),
        step.question.clone(),
        step.answered.to_string(),
        step.right_at_first.to_string(),
        step.right_at_last.to_string(),
        step.with_hint.to_string(),
        step.gave_up.to_string(),
    ]
}

fn cells(answer: &AnswerCount) -> [String; 3] {
    [answer.answer.clone(), answer.count.to_string(), answer.is_right.to_string()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_worker::presentation::AnswerKind;

    #[test]
    fn every_row_has_every_column() {
        let answer = |count, is_right| AnswerCount {
            answer: "1, or 2 µs".to_owned(),
            count,
            is_right,
            feedback: None,
        };
        let step = |answers, numbers| ClassStep {
            question: "How long?".to_owned(),
            kind: AnswerKind::Number,
            answered: 2,
            right_at_first: 1,
            right_at_last: 2,
            with_hint: 0,
            gave_up: 0,
            answers,
            numbers,
            accepted: Some([0.9, 1.1]),
        };
        let class = Class {
            lesson: "Numbers".to_owned(),
            students: 2,
            replaced: 0,
            of_other_lessons: 0,
            damaged: Vec::new(),
            steps: vec![
                step(vec![answer(1, true), answer(1, false)], vec![1.0, 5.5]),
                step(Vec::new(), Vec::new()),
            ],
        };
        let text = csv(&class);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[1], "Numbers,1,How long?,2,1,2,0,0,\"1, or 2 µs\",1,true,1 5.5");
        assert_eq!(lines[2], "Numbers,1,How long?,2,1,2,0,0,\"1, or 2 µs\",1,false,");
        assert_eq!(lines[3], "Numbers,2,How long?,2,1,2,0,0,,,,");
    }
}

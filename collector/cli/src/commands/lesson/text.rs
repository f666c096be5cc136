//! Lessons as text.

use super::CheckReport;
use crate::report::table::table;
use loggia_lesson::class::{Class, ClassStep};
use loggia_lesson::presentation::Summary;
use loggia_model::error::Worded;
use loggia_model::units::words::{counted, number};
use std::fmt::Write;

pub(super) fn list(lessons: &[Summary]) -> String {
    let rows = lessons.iter().map(|lesson| {
        [
            lesson.name.clone(),
            lesson.minutes.to_string(),
            lesson.steps.to_string(),
            lesson.title.clone(),
        ]
    });
    table(&["lesson", "minutes>", "steps>", ""], rows)
}

pub(super) fn checked(report: &CheckReport) -> String {
    let mut text = format!("{} · {} minutes\n", report.lesson.title, report.lesson.minutes);
    for (at, step) in report.answers.iter().enumerate() {
        let _ = write!(
            text,
            "\n{}. {}\n   {}: {}\n   {}\n",
            at + 1,
            step.question,
            step.kind.name(),
            step.answer,
            step.reveal
        );
        let quantities = step.quantities.iter();
        let quantities = quantities.map(|(name, value)| format!("{name} = {}", number(*value, 6)));
        let _ = writeln!(text, "   {}", quantities.collect::<Vec<_>>().join(", "));
        for wrong in &step.wrong {
            let _ = writeln!(text, "   ✗ {}: {}", wrong.answer, wrong.feedback);
        }
    }
    let list = |title: &str, all: &[Worded]| {
        let lines: String = all.iter().map(|error| format!("{error}\n")).collect();
        if all.is_empty() { String::new() } else { format!("\n{title}\n{lines}") }
    };
    text += &list("Warnings", &report.warnings);
    text += &list("Problems: this lesson is refused", &report.problems);
    text
}

pub(super) fn class(class: &Class) -> String {
    let mut text = format!("{}: {}\n", class.lesson, counted(class.students, "student"));
    for (count, noun) in [
        (class.replaced, "codes replaced by later codes of the same name"),
        (class.of_other_lessons, "codes of other lessons or versions"),
    ] {
        if count > 0 {
            let _ = writeln!(text, "{count} {noun}");
        }
    }
    if !class.damaged.is_empty() {
        let _ = writeln!(text, "damaged codes: {}", class.damaged.join(", "));
    }
    for (at, step) in class.steps.iter().enumerate() {
        text += &class_step(at + 1, step);
    }
    text
}

fn class_step(at: usize, step: &ClassStep) -> String {
    let mut text = format!(
        "\n{at}. {}\n   {} answered; right at first {}, at last {}; with a hint {}; gave up {}\n",
        step.question,
        step.answered,
        step.right_at_first,
        step.right_at_last,
        step.with_hint,
        step.gave_up
    );
    for answer in &step.answers {
        let sign = if answer.is_right { "✓" } else { "✗" };
        let _ = writeln!(text, "   {:>3} {sign} {}", answer.count, answer.answer);
    }
    text
}

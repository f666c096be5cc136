//! The built-in lessons, in their order.

use crate::lesson::Lesson;
use loggia_model::Error;

macro_rules! lessons {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../lessons/", $name, ".toml")))),*]
    };
}

/// Names and texts of the built-in lessons.
pub const LESSONS: [(&str, &str); 8] = lessons! {
    "four-numbers"
    "one-byte-more"
    "who-waits"
    "trees-and-rings"
    "latency-or-overhead"
    "one-card"
    "which-to-trust"
    "ten-lines"
};

/// A built-in lesson by its name.
///
/// # Errors
/// If the name is unknown.
pub fn named(name: &str) -> Result<Lesson, Error> {
    let entry = LESSONS.iter().find(|(known, _)| *known == name);
    let (_, text) = entry.ok_or_else(|| {
        Error::unknown("lesson", name, "", LESSONS.iter().map(|(known, _)| *known))
    })?;
    Lesson::read(text)
}

/// The next built-in lesson.
pub(crate) fn after(name: &str) -> Option<Lesson> {
    let at = LESSONS.iter().position(|(known, _)| *known == name)?;
    let (_, text) = LESSONS.get(at + 1)?;
    Lesson::read(text).ok()
}

/// All built-in lessons.
pub fn all() -> impl Iterator<Item = Result<Lesson, Error>> {
    LESSONS.iter().map(|(_, text)| Lesson::read(text))
}

/// A built-in lesson by name, or a lesson from its text.
///
/// # Errors
/// If the name is unknown or the text is not a lesson.
pub fn named_or_read(lesson: &str) -> Result<Lesson, Error> {
    if lesson.contains('\n') { Lesson::read(lesson) } else { named(lesson.trim()) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::check::check;
    use crate::evaluation::Evaluator;

    /// The model gives every answer, and all texts agree with the model.
    #[test]
    #[cfg_attr(target_arch = "wasm32", ignore = "slow in wasm; the page's tests run all lessons")]
    fn the_built_in_lessons_have_no_problems() {
        let mut problems = Vec::new();
        let mut minutes = 0;
        for (name, text) in LESSONS {
            match Lesson::read(text) {
                Err(error) => problems.push(error.in_file(name).to_string()),
                Ok(lesson) => {
                    assert_eq!(lesson.name, name);
                    minutes += lesson.minutes;
                    let report = check(&lesson, &mut Evaluator::default());
                    problems.extend(
                        report.problems.iter().map(|e| e.clone().in_file(name).to_string()),
                    );
                    problems.extend(
                        report.warnings.iter().map(|e| e.clone().in_file(name).to_string()),
                    );
                }
            }
        }
        assert!(problems.is_empty(), "\n{}", problems.join("\n"));
        assert_eq!(minutes, 70);
    }
}

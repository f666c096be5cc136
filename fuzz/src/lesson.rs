//! Lessons: read and checked.

use super::check_error;
use loggia_lesson::check::check as check_lesson;
use loggia_lesson::evaluation::Evaluator;
use loggia_lesson::lesson::Lesson;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    match Lesson::read(text) {
        Ok(lesson) => {
            assert_eq!(Lesson::read(&lesson.written).as_ref(), Ok(&lesson));
            let mut evaluator = Evaluator::default();
            let found = check_lesson(&lesson, &mut evaluator);
            found.problems.iter().chain(&found.warnings).for_each(check_error);
        }
        Err(error) => check_error(&error),
    }
}

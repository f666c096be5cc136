//! Lessons: data, no code. The model computes every answer from the state that a step shows.
//!
//! | file | content |
//! |---|---|
//! | [`lesson`] | what a lesson holds |
//! | `read`, `toml_text` | a lesson from TOML, errors with line and column |
//! | [`formula`] | formulas and conditions over named quantities, and over paths of a report |
//! | [`text`] | texts with computed numbers in braces |
//! | [`machines`] | the machines of a lesson |
//! | [`question`], [`asked`] | the state that a step shows, as it is written and as the page has it |
//! | [`evaluation`] | the report of a state, and quantities in it |
//! | [`solution`] | a step with its numbers: options, the right answer, wrong answers |
//! | [`grading`] | what an answer is worth, and its feedback |
//! | [`presentation`] | what a student sees of a step |
//! | [`draft`] | a lesson that is being written |
//! | [`handout`] | a lesson on paper |
//! | [`check`] | what is wrong with a lesson |
//! | [`library`] | the built-in lessons |
//! | [`progress`] | what a student has answered so far |
//! | [`code`] | the same as a short code |
//! | [`class`] | the codes of a class, step by step |

pub mod asked;
pub mod check;
pub mod class;
pub mod code;
pub mod draft;
pub mod evaluation;
pub mod formula;
pub mod grading;
pub mod handout;
pub mod lesson;
pub mod library;
pub mod machines;
pub mod presentation;
pub mod progress;
pub mod question;
mod read;
pub mod solution;
pub mod text;
mod toml_text;

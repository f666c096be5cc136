//! Lessons: data, no code. The model computes every answer from the state that a step shows.
//!
//! | file | content |
//! |---|---|
//! | [`lesson`] | what a lesson holds |
//! | `read`, `toml_text` | a lesson from TOML, errors with line and column |
//! | [`formula`] | formulas and conditions over named quantities, and over paths of a report |
//! | [`text`] | texts with computed numbers in braces |
//! | [`machines`] | the machines of a lesson |
//! | [`state_spec`], [`page_state`] | the state that a step shows, as it is written and as the page has it |
//! | [`error`] | mistakes in lessons |
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

pub mod check;
pub mod class;
pub mod code;
pub mod draft;
pub mod error;
pub mod evaluation;
pub mod formula;
pub mod grading;
pub mod handout;
pub mod lesson;
pub mod library;
pub mod machines;
pub mod page_state;
pub mod presentation;
pub mod progress;
mod read;
pub mod solution;
pub mod state_spec;
pub mod text;
mod toml_text;

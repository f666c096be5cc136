//! Lessons are data. The model computes every answer from the state of a step.
//!
//! | file | content |
//! |---|---|
//! | [`lesson`] | the content of a lesson |
//! | `read` | reads a lesson from TOML; errors have line and column |
//! | [`formula`] | formulas and conditions over named quantities, and over paths of a report |
//! | [`text`] | texts with computed numbers in braces |
//! | [`machines`] | the machines of a lesson |
//! | [`state_spec`], [`page_state`] | the state of a step, as text of the lesson and as state of the page |
//! | [`error`] | errors in lessons |
//! | [`evaluation`] | the report of a state, and its quantities |
//! | [`solution`] | the named quantities and the right answer of a step |
//! | [`grading`] | grades answers and selects the feedback |
//! | [`presentation`] | the view of a step for a student |
//! | [`draft`] | drafts of lessons |
//! | [`handout`] | a lesson on paper |
//! | [`check`] | checks lessons |
//! | [`library`] | the built-in lessons |
//! | [`progress`] | the progress of a student |
//! | [`code`] | progress as a short code |
//! | [`class`] | the answers of a class, from codes |

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

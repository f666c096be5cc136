//! The built command, asked as a stranger at a terminal would ask it.

mod answers;
mod refusals;
mod run;

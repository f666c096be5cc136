//! Plans: what would a program take that is only an idea so far?
//!
//! | file | question |
//! |---|---|
//! | `expression` | which numbers depend on how many ranks there are, and how |
//! | [`sketch`] | what does the program do in an iteration |

pub mod expression;
pub mod sketch;

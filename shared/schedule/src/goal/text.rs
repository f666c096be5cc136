//! GOAL text.
//!
//! ```text
//! num_ranks 2
//!
//! rank 0 {
//! l0: send 8b to 1 tag 7 cpu 0 nic 0      tag, cpu, nic: optional, in this order; default 0
//! l1: calc 500 cpu 1                      nanoseconds
//! l1 requires l0                          l1 begins after l0 has finished
//! l1 irequires l0                         l1 begins after l0 has begun
//! }
//!
//! rank 1 {
//! recv 8b from -1 tag -1                  from any rank, with any tag
//! }
//! ```
//!
//! Comments are `// …` to the end of the line, and `/* … */`. The reader is more tolerant than
//! LogGOPSim's `txt2bin`: it accepts leading blanks, comments anywhere between words, and labels
//! before their definition. The writer's text is valid for `txt2bin`.

mod labels;
mod read;
mod scan;
mod write;

pub use read::read;
pub use write::write;

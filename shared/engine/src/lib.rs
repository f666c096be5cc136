//! Runs schedules of messages and computation, exactly: all times are integers, and what happens at
//! the same time happens in a stated order.
//!
//! | module | what it answers |
//! |---|---|
//! | [`schedule`] | what does every rank do, in which order |

pub mod schedule;

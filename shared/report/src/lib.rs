//! Reports: the JSON output of the command. Lessons read quantities from them by path.
//!
//! | file | report of |
//! |---|---|
//! | [`message`] | one message (`predict p2p`), and the common keys of reports on messages |
//! | [`overlap`] | one message with computation (`predict overlap`) |
//! | [`messages`] | many messages (`predict messages`) |
//! | [`metrics`] | metrics of messages (`metrics`) |
//! | [`collective`] | a collective operation (`predict collective`) |
//! | [`run`] | a simulated schedule (`simulate`) |

pub mod collective;
pub mod message;
pub mod messages;
pub mod metrics;
pub mod overlap;
pub mod run;

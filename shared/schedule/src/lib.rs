//! Runs schedules of messages and computation, exactly: all times are integers, and what happens at
//! the same time happens in a stated order.
//!
//! | module | what it answers |
//! |---|---|
//! | [`schedule`] | what does every rank do, in which order |
//! | [`curve`] | how does the end move with a parameter |
//! | [`explain`] | what lies on the critical path |
//! | [`goal`] | how is a schedule read from a GOAL file, and written to one |
//! | [`loggops`] | when does it end by the rules of LogGOPSim |
//! | [`loggpo`] | when does it end by LogP, LogGP, LogGPS, LogGPO |
//! | `matching` | which receive does a message meet |
//! | [`observe`] | how can one watch a run |
//! | [`outcome`] | what is the result of a run |
//! | [`overview`] | what does a picture of a long run show |
//! | `queue`, `wait_queue` | which event is next; which operations wait for a processor and an interface |
//! | [`stream`] | how is a schedule streamed |
//! | [`stuck`] | why could a run not finish |
//! | [`time`] | a time: plain, with a derivative, or with its parts |
//! | [`timeline`] | what does each processor do, and when |

pub mod curve;
pub mod explain;
pub mod goal;
pub mod loggops;
pub mod loggpo;
mod matching;
pub mod observe;
pub mod outcome;
pub mod overview;
mod queue;
pub mod schedule;
pub mod stream;
pub mod stuck;
pub mod time;
pub mod timeline;
mod wait_queue;

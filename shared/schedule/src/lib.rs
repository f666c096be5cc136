//! Exact simulation of schedules of messages and computation: all times are integers, and events at
//! the same time happen in a defined order.
//!
//! | module | content |
//! |---|---|
//! | [`schedule`] | operations of every rank, and their dependencies |
//! | [`curve`] | completion time as a function of a parameter |
//! | [`explain`] | critical path |
//! | [`goal`] | reader and writer of GOAL files |
//! | [`loggops`] | simulation by the model of LogGOPSim |
//! | [`loggpo`] | simulation by LogP, LogGP, LogGPS and LogGPO |
//! | `matching` | matching of messages with receives |
//! | [`observe`] | observers of a run |
//! | [`outcome`] | result of a run |
//! | [`overview`] | summary of a long run for a picture |
//! | `queue`, `wait_queue` | queue of events; operations that wait for a processor and an interface |
//! | [`stream`] | streamed schedules |
//! | [`stuck`] | why a run could not finish |
//! | [`time`] | times: plain, with a derivative, or with their parts |
//! | [`timeline`] | activities of each processor over time |

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

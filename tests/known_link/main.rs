//! Measurements of a network whose delay, bandwidth and eager limit are known, since the tests set
//! them.
//!
//! Each run takes some seconds, and other programs may disturb it. A disturbed run is reported and
//! repeated. If the link itself differs from its settings, as plain sockets show, a run is not judged;
//! the test reports that, too.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod assumed;
mod bandwidth;
mod eager;
mod judged;
#[path = "../lab/mod.rs"]
mod lab;
mod latency;
mod paths;
mod plans;
mod progress;
mod replay;
mod shared;
mod sockets;

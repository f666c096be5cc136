//! What the collector finds on a network whose delay, bandwidth and eager limit were set.
//!
//! Each run takes some seconds of a quiet machine. Another program's hiccup may spoil one: then it
//! is said, and measured again. Where the link itself does not keep what it was set to, as bare
//! sockets show, a run is not judged; that is said, too.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod assumed;
mod bandwidth;
mod eager;
mod far;
mod judged;
#[path = "../lab/mod.rs"]
mod lab;
mod latency;
mod paths;
mod plans;
mod progress;
mod replay;
mod sockets;

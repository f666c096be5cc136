//! What is on the page, one file a part. Views get snapshots of the state and tell actions.

pub(crate) mod amount;
pub(crate) mod app;
pub(crate) mod chips;
pub(crate) mod collective;
pub(crate) mod compare;
pub(crate) mod exchange;
pub(crate) mod formula;
pub(crate) mod header;
pub(crate) mod later;
pub(crate) mod machines;
pub(crate) mod message;
pub(crate) mod models;
pub(crate) mod moment;
pub(crate) mod overlap;
pub(crate) mod parameters;
pub(crate) mod parts;
pub(crate) mod plan;
pub(crate) mod plot;
pub(crate) mod problem;
pub(crate) mod protocols;
pub(crate) mod quantity;
pub(crate) mod rich;
pub(crate) mod signature;
pub(crate) mod table;
pub(crate) mod tabs;

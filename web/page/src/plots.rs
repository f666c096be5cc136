//! Plots and diagrams on the page; several views show them.

pub(crate) mod plane;
pub(crate) mod plot;
pub(crate) mod space_time;
pub(crate) mod surface;

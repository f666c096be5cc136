//! Plots and diagrams of several views.

pub(crate) mod arrow;
pub(crate) mod explained;
pub(crate) mod label;
pub(crate) mod plane;
pub(crate) mod plot;
pub(crate) mod reading;
pub(crate) mod rounds;
pub(crate) mod space_time;
pub(crate) mod surface;

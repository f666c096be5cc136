//! Fields in which readers set inputs; several views have them.

pub(crate) mod amount;
pub(crate) mod chips;
pub(crate) mod moment;
pub(crate) mod route;
pub(crate) mod what_if;
mod words;

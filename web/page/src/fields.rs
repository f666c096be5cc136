//! Input fields of several views.

pub(crate) mod amount;
pub(crate) mod assume;
pub(crate) mod chips;
pub(crate) mod moment;
pub(crate) mod ranks_per_node;
pub(crate) mod route;
pub(crate) mod typed;
pub(crate) mod what_if;
pub(crate) mod words;

//! Tables, quantities, formulas and symbols of several views.

pub(crate) mod formula;
pub(crate) mod quantity;
pub(crate) mod rich;
pub(crate) mod scroll;
pub(crate) mod table;
pub(crate) mod terms;
pub(crate) mod words;

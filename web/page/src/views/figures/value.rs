//! A number of a paper's figure.

use crate::tables::quantity;
use loggia_model::units::words::{rate, time};
use loggia_model::units::{BytesPerMicro, Micros};
use yew::Html;

/// A value in the panel's unit.
pub(super) fn value(path: &str, unit: &'static str, value: Option<f64>) -> Html {
    if unit == "us" {
        let shown = value.map_or(crate::text::NO_NUMBER.to_owned(), |us| time(Micros(us)));
        return quantity::micros(path, value.map(Micros), shown);
    }
    let shown = value.map_or(crate::text::NO_NUMBER.to_owned(), |v| rate(BytesPerMicro(v)));
    quantity::number(path, "bytes/us", value, shown)
}

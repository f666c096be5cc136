//! A number of a paper's figure.

use crate::tables::quantity;
use crate::text::NO_NUMBER;
use loggia_link::figures::PanelUnit;
use loggia_model::units::words::{rate, time};
use loggia_model::units::{BytesPerMicro, Micros};
use yew::Html;

/// A value in the panel's unit.
pub(super) fn value(path: &str, unit: PanelUnit, value: Option<f64>) -> Html {
    let words = |value: f64| match unit {
        PanelUnit::Micros => time(Micros(value)),
        PanelUnit::BytesPerMicro => rate(BytesPerMicro(value)),
    };
    let shown = value.map_or(NO_NUMBER.to_owned(), words);
    match unit {
        PanelUnit::Micros => quantity::micros(path, value.map(Micros), shown),
        PanelUnit::BytesPerMicro => quantity::number(path, "bytes/us", value, shown),
    }
}

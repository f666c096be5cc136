//! LogGP in one picture: each parameter's part of a message, and its value on this machine.

use super::words;
use crate::draw::figure::Ink;
use crate::plots::explained;
use crate::tables::rich;
use crate::text;
use crate::views::Props;
use loggia_model::model::editable::{Editable, Unit};
use loggia_model::units::words::{per_byte, time};
use loggia_model::units::{Micros, MicrosPerByte};
use yew::{Html, component, html};

#[component]
pub(crate) fn Introduction(props: &Props) -> Html {
    let page = &props.page;
    let known = page.route().map(|route| route.editable(page.bytes())).unwrap_or_default();
    let symbol = |symbol: &'static str| {
        let value = known.iter().find(|parameter| parameter.symbol == symbol).map(value_text);
        html! {
            <>
                <dt>{ rich::swatch(Ink::of(symbol)) }{ " " }{ rich::symbol(symbol) }</dt>
                <dd><b>{ text::meaning(symbol) }{ value }</b>{ words::role(symbol) }</dd>
            </>
        }
    };
    html! {
        <>
            <p>{ rich::formula(words::INTRODUCED) }</p>
            { explained::message() }
            <dl class="symbols">{ for ["o_s", "L", "G", "o_r", "g"].map(symbol) }</dl>
        </>
    }
}

/// A parameter's number on this machine.
fn value_text(parameter: &Editable) -> String {
    let value = parameter.value.value;
    if parameter.unit != Unit::MicrosPerByte {
        return format!(": {}", time(Micros(value)));
    }
    format!(": {}", per_byte(MicrosPerByte(value)))
}

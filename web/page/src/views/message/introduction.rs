//! LogGP in one picture: each parameter's part of a message, and its value on this machine.

use super::words;
use crate::draw::figure::Ink;
use crate::tables::rich;
use crate::text;
use crate::views::Props;
use loggia_model::model::editable::{Editable, Unit};
use loggia_model::units::words::{number, per_byte_unit, time};
use loggia_model::units::{Micros, MicrosPerByte};
use yew::{Html, component, html};

/// Left end, length, baseline, ink and symbol of a part of the picture.
type Span = (f64, f64, f64, Ink, &'static str);

/// Parts of a message: the sender above, the receiver below.
const BOXES: [Span; 3] = [
    (100.0, 80.0, 60.0, Ink::Send, "o_s"),
    (360.0, 80.0, 60.0, Ink::Send, "o_s"),
    (430.0, 100.0, 180.0, Ink::Recv, "o_r"),
];
/// The height of a box.
const TALL: f64 = 34.0;
/// Brackets: one message to the next, first byte to last, and the whole message.
const BRACKETS: [Span; 3] = [
    (100.0, 260.0, 40.0, Ink::Other, "g"),
    (180.0, 110.0, 134.0, Ink::PerByte, "(k−1)G"),
    (100.0, 430.0, 240.0, Ink::Total, "T"),
];

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
            <svg class="loggp" viewBox="0 0 720 270" role="img" aria-label={words::INTRODUCTION_SHOWS}>
                <path class="axis" d="M80 94H640M80 214H640" />
                <text class="lane" x="70" y="80">{ words::SENDER }</text>
                <text class="lane" x="70" y="200">{ words::RECEIVER }</text>
                <path class="band ink-per-byte" d="M180 94L290 94L430 180L320 180Z" />
                <path class="line-latency" d="M180 94L320 180M290 94L430 180" />
                <text class="note" x="386" y="132">{ "L" }</text>
                { for BOXES.into_iter().enumerate().map(block) }
                { for BRACKETS.into_iter().map(bracket) }
                <text class="lane" x="640" y="234">{ words::TIME_AXIS }</text>
            </svg>
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
    let (size, unit) = per_byte_unit(MicrosPerByte(value));
    format!(": {} {unit}", number(value / size, 4))
}

/// A processor's time; that of the next message is faint.
fn block((i, (x, width, y, ink, symbol)): (usize, Span)) -> Html {
    let class = format!("ink-{}{}", ink.name(), if i == 1 { " next" } else { "" });
    html! {
        <>
            <rect {class} x={x.to_string()} y={y.to_string()} width={width.to_string()} height={TALL.to_string()} rx="3" />
            <text class="on" x={(x + width / 2.0).to_string()} y={(y + TALL / 2.0).to_string()}>
                { rich::symbol_in_svg(symbol) }
            </text>
        </>
    }
}

fn bracket((x, width, y, ink, words): Span) -> Html {
    // A bracket above the picture has its label above it, a bracket below has it below.
    let (tick, label) = if y < 60.0 { (6.0, -10.0) } else { (-6.0, 14.0) };
    html! {
        <>
            <path
                class={format!("bracket line-{}", ink.name())}
                d={format!("M{x} {}V{y}H{}V{}", y + tick, x + width, y + tick)}
            />
            <text class="words" x={(x + width / 2.0).to_string()} y={(y + label).to_string()}>
                { rich::symbol_in_svg(words) }
            </text>
        </>
    }
}

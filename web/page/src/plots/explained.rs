//! Pictures that explain a message, without numbers: time goes right, the sender is above.

use crate::draw::figure::Ink;
use crate::tables::rich;
use yew::{Html, html};

const SENDER: &str = "sender";
const RECEIVER: &str = "receiver";
const TIME: &str = "time →";
const MESSAGE_SHOWS: &str = "Space-time diagram of one message under LogGP: send overhead, gap per byte, \
    latency and receive overhead from left to right; the next message starts a gap later.";
const HANDSHAKE_SHOWS: &str = "Space-time diagram of a handshake: a request goes to the receiver, a reply \
    comes back, and then the data is sent.";
const HANDSHAKE: &str = "handshake";

/// The lines of the sender and of the receiver; their work is drawn above.
const LINES: [f64; 2] = [90.0, 200.0];
const BOTTOM: f64 = 246.0;
/// The height of a processor's work.
const TALL: f64 = 34.0;

/// A processor's work on a message.
struct Work {
    /// 0: the sender, 1: the receiver.
    line: usize,
    from: f64,
    length: f64,
    symbol: &'static str,
    /// It belongs to the next message.
    is_next: bool,
}

const fn work(line: usize, from: f64, length: f64, symbol: &'static str) -> Work {
    Work { line, from, length, symbol, is_next: false }
}

/// A bracket with its label.
struct Bracket {
    from: f64,
    length: f64,
    at: f64,
    ink: Ink,
    label: &'static str,
}

/// A message of k bytes, and the beginning of the next.
pub(crate) fn message() -> Html {
    let parts = [
        work(0, 80.0, 50.0, "o_s"),
        Work { is_next: true, ..work(0, 280.0, 50.0, "o_s") },
        work(1, 325.0, 60.0, "o_r"),
    ];
    let brackets = [
        Bracket { from: 80.0, length: 200.0, at: 40.0, ink: Ink::Other, label: "g" },
        Bracket { from: 130.0, length: 95.0, at: 80.0, ink: Ink::PerByte, label: "(k−1)G" },
        Bracket { from: 80.0, length: 305.0, at: 220.0, ink: Ink::Total, label: "T" },
    ];
    let network = html! { <>{ bytes(130.0, 95.0, 100.0) }{ latency(170.0) }</> };
    picture(MESSAGE_SHOWS, 14.0, network, &parts, &brackets)
}

/// A message above the eager limit: request, reply, data.
pub(crate) fn handshake() -> Html {
    let parts = [
        work(0, 80.0, 26.0, "o_s"),
        work(1, 140.0, 26.0, "o_r"),
        work(1, 166.0, 26.0, "o_s"),
        work(0, 226.0, 26.0, "o_r"),
        work(0, 252.0, 26.0, "o_s"),
        work(1, 407.0, 26.0, "o_r"),
    ];
    let brackets = [
        Bracket { from: 80.0, length: 172.0, at: 220.0, ink: Ink::Startup, label: HANDSHAKE },
        Bracket { from: 278.0, length: 95.0, at: 80.0, ink: Ink::PerByte, label: "(k−1)G" },
    ];
    let [above, below] = LINES;
    let network = html! {
        <>
            <path class="line-latency" d={format!("M106 {above}L140 {below}M192 {below}L226 {above}")} />
            { bytes(278.0, 95.0, 34.0) }
            { latency(112.0) }
            { latency(220.0) }
            { latency(284.0) }
        </>
    };
    picture(HANDSHAKE_SHOWS, 50.0, network, &parts, &brackets)
}

/// `top` is the upper border.
fn picture(
    shows: &'static str,
    top: f64,
    network: Html,
    parts: &[Work],
    brackets: &[Bracket],
) -> Html {
    let [above, below] = LINES;
    let lane = |line: f64, words: &'static str| {
        html! { <text class="lane" x="4" y={(line - 12.0).to_string()}>{ words }</text> }
    };
    html! {
        <svg class="message-picture" viewBox={format!("0 {top} 480 {}", BOTTOM - top)} role="img" aria-label={shows}>
            <path class="axis" d={format!("M4 {above}H470M4 {below}H470")} />
            { lane(above, SENDER) }
            { lane(below, RECEIVER) }
            { network }
            { for parts.iter().map(block) }
            { for brackets.iter().map(bracket) }
            <text class="lane end" x="470" y="216">{ TIME }</text>
        </svg>
    }
}

/// Bytes in the network: the first leaves at `from`, the last `length` later.
fn bytes(from: f64, length: f64, latency: f64) -> Html {
    let [above, below] = LINES;
    let (last, first_in, last_in) = (from + length, from + latency, from + length + latency);
    html! {
        <>
            <path class="band ink-per-byte" d={format!("M{from} {above}L{last} {above}L{last_in} {below}L{first_in} {below}Z")} />
            <path class="line-latency" d={format!("M{from} {above}L{first_in} {below}M{last} {above}L{last_in} {below}")} />
        </>
    }
}

/// The symbol of the latency, next to a line in the network.
fn latency(x: f64) -> Html {
    html! { <text class="symbol" x={x.to_string()} y="150">{ "L" }</text> }
}

fn block(work: &Work) -> Html {
    let Work { line, from, length, symbol, is_next } = work;
    let y = LINES[*line] - TALL;
    let class = format!("ink-{}{}", Ink::of(symbol).name(), if *is_next { " next" } else { "" });
    html! {
        <>
            <rect {class} x={from.to_string()} y={y.to_string()} width={length.to_string()} height={TALL.to_string()} rx="3" />
            <text class="on" x={(from + length / 2.0).to_string()} y={(y + TALL / 2.0).to_string()}>
                { rich::symbol_in_svg(symbol) }
            </text>
        </>
    }
}

fn bracket(bracket: &Bracket) -> Html {
    let Bracket { from, length, at, ink, label } = bracket;
    // A bracket above the lower line has its label above it, one below has it below.
    let (tick, side) = if *at < LINES[1] { (6.0, -12.0) } else { (-6.0, 14.0) };
    let class = (*label != HANDSHAKE).then_some("symbol");
    html! {
        <>
            <path
                class={format!("bracket line-{}", ink.name())}
                d={format!("M{from} {}V{at}H{}V{}", at + tick, from + length, at + tick)}
            />
            <text {class} x={(from + length / 2.0).to_string()} y={(at + side).to_string()}>
                { rich::symbol_in_svg(label) }
            </text>
        </>
    }
}

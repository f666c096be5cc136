//! Symbols and formulas with subscripts and superscripts.

use crate::draw::figure::Ink;
use crate::draw::marker::corners;
use yew::{Html, html};

/// Part of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Plain(String),
    Below(String),
    Above(String),
}

/// The subscript of n_1/2.
const HALF: &str = "1/2";

/// Splits a formula.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    // Number of consecutive letters so far: `MPI_Send` is a name, not a symbol with an index.
    let mut word = 0;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let length = match c {
            '_' if after.starts_with(HALF) => HALF.len(),
            '_' if word > 1 => 0,
            '_' => run(after, |c| c.is_ascii_alphanumeric()),
            '^' => run(after, |c| c.is_ascii_digit() || matches!(c, '-' | '.')),
            'T' if after.starts_with('0') => 1,
            _ => 0,
        };
        if c == 'T' || length == 0 {
            plain.push(c);
        }
        if length > 0 {
            pieces.push(Piece::Plain(std::mem::take(&mut plain)));
            let index = after[..length].to_owned();
            pieces.push(if c == '^' { Piece::Above(index) } else { Piece::Below(index) });
        }
        word = if c.is_ascii_alphabetic() && length == 0 { word + 1 } else { 0 };
        if c == '_' && length == 0 {
            // The rest of a name has no index either.
            word = 2;
        }
        rest = &after[length..];
    }
    pieces.push(Piece::Plain(plain));
    pieces.retain(|piece| !matches!(piece, Piece::Plain(text) if text.is_empty()));
    pieces
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.chars().take_while(|c| belongs(*c)).map(char::len_utf8).sum()
}

/// A formula.
pub(crate) fn formula(text: &str) -> Html {
    let piece = |piece: Piece| match piece {
        Piece::Plain(text) => html! { { text } },
        Piece::Below(text) => html! { <sub>{ text }</sub> },
        Piece::Above(text) => html! { <sup>{ text.replace('-', "−") }</sup> },
    };
    pieces(text).into_iter().map(piece).collect()
}

/// A parameter's symbol; its meaning appears under the pointer.
pub(crate) fn symbol(text: &str) -> Html {
    let meaning = crate::text::parameter(text);
    let title = (!meaning.is_empty()).then_some(meaning);
    html! { <i class="symbol" {title}>{ formula(text) }</i> }
}

/// A parameter's symbol inside an SVG text.
pub(crate) fn symbol_in_svg(text: &str) -> Html {
    let piece = |piece: Piece| match piece {
        Piece::Plain(text) => html! { <tspan>{ text }</tspan> },
        Piece::Below(text) => html! { <tspan dy="3" class="index">{ text }</tspan> },
        Piece::Above(text) => html! { <tspan dy="-4" class="index">{ text }</tspan> },
    };
    pieces(text).into_iter().map(piece).collect()
}

/// A swatch in a parameter's colour, or with a machine's marker.
pub(crate) fn swatch(ink: Ink) -> Html {
    let class = format!("ink-{}", ink.name());
    let shape = match corners(ink) {
        None => html! { <rect {class} width="12" height="12" rx="3" /> },
        Some(corners) => {
            let corner = |(x, y): &(f64, f64)| format!("{:.1},{:.1}", 6.0 + 6.0 * x, 6.0 + 6.0 * y);
            let points = corners.iter().map(corner).collect::<Vec<_>>().join(" ");
            html! { <polygon {class} {points} /> }
        }
    };
    html! { <svg class="swatch" viewBox="0 0 12 12" aria-hidden="true">{ shape }</svg> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_and_powers() {
        let below = |text: &str| Piece::Below(text.to_owned());
        let plain = |text: &str| Piece::Plain(text.to_owned());
        assert_eq!(pieces("o_s + L"), [plain("o"), below("s"), plain(" + L")]);
        assert_eq!(pieces("2o_s"), [plain("2o"), below("s")]);
        assert_eq!(pieces("T0(p)"), [plain("T"), below("0"), plain("(p)")]);
        assert_eq!(
            pieces("(log p)^-0.383 m"),
            [plain("(log p)"), Piece::Above("-0.383".to_owned()), plain(" m")]
        );
        assert_eq!(pieces("n_1/2(p)"), [plain("n"), below("1/2"), plain("(p)")]);
        assert_eq!(pieces("(k−1)G"), [plain("(k−1)G")]);
        assert_eq!(pieces("a_ ^"), [plain("a_ ^")]);
        for name in ["MPI_Send", "loggp_params.py", "MPI_Win_a_b"] {
            assert_eq!(pieces(name), [plain(name)]);
        }
        assert!(pieces("").is_empty());
    }
}

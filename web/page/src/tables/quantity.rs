//! A result as text that tests, screen readers and spreadsheets can read.

use crate::text;
use loggia_model::measured::Basis;
use loggia_model::units::words::{off, time};
use loggia_model::units::{Interval, Micros};
use yew::{Html, classes, html};

/// A number with all digits; empty if unknown.
fn full(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A time, named by its path in the command's answer.
pub(crate) fn micros(path: &str, value: Option<Micros>, shown: impl Into<Html>) -> Html {
    let shown: Html = shown.into();
    html! {
        <span data-quantity={path.to_owned()} data-unit="us" data-value={full(value.map(|t| t.0))}>
            { shown }
        </span>
    }
}

/// A number in another unit than µs, named by its path in the command's answer.
pub(crate) fn number(
    path: &str,
    unit: &'static str,
    value: Option<f64>,
    shown: impl Into<Html>,
) -> Html {
    let shown: Html = shown.into();
    html! {
        <span data-quantity={path.to_owned()} data-unit={unit} data-value={full(value)}>
            { shown }
        </span>
    }
}

/// A text, named by its path in the command's answer.
pub(crate) fn words(path: &str, value: &str, shown: Html) -> Html {
    html! {
        <span data-quantity={path.to_owned()} data-value={value.to_owned()}>{ shown }</span>
    }
}

/// A large time.
pub(crate) fn large(path: &str, value: Micros) -> Html {
    html! { <p class="answer"><output>{ micros(path, Some(value), split(value)) }</output></p> }
}

/// Number and smaller unit.
fn split(value: Micros) -> Html {
    let shown = time(value);
    let (number, unit) = shown.split_once(' ').unwrap_or((&shown, ""));
    html! { <>{ number }<small>{ format!("\u{a0}{unit}") }</small></> }
}

/// The basis of an answer as a badge; for a chosen model, its error. A time that was not measured itself
/// may be wrong, so it gives only a difference.
pub(crate) fn basis(
    path: &str,
    basis: Basis,
    predicted: Option<Micros>,
    measured: Option<(Micros, Basis)>,
) -> Html {
    let name = basis.name();
    let badge = html! {
        <span class={classes!("basis", name)} title={text::of_basis(basis)}>{ name }</span>
    };
    let error = predicted.zip(measured).map(|(predicted, (measured, of))| {
        let shown = micros(&format!("{path}.measured_us"), Some(measured), time(measured));
        let error = off(predicted.0 / measured.0 - 1.0);
        let word = if of == Basis::Measured { text::ERROR } else { text::DIFFERENCE };
        html! { <span class="bounds">{ of.name() }{ ": " }{ shown }{ word }{ error }</span> }
    });
    html! {
        <p class="rests-on">
            { words(&format!("{path}.basis"), name, badge) }
            { error }
        </p>
    }
}

/// The answer in large type: a time in a fitting unit, with bounds if known.
pub(crate) fn answer(path: &str, total: Option<Interval<Micros>>) -> Html {
    answer_named(&format!("{path}.time_us"), path, total)
}

/// The answer with a path of its own for the time.
pub(crate) fn answer_named(name: &str, path: &str, total: Option<Interval<Micros>>) -> Html {
    let part = |name: &str| format!("{path}.{name}");
    let Some(total) = total else {
        return html! { <p class="answer none">{ micros(name, None, text::NO_NUMBER) }</p> };
    };
    let bounds = total.is_bounded().then(|| {
        html! {
            <span class="bounds">
                { micros(&part("low_us"), Some(total.low), time(total.low)) }
                { " to " }
                { micros(&part("high_us"), Some(total.high), time(total.high)) }
            </span>
        }
    });
    html! {
        <p class="answer">
            <output>{ micros(name, Some(total.value), split(total.value)) }</output>
            { bounds }
        </p>
    }
}

#[cfg(test)]
mod tests {
    use super::full;

    #[test]
    fn no_digit_is_lost() {
        for value in [105.79, 0.1 + 0.2, 2856.344, 1e-7, 671_000.123_456_7] {
            assert_eq!(full(Some(value)).parse(), Ok(value));
        }
        assert_eq!(full(None), "");
    }
}

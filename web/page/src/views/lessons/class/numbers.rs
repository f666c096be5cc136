//! First answers of a class to a numeric question: one dot each, above the accepted band.

use crate::views::lessons::axis::{Axis, anchor};
use crate::views::lessons::words;
use loggia_worker::class::ClassStep;
use yew::{Html, html};

/// Radius of a dot, and width of the columns in which dots are stacked.
const RADIUS: f64 = 6.0;
/// Vertical position of the lowest dots and of the axis.
const GROUND: f64 = 96.0;
const LINE: f64 = 106.0;

/// `None` if a logarithmic axis can show no answer.
pub(super) fn numbers(step: &ClassStep) -> Option<Html> {
    let band = step.accepted.filter(|[low, _]| *low > 0.0)?;
    let drawn: Vec<f64> = step.numbers.iter().copied().filter(|number| *number > 0.0).collect();
    if drawn.is_empty() {
        return None;
    }
    let axis = Axis::of(&drawn, band);
    let dots = stacked(&drawn, axis).into_iter().map(|(x, y)| {
        html! { <circle cx={format!("{x:.1}")} cy={format!("{y:.1}")} r={RADIUS.to_string()} /> }
    });
    let [left, width] = axis.band(band);
    let end = |value: f64| {
        let x = axis.x(value);
        html! {
            <text class={anchor(x)} x={format!("{x:.1}")} y="136">{ words::number(value) }</text>
        }
    };
    let least = drawn.iter().copied().fold(f64::INFINITY, f64::min);
    let most = drawn.iter().copied().fold(0.0, f64::max);
    // The ends have labels if they are outside the band.
    let ends = [least, most].into_iter().filter(|value| !(band[0]..=band[1]).contains(value));
    let left_out = step.numbers.len() - drawn.len();
    Some(html! {
        <>
            <svg class="lesson-axis class-numbers" viewBox="0 0 1000 146" role="img" aria-label={words::class_numbers(&drawn, band)}>
                <rect class="axis-band" x={format!("{left:.1}")} y="0" width={format!("{width:.1}")} height={LINE.to_string()} />
                <path class="axis-line" d={format!("M20 {LINE}H980")} />
                { for dots }
                { for ends.map(end) }
            </svg>
            <p class="aside">{ words::class_band(band, left_out) }</p>
        </>
    })
}

/// Stacks the dots of each column; many dots overlap, so that all stay inside the picture.
fn stacked(numbers: &[f64], axis: Axis) -> Vec<(f64, f64)> {
    let width = 2.0 * RADIUS;
    let mut places: Vec<i64> =
        numbers.iter().map(|number| (axis.x(*number) / width).round() as i64).collect();
    places.sort_unstable();
    let highest = places.chunk_by(|a, b| a == b).map(<[i64]>::len).max().unwrap_or(1);
    let step = width.min((GROUND - RADIUS) / highest as f64);
    let stack = |stack: &[i64]| {
        let x = stack.first().copied().unwrap_or_default() as f64 * width;
        (0..stack.len()).map(|i| (x, GROUND - i as f64 * step)).collect::<Vec<_>>()
    };
    places.chunk_by(|a, b| a == b).flat_map(stack).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_has_a_dot_inside_the_picture() {
        let numbers: Vec<f64> =
            (0..40).map(|i| if i < 30 { 100.0 } else { f64::from(i) }).collect();
        let dots = stacked(&numbers, Axis::of(&numbers, [95.0, 105.0]));
        assert_eq!(dots.len(), 40);
        assert!(dots.iter().all(|(x, y)| (0.0..1000.0).contains(x) && (0.0..=GROUND).contains(y)));
        let top = dots.iter().map(|(_, y)| *y).fold(f64::INFINITY, f64::min);
        assert!(top < 20.0, "30 dots make a high stack");
    }
}

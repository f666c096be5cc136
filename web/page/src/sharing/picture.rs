//! A picture as a standalone SVG: title, lines, texts, legend.

mod legend;

use super::{Data, TimelineData};
use crate::browser::looks::{self, Snapshot, escaped};
use crate::browser::saving;
use crate::colours::colours;
use crate::draw::figure::{Figure, Ink};
use crate::draw::heat;
use crate::draw::paint::{Colours, Painter};
use crate::draw::timeline::Image;
use crate::tables::rich::{Piece, pieces};
use plotters::drawing::IntoDrawingArea;
use plotters_svg::SVGBackend;
use std::fmt::Write;
use yew::NodeRef;

/// Painters round to whole pixels: painted at this scale.
const FINE: f64 = 10.0;
const TEXT: &str = "#15191e";
const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";

/// The picture in this area, with its size.
pub(super) fn of(title: &str, area: &NodeRef, data: &Data) -> Option<(String, [f64; 2])> {
    let (shown, colours) = looks::in_light(|| looks::shown(area).zip(colours()))?;
    let painted = painted(data, &shown, &colours).unwrap_or_default();
    Some(whole(title, &shown, &painted, &legend::of(data, &colours)))
}

/// The canvas of the document, painted again as SVG.
fn painted(data: &Data, shown: &Snapshot, colours: &Colours) -> Option<String> {
    match data {
        Data::Figure(figure) => Some(lines(figure, shown, colours)),
        Data::Fastest(seen) => {
            let (op, map) = &**seen;
            let pixels = map.pixels(|name| colours.of(heat::ink(*op, name)));
            image(shown.canvas?, map.columns.len() as u32, &pixels)
        }
        Data::TimelineData(TimelineData { section, visible, end }) => {
            let [_, _, width, height] = shown.canvas?;
            // Two pixels per CSS pixel, as in the PNG.
            let [across, down] = [width, height].map(|length| (2.0 * length).round() as usize);
            let colour = |ink: Ink| colours.of(ink);
            let pixels = Image::new(across, down, &colour).paint(section, *visible, end.0);
            image(shown.canvas?, across as u32, &pixels)
        }
        _ => None,
    }
}

/// Pixels as an SVG image of the canvas's size.
fn image([x, y, width, height]: [f64; 4], across: u32, pixels: &[u8]) -> Option<String> {
    let address = saving::image(across, pixels)?;
    Some(format!(
        "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
         preserveAspectRatio=\"none\" image-rendering=\"pixelated\" href=\"{address}\"/>"
    ))
}

fn lines(figure: &Figure, shown: &Snapshot, colours: &Colours) -> String {
    let mut lines = format!("<g transform=\"scale({})\">\n", 1.0 / FINE);
    let size = [shown.width, shown.height].map(|length| (length * FINE).round() as u32);
    {
        let area = SVGBackend::with_string(&mut lines, (size[0], size[1])).into_drawing_area();
        let frame = figure.frame(shown.width, shown.height, shown.em);
        // Writing to a String cannot fail.
        let _ = Painter::new(&area, frame, FINE, colours).paint(figure);
    }
    lines + "</g>"
}

/// Title, picture and legend, from top to bottom.
fn whole(
    title: &str,
    shown: &Snapshot,
    painted: &str,
    legend: &[([u8; 3], &str)],
) -> (String, [f64; 2]) {
    let Snapshot { width, height, em, markup, .. } = shown;
    let (margin, top) = (1.5 * em, 4.0 * em);
    let (legend, rows) = items(legend, *width, *em);
    let below = top + height + if rows > 0 { em * (0.5 + 1.6 * rows as f64) } else { 0.0 };
    let size = [(width + 2.0 * margin).ceil(), (below + margin).ceil()];
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" \
         viewBox=\"0 0 {0} {1}\" font-family=\"{FONT}\" font-size=\"{em}\">\n\
         <title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{margin}\" y=\"{3}\" font-size=\"{4}\" font-weight=\"700\" fill=\"{TEXT}\">{2}</text>\n\
         <g transform=\"translate({margin} {top})\">\n\
         {painted}\n{markup}\n\
         <g transform=\"translate(0 {5})\">{legend}</g>\n</g>\n</svg>\n",
        size[0],
        size[1],
        escaped(title),
        margin + 1.2 * em,
        1.4 * em,
        height + em,
    );
    (text, size)
}

/// The legend, wrapped into rows.
fn items(legend: &[([u8; 3], &str)], width: f64, em: f64) -> (String, usize) {
    let (mut x, mut row, mut text) = (0.0, 0, String::new());
    for ([red, green, blue], words) in legend {
        let length = em * (2.6 + 0.55 * words.chars().count() as f64);
        if x > 0.0 && x + length > width {
            (x, row) = (0.0, row + 1);
        }
        let y = 1.6 * em * row as f64;
        let _ = write!(
            text,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{em}\" height=\"{em}\" \
             fill=\"#{red:02x}{green:02x}{blue:02x}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{TEXT}\">{}</text>",
            x + 1.4 * em,
            y + 0.85 * em,
            with_indices(words)
        );
        x += length;
    }
    let rows = if legend.is_empty() { 0 } else { row + 1 };
    (text, rows)
}

/// A text with subscripts, as in `o_s`.
fn with_indices(text: &str) -> String {
    let piece = |piece: Piece| match piece {
        Piece::Plain(text) => escaped(&text),
        Piece::Below(text) => index(&text, "0.3em"),
        Piece::Above(text) => index(&text, "-0.4em"),
    };
    pieces(text).into_iter().map(piece).collect()
}

/// An empty tspan returns to the baseline.
fn index(text: &str, down: &str) -> String {
    let up = down.strip_prefix('-').map_or_else(|| format!("-{down}"), str::to_owned);
    let text = escaped(text);
    format!(
        "<tspan dy=\"{down}\" font-size=\"75%\">{text}</tspan><tspan dy=\"{up}\" font-size=\"75%\">\u{200b}</tspan>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown() -> Snapshot {
        Snapshot {
            width: 300.0,
            height: 200.0,
            em: 10.0,
            canvas: None,
            markup: "<text>time</text>".to_owned(),
        }
    }

    #[test]
    fn a_picture_contains_all_its_parts() {
        let legend = [
            ([0, 114, 178], "L, latency"),
            ([1, 2, 3], "a name that is much too long for the same row"),
        ];
        let (text, size) = whole("T3D < NOW & more", &shown(), "<svg/>", &legend);
        assert!(text.contains("T3D &lt; NOW &amp; more") && text.contains("#0072b2"), "{text}");
        assert!(text.contains("<text>time</text>"));
        assert_eq!(size, [330.0, 292.0]);
    }

    #[test]
    fn lines_are_painted_finer_than_a_pixel() {
        let figure = Figure::example();
        let colours = Colours { inks: [[9; 3]; Ink::ALL.len()], grid: [0; 3], unknown: [0; 3] };
        let lines = lines(&figure, &shown(), &colours);
        assert!(lines.contains("viewBox=\"0 0 3000 2000\"") && lines.contains("#090909"));
        assert!(lines.trim_end().ends_with("</svg>\n</g>"));
    }
}

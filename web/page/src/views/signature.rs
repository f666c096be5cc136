//! The view Signature: each parameter with interval, quality and source, and plots.

mod bandwidth;
mod comparison;
pub(crate) mod figure;
mod gaps;
mod latency;
mod overheads;
mod picture;
mod predicted;
mod refit;
mod samples;
pub(crate) mod words;

use super::Props;
use crate::draw::figure::Ink;
use crate::fields::route::route_choices;
use crate::memo::memoized;
use crate::tables::rich;
use crate::tables::scroll::Scroll;
use crate::text;
use bandwidth::Bandwidth;
use comparison::other_machines;
use gaps::{Depths, Gaps};
use latency::Latency;
use loggia_link::state::View;
use loggia_model::signature::listing::{Entry, Value, entries};
use loggia_model::signature::{Quality, Tier};
use loggia_model::units::MicrosPerByte;
use loggia_model::units::words::{number, per_byte_unit, size};
use overheads::Overheads;
use picture::PlotInputs;
use predicted::Predicted;
use refit::Refit;
use samples::Raw;
use std::ops::RangeInclusive;
use yew::{Html, classes, component, html};

#[component]
pub(crate) fn Signature(props: &Props) -> Html {
    let machine = &props.page.machine;
    let samples: usize = machine.samples.iter().map(|samples| samples.times.len()).sum();
    html! {
        <>
        <section class="panel whole" id="signature" aria-labelledby="signature-title">
            <h2 id="signature-title">{ crate::text::view(View::Signature) }</h2>
            { for machine.tiers.iter().map(tier) }
            { machine.tiers.is_empty().then(|| html! { <p class="aside">{ text::NO_TIERS }</p> }) }
            { pictures(props) }
            <Predicted machine={machine.clone()} others={props.page.own().to_vec()} />
            { (samples > 0).then(|| raw(props, samples)) }
        </section>
        { other_machines(props) }
        </>
    }
}

/// The samples and the refit.
fn raw(props: &Props, samples: usize) -> Html {
    let machine = props.page.machine.clone();
    html! {
        <section class="picture">
            <h3>{ words::SAMPLES }</h3>
            <p class="aside">{ text::samples(samples) }</p>
            <Raw machine={machine.clone()} />
            <Refit {machine} on_action={props.on_action.clone()} />
        </section>
    }
}

/// The plots of point-to-point parameters.
fn pictures(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let Ok(route) = page.route() else { return html! {} };
    let machine = page.machine.clone();
    let of =
        PlotInputs { machine, tier: route.tier.name.clone(), style: page.inputs.style.clone() };
    html! {
        <>
            <div class="pickers">{ route_choices(&route, on_action) }</div>
            <div class="pictures">
                <Overheads ..of.clone() />
                <Bandwidth ..of.clone() />
                <Latency ..of.clone() />
                <Depths ..of.clone() />
                <Gaps ..of />
            </div>
        </>
    }
}

fn tier(tier: &Tier) -> Html {
    let [parameter, value, bounds, unit, quality, source] = text::SIGNATURE_COLUMNS;
    let path = tier.path.as_ref().map(|path| html! { <small>{ path }</small> });
    let mut before = None;
    let rows: Vec<Html> = entries(tier)
        .into_iter()
        .map(|entry| {
            let begins = before.replace(entry.style.clone()) != Some(entry.style.clone());
            memoized((entry, begins), |(entry, begins)| row(entry, *begins))
        })
        .collect();
    let head = |words: &'static str, class: &'static str| {
        html! { <th scope="col" {class}>{ words }</th> }
    };
    html! {
        <Scroll key={tier.name.clone()}>
            <h3>{ &tier.name }{ " " }{ path }</h3>
            <table class="parts listing">
                <thead>
                    <tr>
                        { head(parameter, "") }{ head(value, "number") }{ head(bounds, "number") }
                        { head(unit, "") }{ head(quality, "") }{ head(source, "source") }
                    </tr>
                </thead>
                <tbody>{ rows }</tbody>
            </table>
        </Scroll>
    }
}

fn row(entry: &Entry, begins: bool) -> Html {
    let (unit_size, unit) = fitting_unit(entry);
    let (value, bounds) = value_and_bounds(&in_unit(&entry.value, unit_size));
    let style = entry.style.as_ref().map(|style| html! { <b class="style">{ style }</b> });
    let meaning = text::parameter(&entry.symbol);
    let [brief, whole] = source(&entry.source);
    html! {
        <>
        <tr class={classes!(begins.then_some("begins"))}>
            <th scope="row">
                { style }
                { rich::swatch(Ink::of(&entry.symbol)) }{ rich::symbol(&entry.symbol) }
                <small>{ meaning }</small>
            </th>
            <td class="number">{ value }</td>
            <td class="number">{ bounds }</td>
            <td>{ unit }</td>
            <td class={classes!("quality", quality(entry.quality))}>{ quality(entry.quality) }</td>
            <td class="source">{ brief }</td>
        </tr>
        { whole }
        </>
    }
}

fn quality(quality: Quality) -> &'static str {
    match quality {
        Quality::Published => "published",
        Quality::Good => "good",
        Quality::Uncertain => "fair",
        Quality::Unusable => "unusable",
        Quality::Assumed => "assumed",
    }
}

/// Maximum length, in characters, of a source in a narrow column.
const FITS: usize = 12;
/// The lengths, in characters, that a source may be shortened to.
const BRIEF: RangeInclusive<usize> = 12..=32;

/// The source of a value in its column, and its whole text in a folded row of its own.
fn source(text: &str) -> [Html; 2] {
    if text.chars().count() <= FITS {
        return [rich::formula(text), Html::default()];
    }
    let end = brief_end(text);
    let more = if end < text.len() { " …" } else { "" };
    let brief = html! {
        <details><summary>{ rich::formula(&text[..end]) }{ more }</summary></details>
    };
    let whole = html! {
        <tr class="whole-source"><td colspan="6">{ rich::formula(text) }</td></tr>
    };
    [brief, whole]
}

/// The end of a source's short form: its first parts, or the words that fit.
fn brief_end(text: &str) -> usize {
    let byte = |characters| text.char_indices().nth(characters).map(|(at, _)| at);
    let Some((shortest, longest)) = byte(*BRIEF.start()).zip(byte(*BRIEF.end())) else {
        return text.len();
    };
    let marks = ["; ", ", ", ": ", " (", " ="];
    let ends = marks.iter().flat_map(|mark| text.match_indices(mark)).map(|(end, _)| end);
    ends.filter(|end| (shortest..=longest).contains(end)).min().unwrap_or_else(|| {
        let words = text[..longest].rfind(' ').unwrap_or(longest);
        text[..words].trim_end_matches([' ', ';', ',', ':', '(', '=']).len()
    })
}

/// The size and the name of the unit that fits a value: times per byte are small, so they are shown in
/// ns/byte.
fn fitting_unit(entry: &Entry) -> (f64, &'static str) {
    match &entry.value {
        Value::Number(of) if entry.unit == "µs/byte" => per_byte_unit(MicrosPerByte(of.value)),
        _ => (1.0, entry.unit),
    }
}

/// A value in a unit of that size.
fn in_unit(value: &Value, size: f64) -> Value {
    match value {
        Value::Number(of) => Value::Number(of.map(|each| each / size)),
        value => value.clone(),
    }
}

/// A value and its bounds.
fn value_and_bounds(value: &Value) -> (String, String) {
    let alone = |text: String| (text, String::new());
    match value {
        Value::None => alone("—".to_owned()),
        Value::Number(i) if i.is_bounded() => {
            (number(i.value, 4), format!("{}–{}", number(i.low, 4), number(i.high, 4)))
        }
        Value::Number(i) => alone(number(i.value, 4)),
        Value::Line(fixed, each) => alone(text::line(&number(fixed.0, 4), &number(each.0, 4))),
        Value::Points(points) => match points.as_slice() {
            [first, .., last] => alone(text::from_to(
                (&number(first.value.0, 4), &size(first.bytes)),
                (&number(last.value.0, 4), &size(last.bytes)),
            )),
            [only] => alone(number(only.value.0, 4)),
            [] => alone("—".to_owned()),
        },
        Value::Word(word) => alone(word.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::brief_end;

    #[test]
    fn a_long_source_is_shortened_at_the_end_of_a_part() {
        for (source, brief) in [
            ("median of 12 streams", "median of 12 streams"),
            ("EEL − o_s − o_r at 8 bytes = 13.5 − 2 − 1.5", "EEL − o_s − o_r at 8 bytes"),
            ("RTT/2 − L (PLogP's fast method)", "RTT/2 − L (PLogP's fast method)"),
            ("median, timer11 of the two-processor benchmark", "median, timer11 of the"),
            ("T(m) without L, G(m−1) and the handshake; left out", "T(m) without L"),
            ("send call, by Netgauge loggp; one mean per size", "send call, by Netgauge loggp"),
        ] {
            assert_eq!(&source[..brief_end(source)], brief);
        }
    }
}

//! The time of each rank, or of groups of ranks, as bars.

use super::words as text;
use crate::draw::split::{PARTS, Part};
use crate::memo::Shared;
use crate::sharing::Data;
use crate::sharing::export::Whole;
use crate::tables::scroll::Scroll;
use crate::tables::{quantity, rich, table};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time};
use loggia_worker::Bar;
use yew::{Html, html};

pub(super) fn split(bars: &Shared<Vec<Bar>>) -> Html {
    let Some(first) = bars.first() else { return html! {} };
    let each = first.ranks;
    let whole: Micros = PARTS.iter().map(|part| (part.time)(&first.mean)).sum();
    let item = |part: &Part| html! { <li>{ rich::swatch(part.ink) }{ part.words }</li> };
    let shown = |part: &&Part| bars.iter().any(|bar| (part.time)(&bar.mean).0 > 0.0);
    let parts: Vec<&Part> = PARTS.iter().filter(shown).collect();
    let inside = html! {
        <>
            <ul class="legend">{ for parts.iter().map(|part| item(part)) }</ul>
            <Whole title={text::SPLIT} data={Data::Split(bars.clone())}>
                <svg
                    class="stacks"
                    viewBox={format!("0 0 {} 100", bars.len())}
                    preserveAspectRatio="none"
                    role="img"
                    aria-label={text::split(bars.len(), each)}
                >
                    { for bars.iter().enumerate().map(|(i, bar)| stack(i, bar, whole)) }
                </svg>
                <p class="ends"><span>{ text::rank(0) }</span><span>{ last(bars) }</span></p>
            </Whole>
            <details class="data">
                <summary>{ text::DATA }</summary>
                <Scroll>{ data(bars, &parts) }</Scroll>
            </details>
        </>
    };
    let named: Vec<&str> = parts.iter().map(|part| part.words).collect();
    table::folded("time-split", html! { { text::SPLIT } }, named.join(", "), inside)
}

fn last(bars: &[Bar]) -> Option<String> {
    bars.last().map(|bar| text::rank(bar.first + bar.ranks - 1))
}

fn stack(i: usize, bar: &Bar, whole: Micros) -> Html {
    let mut floor = 100.0;
    let part = |part: &Part| {
        let time = (part.time)(&bar.mean);
        let height = 100.0 * time.0 / whole.0.max(f64::MIN_POSITIVE);
        floor -= height;
        (height > 0.0).then(|| {
            html! {
                <rect
                    class={format!("ink-{}", part.ink.name())}
                    x={format!("{:.2}", i as f64 + 0.04)}
                    y={format!("{floor:.3}")}
                    width="0.92"
                    height={format!("{height:.3}")}
                />
            }
        })
    };
    let drawn: Html = PARTS.iter().filter_map(part).collect();
    html! { <g><title>{ words(bar) }</title>{ drawn }</g> }
}

/// "rank 3: sending 12 µs, waiting 40 µs"
fn words(bar: &Bar) -> String {
    let parts = PARTS.iter().map(|part| (part.words, (part.time)(&bar.mean)));
    let parts = parts.filter(|(_, time)| time.0 > 0.0);
    let parts: Vec<String> = parts.map(|(words, t)| format!("{words} {}", time(t))).collect();
    format!("{}: {}", text::ranks(bar.first, bar.ranks), parts.join(", "))
}

fn data(bars: &[Bar], parts: &[&Part]) -> Html {
    let columns: Vec<&'static str> =
        [text::RANK].into_iter().chain(parts.iter().map(|part| part.words)).collect();
    let cell = |bar: &Bar, part: &Part| {
        let time = (part.time)(&bar.mean);
        let shown = number(time.0, 4);
        match bar.ranks {
            1 => {
                let path = format!("simulate.ranks.{}.{}", bar.first, part.key);
                quantity::micros(&path, Some(time), shown)
            }
            _ => html! { { shown } },
        }
    };
    let row = |bar: &Bar| -> Vec<Html> {
        let name = html! { { text::ranks(bar.first, bar.ranks) } };
        std::iter::once(name).chain(parts.iter().map(|part| cell(bar, part))).collect()
    };
    table::table(text::SPLIT, &columns, bars.iter().map(row).collect())
}

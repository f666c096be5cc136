//! Runs of one machine over time, as a plot and as a table.

pub(crate) mod figure;

use super::words as text;
use crate::browser::Size;
use crate::comparison::{short_names, titles};
use crate::draw::scale::Frame;
use crate::fields::chips::Chips;
use crate::fields::route::chip;
use crate::machines::Machine;
use crate::memo::{Shared, memoized};
use crate::plots::plane;
use crate::plots::surface::{px, use_size};
use crate::sharing::Data;
use crate::sharing::export::Export;
use crate::tables::{quantity, rich};
use figure::{Mark, Trend, trend};
use loggia_model::Signature;
use loggia_model::compare::{Change, History, Run, RunValue, Subject, Verdict};
use loggia_model::units::words::number;
use yew::{Callback, Html, Properties, classes, component, html, use_node_ref, use_state_eq};

/// A history, with long and short names of its runs, in the order of the machines.
#[derive(Clone, PartialEq)]
struct HistoryInputs {
    history: Shared<History>,
    titles: Vec<String>,
    short: Vec<String>,
}

/// The panel, if there are several runs of the selected machine.
pub(super) fn history(runs: Vec<Machine>) -> Option<Html> {
    (runs.len() > 1).then(|| memoized(runs, |runs| panel(runs).unwrap_or_default()))
}

fn panel(runs: &[Machine]) -> Option<Html> {
    let signatures: Vec<&Signature> = runs.iter().map(|run| &**run).collect();
    let history = History::of(&signatures, &[], 0.0).ok().filter(|of| !of.columns.is_empty())?;
    let shown = HistoryInputs {
        history: Shared::new(history),
        titles: titles(runs),
        short: short_names(runs),
    };
    Some(html! {
        <section class="panel whole" id="compare-history" aria-labelledby="compare-history-title">
            <h2 id="compare-history-title">{ text::HISTORY }</h2>
            <HistoryPlot shown={shown.clone()} />
            { table(&shown) }
        </section>
    })
}

#[derive(Properties, PartialEq)]
struct Props {
    shown: HistoryInputs,
}

/// The plot of the selected number.
#[component]
fn HistoryPlot(Props { shown }: &Props) -> Html {
    let columns = &shown.history.columns;
    let chosen = use_state_eq(|| None::<String>);
    let names: Vec<String> = columns.iter().map(Subject::words).collect();
    // By default the first changed number, or else the first.
    let has_changed = |column: &usize| {
        shown.history.runs.iter().any(|run| arrows(&run.numbers[*column]).is_some())
    };
    let usual = (0..columns.len()).find(has_changed).unwrap_or_default();
    let place = chosen.as_ref().and_then(|chosen| names.iter().position(|name| name == chosen));
    let column = place.unwrap_or(usual);
    let chips = columns.iter().zip(&names).enumerate();
    let chips =
        chips.map(|(at, (subject, name))| chip(name, &subject.words_in_tier(), name, at == column));
    let on_choose = Callback::from(move |name| chosen.set(Some(name)));
    html! {
        <>
            <Chips name="column" legend={text::WHICH} chips={chips.collect::<Vec<_>>()} {on_choose} />
            <Picture shown={shown.clone()} {column} />
        </>
    }
}

#[derive(Properties, PartialEq)]
struct PlotProps {
    shown: HistoryInputs,
    column: usize,
}

#[component]
fn Picture(PlotProps { shown, column }: &PlotProps) -> Html {
    let area = use_node_ref();
    let size = use_size(&area);
    let Some(trend) = trend(&shown.history, *column) else { return html! {} };
    let name = shown.history.columns[*column].words();
    let data = Data::History(shown.history.clone(), shown.titles.clone());
    html! {
        <figure class="plot still">
            <div class="plot-area" ref={area.clone()}>{ picture(shown, *column, &trend, size) }</div>
            <figcaption>{ text::WITHIN }</figcaption>
            <Export title={name} {area} {data} />
        </figure>
    }
}

fn picture(shown: &HistoryInputs, column: usize, trend: &Trend, size: Size) -> Option<Html> {
    let Size { width, height, em } = size;
    let frame = Frame { right: width - 3.2 * em, ..Frame::inside(width, height, em) };
    let subject = &shown.history.columns[column];
    let label = format!("{}. {}", subject.words(), description(shown, column));
    let [value, low, high] = trend.marks.first()?.y;
    let band = |y: f64| trend.pixel(frame, 0.0, y).1;
    let (top, bottom) = (band(high), band(low));
    let line: Vec<String> = trend
        .marks
        .iter()
        .map(|mark| trend.pixel(frame, mark.x, mark.y[0]))
        .map(|(x, y)| format!("{x:.1} {y:.1}"))
        .collect();
    let y = band(value);
    frame.is_visible().then(|| {
        html! {
            <svg class="overlay still" viewBox={format!("0 0 {width} {height}")} role="img" aria-label={label}>
                <g aria-hidden="true">
                    <rect class="first-run" x={px(frame.left)} y={px(top)} width={px(frame.right - frame.left)} height={px((bottom - top).max(1.0))} />
                    <path class="first-run" d={format!("M{} {y:.1}H{}", px(frame.left), px(frame.right))} />
                    { axes(shown, subject, trend, frame) }
                    <path class="swept line-total" d={format!("M{}", line.join("L"))} />
                    { for trend.marks.iter().map(|mark| run_marker(shown, column, trend, mark, frame)) }
                </g>
            </svg>
        }
    })
}

fn axes(shown: &HistoryInputs, subject: &Subject, trend: &Trend, frame: Frame) -> Html {
    let date = |mark: &Mark| {
        let run = &shown.history.runs[mark.run];
        let date = run.date.as_deref().unwrap_or(&shown.short[run.given]);
        date.split(' ').next().unwrap_or_default().to_owned()
    };
    let letters = trend.marks.iter().map(|mark| date(mark).chars().count()).max();
    let named = trend.named(frame, letters.unwrap_or_default());
    let along = named.into_iter().map(|place| {
        let mark = &trend.marks[place];
        (trend.pixel(frame, mark.x, mark.y[0]).0, date(mark))
    });
    let up = trend.up(frame).into_iter();
    let up = up.map(|tick| (trend.pixel(frame, 0.0, tick.value).1, tick.label));
    html! {
        <>
            { plane::lines(frame, along, up, "") }
            <text class="axis-title start" x="0" y={px(frame.top - 1.2 * frame.em)}>{ subject.unit }</text>
        </>
    }
}

/// A run: interval and marker; the marker is filled if the number has changed.
fn run_marker(
    shown: &HistoryInputs,
    column: usize,
    trend: &Trend,
    mark: &Mark,
    frame: Frame,
) -> Html {
    let [value, low, high] = mark.y;
    let at = |y: f64| trend.pixel(frame, mark.x, y);
    let ((x, y), (_, bottom), (_, top)) = (at(value), at(low), at(high));
    let class = if mark.changed[0].is_some() { "run has-changed" } else { "run" };
    let whisker = format!(
        "M{x:.1} {top:.1}V{bottom:.1}M{:.1} {top:.1}h8M{:.1} {bottom:.1}h8",
        x - 4.0,
        x - 4.0
    );
    let run = &shown.history.runs[mark.run];
    let words = format!("{}: {}", shown.titles[run.given], value_text(&run.numbers[column]));
    html! {
        <g {class}>
            <title>{ words }</title>
            <path class="whisker" d={whisker} />
            <circle cx={px(x)} cy={px(y)} r="5" />
        </g>
    }
}

/// Description of the plot, for screen readers.
fn description(shown: &HistoryInputs, column: usize) -> String {
    let one =
        |run: &Run| format!("{}: {}", shown.titles[run.given], value_text(&run.numbers[column]));
    shown.history.runs.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// A number with bounds and change, as text.
fn value_text(of: &RunValue) -> String {
    let Some(value) = of.value else { return text::UNKNOWN.to_owned() };
    let bounds = of.low.zip(of.high).filter(|(low, high)| low < high);
    let bounds = bounds.map(|(low, high)| format!(" ({}–{})", number(low, 4), number(high, 4)));
    let changed = change_texts(of).into_iter().map(|words| format!(", {words}"));
    let changed: String = changed.collect();
    format!("{}{}{changed}", number(value, 4), bounds.unwrap_or_default())
}

/// Changes since the last and since the first run, as text.
fn change_texts(of: &RunValue) -> Vec<&'static str> {
    let is_changed = |change: &Option<Change>| {
        change.as_ref().is_some_and(|change| change.judged.verdict == Verdict::Changed)
    };
    let since = [&of.since_last, &of.since_first].into_iter().zip(text::CHANGED_SINCE);
    since.filter(|(change, _)| is_changed(change)).map(|(_, words)| words).collect()
}

fn arrows(of: &RunValue) -> Option<String> {
    Some(of.arrows()).filter(|arrows| !arrows.is_empty())
}

/// A row per run, a column per number.
fn table(shown: &HistoryInputs) -> Html {
    let head = |column: &Subject| {
        html! {
            <th scope="col" class="number">
                { column.style.as_ref().map(|style| html! { <>{ style }{ " " }</> }) }
                { rich::symbol(&column.symbol) }{ column.point() }
                <span class="unit">{ column.unit }</span>
            </th>
        }
    };
    let row = |(at, run): (usize, &Run)| {
        let cells = run.numbers.iter().enumerate().map(|(column, of)| {
            let path = format!("compare.runs.{at}.numbers.{column}");
            cell(&path, of, shown.history.columns[column].unit)
        });
        html! {
            <tr key={at}>
                <th scope="row">{ &shown.titles[run.given] }</th>
                { for cells }
            </tr>
        }
    };
    let undated = (shown.history.undated > 0)
        .then(|| html! { <p class="aside">{ text::undated(shown.history.undated) }</p> });
    html! {
        <>
            <div class="scroll side-by-side" role="group" tabindex="0" aria-label={text::HISTORY}>
                <table class="parts over-time">
                    <caption class="unseen">{ text::HISTORY }</caption>
                    <thead>
                        <tr>
                            <th scope="col">{ text::RUN }</th>
                            { for shown.history.columns.iter().map(head) }
                        </tr>
                    </thead>
                    <tbody>{ for shown.history.runs.iter().enumerate().map(row) }</tbody>
                </table>
            </div>
            <p class="aside">{ text::HISTORY_KEY }</p>
            { undated }
        </>
    }
}

fn cell(path: &str, of: &RunValue, unit: &'static str) -> Html {
    let Some(value) = of.value else {
        return html! { <td class="number lacking">{ text::UNKNOWN }</td> };
    };
    let arrows = arrows(of).map(|arrows| {
        let words = change_texts(of).join(", ");
        html! { <><span class="arrows" aria-hidden="true">{ arrows }</span><span class="unseen">{ words }</span></> }
    });
    let verdict = of.since_last.as_ref().map(|change| {
        quantity::words(
            &format!("{path}.since_last.verdict"),
            change.judged.verdict.name(),
            html! {},
        )
    });
    let class = classes!("number", arrows.is_some().then_some("has-changed"));
    html! {
        <td {class}>
            { quantity::number(&format!("{path}.value"), unit, Some(value), number(value, 4)) }
            { arrows }{ verdict }
        </td>
    }
}

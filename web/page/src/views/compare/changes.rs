//! Changes: verdict, environment, and every number compared with the first machine.

use super::Side;
use super::cells::{name, verdict_words};
use super::messages::standings;
use super::operations::judged_operations;
use super::words::{self as text, OPERATIONS};
use crate::comparison::short_names;
use crate::memo::memoized;
use crate::state::Page;
use crate::tables::scroll::Scroll;
use crate::tables::{quantity, rich};
use loggia_model::compare::{
    Cell, Change, Comparison, Condition, Group, Row, Verdict, changed, conditions, groups,
    together, unknown_rows,
};
use loggia_model::units::words::number;
use yew::{Html, classes, component, html, use_state_eq};

pub(super) fn changes(page: &Page, side: &Side) -> Html {
    let times = standings(page, side).into_iter().map(|(_, row)| row);
    let times = times.chain(judged_operations(page, side).into_iter().map(|(.., row)| row));
    let judged = times.flatten().filter_map(|standing| Some(standing.judged?.verdict));
    // Times without a verdict depend on a parameter without one, which has its own row.
    let known = judged.filter(|verdict| *verdict != Verdict::Unknown);
    let verdict = together(known.chain([side.numbers.verdict()]));
    let heading = if side.is_one_machine() { text::CHANGES } else { text::DIFFERENCES };
    html! {
        <section class="panel whole" id="compare-changes" aria-labelledby="compare-changes-title">
            <h2 id="compare-changes-title">{ heading }</h2>
            { verdicts(verdict, side) }
            { memoized(side.clone(), below) }
        </section>
    }
}

/// Changes since the first run: as a sentence, then for each run. Different machines have no
/// verdicts.
fn verdicts(verdict: Verdict, side: &Side) -> Html {
    let name =
        |words: String| quantity::words("compare.verdict", verdict.name(), html! { { words } });
    if !side.is_one_machine() {
        return html! { <p class="asked">{ name(text::DIFFERENT.to_owned()) }</p> };
    }
    let short = short_names(&side.machines);
    let all = match verdict {
        Verdict::Same => text::same_as(&short[0]),
        Verdict::Changed => headline(side, &short[0]).unwrap_or_else(|| text::CHANGED.to_owned()),
        Verdict::Unknown if side.numbers.is_empty() => text::NOTHING_SHARED.to_owned(),
        Verdict::Unknown => text::UNKNOWN_CHANGE.to_owned(),
    };
    html! {
        <div class="advice">
            <p class="answer sentence"><output>{ name(all) }</output></p>
            <p class="asked">{ text::against(&side.titles[0]) }</p>
            <ul class="changed">{ for (1..side.machines.len()).map(|run| changes_of(run, side)) }</ul>
            <p class="aside">{ crate::text::sentence(&side.numbers.strictness.words()) }</p>
        </div>
    }
}

/// The most significant change of the newest run that has any.
fn headline(side: &Side, since: &str) -> Option<String> {
    let rows = &side.numbers.parameters;
    let newest = (1..side.machines.len()).rev().find(|run| !changed(rows, *run).is_empty())?;
    let distance = |row: &&Row| {
        let change = row.machines[newest].change.as_ref();
        change.map_or(0.0, |change| change.judged.distance)
    };
    let largest =
        changed(rows, newest).into_iter().max_by(|a, b| distance(a).total_cmp(&distance(b)));
    largest?.sentence(newest, &text::since(since))
}

/// The changes of one run.
fn changes_of(run: usize, side: &Side) -> Html {
    let rows = changed(&side.numbers.parameters, run);
    let words: Vec<String> = rows.into_iter().map(|row| row.words(run)).collect();
    let unknown = unknown_rows(&side.numbers.parameters, run);
    let unknown: Vec<String> = unknown.into_iter().map(|row| row.subject.words()).collect();
    let text = match (words.as_slice(), unknown.as_slice()) {
        ([], []) => text::NO_NUMBER_CHANGED.to_owned(),
        ([], unknown) => text::unknown_parameters(unknown),
        (words, _) => words.join("; "),
    };
    html! { <li key={run}><b>{ name(run, &side.titles[run]) }</b>{ text }</li> }
}

/// The tables of all numbers. For different machines they are folded, since every number differs.
fn below(side: &Side) -> Html {
    let numbers = html! { <Numbers side={side.clone()} /> };
    let all: Vec<_> = side.machines.iter().map(|machine| &**machine).collect();
    let differing = environment(&conditions(&all), side);
    match side.is_one_machine() {
        true => html! { <>{ differing }{ numbers }</> },
        false => html! {
            <details class="numbers">
                <summary>{ text::EVERY_NUMBER }</summary>
                { differing }
                { numbers }
            </details>
        },
    }
}

/// Differences in the environment.
fn environment(conditions: &[Condition], side: &Side) -> Option<Html> {
    let row = |condition: &Condition| {
        let value = |value: &Option<String>| match value {
            Some(value) => html! { <td>{ value }</td> },
            None => html! { <td class="lacking">{ text::UNKNOWN }</td> },
        };
        html! {
            <tr key={condition.what.clone()}>
                <th scope="row">{ &condition.what }</th>
                { for condition.values.iter().map(value) }
            </tr>
        }
    };
    (!conditions.is_empty()).then(|| {
        html! {
            <section class="every-number">
                <h3>{ text::ENVIRONMENT }</h3>
                <Scroll label={text::ENVIRONMENT}>
                    <table class="parts environment">
                        <caption class="unseen">{ text::ENVIRONMENT }</caption>
                        { head(side, false) }
                        <tbody>{ for conditions.iter().map(row) }</tbody>
                    </table>
                </Scroll>
            </section>
        }
    })
}

/// The header with a column per machine, for numbers or texts.
fn head(side: &Side, numbers: bool) -> Html {
    let title = |(at, title): (usize, &String)| {
        let class = if numbers { "number" } else { "" };
        html! { <th scope="col" {class}>{ name(at, title) }</th> }
    };
    html! {
        <thead><tr><td />{ for side.titles.iter().enumerate().map(title) }</tr></thead>
    }
}

#[derive(yew::Properties, PartialEq)]
struct Props {
    side: Side,
}

/// All numbers; of a curve, the point that differs most, or all points.
#[component]
fn Numbers(Props { side }: &Props) -> Html {
    let is_all = use_state_eq(|| false);
    let all = *is_all;
    let on_change = move |_| is_all.set(!all);
    let rows = number_rows(&side.numbers, all);
    let width = (side.machines.len() + 1).to_string();
    let of_runs = side.is_one_machine();
    let parts = rows.chunk_by(|a, b| a.row.subject.tier == b.row.subject.tier);
    let part = |rows: &[NumberRow]| {
        let tier = rows[0].row.subject.tier.as_deref().unwrap_or(OPERATIONS);
        html! {
            <tbody key={tier.to_owned()}>
                <tr><th scope="rowgroup" class="tier" colspan={width.clone()}>{ tier }</th></tr>
                { for rows.iter().map(|row| line(row, of_runs)) }
            </tbody>
        }
    };
    html! {
        <section class="every-number">
            <div class="titled">
                <h3>{ text::NUMBERS }</h3>
                <label class="chip">
                    <input type="checkbox" name="points" checked={all} onchange={on_change} />
                    <span>{ text::EVERY_POINT }</span>
                </label>
            </div>
            <div class="scroll side-by-side" role="group" tabindex="0" aria-label={text::NUMBERS}>
                <table class="parts judged">
                    <caption class="unseen">{ text::NUMBERS }</caption>
                    { head(side, true) }
                    { for parts.map(part) }
                </table>
            </div>
            <p class="aside">{ text::NUMBERS_KEY }</p>
        </section>
    }
}

/// A row with its path in the command's JSON; it may represent a whole curve.
struct NumberRow<'a> {
    at: usize,
    row: &'a Row,
    of: Option<Group<'a>>,
}

fn number_rows(numbers: &Comparison, all: bool) -> Vec<NumberRow<'_>> {
    let rows = &numbers.parameters;
    if all {
        return rows.iter().enumerate().map(|(at, row)| NumberRow { at, row, of: None }).collect();
    }
    let mut shown = Vec::new();
    let mut before = 0;
    for group in groups(rows) {
        let at = before + group.worst;
        before += group.rows.len();
        shown.push(NumberRow { at, row: &rows[at], of: Some(group) });
    }
    shown
}

fn line(NumberRow { at, row, of }: &NumberRow, of_runs: bool) -> Html {
    let subject = &row.subject;
    let style = subject.style.as_ref().map(|style| html! { <>{ style }{ " " }</> });
    let shown = row.unit();
    let unit = (!shown.1.is_empty()).then(|| html! { <span class="unit">{ shown.1 }</span> });
    let cells = row.machines.iter().enumerate().map(|(machine, cell)| {
        let path = format!("compare.parameters.{at}.machines.{machine}");
        let among = of.as_ref().filter(|_| of_runs).map(|group| group.among(machine));
        number_cell(
            &path,
            cell,
            (subject.unit, shown.0),
            among.as_deref().unwrap_or_default(),
            of_runs,
        )
    });
    html! {
        <tr key={*at}>
            <th scope="row">
                { style }{ rich::symbol(&subject.symbol) }{ subject.point() }{ unit }
            </th>
            { for cells }
        </tr>
    }
}

/// A number with bounds and verdict, shown in a unit of this size.
fn number_cell(
    path: &str,
    cell: &Cell,
    (unit, size): (&'static str, f64),
    among: &str,
    of_runs: bool,
) -> Html {
    let value = match (cell.interval(), &cell.word) {
        (Some(interval), _) => {
            let text = |value: f64| number(value / size, 4);
            let shown = text(interval.value);
            let bounds = interval.is_bounded().then(|| {
                let bounds = format!("{}–{}", text(interval.low), text(interval.high));
                html! { <span class="bounds">{ bounds }</span> }
            });
            let value =
                quantity::number(&format!("{path}.value"), unit, Some(interval.value), shown);
            html! { <>{ value }{ bounds }</> }
        }
        (None, Some(word)) => quantity::words(&format!("{path}.word"), word, html! { { word } }),
        (None, None) => html! { <span class="lacking">{ text::UNKNOWN }</span> },
    };
    let judged = cell.change.as_ref().map(|change| ratio_and_verdict(path, change, among, of_runs));
    let is_changed = of_runs && cell.is(Verdict::Changed);
    html! { <td class={classes!("number", is_changed.then_some("has-changed"))}>{ value }{ judged }</td> }
}

/// A ratio with its interval, and the verdict.
fn ratio_and_verdict(path: &str, change: &Change, among: &str, of_runs: bool) -> Html {
    let ratio = change.ratio.map(|ratio| {
        let words = change.words();
        html! { <>{ quantity::number(&format!("{path}.ratio"), "1", Some(ratio), words) }{ " " }</> }
    });
    let verdict = verdict_words(change.judged.verdict, of_runs, || change.judged.outcome());
    let verdict = format!("{verdict}{among}");
    let verdict = quantity::words(
        &format!("{path}.verdict"),
        change.judged.verdict.name(),
        html! { { verdict } },
    );
    html! { <small class="verdict-of">{ ratio }{ verdict }</small> }
}

//! Data as a table.

use super::rich;
use loggia_model::units::Micros;
use yew::{Html, html};

/// A folded section; its heading summarises the content.
pub(crate) fn folded(id: &'static str, title: Html, more: String, inside: Html) -> Html {
    html! {
        <details class="panel whole folded" {id}>
            <summary><h2>{ title }</h2><small>{ more }</small></summary>
            <div class="below">{ inside }</div>
        </details>
    }
}

/// The same for a part of a section.
pub(crate) fn folded_part(title: Html, more: String, inside: Html) -> Html {
    html! {
        <details class="folded">
            <summary><h3>{ title }</h3><small>{ more }</small></summary>
            <div class="below">{ inside }</div>
        </details>
    }
}

/// A cell with a time as a bar; the longest time fills it.
pub(crate) fn bar_cell(time: Option<Micros>, longest: Micros, is_best: bool) -> Html {
    let share = time.map_or(0.0, |time| time.0 / longest.0.max(f64::MIN_POSITIVE));
    let class = if is_best { "ink-total" } else { "ink-other" };
    html! {
        <td class="bar-cell" aria-hidden="true">
            <svg><rect {class} width={format!("{:.2}%", 100.0 * share)} height="100%" rx="3" /></svg>
        </td>
    }
}

/// A table; the first column names the row.
pub(crate) fn table(title: &'static str, columns: &[&'static str], rows: Vec<Vec<Html>>) -> Html {
    let head = |(i, words): (usize, &&'static str)| {
        let class = (i > 0).then_some("number");
        html! { <th scope="col" {class}>{ rich::formula(words) }</th> }
    };
    let row = |row: Vec<Html>| {
        let cell = |(i, cell): (usize, Html)| match i {
            0 => html! { <th scope="row">{ cell }</th> },
            _ => html! { <td class="number">{ cell }</td> },
        };
        html! { <tr>{ for row.into_iter().enumerate().map(cell) }</tr> }
    };
    html! {
        <table class="parts">
            <caption class="unseen">{ title }</caption>
            <thead><tr>{ for columns.iter().enumerate().map(head) }</tr></thead>
            <tbody>{ for rows.into_iter().map(row) }</tbody>
        </table>
    }
}

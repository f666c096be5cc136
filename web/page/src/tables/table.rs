//! Data as a table.

use super::rich;
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

//! The numbers read from each file; those left out, and why.

use super::answers::Answers;
use super::words as text;
use crate::tables::quantity;
use crate::tables::scroll::Scroll;
use loggia_exchange::import::result::{FileReport, RunReport};
use loggia_exchange::import::{LeftOut, words};
use loggia_model::signature::Range;
use loggia_model::units::Bytes;
use loggia_model::units::words::size;
use yew::{Html, html};

/// All files, as one table.
pub(super) fn file_table(files: &[FileReport], answers: &Answers) -> Html {
    let head = |(place, words): (usize, &'static str)| {
        let class = matches!(place, 2..=4).then_some("number");
        html! { <th scope="col" {class}>{ words }</th> }
    };
    let of_file = |(place, of): (usize, &FileReport)| file(place, of, answers);
    html! {
        <section aria-labelledby="import-read">
            <h3 id="import-read">{ text::READ }</h3>
            <Scroll>
                <table class="parts read">
                    <thead>
                        <tr>{ for text::READ_COLUMNS.into_iter().enumerate().map(head) }</tr>
                    </thead>
                    { for files.iter().enumerate().map(of_file) }
                </table>
            </Scroll>
        </section>
    }
}

fn file(place: usize, file: &FileReport, answers: &Answers) -> Html {
    let path = format!("import.files.{place}");
    let is_assumed = !answers.has_tier_of(&file.file);
    let of_run = |(at, of): (usize, &RunReport)| run(&format!("{path}.taken.{at}"), of, is_assumed);
    let of_lines = |(at, left): (usize, &LeftOut)| left_out(&format!("{path}.left_out.{at}"), left);
    let nothing = file.taken.is_empty().then(|| note(html! { { words::NOTHING } }));
    html! {
        <tbody key={file.file.clone()}>
            <tr class="file"><th scope="rowgroup" colspan="6">{ &file.file }</th></tr>
            { for file.taken.iter().enumerate().map(of_run) }
            { nothing.unwrap_or_default() }
            { for file.left_out.iter().enumerate().map(of_lines) }
        </tbody>
    }
}

fn run(path: &str, run: &RunReport, is_assumed: bool) -> Html {
    let part = |name: &str| format!("{path}.{name}");
    let ranks = run.procs.map(|procs| f64::from(procs.0));
    let ranks_shown = run.procs.map_or(text::UNKNOWN_RANKS.to_owned(), |procs| procs.0.to_string());
    let numbers =
        quantity::number(&part("numbers"), "", Some(run.numbers as f64), run.numbers.to_string());
    let unused = run.unused.as_ref().map(|why| {
        let why = quantity::words(&part("unused"), why, html! { { why } });
        html! { <span class="unused">{ why }</span> }
    });
    let tier = run.tier.as_ref().filter(|_| unused.is_none()).map(|tier| {
        let assumed = is_assumed.then_some(text::NETWORK_ASSUMED);
        html! { <>{ quantity::words(&part("tier"), tier, html! { { tier } }) }{ assumed }</> }
    });
    let [_, _, of_ranks, of_sizes, of_numbers, taken_as] = text::READ_COLUMNS;
    let ranks = quantity::number(&part("procs"), "", ranks, ranks_shown);
    let bytes = run.bytes.as_ref().map(|range| sizes(&part("bytes"), range));
    let cell = |label: &'static str, content: Html| {
        html! { <td class="number" data-label={label}>{ content }</td> }
    };
    let taken_as = unused.or(tier).map(|shown| html! { <td data-label={taken_as}>{ shown }</td> });
    html! {
        <tr>
            <th scope="row">{ &run.benchmark }</th>
            <td>{ words::what(&run.what) }</td>
            { cell(of_ranks, ranks) }
            { bytes.map_or_else(|| html! { <td></td> }, |bytes| cell(of_sizes, bytes)) }
            { cell(of_numbers, numbers) }
            { taken_as.unwrap_or_else(|| html! { <td></td> }) }
        </tr>
    }
}

/// A range of sizes.
pub(super) fn sizes(path: &str, Range { low, high }: &Range<Bytes>) -> Html {
    let one = |name: &str, bytes: Bytes| {
        quantity::number(&format!("{path}.{name}"), "bytes", Some(bytes.0 as f64), size(bytes))
    };
    match low == high {
        true => one("low", *low),
        false => html! { <>{ one("low", *low) }{ text::TO }{ one("high", *high) }</> },
    }
}

fn left_out(path: &str, left: &LeftOut) -> Html {
    let shown = words::left_out(left);
    note(quantity::number(&format!("{path}.count"), "", Some(left.count as f64), shown))
}

fn note(words: Html) -> Html {
    html! { <tr class="left-out"><td colspan="6">{ words }</td></tr> }
}

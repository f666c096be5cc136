//! The fastest machine by size and processes.

use super::cells::name;
use super::question::collective_question;
use super::{Side, words};
use crate::tables::scroll::Scroll;
use crate::tables::table::folded_part;
use loggia_model::Signature;
use loggia_model::compare::{fastest, operation};
use loggia_model::signature::Operation;
use loggia_model::units::words::{size, time};
use loggia_model::units::{Bytes, Procs};
use yew::{Html, html};

/// Sizes of the columns; a barrier has none.
const SIZES: [Bytes; 5] = [Bytes(4), Bytes(256), Bytes(4 << 10), Bytes(64 << 10), Bytes(1 << 20)];
/// Numbers of processes of the rows.
const PROCS: [u32; 7] = [2, 4, 8, 16, 32, 64, 128];

/// A table of the fastest machines.
pub(super) fn grid(op: Operation, side: &Side) -> Html {
    let all: Vec<&Signature> = side.machines.iter().map(|machine| &**machine).collect();
    let sizes = if op == Operation::Barrier { &SIZES[..1] } else { &SIZES[..] };
    let head = |bytes: &Bytes| {
        let words = if op == Operation::Barrier { op.name().to_owned() } else { size(*bytes) };
        html! { <th scope="col">{ words }</th> }
    };
    let row = |procs: u32| {
        html! {
            <tr key={procs}>
                <th scope="row">{ words::procs(procs) }</th>
                { for sizes.iter().map(|bytes| cell(op, Procs(procs), *bytes, &all, side)) }
            </tr>
        }
    };
    let inside = html! {
        <div class="winners">
            <Scroll>
                <table class="parts">
                    <thead><tr><td />{ for sizes.iter().map(head) }</tr></thead>
                    <tbody>{ for PROCS.into_iter().map(row) }</tbody>
                </table>
            </Scroll>
        </div>
    };
    folded_part(html! { { words::FASTEST_MACHINE } }, op.name().to_owned(), inside)
}

fn cell(op: Operation, procs: Procs, bytes: Bytes, all: &[&Signature], side: &Side) -> Html {
    let standings =
        collective_question(all, op, procs, bytes).map(|question| operation(all, &question));
    let standings = standings.unwrap_or_default();
    let Some((winner, duration)) = fastest(&standings).and_then(|i| Some((i, standings[i].time?)))
    else {
        return html! { <td class="lacking">{ words::UNKNOWN }</td> };
    };
    let class = standings[winner].extrapolated.then_some("beyond");
    let hint = words::cell_title(&side.titles[winner], &time(duration));
    let short = crate::comparison::words::short(&side.machines[winner].name);
    html! { <td {class} title={hint}>{ name(winner, &short) }</td> }
}

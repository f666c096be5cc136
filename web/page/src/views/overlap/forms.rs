//! Costs of each side: LogGPO, Chen et al. 2009 as printed, and LogGP.

use super::{time_or_dash, words as text};
use crate::tables::scroll::Scroll;
use crate::tables::{quantity, rich};
use loggia_link::state::View;
use loggia_model::model::exchange::{Exchange, Printed};
use loggia_model::model::overlap::Overlap;
use loggia_model::units::Micros;
use yew::{Html, html};

/// A row: symbol, key in the command's answer, and value.
struct Row {
    symbol: &'static str,
    key: &'static str,
    of: fn(&Exchange) -> Micros,
    printed: Option<fn(&Printed) -> Micros>,
}

const ROWS: [Row; 8] = [
    Row { symbol: "O_s", key: "send_overhead_us", of: |e| e.send, printed: Some(|p| p.send) },
    Row {
        symbol: "O_sw",
        key: "send_wait_us",
        of: |e| e.send_wait,
        printed: Some(|p| p.send_wait),
    },
    Row { symbol: "O_r", key: "recv_overhead_us", of: |e| e.recv, printed: Some(|p| p.recv) },
    Row {
        symbol: "O_rw",
        key: "recv_wait_us",
        of: |e| e.recv_wait,
        printed: Some(|p| p.recv_wait),
    },
    Row { symbol: "T_c", key: "cost_us", of: |e| e.cost, printed: Some(|p| p.cost) },
    Row { symbol: "D", key: "delivery_us", of: |e| e.delivered, printed: None },
    Row { symbol: "", key: "sender_end_us", of: |e| e.sender_end, printed: None },
    Row { symbol: "", key: "receiver_end_us", of: |e| e.receiver_end, printed: None },
];

pub(super) fn forms(found: &Overlap) -> Html {
    let head = |words: &&'static str| html! { <th scope="col" class="number">{ *words }</th> };
    html! {
        <Scroll>
            <table class="parts">
                <caption class="unseen">{ crate::text::view(View::Overlap) }</caption>
                <thead>
                    <tr><td></td>{ for text::COLUMNS.iter().map(head) }</tr>
                </thead>
                <tbody>{ for ROWS.iter().map(|one| row(one, found)) }</tbody>
            </table>
        </Scroll>
    }
}

fn row(row: &Row, found: &Overlap) -> Html {
    let (of, key) = (row.of, row.key);
    let loggpo = of(&found.exchange);
    let printed = row.printed.and_then(|printed| found.printed.as_ref().map(printed));
    let beyond = found.by_loggp.map(|loggp| of(&found.exchange.beyond(&loggp)));
    let cell = |path: String, value: Option<Micros>| {
        let shown = time_or_dash(value);
        html! { <td class="number">{ quantity::micros(&path, value, shown) }</td> }
    };
    html! {
        <tr key={key}>
            <th scope="row">
                { rich::symbol(row.symbol) }<small>{ rich::formula(text::meaning(key)) }</small>
            </th>
            // The first two are shown above in large type.
            if key.ends_with("_overhead_us") {
                <td class="number">{ time_or_dash(Some(loggpo)) }</td>
            } else {
                { cell(format!("predict.overlap.{key}"), Some(loggpo)) }
            }
            { cell(format!("predict.overlap.as_printed.{key}"), printed) }
            { cell(format!("predict.overlap.by_loggp.{key}"), found.by_loggp.as_ref().map(of)) }
            <td class="number">{ time_or_dash(beyond) }</td>
        </tr>
    }
}

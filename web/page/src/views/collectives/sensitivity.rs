//! The sensitivity of the completion time to each parameter.

use super::words;
use crate::draw::figure::Ink;
use crate::tables::scroll::Scroll;
use crate::tables::{quantity, rich};
use loggia_model::units::Micros;
use loggia_simulate::result::Sensitivity;
use yew::{Html, html};

/// Bars for parameters that are times, on one scale; a number of bytes for G; and explanations.
pub(super) fn sensitivity(found: &Sensitivity, end: Micros) -> Html {
    let all = [
        ("d_latency", "L", found.d_latency),
        ("d_overhead", "o", found.d_overhead),
        ("d_gap", "g", found.d_gap),
        ("d_control_overhead", "O'", found.d_control_overhead),
        ("d_gap_per_byte", "G", found.d_gap_per_byte),
    ];
    let card = found.d_node_gap_per_byte.map(|bytes| ("d_node_gap_per_byte", "(1/R_N)", bytes));
    let is_shown =
        |(name, _, slope): &(&str, &str, i64)| *name != "d_control_overhead" || *slope != 0;
    let shown = all.into_iter().filter(is_shown).chain(card);
    let times = all.iter().filter(|(_, symbol, _)| *symbol != "G");
    let most = times.map(|(_, _, slope)| slope.unsigned_abs()).max().unwrap_or(1).max(1);
    let row = |(name, symbol, slope): (&str, &str, i64)| {
        let path = format!("simulate.{name}");
        let is_bytes = matches!(symbol, "G" | "(1/R_N)");
        let value = quantity::number(
            &path,
            if is_bytes { "bytes" } else { "1" },
            Some(slope as f64),
            words::slope(slope),
        );
        let bar = (!is_bytes).then(|| {
            let class = format!("ink-{}", Ink::of(symbol).name());
            let width = format!("{:.2}%", 100.0 * slope.unsigned_abs() as f64 / most as f64);
            html! { <svg aria-hidden="true"><rect {class} {width} height="100%" rx="3" /></svg> }
        });
        html! {
            <tr key={name.to_owned()}>
                <th scope="row">{ rich::symbol(&format!("dT/d{symbol}")) }</th>
                <td class="bar-cell">{ bar }</td>
                <td class="number">{ value }</td>
                <td class="said">{ words::meaning(symbol, slope, end) }</td>
            </tr>
        }
    };
    html! {
        <div class="sensitivity">
            <h3>{ words::SENSITIVITY }</h3>
            <Scroll>
                <table class="parts slopes">
                    <caption class="unseen">{ words::SENSITIVITY }</caption>
                    <tbody>{ for shown.map(row) }</tbody>
                </table>
            </Scroll>
        </div>
    }
}

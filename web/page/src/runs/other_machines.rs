//! The same run on other machines.

use super::words as text;
use crate::comparison::words::OTHER_MACHINES;
use crate::machines::Machine;
use crate::tables::scroll::Scroll;
use crate::tables::{quantity, table};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time};
use loggia_worker::{OtherMachine, RunResult};
use yew::{Html, html};

pub(super) fn comparison_table(
    machine: &Machine,
    here: &RunResult,
    others: &[(Machine, OtherMachine)],
) -> Html {
    if others.is_empty() {
        return html! {};
    }
    let row = |title: &str, name: &str, rules: &str, duration: Option<Micros>| {
        let ratio = here.answer.time_us.zip(duration).map(|(here, there)| there.0 / here.0);
        let path = format!("simulate.{name}.time_us");
        vec![
            html! { { title } },
            html! { { text::rules_title(rules) } },
            quantity::micros(&path, duration, duration.map_or("—".to_owned(), time)),
            html! { { ratio.map_or("—".to_owned(), |ratio| number(ratio, 3)) } },
        ]
    };
    let first = row(&machine.title, &machine.name, here.answer.rules, here.answer.time_us);
    let ran = others.iter().filter_map(|(machine, result)| match result {
        OtherMachine::Ran { rules, time_us } => {
            Some(row(&machine.title, &machine.name, rules, *time_us))
        }
        OtherMachine::Refused(_) => None,
    });
    let times = others.iter().filter_map(|(machine, result)| match result {
        OtherMachine::Ran { time_us, .. } => Some((machine.title.as_str(), (*time_us)?)),
        OtherMachine::Refused(_) => None,
    });
    let here = here.answer.time_us.map(|time| (machine.title.as_str(), time));
    let fastest = here.into_iter().chain(times).min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0));
    let fastest = fastest.map(|(title, duration)| text::fastest(title, &time(duration)));
    let fastest = fastest.unwrap_or_default();
    let refused = others.iter().filter_map(|(machine, result)| match result {
        OtherMachine::Ran { .. } => None,
        OtherMachine::Refused(why) => {
            Some(html! { <li><b>{ &machine.title }</b>{ ": " }{ &why.message }</li> })
        }
    });
    let refused: Vec<Html> = refused.collect();
    let missing = (!refused.is_empty()).then(|| {
        html! {
            <details class="more">
                <summary>{ text::cannot_simulate(refused.len()) }</summary>
                <ul>{ for refused }</ul>
            </details>
        }
    });
    let rows = std::iter::once(first).chain(ran).collect();
    let inside = html! {
        <>
            <Scroll>{ table::table(OTHER_MACHINES, &text::OTHER_MACHINES_COLUMNS, rows) }</Scroll>
            { missing }
        </>
    };
    table::folded("elsewhere", html! { { OTHER_MACHINES } }, fastest, inside)
}

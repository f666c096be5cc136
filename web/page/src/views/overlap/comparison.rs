//! The same exchange on other machines: overlap ratios of both sides.

mod ratios;

use super::{longest, messages, programs, time_or_dash, words as text};
use crate::comparison::{ComparedMachine, all, chooser, panel, refused, table};
use crate::machines::Machine;
use crate::state::{Action, Page};
use crate::tables::quantity;
use crate::views::Props;
use loggia_model::Error;
use loggia_model::model::loggpo::assumptions;
use loggia_model::model::overlap::{Overlap, overlap};
use loggia_model::units::Micros;
use loggia_model::units::words::number;
use ratios::Ratios;
use yew::{Callback, Html, html};

/// A machine and its result.
type MachineResult = (ComparedMachine, Result<Overlap, Error>);

/// A machine with a result.
#[derive(Clone, Debug, PartialEq)]
struct MachineOverlap {
    shown: ComparedMachine,
    overlap: Overlap,
    /// Length of the machine's axis.
    longest: Micros,
}

pub(super) fn other_machines(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let inside = || {
        html! {
            <>
                { chooser(page, on_action) }
                <h3>{ text::EXCHANGE }</h3>
                { answers(page, on_action) }
                <h3>{ messages::words::TITLE }</h3>
                { messages::comparison::answers(props) }
            </>
        }
    };
    panel(page, on_action, inside)
}

fn answers(page: &Page, on_action: &Callback<Action>) -> Html {
    let programs = programs(page);
    let answer = |shown: ComparedMachine| {
        let route = shown.route(&page.inputs);
        let found = route.and_then(|route| overlap(&route, page.bytes(), &programs));
        (shown, found)
    };
    let answers: Vec<MachineResult> = all(page).into_iter().map(answer).collect();
    let with_axis = |(shown, found): &MachineResult| {
        let longest = longest(&shown.route(&page.inputs).ok()?, page);
        Some(MachineOverlap { shown: shown.clone(), overlap: found.clone().ok()?, longest })
    };
    let found: Vec<MachineOverlap> = answers.iter().filter_map(with_axis).collect();
    let failed = answers.iter().filter_map(|(shown, found)| Some((shown, found.as_ref().err()?)));
    let rows = found.iter().map(|one| row(&one.shown, &one.overlap));
    let drawn = (!found.is_empty()).then(|| {
        html! {
            <div class="seen">
                { table(&text::COMPARISON_COLUMNS, 2, rows.collect()) }
                <Ratios found={found.clone()} {programs} />
            </div>
        }
    });
    html! { <>{ drawn.unwrap_or_default() }{ refused(failed).unwrap_or_default() }{ assume(page, &answers, on_action) }</> }
}

fn row(shown: &ComparedMachine, found: &Overlap) -> Html {
    let path = |key: &str| format!("predict.overlap[{}].{key}", shown.machine.name);
    let ratio = |key: &str, ratio: Option<f64>| {
        let words = ratio.map_or("—".to_owned(), |ratio| number(ratio, 3));
        html! { <td class="number">{ quantity::number(&path(key), "", ratio, words) }</td> }
    };
    let micros = |key: &str, of: Micros| {
        html! { <td class="number">{ quantity::micros(&path(key), Some(of), time_or_dash(Some(of))) }</td> }
    };
    let exchange = &found.exchange;
    html! {
        <tr>
            <th scope="row">{ shown.name() }</th>
            <td>{ text::protocol(found) }</td>
            { ratio("send_overlap_ratio", found.ratios[0]) }
            { ratio("recv_overlap_ratio", found.ratios[1]) }
            { micros("send_overhead_us", exchange.send) }
            { micros("recv_overhead_us", exchange.recv) }
            { micros("delivery_us", exchange.delivered) }
        </tr>
    }
}

/// Buttons that assume the unknown parameters of other machines.
fn assume(page: &Page, answers: &[MachineResult], on_action: &Callback<Action>) -> Option<Html> {
    let others = &answers[1..];
    let changed: Vec<Option<Machine>> = others
        .iter()
        .map(|(shown, found)| assumed(shown, page).filter(|_| found.is_err()))
        .collect();
    let count = changed.iter().flatten().count();
    let machines: Vec<Machine> = others
        .iter()
        .zip(changed)
        .map(|((shown, _), changed)| changed.unwrap_or_else(|| shown.machine.clone()))
        .collect();
    let on_click = on_action.reform(move |_| Action::Compare(machines.clone()));
    (count > 0).then(|| {
        html! {
            <>
                <p>
                    <button type="button" class="assume" onclick={on_click}>
                        { text::assume_for_others(count) }
                    </button>
                </p>
                <p class="aside">{ text::ASSUMED_FOR_OTHERS }</p>
            </>
        }
    })
}

/// The machine with assumed values for unknown parameters of LogGPO; `None` if others are missing,
/// too.
fn assumed(shown: &ComparedMachine, page: &Page) -> Option<Machine> {
    let mut signature = (*shown.machine).clone();
    for assumption in assumptions(&shown.route(&page.inputs).ok()?) {
        signature.set(assumption.symbol, &assumption.value).ok()?;
    }
    let machine = Machine::new(signature);
    let answers = {
        let shown = ComparedMachine { machine: machine.clone(), ..shown.clone() };
        let route = shown.route(&page.inputs).ok()?;
        overlap(&route, page.bytes(), &programs(page)).is_ok()
    };
    answers.then_some(machine)
}

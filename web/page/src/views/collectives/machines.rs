//! The same operation and algorithm on several machines.

use super::Question;
use super::figure::Series;
use crate::comparison::chooser;
use crate::comparison::words::OTHER_MACHINES;
use crate::draw::figure::{Ink, Weight};
use crate::machines::Machine;
use crate::state::Page;
use crate::tables::scroll::Scroll;
use crate::tables::{quantity, rich};
use crate::text;
use crate::views::Props;
use loggia_model::Error;
use loggia_model::units::Micros;
use loggia_model::units::words::time;
use yew::{Html, component, html, use_memo};

/// The selected machine first; the others use its definition of bytes.
pub(super) fn series(page: &Page, method: &str) -> Vec<Series<Machine>> {
    let all = std::iter::once(page.machine.clone()).chain(page.compared());
    let series = |(i, machine): (usize, Machine)| Series {
        label: crate::comparison::words::short(&machine.name),
        method: method.to_owned(),
        ink: Ink::of_machine(i),
        weight: if i == 0 { Weight::Bold } else { Weight::Thin },
        machine,
    };
    all.enumerate().map(series).collect()
}

fn answer(question: &Question, machine: &Machine) -> Result<Option<Micros>, Error> {
    let collective = question.collective.counted(&question.machine);
    Ok(collective.of(machine)?.by(&question.method)?.time())
}

/// A machine with its time.
struct RankedMachine {
    machine: Machine,
    ink: Ink,
    duration: Result<Option<Micros>, Error>,
}

impl RankedMachine {
    fn of(question: &Question, series: &Series<Machine>) -> Self {
        let duration = answer(question, &series.machine);
        RankedMachine { machine: series.machine.clone(), ink: series.ink, duration }
    }

    /// Sort key; machines without a time are last.
    fn key(&self) -> f64 {
        match self.duration {
            Ok(Some(time)) => time.0,
            _ => f64::INFINITY,
        }
    }
}

/// Machines by time, fastest first, and those without a time with the reason.
#[component]
pub(super) fn Machines(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let question = Question::of(page);
    let all_series = series(page, &question.method);
    let found = use_memo((question, all_series), |(question, all_series)| {
        let mut all: Vec<RankedMachine> =
            all_series.iter().map(|series| RankedMachine::of(question, series)).collect();
        all.sort_by(|a, b| a.key().total_cmp(&b.key()));
        all
    });
    let row = |(rank, standing): (usize, &RankedMachine)| {
        let RankedMachine { machine, ink, duration } = standing;
        let path = format!("compare.collectives.{}.time_us", machine.name);
        let shown = match duration {
            Ok(Some(duration)) => quantity::micros(&path, Some(*duration), time(*duration)),
            Ok(None) => quantity::micros(&path, None, text::NO_NUMBER),
            Err(why) => html! { <small class="quiet">{ &why.message }</small> },
        };
        html! {
            <tr key={machine.name.clone()} data-machine={machine.name.clone()}>
                <th scope="row">{ rich::swatch(*ink) }{ &machine.title }</th>
                <td class="number">{ matches!(duration, Ok(Some(_))).then(|| crate::comparison::words::rank(rank + 1)) }</td>
                <td class="number">{ shown }</td>
            </tr>
        }
    };
    html! {
        <section class="why">
            <h3>{ OTHER_MACHINES }</h3>
            { chooser(page, on_action) }
            <Scroll>
                <table class="parts machines-by-time">
                    <caption class="unseen">{ OTHER_MACHINES }</caption>
                    <tbody>{ for found.iter().enumerate().map(row) }</tbody>
                </table>
            </Scroll>
        </section>
    }
}

//! Crossovers between algorithms, over the size and over p.

use super::slices::{SlicedWork, Start, use_slices};
use super::{Question, words};
use crate::draw::algorithms::{self, CollectiveQuestion};
use crate::draw::heat::Winner;
use crate::draw::steps::Axis;
use crate::machines::Machine;
use crate::tables::table::folded_part;
use crate::views::Props;
use loggia_model::model::changes::Change;
use yew::{Html, component, html};

/// Whether the search is complete, and the changes so far.
type Partial = (bool, Vec<Change<&'static str>>);

/// Searches for changes of the fastest along an axis: first at round values, then by bisection.
/// Over p only round values are used, since powers of two are special cases.
struct CrossingSearch {
    machine: Machine,
    collective: CollectiveQuestion,
    axis: Axis,
    values: Vec<u64>,
    next: usize,
    before: Option<(u64, Winner)>,
    /// The interval of the current bisection: value before, value after, and the fastest there.
    between: Option<(u64, u64, Winner)>,
    found: Vec<Change<&'static str>>,
}

impl CrossingSearch {
    fn new(machine: Machine, collective: CollectiveQuestion, axis: Axis) -> Self {
        let values = axis.values().filter(|value| is_coarse(axis, *value)).collect();
        CrossingSearch {
            machine,
            collective,
            axis,
            values,
            next: 0,
            before: None,
            between: None,
            found: Vec::new(),
        }
    }

    fn winner(&self, value: u64) -> Winner {
        self.collective.at(self.axis, value).of(&self.machine).ok()?.winner()
    }

    /// One step of the bisection.
    fn halve(&mut self, (low, high, to): (u64, u64, Winner)) {
        let from = self.before.and_then(|(_, winner)| winner);
        if high - low <= 1 || self.axis == Axis::Procs {
            if let (Some(from), Some(to)) = (from, to) {
                self.found.push(Change { at: high, from, to });
            }
            self.before = Some((high, to));
            self.between = None;
            return;
        }
        let middle = low + (high - low) / 2;
        let winner = self.winner(middle);
        self.between = Some(match winner == from {
            true => (middle, high, to),
            false => (low, middle, winner),
        });
    }
}

/// Sizes: two per octave; p: every value up to 8, then the same.
fn is_coarse(axis: Axis, value: u64) -> bool {
    let half = value.is_multiple_of(3) && (value / 3).is_power_of_two();
    value.is_power_of_two() || half || (axis == Axis::Procs && value < 8)
}

impl SlicedWork for CrossingSearch {
    type Partial = Partial;

    fn step(&mut self) -> bool {
        if let Some(between) = self.between {
            self.halve(between);
            return true;
        }
        let Some(value) = self.values.get(self.next).copied() else { return false };
        let winner = self.winner(value);
        match self.before {
            // An interval with a second change is searched again.
            Some((last, before)) if before != winner && last < value => {
                self.between = Some((last, value, winner));
            }
            _ => {
                self.before = Some((value, winner));
                self.next += 1;
            }
        }
        true
    }

    fn partial(&self) -> Self::Partial {
        (self.next == self.values.len(), self.found.clone())
    }
}

/// Crossovers over size and over p.
#[component]
pub(super) fn Crossings(props: &Props) -> Html {
    let Question { machine, collective, .. } = Question::of(&props.page);
    let seek = |(machine, collective, axis): &(Machine, CollectiveQuestion, Axis)| {
        Some(CrossingSearch::new(machine.clone(), collective.clone(), *axis))
    };
    let over_bytes = collective.at(Axis::Bytes, 1);
    let over_procs = collective.at(Axis::Procs, 2);
    let by_bytes = use_slices(Start::AfterPause, (machine.clone(), over_bytes, Axis::Bytes), seek);
    let by_procs = use_slices(Start::AfterPause, (machine, over_procs, Axis::Procs), seek);
    html! {
        <>
            { by_bytes.map(|seen| list(Axis::Bytes, &collective, &seen)) }
            { by_procs.map(|seen| list(Axis::Procs, &collective, &seen)) }
        </>
    }
}

fn list(axis: Axis, collective: &CollectiveQuestion, (is_whole, found): &Partial) -> Html {
    let (title, here) = match axis {
        Axis::Procs => (words::CROSSINGS_PROCS, Axis::Bytes.words(collective.bytes.0)),
        _ => (words::CROSSINGS_BYTES, format!("p = {}", collective.procs.0)),
    };
    let item = |change: &Change<&'static str>| {
        let at = match axis {
            Axis::Procs => format!("p = {}", change.at),
            _ => axis.words(change.at),
        };
        let (from, to) = (algorithms::name(change.from), algorithms::name(change.to));
        html! { <li key={change.at}>{ words::overtakes(&at, to, from) }</li> }
    };
    let content = match found.as_slice() {
        [] if *is_whole => html! { <p class="quiet">{ words::NO_CROSSING }</p> },
        [] => html! { <p class="quiet">{ words::SEARCHING }</p> },
        some => html! { <ul>{ for some.iter().map(item) }</ul> },
    };
    let title = html! { <>{ title }{ here }</> };
    let more = if *is_whole { words::crossovers(found.len()) } else { String::new() };
    folded_part(title, more, html! { <div class="why overtaking">{ content }</div> })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::algorithms::CollectiveQuestion;
    use loggia_model::library;
    use loggia_model::signature::Operation;
    use loggia_model::units::{Bytes, Procs};

    fn question(procs: u32) -> CollectiveQuestion {
        let (procs, bytes) = (Procs(procs), Bytes(1));
        let op = Operation::Allgather;
        CollectiveQuestion {
            op,
            procs,
            bytes,
            bytes_are: None,
            tier: None,
            style: None,
            nodes: None,
        }
    }

    /// At each crossover, the fastest algorithm of the model changes.
    #[test]
    fn crossovers_are_exact_to_the_byte() {
        let ap3000 = Machine::new(library::load("ap3000-mpi").unwrap());
        let mut seeking = CrossingSearch::new(ap3000.clone(), question(8), Axis::Bytes);
        while seeking.step() {}
        let (is_whole, found) = seeking.partial();
        assert!(is_whole && !found.is_empty());
        for Change { at, from, to } in found {
            let winner = |bytes| question(8).at(Axis::Bytes, bytes).of(&ap3000).unwrap().winner();
            assert_eq!((winner(at - 1), winner(at)), (Some(from), Some(to)));
        }
    }
}

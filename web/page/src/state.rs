//! The page's state and all its changes. Pure.
//!
//! | file | holds |
//! |---|---|
//! | [`action`] | actions of the reader |
//! | [`change`] | the page after an action |
//! | [`inputs`] | the inputs, with defaults |
//! | [`session`] | the undo history |

mod action;
mod change;
mod inputs;
mod session;

pub(crate) use action::{Action, set};
pub(crate) use session::Session;

use crate::browser::Files;
use crate::machines::{Machine, published};
use loggia_link::state::{Inputs, State, View};
use loggia_model::Error;
use loggia_model::compare::{date, is_comparable};
use loggia_model::library::Group;

/// The content of the page: a [`State`] whose signatures are shared, so that a drag copies none,
/// and the last error.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page {
    /// The selected machine, with the reader's changes.
    pub(crate) machine: Machine,
    /// The same machine without changes.
    pub(crate) original: Machine,
    /// Compared machines; empty for the default ones.
    compared: Vec<Machine>,
    /// Signatures from links, which stay available when another machine is selected.
    own: Vec<Machine>,
    pub(crate) view: View,
    pub(crate) inputs: Inputs,
    /// A schedule's file, which a link cannot hold; `None` for an algorithm.
    pub(crate) program: Option<Files>,
    /// The error to show.
    pub(crate) problem: Option<Error>,
    /// The subject of the last change: changes of one drag make one step of undo.
    last: Option<String>,
    /// How many built-in machines are loaded.
    pub(crate) library: usize,
    /// Projector mode: large, with the question and its answer only.
    pub(crate) projector: bool,
    /// Number of changes; without a change, the address stays as it is.
    pub(crate) changes: u32,
}

impl Page {
    /// The page of a link. Without a link, or with a damaged one, it shows the first machine.
    pub(crate) fn new(link: Option<Result<State, Error>>) -> Self {
        let start = Page::of_state(State::default()).unwrap_or_else(|problem| Page {
            // The library always has a machine.
            machine: published()[0].clone(),
            original: published()[0].clone(),
            last: None,
            own: Vec::new(),
            compared: Vec::new(),
            view: View::default(),
            inputs: Inputs::default(),
            program: None,
            problem: Some(problem),
            library: published().len(),
            projector: false,
            changes: 0,
        });
        match link {
            None => start,
            Some(state) => start.after(Action::OpenLink(state.map(Box::new))),
        }
    }

    fn of_state(state: State) -> Result<Self, Error> {
        let view = state.default_view();
        let mut machines = state.signatures.into_iter().map(Machine::recognised);
        let machine = machines.next().ok_or_else(|| {
            Error::new(
                "this link holds no signature",
                "link",
                "copy the link again from where it was made",
            )
        })?;
        let compared: Vec<Machine> = machines.collect();
        let own = std::iter::once(&machine).chain(&compared).filter(|m| !m.is_published());
        Ok(Page {
            own: own.cloned().collect(),
            compared,
            original: machine.original(),
            machine,
            last: None,
            view,
            inputs: state.inputs,
            program: None,
            problem: None,
            library: published().len(),
            projector: false,
            changes: 0,
        })
    }

    /// The state that a link encodes.
    pub(crate) fn state(&self) -> State {
        let other_own = self.own.iter().filter(|own| !self.compared.contains(own));
        let others = self.compared.iter().chain(other_own).filter(|other| **other != self.machine);
        let signatures = std::iter::once(&self.machine).chain(others).map(|m| (**m).clone());
        State { signatures: signatures.collect(), view: self.view, inputs: self.inputs.clone() }
    }

    /// The subject of the last change, if changes in a row make one step.
    pub(crate) fn subject(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// Signatures that are not built in.
    pub(crate) fn own(&self) -> &[Machine] {
        &self.own
    }

    /// Machines that can be compared with the selected one: own ones, changed ones, built-in ones.
    pub(crate) fn comparable(&self) -> Vec<Machine> {
        let published = published();
        let mut all: Vec<Machine> = Vec::new();
        // The order must not depend on the choice: a moved check box would lose the focus.
        let changed = self.compared.iter().filter(|machine| !published.contains(machine));
        for machine in self.own.iter().chain(changed).chain(published.iter()) {
            if *machine != self.machine && !all.contains(machine) {
                all.push(machine.clone());
            }
        }
        all
    }

    /// The compared machines; by default other runs of the selected machine, or else all comparable
    /// ones of its kind. The reader's own machines are compared with current clusters.
    pub(crate) fn compared(&self) -> Vec<Machine> {
        if !self.compared.is_empty() {
            return self.compared_explicitly().collect();
        }
        let other_runs: Vec<Machine> =
            self.runs().into_iter().filter(|run| *run != self.machine).collect();
        if !other_runs.is_empty() {
            return other_runs;
        }
        let kind = self.machine.group().unwrap_or(Group::Hpc);
        let mut all = self.comparable();
        all.retain(|other| is_comparable(&self.machine, other));
        let is_of_kind = |other: &Machine| other.group().is_none_or(|of| of == kind);
        match all.iter().any(is_of_kind) {
            true => all.into_iter().filter(is_of_kind).collect(),
            false => all,
        }
    }

    /// The reader's machines, the selected one first if it is one of them.
    pub(crate) fn own_first(&self) -> Vec<Machine> {
        let is_other = |other: &&Machine| other.origin != self.machine.origin;
        let selected = self.machine.group().is_none().then(|| self.machine.clone());
        selected.into_iter().chain(self.own.iter().filter(is_other).cloned()).collect()
    }

    /// Runs of the selected machine by date: it, and machines of the same name.
    pub(crate) fn runs(&self) -> Vec<Machine> {
        let is_run = |other: &&Machine| other.name == self.machine.name && !other.is_published();
        let mut runs: Vec<Machine> = Vec::new();
        for run in self.own.iter().chain(&self.compared).chain([&self.machine]).filter(is_run) {
            let is_known = |known: &Machine| known == run || known.origin == run.origin;
            if !runs.iter().any(is_known) {
                runs.push(run.clone());
            }
        }
        // A changed machine replaces its original.
        if let Some(place) = runs.iter().position(|run| run.origin == self.machine.origin) {
            runs[place] = self.machine.clone();
        }
        if runs.is_empty() {
            runs.push(self.machine.clone());
        }
        by_date(&mut runs);
        runs
    }

    /// The compared machines that the reader has chosen.
    pub(crate) fn compared_explicitly(&self) -> impl Iterator<Item = Machine> {
        self.compared.iter().filter(|other| **other != self.machine).cloned()
    }
}

/// Puts runs in the order of their dates; those without a date come last.
pub(crate) fn by_date(runs: &mut [Machine]) {
    runs.sort_by_key(|run| {
        let date = date(run).map(str::to_owned);
        (date.is_none(), date)
    });
}

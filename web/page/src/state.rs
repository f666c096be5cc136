//! The page's state and every way in which it changes. Pure.
//!
//! | file | question |
//! |---|---|
//! | [`action`] | what can the reader do |
//! | [`change`] | what is the page after that |
//! | [`inputs_of`] | what is asked, where the reader has said nothing, too |
//! | [`session`] | what can be taken back |

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

/// Everything that the page shows: a [`State`], held so that a drag copies no signature, and what
/// went wrong last.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page {
    /// The machine in question, with what the reader has changed in it.
    pub(crate) machine: Machine,
    /// The same as it was published, measured or opened.
    pub(crate) original: Machine,
    /// Machines beside the one in question; none where the reader has chosen none.
    compared: Vec<Machine>,
    /// Signatures from links, which stay at hand when another machine is chosen.
    own: Vec<Machine>,
    /// Which view is open.
    pub(crate) view: View,
    /// What was asked.
    pub(crate) inputs: Inputs,
    /// A schedule's file, which no link can hold; none where an algorithm is asked about.
    pub(crate) program: Option<Files>,
    /// What the reader must be told.
    pub(crate) problem: Option<Error>,
    /// What the last change was about: a drag is one change, however many values it passes.
    last: Option<String>,
    /// How many built-in machines are loaded.
    pub(crate) library: usize,
    /// Whether it is shown to a room: large, and nothing but the question and its answer.
    pub(crate) projector: bool,
    /// How often the reader has changed something; a page that nobody touched leaves its address
    /// alone.
    pub(crate) changes: u32,
}

impl Page {
    /// The page that a link opens; without a link, or with a damaged one, the first machine.
    pub(crate) fn new(link: Option<Result<State, Error>>) -> Self {
        let start = Page::showing(State::default()).unwrap_or_else(|problem| Page {
            // Unreachable while the library has any machine.
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

    fn showing(state: State) -> Result<Self, Error> {
        let view = state.meant_view();
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

    /// What a link to this page holds.
    pub(crate) fn state(&self) -> State {
        let at_hand = self.own.iter().filter(|own| !self.compared.contains(own));
        let others = self.compared.iter().chain(at_hand).filter(|other| **other != self.machine);
        let signatures = std::iter::once(&self.machine).chain(others).map(|m| (**m).clone());
        State { signatures: signatures.collect(), view: self.view, inputs: self.inputs.clone() }
    }

    /// What the last change was about, if many in a row are one change.
    pub(crate) fn subject(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// Signatures that are not built in.
    pub(crate) fn own(&self) -> &[Machine] {
        &self.own
    }

    /// Machines that may be compared with the one in question.
    pub(crate) fn comparable(&self) -> Vec<Machine> {
        let published = published();
        let mut all: Vec<Machine> = Vec::new();
        for machine in self.own.iter().chain(&self.compared).chain(published.iter()) {
            if *machine != self.machine && !all.contains(machine) {
                all.push(machine.clone());
            }
        }
        all
    }

    /// Machines beside the one in question; where none is chosen, other runs of it, and where there is
    /// none, all of its kind that report something that it reports, too.
    pub(crate) fn compared(&self) -> Vec<Machine> {
        if !self.compared.is_empty() {
            return self.beside().collect();
        }
        let other_runs: Vec<Machine> =
            self.runs().into_iter().filter(|run| *run != self.machine).collect();
        if !other_runs.is_empty() {
            return other_runs;
        }
        let kind = self.machine.group();
        let shares = |other: &Machine| {
            let is_of_kind = kind.is_none() || other.group().is_none_or(|of| Some(of) == kind);
            is_of_kind && is_comparable(&self.machine, other)
        };
        self.comparable().into_iter().filter(shares).collect()
    }

    /// Runs of the machine in question, by date: it itself, and what is at hand of the same name.
    pub(crate) fn runs(&self) -> Vec<Machine> {
        let is_run = |other: &&Machine| other.name == self.machine.name && !other.is_published();
        let mut runs: Vec<Machine> = Vec::new();
        for run in self.own.iter().chain(&self.compared).chain([&self.machine]).filter(is_run) {
            let is_known = |known: &Machine| known == run || known.origin == run.origin;
            if !runs.iter().any(is_known) {
                runs.push(run.clone());
            }
        }
        // What the reader has changed stands for what it was.
        if let Some(place) = runs.iter().position(|run| run.origin == self.machine.origin) {
            runs[place] = self.machine.clone();
        }
        if runs.is_empty() {
            runs.push(self.machine.clone());
        }
        runs.sort_by_key(|run| {
            let date = date(run).map(str::to_owned);
            (date.is_none(), date)
        });
        runs
    }

    /// Those of them that were chosen.
    pub(crate) fn beside(&self) -> impl Iterator<Item = Machine> {
        self.compared.iter().filter(|other| **other != self.machine).cloned()
    }
}

//! Built-in machines and the reader's own.
//!
//! The page starts with one built-in machine and the list of the others. Their numbers are loaded
//! in the background: code that needs one of them waits for [`load`].

use loggia_model::Error;
use loggia_model::compare::date;
use loggia_model::library::{self, Entry, Group};
use loggia_model::model::{Model, Route};
use loggia_model::signature::{Origin, Signature};
use std::cell::RefCell;
use std::ops::Deref;
use std::rc::Rc;
use wasm_split_helpers::{SplitLoaderError, wasm_split};

/// A shared immutable signature. Two are equal if they share memory, so that comparing them is
/// cheap.
#[derive(Clone, Debug)]
pub(crate) struct Machine(Rc<Signature>);

impl Machine {
    pub(crate) fn new(signature: Signature) -> Self {
        Machine(Rc::new(signature))
    }

    /// The built-in machine equal to a signature, or a new machine. Samples are ignored: links omit
    /// them, and no prediction uses them.
    pub(crate) fn recognised(mut signature: Signature) -> Self {
        let same = |machine: &Machine| {
            let mut published = (*machine.0).clone();
            published.samples.clone_from(&signature.samples);
            published == signature
        };
        if let Some(machine) = published().iter().find(|machine| same(machine)) {
            return machine.clone();
        }
        signature.samples.shrink_to_fit();
        Machine::new(signature)
    }

    /// The built-in machine with the same name, if this is a changed version of it; otherwise
    /// itself.
    pub(crate) fn original(&self) -> Machine {
        let same = |other: &&Machine| other.name == self.name && other.origin == self.origin;
        published().iter().find(same).unwrap_or(self).clone()
    }

    /// Whether it is built in and unchanged.
    pub(crate) fn is_published(&self) -> bool {
        published().contains(self)
    }

    /// The group of a built-in machine, changed or not; `None` for a machine of the reader's own.
    pub(crate) fn group(&self) -> Option<Group> {
        self.entry().map(|entry| entry.group)
    }

    /// Its entry in the list, if it is built in, changed or not.
    fn entry(&self) -> Option<&'static Entry> {
        let entry = library::entry(&self.name)?;
        find(&self.name).filter(|built_in| built_in.origin == self.origin).map(|_| entry)
    }

    /// The date of a measurement: runs of one machine share a name.
    pub(crate) fn measured_on(&self) -> Option<&str> {
        let is_measured = matches!(self.origin, Origin::Measurement { .. });
        date(self).filter(|_| is_measured)
    }

    /// A unique key, independent of names.
    pub(crate) fn key(&self) -> String {
        format!("{:p}", Rc::as_ptr(&self.0))
    }

    /// A summary of its parameters: "LogGP · 7 collectives".
    pub(crate) fn kinds(&self) -> String {
        let model = Route::of(self, None, None).ok().map(|route| match Model::richest(&route) {
            Some(model) => model.title(),
            None => "overheads only",
        });
        let collectives = match self.collectives.len() {
            0 => None,
            1 => Some("1 collective".to_owned()),
            n => Some(format!("{n} collectives")),
        };
        let kinds: Vec<String> = model.map(str::to_owned).into_iter().chain(collectives).collect();
        kinds.join(" · ")
    }
}

impl PartialEq for Machine {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Machine {
    type Target = Signature;
    fn deref(&self) -> &Signature {
        &self.0
    }
}

/// All built-in machines: a module loaded on demand, with the reader of their JSON.
#[wasm_split(library, fallible)]
fn library() -> Result<Vec<Signature>, SplitLoaderError> {
    Ok(library::all().collect())
}

thread_local! {
    static PUBLISHED: RefCell<Rc<[Machine]>> = RefCell::new(initial());
}

/// The machine that the page starts with; in tests, all of them.
fn initial() -> Rc<[Machine]> {
    #[cfg(test)]
    return library::names()
        .filter_map(|name| library::load(name).ok())
        .map(Machine::new)
        .collect();
    #[cfg(not(test))]
    Rc::new([Machine::new(library::first())])
}

/// The loaded built-in machines, in the order of the list.
pub(crate) fn published() -> Rc<[Machine]> {
    PUBLISHED.with_borrow(Rc::clone)
}

/// Loads the built-in machines; returns whether all are loaded. The first keeps its identity.
pub(crate) async fn load() -> bool {
    if is_loaded() {
        return true;
    }
    let Ok(all) = library().await else { return false };
    // A concurrent call may have loaded them.
    if !is_loaded() {
        let known = published();
        let machine = |signature: Signature| {
            let first = known.iter().find(|known| known.name == signature.name);
            first.cloned().unwrap_or_else(|| Machine::new(signature))
        };
        PUBLISHED.set(all.into_iter().map(machine).collect());
    }
    true
}

fn is_loaded() -> bool {
    published().len() == library::ENTRIES.len()
}

/// The built-in machine of that name, if it is loaded.
pub(crate) fn find(name: &str) -> Option<Machine> {
    published().iter().find(|machine| machine.name == name).cloned()
}

/// The signature of a built-in machine, or an error if it is not loaded.
pub(crate) fn signature(name: &str) -> Result<Signature, Error> {
    find(name).map(|machine| (*machine).clone()).ok_or_else(|| {
        Error::new(
            format!("{name} is not loaded"),
            "machine",
            "check the connection, then load the page again",
        )
    })
}

#[cfg(test)]
pub(crate) fn named(name: &str) -> Machine {
    find(name).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_summarise_the_parameters() {
        let papers = library::ENTRIES.iter().filter(|entry| entry.group == Group::Papers);
        let kinds: Vec<String> = papers.map(|entry| named(entry.name).kinds()).collect();
        assert_eq!(kinds[0], "LogGP · 7 collectives");
        assert_eq!(kinds[2], "LoGH{sSP}");
        assert_eq!(kinds[3], "7 collectives");
        assert_eq!(kinds[6], "Hockney · 1 collective");
        assert_eq!(kinds[8], "overheads only");
    }

    #[test]
    fn a_machine_without_its_samples_is_recognised_and_a_changed_one_is_not() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.samples.clear();
        assert!(Machine::recognised(t3d.clone()).is_published());
        t3d.set("L", "5us").unwrap();
        assert!(!Machine::recognised(t3d).is_published());
    }
}

//! Built-in machines and the reader's own.

use loggia_model::compare::date;
use loggia_model::library;
use loggia_model::model::{Model, Route};
use loggia_model::signature::{Origin, Signature};
use std::ops::Deref;
use std::rc::Rc;

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

    /// Whether it is one of the built-in ones, unchanged.
    pub(crate) fn is_published(&self) -> bool {
        published().contains(self)
    }

    /// The date of a measurement: runs of one machine share a name.
    pub(crate) fn measured_on(&self) -> Option<&str> {
        let is_measured = matches!(self.origin, Origin::Measurement { .. });
        date(self).filter(|_| is_measured)
    }

    /// A unique key, whatever the names.
    pub(crate) fn key(&self) -> String {
        format!("{:p}", Rc::as_ptr(&self.0))
    }

    /// What kinds of numbers it has: "LogGP · 7 collectives".
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

/// Built-in machines, in the order of the papers.
pub(crate) fn published() -> Rc<[Machine]> {
    thread_local! {
        static PUBLISHED: Rc<[Machine]> =
            library::names().filter_map(|name| library::load(name).ok()).map(Machine::new).collect();
    }
    PUBLISHED.with(Rc::clone)
}

#[cfg(test)]
pub(crate) fn named(name: &str) -> Machine {
    published().iter().find(|machine| machine.name == name).cloned().unwrap()
}

/// A short form of the source: "Hwang, Wang & Wang".
pub(crate) fn short_source(origin: &Origin) -> String {
    let Origin::Citation { citation, .. } = origin else { return origin.summary() };
    let mut authors = Vec::new();
    for part in citation.split(';').next().unwrap_or_default().split(", ") {
        authors.push(part);
        if part.contains('&') || part.contains("et al.") {
            return authors.join(", ");
        }
    }
    citation.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_the_authors() {
        let sources: Vec<String> = published().iter().map(|m| short_source(&m.origin)).collect();
        assert_eq!(sources[0], "Al-Tawil & Moritz");
        assert_eq!(sources[3], "Hwang, Wang & Wang");
        assert_eq!(sources[5], "Touriño & Doallo");
        assert_eq!(sources[9], "Bell et al.");
    }

    #[test]
    fn kinds_say_what_can_be_asked() {
        let kinds: Vec<String> = published().iter().map(Machine::kinds).collect();
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

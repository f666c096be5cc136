//! Long work, done in slices between frames so that the page stays responsive.

use crate::browser;
use crate::memo::Shared;
use gloo_timers::callback::Timeout;
use std::cell::Cell;
use std::rc::Rc;
use yew::{UseStateSetter, hook, use_effect_with, use_state};

/// So many milliseconds at once: a part of a frame.
const SLICE: f64 = 5.0;

/// Something that is done in steps, and of which the first are worth seeing.
pub(crate) trait SlicedWork: 'static {
    /// What is to be seen.
    type Partial: 'static;

    /// A little of it; whether there is more to do.
    fn step(&mut self) -> bool;

    /// What is known by now.
    fn seen(&self) -> Self::Partial;
}

/// When work begins that something has changed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// With the change: it moves while somebody drags.
    AtOnce,
    /// When nothing has changed for a moment: until then the old stays.
    AtRest,
}

/// So many milliseconds without a change are a rest.
const REST: u32 = 120;

/// What is known by now of work that depends on something. It begins anew when that changes.
#[hook]
pub(crate) fn use_slices<D, W>(
    begin: Start,
    depends: D,
    start: impl FnOnce(&D) -> Option<W> + 'static,
) -> Option<Shared<W::Partial>>
where
    D: PartialEq + 'static,
    W: SlicedWork,
{
    let seen = use_state(|| None);
    {
        let tell = seen.setter();
        let waits = begin == Start::AtRest && seen.is_some();
        use_effect_with(depends, move |depends| {
            let wanted = Rc::new(Cell::new(true));
            match start(depends) {
                None => tell.set(None),
                Some(work) if waits => later(REST, work, &wanted, tell),
                Some(work) => go_on(work, &wanted, tell),
            }
            move || wanted.set(false)
        });
    }
    (*seen).clone()
}

fn go_on<W: SlicedWork>(
    mut work: W,
    wanted: &Rc<Cell<bool>>,
    tell: UseStateSetter<Option<Shared<W::Partial>>>,
) {
    if !wanted.get() {
        return;
    }
    let until = browser::now() + SLICE;
    let mut more = work.step();
    while more && browser::now() < until {
        more = work.step();
    }
    tell.set(Some(Shared::new(work.seen())));
    if more {
        later(0, work, wanted, tell);
    }
}

fn later<W: SlicedWork>(
    wait: u32,
    work: W,
    wanted: &Rc<Cell<bool>>,
    tell: UseStateSetter<Option<Shared<W::Partial>>>,
) {
    let wanted = wanted.clone();
    Timeout::new(wait, move || go_on(work, &wanted, tell)).forget();
}

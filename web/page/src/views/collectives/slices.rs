//! Long computations in slices between frames, so that the page stays responsive.

use crate::browser;
use crate::memo::Shared;
use gloo_timers::callback::Timeout;
use std::cell::Cell;
use std::rc::Rc;
use yew::{UseStateSetter, hook, use_effect_with, use_state};

/// Duration of a slice in milliseconds: a part of a frame.
const SLICE: f64 = 5.0;

/// Work in steps, with partial results.
pub(crate) trait SlicedWork: 'static {
    /// A partial result.
    type Partial: 'static;

    /// Computes one step; returns whether there are more.
    fn step(&mut self) -> bool;

    /// The result so far.
    fn partial(&self) -> Self::Partial;
}

/// Start of the work after a change of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// With the change, since the inputs change during a drag.
    Immediately,
    /// After a short time without changes; the old result stays until then.
    AfterPause,
}

/// That time, in milliseconds.
const REST: u32 = 120;

/// The partial result of work on `of`, which starts again when `of` changes.
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
        let setter = seen.setter();
        let waits = begin == Start::AfterPause && seen.is_some();
        use_effect_with(depends, move |depends| {
            let is_current = Rc::new(Cell::new(true));
            match start(depends) {
                None => setter.set(None),
                Some(work) if waits => later(REST, work, &is_current, setter),
                Some(work) => advance(work, &is_current, setter),
            }
            move || is_current.set(false)
        });
    }
    (*seen).clone()
}

fn advance<W: SlicedWork>(
    mut work: W,
    is_current: &Rc<Cell<bool>>,
    setter: UseStateSetter<Option<Shared<W::Partial>>>,
) {
    if !is_current.get() {
        return;
    }
    let until = browser::now() + SLICE;
    let mut more = work.step();
    while more && browser::now() < until {
        more = work.step();
    }
    setter.set(Some(Shared::new(work.partial())));
    if more {
        later(0, work, is_current, setter);
    }
}

fn later<W: SlicedWork>(
    wait: u32,
    work: W,
    is_current: &Rc<Cell<bool>>,
    setter: UseStateSetter<Option<Shared<W::Partial>>>,
) {
    let is_current = is_current.clone();
    Timeout::new(wait, move || advance(work, &is_current, setter)).forget();
}

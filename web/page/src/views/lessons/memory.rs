//! A student's progress in each lesson: while the page is open, or stored on this device if the
//! student wants that.

use crate::browser::storage;
use std::cell::RefCell;
use std::collections::BTreeMap;
use yew::{Reducible, UseReducerHandle, hook, use_reducer};

/// Key in the browser's storage.
const KEY: &str = "loggia-lessons";

/// The open step and the code of each lesson, by the lesson's name or text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Memory {
    places: BTreeMap<String, (u32, String)>,
    /// The lesson that a teacher writes.
    draft: String,
    is_kept: bool,
}

pub(super) enum MemoryChange {
    Place {
        lesson: String,
        at: u32,
        code: String,
    },
    Draft(String),
    /// Stores the progress on this device, or deletes it there.
    Keep(bool),
}

thread_local! {
    /// The progress while another view is open.
    static OPEN: RefCell<Option<Memory>> = const { RefCell::new(None) };
}

impl Memory {
    fn read() -> Self {
        if let Some(open) = OPEN.with_borrow(Clone::clone) {
            return open;
        }
        let kept = storage::read(KEY).and_then(|text| serde_json::from_str(&text).ok());
        match kept {
            Some((places, draft)) => Memory { places, draft, is_kept: true },
            None => Memory::default(),
        }
    }

    pub(super) fn place(&self, lesson: &str) -> Option<&(u32, String)> {
        self.places.get(lesson)
    }

    /// The texts of lessons that are not built in.
    pub(super) fn own(&self) -> Vec<String> {
        self.places.keys().filter(|lesson| lesson.contains('\n')).cloned().collect()
    }

    pub(super) fn draft(&self) -> &str {
        &self.draft
    }

    pub(super) fn is_kept(&self) -> bool {
        self.is_kept
    }

    fn write(&self) {
        match self.is_kept {
            // These texts always serialise.
            true => storage::write(
                KEY,
                &serde_json::to_string(&(&self.places, &self.draft)).unwrap_or_default(),
            ),
            false => storage::remove(KEY),
        }
    }
}

impl Reducible for Memory {
    type Action = MemoryChange;

    fn reduce(self: std::rc::Rc<Self>, change: MemoryChange) -> std::rc::Rc<Self> {
        let mut memory = (*self).clone();
        match change {
            MemoryChange::Place { lesson, at, code } => {
                memory.places.insert(lesson, (at, code));
            }
            MemoryChange::Draft(text) => memory.draft = text,
            MemoryChange::Keep(is_kept) => memory.is_kept = is_kept,
        }
        if memory.is_kept || self.is_kept {
            memory.write();
        }
        OPEN.set(Some(memory.clone()));
        memory.into()
    }
}

#[hook]
pub(super) fn use_memory() -> UseReducerHandle<Memory> {
    use_reducer(Memory::read)
}

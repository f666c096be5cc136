//! The labels of one rank, and their operations.

use std::collections::HashMap;

/// A label, numbered in the order of first use in a rank.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct LabelId(u32);

impl LabelId {
    const NONE: LabelId = LabelId(u32::MAX);
}

/// A label.
#[derive(Clone, Copy)]
struct Label {
    /// Position of its first use.
    at: usize,
    /// Its operation, numbered over all ranks, once it is defined.
    op: Option<u32>,
}

/// All labels of the current rank.
///
/// Most files have labels l1, l2, l3 … Labels of the form of the rank's first label plus a number
/// are stored in a table, as long as the table is small enough for the number of labels. All others
/// are hashed.
#[derive(Default)]
pub(super) struct Labels<'a> {
    stem: &'a [u8],
    numbered: Vec<LabelId>,
    others: HashMap<&'a [u8], LabelId>,
    all: Vec<Label>,
}

impl<'a> Labels<'a> {
    /// The label with this name, used at `at`.
    #[inline]
    pub(super) fn id(&mut self, name: &'a [u8], at: usize) -> LabelId {
        let number = self.number(name);
        match number.and_then(|number| self.numbered.get(number)) {
            Some(&id) if id != LabelId::NONE => id,
            _ => self.add(name, at, number),
        }
    }

    /// Adds a label that is not in the table.
    fn add(&mut self, name: &'a [u8], at: usize, number: Option<usize>) -> LabelId {
        if let Some(id) = self.others.get(name) {
            return *id;
        }
        let id = LabelId(self.all.len() as u32);
        self.all.push(Label { at, op: None });
        match number {
            Some(number) if number < 2 * self.all.len() + 64 => {
                if number >= self.numbered.len() {
                    self.numbered.resize(number + 1, LabelId::NONE);
                }
                self.numbered[number] = id;
            }
            _ => drop(self.others.insert(name, id)),
        }
        id
    }

    /// The number of a name like l17. Names such as l017 have no number.
    #[inline]
    fn number(&mut self, name: &'a [u8]) -> Option<usize> {
        if self.all.is_empty() {
            let digits = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
            self.stem = &name[..name.len() - digits];
        }
        let digits = name.strip_prefix(self.stem)?;
        match digits {
            [b'0'] => Some(0),
            [b'1'..=b'9', rest @ ..] if rest.len() < 9 => {
                digits.iter().try_fold(0, |number, digit| {
                    digit.is_ascii_digit().then(|| 10 * number + usize::from(digit - b'0'))
                })
            }
            _ => None,
        }
    }

    /// Assigns an operation; false if the label already has one.
    #[inline]
    pub(super) fn define(&mut self, name: &'a [u8], at: usize, op: u32) -> bool {
        let id = self.id(name, at);
        let label = &mut self.all[id.0 as usize];
        let free = label.op.is_none();
        if free {
            label.op = Some(op);
        }
        free
    }

    /// The operation of a label.
    #[inline]
    pub(super) fn op(&self, id: LabelId) -> Option<u32> {
        self.all[id.0 as usize].op
    }

    /// Position of the first label that was used but not defined.
    pub(super) fn undefined(&self) -> Option<usize> {
        self.all.iter().find(|label| label.op.is_none()).map(|label| label.at)
    }

    /// Clears all labels for the next rank. The hash table shrinks, since clearing a large table
    /// would slow down every small rank.
    pub(super) fn clear(&mut self) {
        let needed = self.others.len();
        self.others.clear();
        self.others.shrink_to(4 * needed);
        self.numbered.clear();
        self.all.clear();
    }
}

//! The dependencies that operations wait for: all of a schedule, or those left during a run.

use rustc_hash::FxHashMap;

/// Operations that wait for this number of dependencies or more are counted in [`Needs::many`].
const MANY: u8 = u8::MAX;

/// The number of dependencies of each operation. Bytes, so that a cache holds the numbers of
/// millions of operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    few: Vec<u8>,
    many: FxHashMap<u32, u32>,
}

impl Needs {
    /// Adds operations without dependencies, up to this number of operations.
    pub(crate) fn extend_to(&mut self, ops: usize) {
        self.few.resize(ops, 0);
    }

    /// Adds a dependency.
    pub(crate) fn add(&mut self, op: u32) {
        let few = &mut self.few[op as usize];
        if *few < MANY - 1 {
            *few += 1;
        } else {
            *few = MANY;
            *self.many.entry(op).or_insert(u32::from(MANY) - 1) += 1;
        }
    }

    /// The number of dependencies of an operation.
    pub fn of(&self, op: usize) -> u32 {
        match self.few[op] {
            MANY => self.many.get(&(op as u32)).copied().unwrap_or_default(),
            few => u32::from(few),
        }
    }

    /// Whether an operation waits.
    #[inline]
    pub fn waits(&self, op: usize) -> bool {
        self.few[op] > 0
    }

    /// The operations that wait.
    pub fn waiting(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.few).filter(|(_, few)| **few > 0).map(|(op, _)| op)
    }

    /// Meets one dependency of each of `dependents`; passes those that wait no longer to `ready`.
    #[inline]
    pub fn meet(&mut self, dependents: &[u32], mut ready: impl FnMut(u32)) {
        for op in dependents {
            let few = &mut self.few[*op as usize];
            *few = if *few == MANY { one_of_many(&mut self.many, *op) } else { *few - 1 };
            if *few == 0 {
                ready(*op);
            }
        }
    }
}

/// Meets one dependency of an operation with many; the number of those left.
#[cold]
fn one_of_many(many: &mut FxHashMap<u32, u32>, op: u32) -> u8 {
    let left = many.entry(op).and_modify(|left| *left -= 1);
    u8::try_from(*left.or_insert(0)).unwrap_or(MANY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_waits_for_all_its_dependencies() {
        for number in [1, 2, 253, 254, 255, 256, 257, 1000] {
            let mut needs = Needs::default();
            needs.extend_to(3);
            (0..number).for_each(|_| needs.add(1));
            for left in (0..number).rev() {
                assert!(needs.waits(1) && needs.waiting().eq([1]), "{number} {left}");
                let mut ready = Vec::new();
                needs.meet(&[1], |op| ready.push(op));
                assert_eq!(ready.len(), usize::from(left == 0), "{number} {left}");
            }
            assert!(!needs.waits(1) && !needs.waits(0));
        }
    }
}

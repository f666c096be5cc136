//! Values with small numbers that are reused: the open requests of a rank.

use std::ops::{Index, IndexMut};

/// Values by number.
#[derive(Clone, Debug)]
pub struct Slots<T> {
    values: Vec<T>,
    unused: Vec<u32>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Slots { values: Vec::new(), unused: Vec::new() }
    }
}

impl<T> Slots<T> {
    /// Adds a value and returns its number: the last one that was freed, else a new one.
    #[inline]
    pub fn add(&mut self, value: T) -> u32 {
        match self.unused.pop() {
            Some(number) => {
                self[number] = value;
                number
            }
            None => {
                self.values.push(value);
                (self.values.len() - 1) as u32
            }
        }
    }

    /// Frees a number for another value.
    #[inline]
    pub fn free(&mut self, number: u32) {
        self.unused.push(number);
    }

    /// The value with this number, if there ever was one.
    #[inline]
    pub fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.values.get_mut(number as usize)
    }

    /// Count of free numbers.
    #[must_use]
    pub fn unused(&self) -> usize {
        self.unused.len()
    }
}

impl<T> Index<u32> for Slots<T> {
    type Output = T;

    #[inline]
    fn index(&self, number: u32) -> &T {
        &self.values[number as usize]
    }
}

impl<T> IndexMut<u32> for Slots<T> {
    #[inline]
    fn index_mut(&mut self, number: u32) -> &mut T {
        &mut self.values[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_freed_number_is_used_first() {
        let mut slots = Slots::default();
        assert_eq!(["a", "b", "c"].map(|value| slots.add(value)), [0, 1, 2]);
        slots.free(0);
        slots.free(2);
        assert_eq!((slots.add("d"), slots.add("e"), slots.add("f")), (2, 0, 3));
        assert_eq!([0, 1, 2, 3].map(|number| slots[number]), ["e", "b", "d", "f"]);
        assert_eq!((slots.unused(), slots.get_mut(4)), (0, None));
    }
}

//! Lists in their encoded form, decoded on access.

use crate::varint;
use std::fmt::{Debug, Formatter, Result};
use std::marker::PhantomData;

/// An element of a list.
pub trait Entry: Sized {
    /// Appends the element's encoding.
    fn put(&self, out: &mut Vec<u8>);

    /// Reads the element at `at` and moves `at` behind it.
    fn take(bytes: &[u8], at: &mut usize) -> Option<Self>;
}

impl Entry for u64 {
    #[inline]
    fn put(&self, out: &mut Vec<u8>) {
        varint::put(out, *self);
    }

    #[inline]
    fn take(bytes: &[u8], at: &mut usize) -> Option<Self> {
        varint::take(bytes, at)
    }
}

/// An encoded sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Packed<'a, T> {
    pub(crate) bytes: &'a [u8],
    pub(crate) count: usize,
    of: PhantomData<T>,
}

/// An encoded sequence of numbers.
pub type List<'a> = Packed<'a, u64>;

impl<'a, T: Entry> Packed<'a, T> {
    /// Encodes a list into `bytes`.
    pub fn new(bytes: &'a mut Vec<u8>, entries: impl IntoIterator<Item = T>) -> Self {
        bytes.clear();
        let mut count = 0;
        for entry in entries {
            entry.put(bytes);
            count += 1;
        }
        Packed::read(bytes, count)
    }

    /// A list of this many elements in these bytes.
    pub(crate) fn read(bytes: &'a [u8], count: usize) -> Self {
        Packed { bytes, count, of: PhantomData }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn iter(&self) -> impl Iterator<Item = T> + use<'a, T> {
        let (bytes, mut at) = (self.bytes, 0);
        (0..self.count).map_while(move |_| T::take(bytes, &mut at))
    }
}

impl List<'_> {
    /// Saturates at `u64::MAX`.
    pub fn sum(&self) -> u64 {
        self.iter().fold(0, u64::saturating_add)
    }
}

impl<T: Entry> Default for Packed<'_, T> {
    fn default() -> Self {
        Packed::read(&[], 0)
    }
}

impl<T: Entry + Debug> Debug for Packed<'_, T> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

//! The layout of a signature's JSON: indented, with each set of samples on one line.

use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use std::io::{Result, Write};

/// The key of the samples at the top level.
const DENSE: &str = "samples";

/// Number of open objects and arrays around an entry of the samples.
const ENTRIES: usize = 2;

/// Indented, but compact within the entries of one array.
#[derive(Default)]
pub(super) struct Layout {
    pretty: PrettyFormatter<'static>,
    /// Number of open objects and arrays.
    depth: usize,
    in_key: bool,
    /// Whether the last top-level key is that of the samples.
    in_samples: bool,
}

impl Layout {
    fn is_dense(&self) -> bool {
        self.in_samples && self.depth > ENTRIES
    }
}

/// Calls the same method of either formatter.
macro_rules! either {
    ($self:ident.$call:ident($($argument:expr),*)) => {
        match $self.is_dense() {
            true => CompactFormatter.$call($($argument),*),
            false => $self.pretty.$call($($argument),*),
        }
    };
}

impl Formatter for Layout {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> Result<()> {
        if self.in_key {
            self.in_samples = fragment == DENSE;
        }
        writer.write_all(fragment.as_bytes())
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        self.in_key = self.depth == 1;
        either!(self.begin_object_key(writer, first))
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.in_key = false;
        either!(self.end_object_key(writer))
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        either!(self.begin_array_value(writer, first))
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        either!(self.end_array_value(writer))
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        either!(self.begin_object_value(writer))
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        either!(self.end_object_value(writer))
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.depth += 1;
        either!(self.begin_array(writer))
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        let done = either!(self.end_array(writer));
        self.depth -= 1;
        done
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.depth += 1;
        either!(self.begin_object(writer))
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        let done = either!(self.end_object(writer));
        self.depth -= 1;
        done
    }
}

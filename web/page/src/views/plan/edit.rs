//! Edits of a sketch.

use crate::memo::Shared;
use loggia_plan::sketch::edit::Outline;
use std::ops::Range;

/// A new value in a sketch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SketchEdit {
    /// Subject of the change: edits of one subject in a row make one step of undo.
    pub(super) what: String,
    /// Position in the text.
    pub(super) at: Range<usize>,
    /// The new text.
    pub(super) new: String,
}

/// The outline that the editor shows.
#[derive(Clone, PartialEq)]
pub(super) struct EditorInputs {
    pub(super) outline: Shared<Outline>,
    /// Whether it belongs to the current text, instead of an earlier one.
    pub(super) is_current: bool,
}

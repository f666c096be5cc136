//! The words of this view.

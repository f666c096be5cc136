//! Pure geometry: what stands where in a picture. Nothing here knows the browser.
//!
//! | file | question |
//! |---|---|
//! | [`scale`] | which pixel is a value |
//! | [`steps`] | which values does a slider offer |
//! | [`turn`] | how far does a parameter's slider go |
//! | [`ticks`] | which values are written at an axis |
//! | [`labels`] | how do labels keep out of each other's way |
//! | [`path`] | which part of a line is seen, and how is it dashed |
//! | [`figure`] | what is in a picture: lines, bands, marks |
//! | [`message`], [`operation`] | the pictures of one message and of a collective operation |
//! | [`models`] | one message by several models, and what was measured |
//! | [`signature`] | the pictures of what a signature says |
//! | [`paint`] | how a picture is put on a plotters area |

pub(crate) mod figure;
pub(crate) mod labels;
pub(crate) mod message;
pub(crate) mod models;
pub(crate) mod operation;
pub(crate) mod paint;
pub(crate) mod path;
pub(crate) mod scale;
pub(crate) mod signature;
pub(crate) mod steps;
pub(crate) mod ticks;
pub(crate) mod turn;

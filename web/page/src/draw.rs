//! Pure geometry: what stands where in a picture. Nothing here knows the browser.
//!
//! | file | question |
//! |---|---|
//! | [`scale`], [`plane`] | which pixel is a value |
//! | [`steps`] | which values does a slider offer |
//! | [`turn`], [`slide`] | how far does a parameter's slider go, and that of a number in a sketch |
//! | [`ticks`] | which values are written at an axis |
//! | [`labels`] | how do labels keep out of each other's way |
//! | [`path`] | which part of a line is seen, and how is it dashed |
//! | [`figure`] | what is in a picture: lines, bands, marks |
//! | [`moments`] | which moments are written at a time axis |
//! | [`lens`], [`timeline`] | which part of a run's timeline is looked at, and how is it painted |
//! | [`curve`] | the picture of a run's end over a parameter |
//! | [`spacetime`] | which shapes make a space-time diagram |
//! | [`message`], [`operation`], [`blocking`] | the pictures of one message, of a collective operation, of twins of styles |
//! | [`models`] | one message by several models, and what was measured |
//! | [`messages`] | the pictures of many messages, over their size and over computation |
//! | [`plan`] | the pictures of a plan over the number of ranks |
//! | [`panel`] | a panel of a paper's figure |
//! | [`machines`], [`beside`] | the pictures of one message on several machines, and by several models |
//! | [`marker`] | which shape tells a machine from the others |
//! | [`signature`] | the pictures of what a signature says |
//! | [`ways`], [`heat`] | the ways of a collective operation; which is the fastest where |
//! | [`ranks`] | the space-time diagram of many ranks |
//! | [`sweep`], [`ratios`] | the pictures of overheads and of overlap ratios over computation |
//! | [`history`] | the picture of a number over many runs of a machine |
//! | [`paint`] | how a picture is put on a plotters area |

pub(crate) mod algorithms;
pub(crate) mod figure;
pub(crate) mod heat;
pub(crate) mod iteration;
pub(crate) mod labels;
pub(crate) mod leads;
pub(crate) mod lens;
pub(crate) mod marker;
pub(crate) mod moments;
pub(crate) mod paint;
pub(crate) mod path;
pub(crate) mod plane;
pub(crate) mod ranks;
pub(crate) mod ratios;
pub(crate) mod scale;
pub(crate) mod spacetime;
pub(crate) mod split;
pub(crate) mod steps;
pub(crate) mod sweep;
pub(crate) mod ticks;
pub(crate) mod timeline;
pub(crate) mod turn;
pub(crate) mod words;

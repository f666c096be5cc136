//! Geometry of pictures, without access to the browser. Components that show them are in `plots` and in
//! the views.
//!
//! | module | holds |
//! |---|---|
//! | [`scale`], [`plane`], [`ticks`], [`moments`] | values to pixels; labels of axes |
//! | [`steps`], [`slider`] | values that a slider offers |
//! | [`labels`] | positions of labels that do not overlap |
//! | [`reading`] | values of all lines at one position |
//! | [`figure`], [`leads`], [`marker`] | lines, bands, marks; the best machine along an axis; a shape for each machine |
//! | [`path`], [`paint`] | a line's visible part and dashes; painting with plotters |
//! | [`visible`], [`timeline`], [`split`] | a run's timeline, its visible part, the parts of a rank's time |
//! | [`spacetime`], [`ranks`] | space-time diagrams of two ranks and of many |
//! | [`algorithms`], [`heat`] | collective algorithms: their colours; the map of the fastest |
//! | [`sweep`], [`ratios`] | overheads and overlap ratios over computation |
//! | [`iteration`] | the parts of a planned iteration |
//! | [`words`] | words of axes and units |

pub(crate) mod algorithms;
pub(crate) mod figure;
pub(crate) mod heat;
pub(crate) mod iteration;
pub(crate) mod labels;
pub(crate) mod leads;
pub(crate) mod marker;
pub(crate) mod moments;
pub(crate) mod paint;
pub(crate) mod path;
pub(crate) mod plane;
pub(crate) mod ranks;
pub(crate) mod ratios;
pub(crate) mod reading;
pub(crate) mod scale;
pub(crate) mod slider;
pub(crate) mod spacetime;
pub(crate) mod split;
pub(crate) mod steps;
pub(crate) mod sweep;
pub(crate) mod ticks;
pub(crate) mod timeline;
pub(crate) mod visible;
pub(crate) mod words;

//! Exports: pictures and their data, the state as text, as a QR code, as a file. Loaded at the
//! first export.
//!
//! | file | holds |
//! |---|---|
//! | [`picture`] | a picture as a standalone SVG |
//! | [`data`] | the numbers of a picture |
//! | [`markdown`] | the open view as Markdown |
//! | [`code`] | a link as a QR code |

pub(crate) mod code;
mod data;
pub(crate) mod export;
pub(crate) mod markdown;
pub(crate) mod picture;
pub(crate) mod words;

use self::words as text;
use crate::browser::{self, saving};
use crate::draw::figure::Figure;
use crate::draw::sweep::Sweep;
use crate::draw::visible::VisibleRange;
use crate::draw::{heat, ratios};
use crate::memo::Shared;
use loggia_link::figures::Drawn;
use loggia_model::compare::History;
use loggia_model::signature::Operation;
use loggia_model::timeline::Timeline;
use loggia_model::units::Micros;
use loggia_plan::plan::Plan;
use loggia_simulate::record::Record;
use loggia_simulate::result::Curve;
use loggia_worker::{self, TimelineSection};
use std::rc::Rc;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::NodeRef;

/// The data of a picture.
#[derive(Clone, PartialEq)]
pub(crate) enum Data {
    /// Lines over an axis, painted on a canvas.
    Figure(Rc<Figure>),
    /// Activities over time.
    Timeline(Timeline),
    /// The same for several machines or protocols, by name.
    Timelines(Vec<(String, Timeline)>),
    /// Overheads over computation.
    Sweep(Rc<Sweep>),
    /// Overlap ratios over computation, of the sender and the receiver on each machine.
    Ratios(Rc<Vec<(String, [ratios::Line; 2])>>),
    /// The fastest method by size and p, painted on a canvas.
    Fastest(Shared<(Operation, heat::Map)>),
    /// A short run.
    Record(Record),
    /// A part of a run's timeline, painted on a canvas.
    TimelineData(TimelineData),
    /// Completion time over a parameter.
    Curve(Shared<Curve>),
    /// Parts of ranks' times.
    Split(Shared<Vec<loggia_worker::Bar>>),
    /// A plan.
    Plan(Shared<Plan>),
    /// Numbers over runs of a machine, with the names of the runs.
    History(Shared<History>, Vec<String>),
    /// Bars of a paper's figure.
    Bars(Rc<Drawn>),
}

/// A visible part of a run's timeline, and the run's completion time.
#[derive(Clone, PartialEq)]
pub(crate) struct TimelineData {
    pub(crate) section: Shared<TimelineSection>,
    pub(crate) visible: VisibleRange,
    pub(crate) end: Micros,
}

/// A picture to export.
pub(crate) struct ExportRequest {
    pub(crate) title: String,
    /// The element that contains it.
    pub(crate) area: NodeRef,
    pub(crate) data: Data,
    /// One of [`FORMS`].
    pub(crate) form: String,
}

/// Formats of exported pictures.
pub(crate) const FORMS: [&str; 3] = ["PNG", "SVG", "CSV"];

/// Saves a picture as a file; false if the browser cannot.
#[wasm_split(sharing, fallible)]
fn save_lazily(request: ExportRequest) -> Result<bool, SplitLoaderError> {
    Ok(save_now(&request).is_some())
}

/// Saves a picture as a file; false if that fails, or loading the exporter.
pub(crate) async fn save(request: ExportRequest) -> bool {
    save_lazily(request).await.unwrap_or(false)
}

fn save_now(ExportRequest { title, area, data, form }: &ExportRequest) -> Option<()> {
    let title = match browser::text_of(".about h2") {
        Some(machine) => text::titled(&machine, title),
        None => title.clone(),
    };
    let name = file_name(&title, &form.to_ascii_lowercase());
    if form == FORMS[2] {
        return saving::text(&name, "text/csv;charset=utf-8", &data::table(data));
    }
    let (picture, [width, height]) = picture::of(&title, area, data)?;
    match form == FORMS[1] {
        true => saving::text(&name, "image/svg+xml", &picture),
        false => saving::png(name, &picture, width, height),
    }
}

/// A file name from a title: "cray-t3d-one-message.png".
pub(crate) fn file_name(title: &str, extension: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.map(str::to_lowercase).collect::<Vec<_>>().join("-");
    format!("{}.{extension}", name.chars().take(80).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn titles_become_valid_file_names() {
        assert_eq!(file_name("Cray T3D: g(m) / G", "png"), "cray-t3d-g-m-g.png");
        assert_eq!(file_name("…", "csv"), ".csv");
    }
}

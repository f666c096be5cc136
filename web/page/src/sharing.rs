//! What leaves the page: pictures and their data, the state as text, as a code, as a file. All of it
//! is loaded when something is shared first.
//!
//! | file | question |
//! |---|---|
//! | [`picture`] | how does a picture become an SVG of its own |
//! | [`data`] | which numbers are in a picture |
//! | [`markdown`] | how does an open view read as Markdown |
//! | [`code`] | how does a link become a QR code |

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

/// What is in a picture, for those who want to draw it themselves.
#[derive(Clone, PartialEq)]
pub(crate) enum Data {
    /// Lines over an axis; they are painted, so that the document has them not.
    Figure(Rc<Figure>),
    /// Who does what, when.
    Timeline(Timeline),
    /// The same of several machines or protocols, each with its name.
    Timelines(Vec<(String, Timeline)>),
    /// Overheads over computation.
    Sweep(Rc<Sweep>),
    /// Overlap ratios over computation, of the sender and the receiver on each machine.
    Ratios(Rc<Vec<(String, [ratios::Line; 2])>>),
    /// Which way is the fastest where; painted.
    Fastest(Shared<(Operation, heat::Map)>),
    /// A short run.
    Record(Record),
    /// A section of a run; painted.
    TimelineData(TimelineData),
    /// The end of a run over a parameter.
    Curve(Shared<Curve>),
    /// Where ranks' time goes.
    Split(Shared<Vec<loggia_worker::Bar>>),
    /// A program's plan.
    Plan(Shared<Plan>),
    /// Numbers over runs of a machine, each with its name as it was given.
    History(Shared<History>, Vec<String>),
    /// The bars of a paper's figure.
    Bars(Rc<Drawn>),
}

/// What is seen of a run through a lens, and when the run ends.
#[derive(Clone, PartialEq)]
pub(crate) struct TimelineData {
    pub(crate) sight: Shared<TimelineSection>,
    pub(crate) visible: VisibleRange,
    pub(crate) end: Micros,
}

/// A picture that the reader wants to keep.
pub(crate) struct ExportRequest {
    /// Its name.
    pub(crate) title: String,
    /// What it stands in.
    pub(crate) area: NodeRef,
    pub(crate) data: Data,
    /// The name of one of [`FORMS`].
    pub(crate) form: String,
}

/// What a picture can be kept as.
pub(crate) const FORMS: [&str; 3] = ["PNG", "SVG", "CSV"];

/// Keeps a picture as a file; false where the browser does not let it.
#[wasm_split(sharing, fallible)]
fn keep_it(wanted: ExportRequest) -> Result<bool, SplitLoaderError> {
    Ok(kept(&wanted).is_some())
}

/// The same, false where it cannot be loaded, too.
pub(crate) async fn keep(wanted: ExportRequest) -> bool {
    keep_it(wanted).await.unwrap_or(false)
}

fn kept(ExportRequest { title, area, data, form }: &ExportRequest) -> Option<()> {
    let title = match browser::heading(".about h2") {
        Some(machine) => text::titled(&machine, title),
        None => title.clone(),
    };
    let name = file_name(&title, &form.to_lowercase());
    if form == FORMS[2] {
        return saving::text(&name, "text/csv;charset=utf-8", &data::table(data));
    }
    let (picture, [width, height]) = picture::of(&title, area, data)?;
    match form == FORMS[1] {
        true => saving::text(&name, "image/svg+xml", &picture),
        false => saving::png(name, &picture, width, height),
    }
}

/// A title as a file's name: "cray-t3d-one-message.png".
pub(crate) fn file_name(title: &str, extension: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.map(str::to_lowercase).collect::<Vec<_>>().join("-");
    format!("{}.{extension}", name.chars().take(80).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn titles_become_names_that_any_disk_takes() {
        assert_eq!(file_name("Cray T3D: g(m) / G", "png"), "cray-t3d-g-m-g.png");
        assert_eq!(file_name("…", "csv"), ".csv");
    }
}

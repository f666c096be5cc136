//! Actions of the reader.

use super::Page;
use crate::browser::{Files, Key};
use crate::draw::steps::Axis;
use crate::machines::Machine;
use loggia_link::figures::Figure;
use loggia_link::state::{State, View};
use loggia_model::model::Model;
use loggia_model::signature::Operation;
use loggia_model::units::{Bytes, Procs};
use loggia_model::{Error, Signature};

/// An action of the reader.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Chooses a machine.
    SelectMachine(Machine),
    /// Sets the message size.
    Bytes(Bytes),
    /// Sets the number of processes.
    Procs(Procs),
    /// Sets size and processes at once.
    SizeAndProcs(Bytes, Procs),
    /// Chooses a collective operation.
    Operation(Operation),
    /// Chooses a model.
    Model(Option<Model>),
    /// Chooses a tier.
    Tier(String),
    /// Chooses a send mode.
    Style(String),
    /// Edits the sketch: what was changed, and the new text.
    Sketch(String, String),
    /// Opens a sketch of the reader's own, or shows why it cannot be read.
    OpenSketch(Result<String, Error>),
    /// Sets another input by its name, to a value as typed.
    SetInput(&'static str, String),
    /// Compares with these machines; with none, the default ones.
    Compare(Vec<Machine>),
    /// Opens a link, or shows why it cannot be opened.
    OpenLink(Result<Box<State>, Error>),
    /// Adds a signature of the reader's own, or shows why it cannot be read.
    AddMachine(Result<Box<Signature>, Error>),
    /// Adds a signature without selecting it, unless an earlier one of this name is selected.
    UpdateMachine(Box<Signature>),
    /// Removes the selected machine, one of the reader's own.
    RemoveMachine,
    /// Opens a schedule's file in the simulator, or goes back to an algorithm.
    Program(Option<Files>),
    /// Opens a trace's files.
    Trace(Files),
    Figure(&'static Figure),
    Figures,
    /// Leaves a lesson for the list of all.
    LeaveLesson,
    View(View),
    /// Sets a parameter of the machine by its symbol, to a value as typed.
    Set(&'static str, String),
    /// Replaces the selected machine by another signature, such as a refitted one.
    Replace(Box<Signature>),
    /// Sets several parameters at once.
    SetAll(Vec<(String, String)>),
    /// Resets a parameter, or all of them.
    Reset(Option<&'static str>),
    /// Updates the page after built-in machines were loaded.
    Library,
    /// Switches projector mode.
    ProjectorMode,
    /// Undoes the last change.
    Undo,
    /// Redoes it.
    Redo,
    /// Closes the error message.
    Dismiss,
}

/// The action that sets the quantity of a slider.
pub(crate) fn set(axis: Axis, value: u64) -> Action {
    match axis {
        Axis::Bytes => Action::Bytes(Bytes(value)),
        Axis::Procs | Axis::Ranks => Action::Procs(Axis::procs(value)),
        Axis::Count => Action::SetInput("count", value.to_string()),
        Axis::Compute => Action::SetInput("compute", format!("{value}ns")),
        Axis::Depth => Action::SetInput("depth", value.to_string()),
    }
}

impl Action {
    /// The action of a key, if any. Digits open views by number.
    pub(crate) fn of_key(key: &Key, page: &Page, views: &[View]) -> Option<Action> {
        if key.in_field {
            return None;
        }
        if key.command {
            return match (key.name.to_ascii_lowercase().as_str(), key.shift) {
                ("z", false) => Some(Action::Undo),
                ("z", true) | ("y", false) => Some(Action::Redo),
                _ => None,
            };
        }
        match key.name.as_str() {
            "p" => Some(Action::ProjectorMode),
            // A step of a lesson is revealed by answering it.
            "h" if page.inputs.lesson.is_some() => None,
            "h" => Some(Action::SetInput(
                "hidden",
                if page.inputs.hidden { "no" } else { "yes" }.to_owned(),
            )),
            "r" => Some(Action::Reset(None)),
            // A digit is more likely an answer than another view.
            _ if page.inputs.lesson.is_some() => None,
            digit => {
                let digit: usize = digit.parse().ok().filter(|digit| *digit < 10)?;
                let place = if digit == 0 { 9 } else { digit - 1 };
                views.get(place).map(|view| Action::View(*view))
            }
        }
    }

    /// The subject of the action, if actions in a row make one step of undo.
    pub(super) fn key(&self) -> Option<String> {
        match self {
            Action::Bytes(_) => Some("bytes".to_owned()),
            Action::Procs(_) => Some("procs".to_owned()),
            Action::SizeAndProcs(..) => Some("place".to_owned()),
            Action::Sketch(what, _) => Some(format!("sketch: {what}")),
            Action::Set(name, _) | Action::SetInput(name, _) => Some((*name).to_owned()),
            _ => None,
        }
    }
}

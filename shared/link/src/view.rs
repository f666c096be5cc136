//! The views of the page, and their names.

use loggia_model::Error;
use loggia_model::error::Input;
use serde::{Deserialize, Serialize};

/// The views of the page, named as their tabs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&str")]
pub enum View {
    #[default]
    Message,
    Protocols,
    Overlap,
    Collectives,
    Simulate,
    Replay,
    Plan,
    Compare,
    Signature,
    Figures,
    Lessons,
}

/// Former names, which links and the command still accept.
pub const FORMER_VIEWS: [(&str, View); 2] = [("p2p", View::Message), ("learn", View::Figures)];

impl View {
    /// All views with their names.
    pub const ALL: [(View, &'static str); 11] = [
        (View::Message, "message"),
        (View::Protocols, "protocols"),
        (View::Overlap, "overlap"),
        (View::Collectives, "collectives"),
        (View::Simulate, "simulate"),
        (View::Replay, "replay"),
        (View::Plan, "plan"),
        (View::Compare, "compare"),
        (View::Signature, "signature"),
        (View::Figures, "figures"),
        (View::Lessons, "lessons"),
    ];

    pub fn name(self) -> &'static str {
        let entry = View::ALL.into_iter().find(|(view, _)| *view == self);
        entry.map_or("", |(_, name)| name)
    }

    /// The view of a current or former name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let current = View::ALL.into_iter().find(|(_, known)| *known == name).map(|(view, _)| view);
        let former = || FORMER_VIEWS.into_iter().find(|(known, _)| *known == name);
        current.or_else(|| former().map(|(_, view)| view)).ok_or_else(|| {
            Error::unknown("view", name, Input::View, View::ALL.into_iter().map(|(_, n)| n))
        })
    }
}

impl TryFrom<String> for View {
    type Error = Error;

    fn try_from(name: String) -> Result<Self, Error> {
        View::named(&name)
    }
}

impl From<View> for &str {
    fn from(view: View) -> Self {
        view.name()
    }
}

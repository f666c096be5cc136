//! The state that a step shows, as a lesson writes it, and what differs from it.

use loggia_model::error::Place;

/// An input or a parameter with its value, and where that stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    pub key: String,
    pub value: String,
    pub place: Place,
}

/// A state as a lesson writes it: machine, view, inputs and parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateSpec(pub Vec<Setting>);

/// Keys of a state that are neither inputs nor parameters.
pub const MACHINE: &str = "machine";
pub const COMPARE: &str = "compare";
pub const VIEW: &str = "view";
pub const PROGRAM: &str = "program";
/// A range of L or G over which a run is followed.
pub const CURVE: &str = "curve";

impl StateSpec {
    /// The same with some values changed.
    #[must_use]
    pub fn with(&self, changes: &[Setting]) -> Self {
        let mut all = self.0.clone();
        for change in changes {
            all.retain(|one| one.key != change.key);
            all.push(change.clone());
        }
        StateSpec(all)
    }

    pub fn get(&self, key: &str) -> Option<&Setting> {
        self.0.iter().find(|one| one.key == key)
    }
}

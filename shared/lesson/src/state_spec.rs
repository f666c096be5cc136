//! The state of a step in the text of a lesson, and changes to it.

use loggia_model::error::Place;

/// An input or a parameter with its value, and the place of the value.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    pub key: String,
    pub value: String,
    pub place: Place,
}

/// A state in a lesson: machine, view, inputs and parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateSpec(pub Vec<Setting>);

/// Keys of a state that are neither inputs nor parameters.
pub const MACHINE: &str = "machine";
pub const COMPARE: &str = "compare";
pub const VIEW: &str = "view";
pub const PROGRAM: &str = "program";
/// A range of L or G for the completion time as a function of it.
pub const CURVE: &str = "curve";

impl StateSpec {
    /// The state with some values changed.
    #[must_use]
    pub fn with(&self, changes: &[Setting]) -> Self {
        let mut all = self.0.clone();
        for change in changes {
            all.retain(|setting| setting.key != change.key);
            all.push(change.clone());
        }
        StateSpec(all)
    }

    pub fn get(&self, key: &str) -> Option<&Setting> {
        self.0.iter().find(|setting| setting.key == key)
    }
}

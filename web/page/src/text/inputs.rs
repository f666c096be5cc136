//! Names of the page's inputs in errors: the labels of their fields.

use crate::text;
use loggia_model::error::Input;

/// The label of an input, with its value if there is one.
pub(crate) fn label(input: Input, value: Option<&str>) -> String {
    let label = match input {
        Input::Algorithm => "Algorithm",
        Input::Bytes => "Size",
        Input::BytesAre => "Bytes are",
        Input::Columns => "Columns",
        Input::Count => "Messages",
        Input::FailOn => "Condition",
        Input::Fit => "Measured runs",
        Input::Format => "Format",
        Input::LeaveOut => "Leave out",
        Input::Let => "Constant",
        Input::Merge => "Add to a machine",
        Input::Model => "Model",
        Input::Nodes => "Ranks per node",
        Input::Operation => "Operation",
        Input::OverheadPerByte => "O",
        Input::Procs | Input::Ranks => "Ranks",
        Input::Root => "Root",
        Input::Rules => text::RULES,
        Input::ScaleCompute => "Computation",
        Input::Segment => "Segment",
        // A parameter's label is its symbol.
        Input::Set => return value.unwrap_or("under Signature").to_owned(),
        Input::Signature => "Machine",
        Input::SingleNumbers => "L, o, g, G, O, S",
        Input::Style => text::STYLE,
        Input::Sweep => "Vary",
        Input::Tier => "Tier",
        Input::View => "View",
    };
    value.map_or(label.to_owned(), |value| format!("{label} {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_have_the_labels_of_their_fields() {
        assert_eq!(label(Input::Tier, None), "Tier");
        assert_eq!(label(Input::Rules, Some("loggps")), "Simulation model loggps");
        assert_eq!(label(Input::Set, Some("L=5us")), "L=5us");
    }
}

//! The keys of a sketch, for the parser and for the JSON schema that editors use.

use super::edit::{ALWAYS, ValueKind, actions, takes};
use super::outline::step_holds;
use serde_json::{Map, Value, json};

/// The keys of a whole program, with descriptions.
pub(super) const PROGRAM: [(&str, &str); 6] = [
    ("name", "Name of the program."),
    ("iterations", "Number of iterations; 1 by default."),
    ("ranks_per_node", "Number of consecutive ranks that share a node."),
    ("grid", "The grid of cells, divided among the ranks."),
    ("let", "Named constants for the formulas below; \"?\" is fitted to measured runs."),
    ("step", "Steps of an iteration, in order."),
];

/// The keys of a grid, with descriptions.
pub(super) const GRID: [(&str, &str); 3] = [
    ("cells", "Cells of the whole grid along each of one to three dimensions."),
    ("block", "Cells of each rank along each dimension, for any number of ranks."),
    ("periodic", "Whether the first cell is a neighbour of the last one."),
];

/// The keys of a step, besides the collective operations, with descriptions.
const STEP: [(&str, &str); 14] = [
    ("compute", "Every rank computes for this time."),
    (
        "halo",
        "Every rank sends this many bytes to each of its neighbours in the grid; `face` is the number \
         of cells next to the neighbour.",
    ),
    (
        "exchange",
        "Every rank exchanges this many bytes with a partner, at distance 2^k in round k.",
    ),
    ("apart", "Distance of the partner in the first round of an exchange; 1 by default."),
    ("shift", "Every rank sends this many bytes to the next rank."),
    (
        "wavefront",
        "A wavefront of blocks passes through the grid from a corner; each \
         block sends this many bytes.",
    ),
    ("steps", "Several steps, one after the other."),
    ("during", "Computation while the messages are in flight."),
    ("times", "Number of repetitions in a row; 1 by default."),
    ("every", "Number of iterations from one execution of the step to the next; 1 by default."),
    ("algorithm", "Name of the algorithm; the best one by default."),
    ("corners", "Whether ranks across edges and corners are neighbours, too."),
    ("blocks", "Number of blocks of a wavefront."),
    ("work", "Computation of one block of a wavefront."),
];

/// The keys of a list.
pub(super) fn keys(list: &[(&'static str, &str)]) -> Vec<&'static str> {
    list.iter().map(|(key, _)| *key).collect()
}

/// The keys of steps.
pub(super) fn step_keys() -> Vec<&'static str> {
    let others = keys(&STEP);
    let operations = actions().filter(|action| !others.contains(action));
    others.iter().copied().chain(operations).collect()
}

/// The JSON schema of sketches, equal to the published file.
#[must_use]
pub fn json() -> String {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Loggia sketch",
        "$comment": COMMENT,
        "type": "object",
        "properties": properties(&PROGRAM, program),
        "required": ["step"],
        "additionalProperties": false,
        "$defs": { "step": step() },
    });
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

const COMMENT: &str = "A formula is a number, or a text such as \"2ns * cells + 1us\". Loggia checks \
                       more than this schema: names and units in formulas, and actions that need a \
                       grid. See docs/sketch.md.";

fn properties(list: &[(&str, &str)], of: fn(&str) -> Value) -> Value {
    let all = list.iter().map(|(key, description)| {
        let mut value = of(key);
        value["description"] = json!(description);
        ((*key).to_owned(), value)
    });
    Value::Object(all.collect::<Map<_, _>>())
}

fn whole() -> Value {
    json!({ "type": "integer", "minimum": 1 })
}

fn formula() -> Value {
    json!({ "type": ["string", "number"] })
}

fn program(word: &str) -> Value {
    match word {
        "name" => json!({ "type": "string" }),
        "grid" => json!({
            "type": "object",
            "properties": properties(&GRID, grid),
            "oneOf": [{ "required": ["cells"] }, { "required": ["block"] }],
            "additionalProperties": false,
        }),
        "let" => json!({
            "type": "object",
            "propertyNames": { "pattern": "^\\p{L}[\\p{L}\\p{N}_]*$" },
            "additionalProperties": formula(),
        }),
        "step" => steps(),
        _ => whole(),
    }
}

fn grid(word: &str) -> Value {
    match word {
        "periodic" => json!({ "type": "boolean" }),
        _ => json!({ "type": "array", "items": whole(), "minItems": 1, "maxItems": 3 }),
    }
}

fn steps() -> Value {
    json!({ "type": "array", "items": { "$ref": "#/$defs/step" }, "minItems": 1 })
}

/// A step has one action, and the action's options.
fn step() -> Value {
    let describe = |key: &str| {
        let description = STEP.iter().find(|(known, _)| *known == key).map(|(_, text)| *text);
        description.map_or_else(
            || format!("The collective operation, on this many bytes ({key})."),
            str::to_owned,
        )
    };
    let property = |key: &'static str| {
        let mut value = match (key, step_holds(key)) {
            ("steps", _) => steps(),
            (_, ValueKind::Words) => json!({ "type": "string" }),
            (_, ValueKind::Truth) => json!({ "type": "boolean" }),
            (_, ValueKind::Whole) => whole(),
            (_, ValueKind::Formula(_)) => formula(),
        };
        value["description"] = json!(describe(key));
        (key.to_owned(), value)
    };
    let rules = actions().map(|action| {
        let keys: Vec<&str> =
            [action].into_iter().chain(takes(action).iter().copied()).chain(ALWAYS).collect();
        let required: &[&str] = if action == "wavefront" { &["blocks", "work"] } else { &[] };
        json!({
            "if": { "required": [action] },
            "then": { "propertyNames": { "enum": keys }, "required": required },
        })
    });
    let one_of = actions().map(|action| json!({ "required": [action] }));
    json!({
        "type": "object",
        "properties": step_keys().into_iter().map(property).collect::<Map<_, _>>(),
        "additionalProperties": false,
        "oneOf": one_of.collect::<Vec<_>>(),
        "allOf": rules.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every action and every option of a step is in the list.
    #[test]
    fn every_key_has_a_description() {
        for action in super::super::ACTIONS {
            assert!(STEP.iter().any(|(word, _)| *word == action), "{action}");
        }
        for word in actions().flat_map(takes).copied().chain(ALWAYS) {
            assert!(STEP.iter().any(|(known, _)| *known == word), "{word}");
        }
    }
}

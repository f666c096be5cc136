//! The keys of a sketch: the reader refuses others, and editors get a JSON schema.

use super::edit::{ALWAYS, ValueKind, actions, takes};
use super::outline::step_holds;
use serde_json::{Map, Value, json};

/// The keys of a whole program, with descriptions.
pub(super) const PROGRAM: [(&str, &str); 6] = [
    ("name", "What the program is called."),
    ("iterations", "How often the steps are done; 1 without a word."),
    ("ranks_per_node", "How many neighbouring ranks share a node."),
    ("grid", "What the ranks have a part of."),
    ("let", "Numbers with names, for the formulas below; \"?\" for what is to be fitted to runs."),
    ("step", "What an iteration does, one after the other."),
];

/// The words of a grid.
pub(super) const GRID: [(&str, &str); 3] = [
    ("cells", "How many cells there are along each of one to three dimensions: they are divided."),
    ("block", "How many cells each rank has along each dimension, however many ranks there are."),
    ("periodic", "Whether the last cell's neighbour is the first."),
];

/// The words of a step, besides the collective operations.
const STEP: [(&str, &str); 14] = [
    ("compute", "Every rank computes for so long."),
    (
        "halo",
        "Every rank sends so many bytes to each of its neighbours in the grid; `face` is how many \
         cells look towards it.",
    ),
    (
        "exchange",
        "Every rank exchanges this many bytes with a partner: in round k the one 2^k away.",
    ),
    ("apart", "How far away the partner of an exchange is in the first round; 1 without a word."),
    ("shift", "Every rank sends this many bytes to the next one."),
    (
        "wavefront",
        "A wavefront of blocks runs through the grid from a corner; each block sends this many bytes.",
    ),
    ("steps", "Several steps, one after the other."),
    ("during", "What is computed while the messages are in flight."),
    ("times", "How often it is done, one after the other; 1 without a word."),
    ("every", "Number of iterations from one execution of the step to the next; 1 by default."),
    ("algorithm", "By which algorithm; the best without a word."),
    ("corners", "Whether those across edges and corners are neighbours, too."),
    ("blocks", "How many blocks of work a wavefront has."),
    ("work", "The computation of one of them."),
];

/// All words of a list.
pub(super) fn words(list: &[(&'static str, &str)]) -> Vec<&'static str> {
    list.iter().map(|(word, _)| *word).collect()
}

/// All words of steps.
pub(super) fn step_words() -> Vec<&'static str> {
    let others = words(&STEP);
    let operations = actions().filter(|action| !others.contains(action));
    others.iter().copied().chain(operations).collect()
}

/// The schema of sketches, as the published file has it.
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
                       more than a schema can: names and units in formulas, and what goes together \
                       with a grid. docs/sketch.md tells it all.";

fn properties(list: &[(&str, &str)], of: fn(&str) -> Value) -> Value {
    let all = list.iter().map(|(word, says)| {
        let mut value = of(word);
        value["description"] = json!(says);
        ((*word).to_owned(), value)
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
    let own = |word: &&str| step_holds(word);
    let says = |word: &str| {
        let said = STEP.iter().find(|(known, _)| *known == word).map(|(_, says)| *says);
        said.map_or_else(
            || format!("The collective operation, on this many bytes ({word})."),
            str::to_owned,
        )
    };
    let property = |word: &'static str| {
        let mut value = match (word, own(&word)) {
            ("steps", _) => steps(),
            (_, ValueKind::Words) => json!({ "type": "string" }),
            (_, ValueKind::Truth) => json!({ "type": "boolean" }),
            (_, ValueKind::Whole) => whole(),
            (_, ValueKind::Formula(_)) => formula(),
        };
        value["description"] = json!(says(word));
        (word.to_owned(), value)
    };
    let rules = actions().map(|action| {
        let words: Vec<&str> =
            [action].into_iter().chain(takes(action).iter().copied()).chain(ALWAYS).collect();
        let needed: &[&str] = if action == "wavefront" { &["blocks", "work"] } else { &[] };
        json!({
            "if": { "required": [action] },
            "then": { "propertyNames": { "enum": words }, "required": needed },
        })
    });
    let one_of = actions().map(|action| json!({ "required": [action] }));
    json!({
        "type": "object",
        "properties": step_words().into_iter().map(property).collect::<Map<_, _>>(),
        "additionalProperties": false,
        "oneOf": one_of.collect::<Vec<_>>(),
        "allOf": rules.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every key of a step is in the list, and every action has a description.
    #[test]
    fn the_lists_hold_together() {
        for action in super::super::ACTIONS {
            assert!(STEP.iter().any(|(word, _)| *word == action), "{action}");
        }
        for word in actions().flat_map(takes).copied().chain(ALWAYS) {
            assert!(STEP.iter().any(|(known, _)| *known == word), "{word}");
        }
    }
}

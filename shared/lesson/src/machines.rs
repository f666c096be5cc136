//! The machines of a lesson: built in, listed in `machines.toml`, or given by numbers.

use crate::error::{LessonError, Toml};
use loggia_model::{Error, Signature, json, library};
use loggia_plan::toml_text::{Entry, Value};
use serde_json::{Map, json};

/// Machines for lessons that are not in the library of signatures.
const LISTED: &str = include_str!("../machines.toml");

/// Measured signatures with intervals.
const MEASURED: [(&str, &str); 2] = [
    ("cluster-2026-06", include_str!("../../../docs/runs/2026-06.json")),
    ("cluster-2026-07", include_str!("../../../docs/runs/2026-07.json")),
];

/// Keys of a machine given by numbers.
const NUMBERS: [&str; 14] = [
    "title", "source", "date", "network", "library", "note", "L", "o", "o_s", "o_r", "g", "G", "S",
    "EEL",
];

/// A machine by its name.
pub(crate) fn named(name: &str) -> Result<Signature, Error> {
    if library::names().any(|known| known == name) {
        return library::load(name);
    }
    if let Some((_, text)) = MEASURED.iter().find(|(known, _)| *known == name) {
        return json::from_json(text);
    }
    let toml = Toml::new(LISTED);
    let listed = toml.parse()?;
    let names = || listed.get_ref().keys().map(|name| name.get_ref().to_string());
    match listed.get_ref().get(name) {
        Some(value) => numbers(&toml, name, value),
        None => {
            let listed: Vec<String> = names().collect();
            let mut known: Vec<&str> = library::names().collect();
            known.extend(MEASURED.iter().map(|(name, _)| *name));
            known.extend(listed.iter().map(String::as_str));
            Err(Error::unknown("machine", name, "", known))
        }
    }
}

/// Reads a machine of a lesson: a name, `{ base = …, set = { … } }`, `{ link = … }`, or numbers.
pub(crate) fn read(toml: &Toml, name: &str, value: &Value) -> Result<Signature, Error> {
    let at = |error: Error| error.at(toml.place(value.span().start));
    let Some(table) = value.get_ref().as_table() else {
        return named(&toml.word(value)?).map_err(at);
    };
    if let Some(link) = table.get("link") {
        toml.check_keys(table, &["link"])?;
        let state = loggia_link::decode(&toml.word(link)?).map_err(|e| at(e.into()))?;
        return state
            .signatures
            .into_iter()
            .next()
            .ok_or_else(|| LessonError::LinkWithoutMachine.at(toml.place(link.span().start)));
    }
    let Some(base) = table.get("base") else { return numbers(toml, name, value) };
    toml.check_keys(table, &["base", "set"])?;
    let mut signature = named(&toml.word(base)?).map_err(at)?;
    let set = table.get("set").map(|set| toml.in_order(set)).transpose()?;
    for Entry { name, value, .. } in set.unwrap_or_default() {
        let place = toml.place(value.span().start);
        signature.set(&name, &toml.word(value)?).map_err(|error| error.at(place))?;
    }
    Ok(signature)
}

fn numbers(toml: &Toml, name: &str, value: &Value) -> Result<Signature, Error> {
    let table = toml.table(value)?;
    toml.check_keys(table, &NUMBERS)?;
    let word = |key: &str| table.get(key).map(|value| toml.word(value)).transpose();
    let source = word("source")?
        .ok_or_else(|| LessonError::MachineWithoutSource.at(toml.place(value.span().start)))?;
    let title = word("title")?.unwrap_or_else(|| name.to_owned());
    let signature = json!({
        "loggia": Signature::VERSION,
        "name": name,
        "title": title,
        "origin": { "kind": "citation", "citation": source, "date": word("date")? },
        "machine": { "network": word("network")?, "library": word("library")? },
        "notes": word("note")?.into_iter().collect::<Vec<_>>(),
        "tiers": [{ "name": "network", "reach": "inter", "styles": [{ "name": "send", "routines": "MPI_Send" }] }],
    });
    let mut signature = json::from_json(&without_nulls(signature).to_string())
        .map_err(|error| error.at(toml.place(value.span().start)))?;
    let parameters = ["L", "o_s", "o_r", "g", "G", "S", "EEL"];
    for symbol in parameters {
        let given = table.get(symbol).or_else(|| match symbol {
            "o_s" | "o_r" => table.get("o"),
            _ => None,
        });
        if let Some(value) = given {
            let place = toml.place(value.span().start);
            signature.set(symbol, &toml.word(value)?).map_err(|error| error.at(place))?;
        }
    }
    published(signature, &source)
}

fn without_nulls(mut value: serde_json::Value) -> serde_json::Value {
    fn clean(value: &mut serde_json::Value) {
        if let serde_json::Value::Object(fields) = value {
            let kept: Map<_, _> =
                std::mem::take(fields).into_iter().filter(|(_, value)| !value.is_null()).collect();
            *fields = kept;
            fields.values_mut().for_each(clean);
        }
    }
    clean(&mut value);
    value
}

/// The signature with every parameter marked as published by this source.
fn published(signature: Signature, source: &str) -> Result<Signature, Error> {
    fn cite(value: &mut serde_json::Value, source: &str) {
        match value {
            serde_json::Value::Object(fields) => {
                if fields.contains_key("verdict") {
                    fields.insert("verdict".to_owned(), "published".into());
                    fields.insert("source".to_owned(), source.into());
                }
                fields.values_mut().for_each(|value| cite(value, source));
            }
            serde_json::Value::Array(all) => all.iter_mut().for_each(|value| cite(value, source)),
            _ => {}
        }
    }
    let mut value: serde_json::Value =
        serde_json::from_str(&json::to_json(&signature)).unwrap_or_default();
    cite(&mut value, source);
    json::from_json(&value.to_string())
}

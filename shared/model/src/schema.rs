//! The signature format as a JSON schema, for editors and other programs: `signature.schema.json`.

use crate::Signature;
use schemars::generate::SchemaSettings;

/// The text of the published schema.
pub fn json() -> String {
    let mut schema =
        SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Signature>();
    schema.insert("title".to_owned(), "Loggia signature".into());
    schema.insert("$comment".to_owned(), UNITS.into());
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

const UNITS: &str = "Times are in µs, sizes in bytes, times per byte in µs/byte. Loggia checks more \
                     than a schema can: bounds around values, points in order, unique names.";

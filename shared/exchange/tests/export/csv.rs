//! CSV: a parser of RFC 4180 reads every number of the signature with full precision.

use crate::machines::{all, export};
use loggia_exchange::export::Target;
use loggia_model::json::to_json;
use loggia_model::signature::{Defaults, Quality, Signature};
use serde_json::Value;

struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn of(machine: &Signature) -> Self {
        let text = export(machine, Target::Csv, &Defaults::default()).unwrap();
        assert!(text.lines().count() > 0 && text.ends_with("\r\n"));
        // The parser refuses rows of unequal length.
        let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
        let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let row =
            |row: csv::Result<csv::StringRecord>| row.unwrap().iter().map(str::to_owned).collect();
        Table { header, rows: reader.records().map(row).collect() }
    }

    fn cell<'a>(&self, row: &'a [String], column: &str) -> &'a str {
        &row[self.header.iter().position(|name| name == column).unwrap()]
    }
}

/// `tiers[0].styles[1].name`
fn value_at<'a>(file: &'a Value, path: &str) -> &'a Value {
    let mut value = file;
    for part in path.split(['.', '[']) {
        value = match part.strip_suffix(']') {
            Some(index) => &value[index.parse::<usize>().unwrap()],
            None => &value[part],
        };
    }
    value
}

#[test]
fn every_row_equals_the_value_at_its_path_in_the_file() {
    let mut numbers = 0;
    for machine in all() {
        let file: Value = serde_json::from_str(&to_json(&machine)).unwrap();
        let table = Table::of(&machine);
        assert_eq!(
            table.header.join(","),
            "path,symbol,tier,style,bytes,procs,value,low,high,unit,verdict,source"
        );
        for row in &table.rows {
            let cell = |column| table.cell(row, column);
            let path = cell("path");
            let entry = value_at(&file, path);
            // Points and fixed parts are numbers; parameters have a field `value`.
            let number_of = |key: &str| if entry.is_object() { entry[key].as_f64() } else { None };
            let value = number_of("value").or(entry.as_f64());
            match cell("value").parse::<f64>() {
                Ok(number) => assert_eq!(Some(number), value, "{} {path}", machine.name),
                Err(_) => assert_eq!(value, None, "{} {path}", machine.name),
            }
            for bound in ["low", "high"] {
                if let Ok(number) = cell(bound).parse::<f64>() {
                    // A bound that the source lacks equals the value.
                    assert_eq!(Some(number), number_of(bound).or(value), "{} {path}", machine.name);
                }
            }
            if path.contains(".points[") {
                assert_eq!(cell("bytes").parse::<u64>().ok(), entry["bytes"].as_u64());
            }
            assert!(!cell("symbol").is_empty() && !cell("verdict").is_empty(), "{row:?}");
            numbers += usize::from(value.is_some());
        }
    }
    assert!(numbers > 400, "only {numbers} numbers were compared");
}

/// Every `value` of the file except samples has a row; so does every unusable parameter.
#[test]
fn every_value_has_a_row() {
    fn count(value: &Value) -> usize {
        match value {
            Value::Array(all) => all.iter().map(count).sum(),
            Value::Object(all) => {
                let is_unusable = || all.get("verdict").is_some_and(|v| v == "unusable");
                usize::from(all.get("value").map_or_else(is_unusable, Value::is_number))
                    + all.values().map(count).sum::<usize>()
            }
            _ => 0,
        }
    }
    for name in loggia_model::library::names() {
        let machine = loggia_model::library::load(name).unwrap();
        let file: Value = serde_json::from_str(&to_json(&machine)).unwrap();
        let expected = count(&file["tiers"]) + count(&file["collectives"]);
        let table = Table::of(&machine);
        let lines = [".fixed", ".per_byte"];
        let is_line = |row: &&Vec<String>| {
            lines.iter().any(|end| row[0].contains("overhead") && row[0].ends_with(end))
        };
        let rows = table.rows.len() - table.rows.iter().filter(is_line).count();
        assert_eq!(rows, expected, "{name}");
    }
}

#[test]
fn hostile_text_stays_in_its_cell() {
    let mut machine = loggia_model::library::load("cray-t3d").unwrap();
    let source = "a \"table\", with\r\nlines\n";
    machine.tiers[0].latency.as_mut().unwrap().source = source.to_owned();
    machine.tiers[0].latency.as_mut().unwrap().quality = Quality::Unusable;
    let table = Table::of(&machine);
    assert_eq!(table.cell(&table.rows[0], "source"), source);
    assert_eq!(table.cell(&table.rows[0], "value"), "");
    assert_eq!(table.cell(&table.rows[0], "verdict"), "unusable");
}

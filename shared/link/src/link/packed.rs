//! A state's JSON as links of version 2 hold it: bounds stand in steps, the points of a measured
//! curve in columns. Only what comes back exactly is packed; all else stays as it is.
//!
//! - `"value": v, "low": …, "high": …` becomes `"value": [v, steps down, steps up − steps down]`,
//!   and `[0, low, high]` where the value is zero;
//! - `"points": [{"bytes": m, "value": […]}, …]` becomes three lists: the sizes; the steps of each
//!   value above the one before it, `null` for zero; two numbers for the bounds of each, as above.

use super::steps::{Side, bound, step_of, steps_to, value_at};
use serde_json::{Map, Value, json};

const VALUE: &str = "value";
const LOW: &str = "low";
const HIGH: &str = "high";
const BYTES: &str = "bytes";
const POINTS: &str = "points";

/// A value and its bounds.
type Bounded = [f64; 3];

/// Packs what can be, anywhere in a value.
pub(super) fn pack(value: &mut Value) {
    inside(value, pack);
    let Value::Object(fields) = value else { return };
    if let Some((bounded, packed)) = bounded(fields).and_then(|all| Some((all, bounds(all)?)))
        && unbound(&packed) == Some(bounded)
    {
        fields.remove(LOW);
        fields.remove(HIGH);
        fields.insert(VALUE.to_owned(), packed);
    }
    if let Some(points) = fields.get_mut(POINTS)
        && let Some(packed) = columns(points)
        && rows(&packed).as_ref() == Some(points)
    {
        *points = packed;
    }
}

/// Unpacks what [`pack`] packed.
pub(super) fn unpack(value: &mut Value) {
    if let Value::Object(fields) = value {
        if let Some(rows) = fields.get(POINTS).and_then(rows) {
            fields.insert(POINTS.to_owned(), rows);
        }
        if let Some(bounded) = fields.get(VALUE).and_then(unbound) {
            let told = [VALUE, LOW, HIGH].into_iter().zip(bounded);
            fields.extend(told.map(|(key, number)| (key.to_owned(), number.into())));
        }
    }
    inside(value, unpack);
}

fn inside(value: &mut Value, each: fn(&mut Value)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(each),
        Value::Object(fields) => fields.values_mut().for_each(each),
        _ => {}
    }
}

/// A number that may have decimals: sizes and counts are left alone.
fn number(value: &Value) -> Option<f64> {
    value.is_f64().then(|| value.as_f64())?
}

fn bounded(fields: &Map<String, Value>) -> Option<Bounded> {
    let [value, low, high] = [VALUE, LOW, HIGH].map(|key| fields.get(key).and_then(number));
    Some([value?, low?, high?])
}

fn bounds([value, low, high]: Bounded) -> Option<Value> {
    if value == 0.0 {
        return Some(json!([0, low, high]));
    }
    let down = steps_to(value, Side::Low, low)?;
    let up = steps_to(value, Side::High, high)?;
    Some(json!([value, down, up - down]))
}

fn unbound(packed: &Value) -> Option<Bounded> {
    let [value, low, high] = packed.as_array()?.as_slice() else { return None };
    let [value, low, high] = [value.as_f64()?, low.as_f64()?, high.as_f64()?];
    if value == 0.0 {
        return Some([0.0, low, high]);
    }
    let [down, up] = [low as i64, (low + high) as i64];
    Some([value, bound(value, Side::Low, down), bound(value, Side::High, up)])
}

/// Points whose bounds are packed, as columns.
fn columns(points: &Value) -> Option<Value> {
    let (mut sizes, mut values, mut widths) = (Vec::new(), Vec::new(), Vec::new());
    let mut before = 0;
    for point in points.as_array()? {
        let [value, low, high] = point.get(VALUE)?.as_array()?.as_slice() else { return None };
        sizes.push(point.get(BYTES)?.clone());
        widths.extend([low.clone(), high.clone()]);
        values.push(match value.as_f64()? {
            0.0 => Value::Null,
            value => {
                let step = step_of(value);
                let up = step - before;
                before = step;
                up.into()
            }
        });
    }
    Some(json!([sizes, values, widths]))
}

/// The points of columns, with their bounds still packed.
fn rows(columns: &Value) -> Option<Value> {
    let [sizes, values, widths] = columns.as_array()?.as_slice() else { return None };
    let (widths, _) = widths.as_array()?.as_chunks::<2>();
    let mut step = 0;
    let row = |((size, up), [low, high]): ((&Value, &Value), &[Value; 2])| {
        let value = match up {
            Value::Null => json!(0),
            up => {
                step = i64::saturating_add(step, up.as_i64()?);
                value_at(step).into()
            }
        };
        Some(json!({BYTES: size, VALUE: [value, low, high]}))
    };
    sizes.as_array()?.iter().zip(values.as_array()?).zip(widths).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::compact::compacted;
    use crate::state::State;
    use loggia_model::library;

    fn packed(value: &Value) -> Value {
        let mut packed = value.clone();
        pack(&mut packed);
        let mut again = packed.clone();
        unpack(&mut again);
        assert_eq!(again, *value);
        packed
    }

    #[test]
    fn bounds_that_stand_on_steps_are_told_by_steps() {
        let [low, high] = [(Side::Low, 12), (Side::High, 24)].map(|(side, n)| bound(2.5, side, n));
        assert_eq!(
            packed(&json!({"value": 2.5, "low": low, "high": high, "source": "x"})),
            json!({"value": [2.5, 12, 12], "source": "x"})
        );
        assert_eq!(
            packed(&json!({"value": 0.0, "low": 0.0, "high": 0.5})),
            json!({"value": [0, 0.0, 0.5]})
        );
    }

    #[test]
    fn points_on_steps_become_columns() {
        let point = |bytes: u64, step: i64| {
            let value = value_at(step);
            let [low, high] = [Side::Low, Side::High].map(|side| bound(value, side, 30));
            json!({"bytes": bytes, "value": value, "low": low, "high": high})
        };
        let zero = json!({"bytes": 9, "value": 0.0, "low": 0.0, "high": 1.5});
        assert_eq!(
            packed(&json!({"points": [point(1, -40), point(8, 3), zero]})),
            json!({"points": [[1, 8, 9], [-40, 43, null], [30, 0, 30, 0, 0.0, 1.5]]})
        );
    }

    #[test]
    fn what_does_not_come_back_exactly_stays_as_it_is() {
        for value in [
            json!({"value": 2.5, "low": 2.4, "high": 2.6}),
            json!({"value": 4040, "low": 4040, "high": 4041}),
            json!({"value": -1.0, "low": null, "high": 1e300}),
            json!({"points": [{"bytes": 1, "value": 0.3}, {"bytes": 2, "value": 0.4}]}),
            json!([null, true, "text", {"value": "text", "points": "text"}]),
        ] {
            assert_eq!(packed(&value), value);
        }
    }

    #[test]
    fn every_built_in_machine_comes_back_exactly() {
        for name in library::names() {
            let (compact, _) = compacted(&library::load(name).unwrap());
            packed(&serde_json::to_value(State::of(compact)).unwrap());
        }
    }

    #[test]
    fn what_was_never_packed_is_unpacked_without_harm() {
        for text in [
            r#"{"points": [[1, 2], [9e18, 9e18], [1]], "value": [1, 2]}"#,
            r#"{"points": [[1, 2], [9223372036854775807, 1], [1, 2, 3, 4]]}"#,
            r#"{"value": [1e308, 1e308, 1e308], "points": [[], [], []]}"#,
            r#"{"value": [-1.0, -9, 1e9]}"#,
        ] {
            unpack(&mut serde_json::from_str(text).unwrap());
        }
    }
}

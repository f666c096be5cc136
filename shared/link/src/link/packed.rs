//! The JSON of a state in links of version 2: bounds are packed as steps, points of measured curves
//! as columns. Values are packed only if unpacking gives them exactly.
//!
//! - `"value": v, "low": …, "high": …` becomes `"value": [v, steps down, steps up − steps down]`,
//!   or `[0, low, high]` if the value is 0;
//! - `"points": [{"bytes": m, "value": […]}, …]` becomes three lists: the sizes; for each value the
//!   difference in steps to the previous value, `null` for 0; two numbers per point for the bounds.

use super::steps::{Side, bound, step_of, steps_to, value_at};
use serde_json::{Map, Value, json};

const VALUE: &str = "value";
const LOW: &str = "low";
const HIGH: &str = "high";
const BYTES: &str = "bytes";
const POINTS: &str = "points";

/// A value and its bounds.
type Bounded = [f64; 3];

/// Packs all packable parts of a value, recursively.
pub(super) fn pack(value: &mut Value) {
    for_each_child(value, pack);
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

/// Reverses [`pack`].
pub(super) fn unpack(value: &mut Value) {
    if let Value::Object(fields) = value {
        if let Some(rows) = fields.get(POINTS).and_then(rows) {
            fields.insert(POINTS.to_owned(), rows);
        }
        if let Some(bounded) = fields.get(VALUE).and_then(unbound) {
            let numbers = [VALUE, LOW, HIGH].into_iter().zip(bounded);
            fields.extend(numbers.map(|(key, number)| (key.to_owned(), number.into())));
        }
    }
    for_each_child(value, unpack);
}

fn for_each_child(value: &mut Value, action: fn(&mut Value)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(action),
        Value::Object(fields) => fields.values_mut().for_each(action),
        _ => {}
    }
}

/// A floating-point number; sizes and counts are integers.
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

/// Points with packed bounds as columns.
fn columns(points: &Value) -> Option<Value> {
    let (mut sizes, mut values, mut widths) = (Vec::new(), Vec::new(), Vec::new());
    let mut previous = 0;
    for point in points.as_array()? {
        let [value, low, high] = point.get(VALUE)?.as_array()?.as_slice() else { return None };
        sizes.push(point.get(BYTES)?.clone());
        widths.extend([low.clone(), high.clone()]);
        values.push(match value.as_f64()? {
            0.0 => Value::Null,
            value => {
                let step = step_of(value);
                let difference = step - previous;
                previous = step;
                difference.into()
            }
        });
    }
    Some(json!([sizes, values, widths]))
}

/// Points from columns, with packed bounds.
fn rows(columns: &Value) -> Option<Value> {
    let [sizes, values, widths] = columns.as_array()?.as_slice() else { return None };
    let (widths, _) = widths.as_array()?.as_chunks::<2>();
    let mut step = 0;
    let row = |((size, difference), [low, high]): ((&Value, &Value), &[Value; 2])| {
        let value = match difference {
            Value::Null => json!(0),
            difference => {
                step = i64::saturating_add(step, difference.as_i64()?);
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
        let mut unpacked = packed.clone();
        unpack(&mut unpacked);
        assert_eq!(unpacked, *value);
        packed
    }

    #[test]
    fn bounds_on_steps_are_packed() {
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
    fn values_that_do_not_unpack_exactly_stay() {
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
    fn every_built_in_machine_unpacks_exactly() {
        for name in library::names() {
            let (compact, _) = compacted(&library::load(name).unwrap());
            packed(&serde_json::to_value(State::of(compact)).unwrap());
        }
    }

    #[test]
    fn unpacking_other_data_does_not_panic() {
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

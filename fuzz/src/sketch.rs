//! Sketches: read, edited, and planned.

use super::check_error;
use loggia_model::library;
use loggia_model::units::Procs;
use loggia_plan::request::Request;
use loggia_plan::sketch::Sketch;
use loggia_plan::sketch::edit::{Outline, actions};

/// One rank, no power of two, a power of two, and more ranks than any machine has.
const PROCS: [Procs; 4] = [Procs(1), Procs(6), Procs(64), Procs(1 << 30)];

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let outline = Outline::of(text);
    let sketch = match Sketch::read(text) {
        Ok(sketch) => sketch,
        Err(error) => {
            check_error(&error);
            assert!(!error.place.is_nowhere() && outline.is_err(), "{error:?}");
            return;
        }
    };
    edited(text, &sketch, &outline.expect("an outline of a valid sketch"));
    let machine = library::load("cray-t3d").expect("a built-in machine");
    for procs in PROCS {
        let request = Request { simulated: Some(0), ..Request::of(&sketch, &machine) };
        match request.times_over(&[procs]) {
            Ok(plan) => {
                for point in &plan.points {
                    assert!(point.total_us.0.is_finite() && point.time_us.0 >= 0.0, "{point:?}");
                }
            }
            Err(error) => check_error(&error),
        }
    }
}

/// Checks that edits of a sketch do not panic, and that an added step is read.
fn edited(text: &str, sketch: &Sketch, outline: &Outline) {
    for action in actions() {
        let more = outline.with_step(text, action);
        if let Ok(read) = Sketch::read(&more) {
            assert!(read.steps.len() > sketch.steps.len(), "{action}\n{more}");
        }
    }
    for step in 0..outline.steps.len().min(4) {
        let _ = Sketch::read(&outline.without_step(text, step));
        let _ = Sketch::read(&outline.with_step_earlier(text, step));
    }
}

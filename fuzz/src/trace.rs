//! Traces: ours, liballprof's and SimGrid's; read, replayed and run.

use super::{is_told, opened};
use loggia_model::library;
use loggia_model::rules::Rules;
use loggia_replay::trace::{Opened, SPEED, open};
use loggia_replay::{Replay, ReplayOptions, choice::Choices};
use loggia_simulate::Setting;
use std::rc::Rc;

/// A longer program is read, and not run.
const MOST_OPERATIONS: u64 = 50_000;

pub(crate) fn check(bytes: &[u8]) {
    let trace = match open("input", opened(bytes), SPEED) {
        Ok(Opened::Calls(trace)) => Rc::new(trace),
        Ok(Opened::Schedule(_)) => return,
        Err(error) => return is_told(&error),
    };
    for rank in &trace.ranks {
        assert_eq!(rank.records().count() as u64, rank.records, "{}", rank.name);
    }
    let machine = library::load("cray-t3d").expect("a built-in machine");
    let how = ReplayOptions { choices: Choices::of(&machine), ..ReplayOptions::default() };
    let replay = match Replay::new(trace, how) {
        Ok(replay) => replay,
        Err(error) => return is_told(&error),
    };
    if replay.operations() > MOST_OPERATIONS {
        return;
    }
    let setting = Setting::of(&machine, None, None, None).expect("a setting of a built-in machine");
    match replay.simulation(Rules::LogGp, &setting) {
        Ok(simulation) => {
            let end = simulation.micros(simulation.run().end());
            assert!(end.0.is_finite() && end.0 >= 0.0, "{end:?}");
        }
        Err(error) => is_told(&error),
    }
    let _ = replay.warnings();
}

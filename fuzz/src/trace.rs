//! Traces of Loggia, liballprof and SimGrid: read, written, replayed and simulated.

use super::{check_error, opened};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::{Error, library};
use loggia_replay::trace::{OpenedTrace, Rank, SPEED, open};
use loggia_replay::{Replay, ReplayOptions, choice::Choices};
use loggia_simulate::{RunSetting, Simulated, Simulation};
use loggia_trace::file::Records;
use loggia_trace::record::{self, Record};
use std::rc::Rc;

/// Maximum length of a simulated program; a longer program is only read.
const MAX_OPERATIONS: u64 = 50_000;

const RULES: [SimulationModel; 2] = [SimulationModel::LogGp, SimulationModel::LogGops];

pub(crate) fn check(bytes: &[u8]) {
    let machine = library::load("cray-t3d").expect("a built-in machine");
    let setting =
        RunSetting::of(&machine, None, None, None).expect("a setting of a built-in machine");
    let trace = match open("input", opened(bytes), SPEED) {
        Ok(OpenedTrace::Calls(trace)) => Rc::new(trace),
        Ok(OpenedTrace::Schedule(program)) => {
            if program.schedule.len() as u64 <= MAX_OPERATIONS {
                RULES.into_iter().for_each(|rules| {
                    check_completion_time(Simulation::new(&program.schedule, rules, &setting))
                });
            }
            return;
        }
        Err(error) => return check_error(&error),
    };
    trace.ranks.iter().for_each(written);
    let options = ReplayOptions { choices: Choices::of(&machine), ..ReplayOptions::default() };
    let replay = match Replay::new(trace, options) {
        Ok(replay) => replay,
        Err(error) => return check_error(&error),
    };
    if replay.operations() <= MAX_OPERATIONS {
        RULES
            .into_iter()
            .for_each(|rules| check_completion_time(replay.simulation(rules, &setting)));
    }
    let _ = replay.warnings();
}

/// Checks that a simulation has a valid completion time.
fn check_completion_time<R: Simulated>(simulation: Result<Simulation<'_, R>, Error>) {
    match simulation {
        Ok(simulation) => {
            let end = simulation.micros(simulation.run().end());
            assert!(end.0.is_finite() && end.0 >= 0.0, "{end:?}");
        }
        Err(error) => check_error(&error),
    }
}

/// Checks that a rank's written calls read back unchanged.
fn written(rank: &Rank) {
    let calls: Vec<Record> = rank.records().collect();
    assert_eq!(calls.len() as u64, rank.records, "{}", rank.name);
    let mut written = Vec::new();
    calls.iter().for_each(|call| record::write(&mut written, call));
    let reread: Vec<Record> = Records::new(&written).collect();
    assert!(reread == calls, "{}: {calls:?}, {reread:?}", rank.name);
}

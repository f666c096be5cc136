//! A progress bar on a terminal, for runs longer than a second.

use loggia_schedule::outcome::Outcome;
use loggia_simulate::Simulation;
use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

const WIDTH: usize = 40;

/// Runs the simulation with a progress bar.
pub(super) fn watched(simulation: &Simulation) -> Outcome<u64> {
    if !stderr().is_terminal() {
        return simulation.run();
    }
    let begin = Instant::now();
    let mut shown = Duration::from_millis(900);
    let outcome = simulation.run_with_progress(&mut |done, all| {
        let now = begin.elapsed();
        if now > shown + Duration::from_millis(100) {
            shown = now;
            let filled = (done as f64 / all.max(1) as f64 * WIDTH as f64) as usize;
            let bar = "█".repeat(filled.min(WIDTH));
            // The terminal may be gone.
            let _ = write!(stderr(), "\r{bar:░<WIDTH$} {} of {all} steps ", done.min(all));
            let _ = stderr().flush();
        }
    });
    let taken = begin.elapsed();
    if taken > Duration::from_secs(1) {
        let rate = outcome.events as f64 / taken.as_secs_f64() / 1e6;
        let _ = writeln!(
            stderr(),
            "\r\u{1b}[K{} events in {:.1} s, {rate:.1} million per second",
            outcome.events,
            taken.as_secs_f64()
        );
    }
    outcome
}

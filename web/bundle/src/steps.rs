//! Prints the duration of each step to the terminal.

use crate::problem::Problem;
use std::time::{Duration, Instant};

/// Shorter steps are not printed.
const SHORT: Duration = Duration::from_secs(1);

/// Runs one step of the build; its name is a verb: "compile the page".
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    let begin = Instant::now();
    let result = work()?;
    let took = begin.elapsed();
    if took >= SHORT {
        eprintln!("loggia-bundle: {name}: {:.0} s", took.as_secs_f64());
    }
    Ok(result)
}

//! `loggia`: predicts the cost of message passing on a parallel machine.
//!
//! | file | contents |
//! |---|---|
//! | `cli/` | verbs and options with help and examples: one file per verb |
//! | `commands/` | execution of each verb: one file per verb |
//! | `tasks/` | independent tasks on cores and ranks; checkpoints |
//! | `source` | loads a signature: built-in name, path, link or `-` |
//! | `traces` | loads a traced program: folder or files |
//! | `report` | text tables, JSON, errors |
//! | `page` | the built page |
//! | `serve`, `http` | the page on loopback; an HTTP server of content in memory |
//! | `recording` | the folder into which a trace is recorded |
//! | `siblings` | starts the builds with MPI next to this program |

mod cli;
mod commands;
mod http;
mod page;
mod recording;
mod report;
mod serve;
#[cfg(not(feature = "mpi"))]
mod siblings;
mod source;
mod tasks;
mod traces;

use report::{Failure, Output};
use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(not(feature = "mpi"))]
    siblings::hand_over();
    let json_requested = std::env::args_os().skip(1).any(|word| word == "--json");
    let cli = match cli::parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => return cli::refused(&error, json_requested),
    };
    let mut output = Output::new(cli.json);
    match commands::run(cli.verb, &mut output).and_then(|()| output.finish()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Ended(code)) => ExitCode::from(code),
        Err(Failure::Refused(error)) => report::refuse(&error, cli.json),
        Err(Failure::Failed(error)) => report::fail(&error, cli.json),
    }
}

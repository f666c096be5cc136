//! `loggia`: what will this message pattern cost on that machine?
//!
//! | file | what it holds |
//! |---|---|
//! | `cli/` | every verb and option, its help and its examples: one file a verb |
//! | `commands/` | what each verb does: one file a verb |
//! | `transport/` | how ranks exchange messages: MPI, sockets, threads, a model |
//! | `measure/` | the measurements: one file each, with its paper and section |
//! | `collect/` | from a transport to a signature: plan, orders, progress, file |
//! | `tasks/` | work in pieces, over cores and over ranks; going on after an interruption |
//! | `source` | a built-in name, a path, a link or `-` becomes a signature |
//! | `traces` | a folder or files become a traced program |
//! | `files` | written whole or not at all |
//! | `report` | tables of text; a JSON object; an error in either form |
//! | `page` | the explorer's files, as they were built |
//! | `serve` | the explorer page, on loopback |
//! | `siblings` | the builds with MPI, beside the one without |

mod cli;
mod commands;
mod http;
mod page;
mod report;
mod serve;
#[cfg(not(feature = "mpi"))]
mod siblings;
mod source;
mod tasks;
mod traces;

use clap::Parser;
use report::{Failure, Output};
use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(not(feature = "mpi"))]
    siblings::hand_over();
    let json_is_asked = std::env::args_os().skip(1).any(|word| word == "--json");
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return cli::refused(&error, json_is_asked),
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

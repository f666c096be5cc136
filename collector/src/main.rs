//! `loggia`: what will this message pattern cost on that machine?
//!
//! | file | what it holds |
//! |---|---|
//! | `cli` | every verb and option, its help and its examples |
//! | `commands/` | what each verb does: one file a verb |
//! | `source` | a built-in name, a path, a link or `-` becomes a signature |
//! | `files` | written whole or not at all |
//! | `report` | tables of text; a JSON object; an error in either form |
//! | `serve` | the explorer page, on loopback |

mod cli;
mod commands;
mod files;
mod report;
mod serve;
mod source;

use clap::Parser;
use report::{Failure, Output};
use std::process::ExitCode;

fn main() -> ExitCode {
    let json_is_asked = std::env::args_os().skip(1).any(|word| word == "--json");
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return cli::refused(&error, json_is_asked),
    };
    let mut output = Output::new(cli.json);
    match commands::run(cli.verb, &mut output).and_then(|()| output.finish()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Refused(error)) => report::refuse(&error, cli.json),
        Err(Failure::Failed(error)) => report::fail(&error, cli.json),
    }
}

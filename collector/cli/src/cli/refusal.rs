//! Errors of the command line parser, in one or two lines like all other errors.

use crate::report;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use loggia_model::Error;
use std::process::ExitCode;

/// Prints help or version, or the error with exit status 2.
pub(crate) fn refused(error: &clap::Error, json: bool) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !json => {
            let _ = error.print();
            ExitCode::from(2)
        }
        _ => report::refuse(&from_clap(error), json),
    }
}

/// Splits clap's paragraphs into message, place and help.
pub(super) fn from_clap(error: &clap::Error) -> Error {
    let first_word = |arg: &str| arg.split(' ').next().unwrap_or_default().to_owned();
    let place = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(arg)) => first_word(arg),
        Some(ContextValue::Strings(args)) => {
            args.iter().map(|arg| first_word(arg)).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    };
    let source = std::error::Error::source(error).and_then(|e| e.downcast_ref::<Error>());
    if let Some(own) = source {
        return own.clone().at(place);
    }
    if place.starts_with('-') && place[1..].starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        let message = "the value is negative";
        return Error::new(message, place, "give a number that is 0 or larger");
    }
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
    {
        let command = super::Cli::command();
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        return Error::unknown("command", word, "", names);
    }
    let text = error.to_string();
    let mut paragraphs = text.split("\n\n");
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = one_line(paragraphs.next().unwrap_or_default());
    let message = match error.kind() {
        ErrorKind::MissingRequiredArgument => {
            first.rsplit_once(": ").map_or(first.as_str(), |(_, missing)| missing).to_owned()
                + " is missing"
        }
        _ => first.trim_start_matches("error: ").to_owned(),
    };
    let rest: Vec<String> = paragraphs.map(one_line).collect();
    let find = |start: &str| rest.iter().find(|p| p.starts_with(start)).cloned();
    // Clap's proposal to pass a misspelt option as a value does not help.
    let tip = find("tip:").filter(|tip| !tip.starts_with("tip: to pass "));
    let help = tip
        .or_else(|| find("Usage:"))
        .map(|tip| {
            tip.trim_start_matches("tip: ").replace("Usage:", "usage:").replace(" --json", "")
        })
        .unwrap_or_else(|| "see `loggia --help`".to_owned());
    Error::new(message, place, help)
}

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
        _ => {
            let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
            report::refuse(&from_clap(error, &words.collect::<Vec<_>>()), json)
        }
    }
}

/// Whether clap took a negative number, such as `-5` or `-.5us`, for options.
fn is_negative(word: &str) -> bool {
    let number = word.strip_prefix('-').unwrap_or_default();
    number.starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

/// The error of a negative number: clap does not know the option before it.
fn negative(place: &str, words: &[String]) -> Error {
    let at = words.iter().position(|word| word.starts_with(place));
    let value = at.map_or(place, |at| words[at].as_str());
    let before = at.and_then(|at| words.get(at.checked_sub(1)?)).map(String::as_str);
    let command = super::Cli::command();
    let option = before
        .filter(|word| word.strip_prefix("--").is_some_and(|name| takes_a_value(&command, name)));
    let help = "give a number that is 0 or larger";
    match option {
        Some(option) => Error::new(format!("{value} is negative"), option, help),
        None => Error::new("the value is negative", value, help),
    }
}

/// Whether a verb has this option, with a value.
fn takes_a_value(command: &clap::Command, name: &str) -> bool {
    let mut own = command.get_arguments();
    own.any(|arg| arg.get_long() == Some(name) && arg.get_action().takes_values())
        || command.get_subcommands().any(|verb| takes_a_value(verb, name))
}

/// Splits clap's paragraphs into message, place and help. `words` are those of the command line.
pub(super) fn from_clap(error: &clap::Error, words: &[String]) -> Error {
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
    if is_negative(&place) {
        return negative(&place, words);
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

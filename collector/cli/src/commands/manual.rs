//! `loggia completions` and `loggia man`, from the definitions in `cli`.

use crate::cli::Cli;
use crate::report::{Failure, Output};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

pub(crate) fn completions(shell: Shell, output: &mut Output) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "loggia", &mut script);
    Ok(output.writer().write_all(&script)?)
}

/// The manual: one page for the command, then one section per verb.
pub(crate) fn page(output: &mut Output) -> Result<(), Failure> {
    let mut command = Cli::command();
    command.build();
    render(&command, output.writer())
}

fn render(command: &clap::Command, out: &mut impl Write) -> Result<(), Failure> {
    clap_mangen::Man::new(command.clone()).render(out)?;
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        render(verb, out)?;
    }
    Ok(())
}

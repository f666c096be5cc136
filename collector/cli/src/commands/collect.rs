//! `loggia collect -o FILE`

use super::ranks::led_by;
use crate::cli::Collect;
use crate::report::collected::summary;
use crate::report::{Failure, Output};
use loggia_collect::run::{Level, MeasurementKind, Options, lead};
use loggia_collect::transport::host_name;
use loggia_model::signature::short_name;
use loggia_model::{Error, json};
use std::ffi::OsStr;

/// All send modes of MPI (Al-Tawil & Moritz 2001, Table 1); the first is the default of
/// predictions.
const STYLES: [&str; 8] =
    ["isend", "send", "ssend", "issend", "bsend", "ibsend", "rsend", "irsend"];

pub(crate) fn run(args: &Collect, output: &mut Output) -> Result<(), Failure> {
    let options = options(args)?;
    let signature =
        led_by(&args.ranks, output.is_json(), |transport| Ok(lead(transport, &options)?))?;
    let Some(signature) = signature else { return Ok(()) };
    if output.is_json() {
        return output.text(&json::to_json(&signature));
    }
    output.text(&summary(&signature, &options))
}

fn options(args: &Collect) -> Result<Options, Error> {
    let level = match (args.quick, args.thorough) {
        (true, _) => Level::Quick,
        (_, true) => Level::Thorough,
        _ => Level::Default,
    };
    for style in &args.styles {
        if !STYLES.contains(&style.as_str()) {
            return Err(Error::unknown("send mode", style, "--style", STYLES));
        }
    }
    let styles = match args.styles.as_slice() {
        [] => STYLES.map(str::to_owned).to_vec(),
        some => some.to_vec(),
    };
    let only = match args.only.as_slice() {
        [] => MeasurementKind::ALL.to_vec(),
        some => some.to_vec(),
    };
    let host = host_name();
    let name = args.name.clone().unwrap_or_else(|| named(&host));
    Ok(Options {
        output: args.output.clone(),
        title: args.title.clone().unwrap_or_else(|| host.clone()),
        name,
        level,
        sizes: args.sizes()?,
        styles,
        only,
        max_seconds: args.max_time,
        resume: args.resume,
        overwrite: args.overwrite,
        command: std::env::args_os().map(|word| quoted(&word)).collect::<Vec<_>>().join(" "),
        date: jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string(),
    })
}

/// A word of a command line, in quotes if it has a space.
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    match word.contains(' ') {
        true => format!("'{word}'"),
        false => word.into_owned(),
    }
}

/// The short name of a signature for a host name.
fn named(host: &str) -> String {
    match short_name(host) {
        name if name.is_empty() => "machine".to_owned(),
        name => name,
    }
}

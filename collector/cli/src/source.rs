//! Loads a signature: a built-in name, a path, a link, or `-` for standard input.

use crate::cli::RouteArgs;
use loggia_exchange::import::is_known;
use loggia_model::error::Input;
use loggia_model::signature::Defaults;
use loggia_model::{Error, Signature, json, library};
use loggia_schedule::goal::is_goal;
use loggia_simulate::assumed::assume_missing_costs;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub(crate) fn load(sig: &str) -> Result<Signature, Error> {
    if sig == "-" {
        return read(io::stdin().lock(), STANDARD_INPUT);
    }
    if library::names().any(|name| name == sig) {
        return library::load(sig);
    }
    // An existing file takes precedence over a link.
    let exists = Path::new(sig).exists();
    if !exists && loggia_link::is_link(sig) {
        let state = loggia_link::decode(sig)?;
        return state.signatures.into_iter().next().ok_or_else(|| {
            Error::new("this link holds no signature", "link", "create one with `loggia link SIG`")
        });
    }
    let looks_like_a_path = sig.contains(['/', '\\']) || sig.ends_with(".json");
    if !looks_like_a_path && !exists {
        let unknown = Error::unknown("signature", sig, Input::Signature, library::names());
        let help = unknown.help.then("; or give a file, a link, or - for standard input");
        return Err(Error { help, ..unknown });
    }
    let file = File::open(sig).map_err(|e| cannot_read(&e, sig, NAMES))?;
    let size = file.metadata().map_err(|e| cannot_read(&e, sig, NAMES))?;
    if size.is_dir() {
        return Err(Error::new("this is a folder", sig, "name the signature file in it"));
    }
    if size.len() > json::LARGEST_FILE as u64 {
        return Err(too_large(sig));
    }
    read(file, sig)
}

/// Loads `SIG` and applies `--set`.
pub(crate) fn load_with(
    sig: &str,
    defaults: Defaults,
    assumptions: &[(String, String)],
) -> Result<Signature, Error> {
    let mut signature = load(sig)?;
    for (key, value) in assumptions {
        signature
            .set_within(defaults, key, value)
            .map_err(|e| e.at((Input::Set, format!("{key}={value}"))))?;
    }
    Ok(signature)
}

/// Loads `SIG` for simulations, as [`load_with`]: unknown costs of messages are assumed from RTT/2.
/// Also returns the warning.
pub(crate) fn load_to_simulate(
    sig: &str,
    route: &RouteArgs,
    assumptions: &[(String, String)],
) -> Result<(Signature, Option<String>), Error> {
    let mut signature = load_with(sig, route.defaults(), assumptions)?;
    let (tier, style) = (route.tier.as_deref(), route.style.as_deref());
    let warning = assume_missing_costs(&mut signature, tier, style)?;
    Ok((signature, warning))
}

pub(crate) fn schedule(path: &str) -> Result<Vec<u8>, Error> {
    if path != "-" && Path::new(path).is_dir() {
        return Err(Error::new("this is a folder", path, "name the GOAL file in it"));
    }
    let mut bytes = Vec::new();
    let read = opened(path).and_then(|mut from| from.read_to_end(&mut bytes));
    read.map_err(|error| cannot_read(&error, path, "check the path; SCHEDULE is a GOAL file"))?;
    Ok(bytes)
}

pub(crate) fn text(path: &str) -> Result<String, Error> {
    let mut text = String::new();
    let read = opened(path).and_then(|mut from| from.read_to_string(&mut text));
    read.map_err(|error| cannot_read(&error, path, "check the path; a text file is expected"))?;
    Ok(text)
}

/// A file, or `-` for standard input.
fn opened(path: &str) -> io::Result<Box<dyn Read>> {
    Ok(match path {
        "-" => Box::new(io::stdin().lock()),
        path => Box::new(File::open(path)?),
    })
}

/// The entries of a folder without hidden files, sorted by name.
pub(crate) fn entries(folder: &Path, help: &str) -> Result<Vec<PathBuf>, Error> {
    let failed = |error: io::Error| cannot_read(&error, &folder.display().to_string(), help);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn read(from: impl Read, name: &str) -> Result<Signature, Error> {
    let mut bytes = Vec::new();
    from.take(json::LARGEST_FILE as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| cannot_read(&e, name, NAMES))?;
    if bytes.len() > json::LARGEST_FILE {
        return Err(too_large(name));
    }
    if let Some(error) = other_kind(&bytes, name) {
        return Err(error);
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let good = e.utf8_error().valid_up_to();
        let line = e.as_bytes()[..good].iter().filter(|b| **b == b'\n').count() + 1;
        Error::new(
            "this is not text in UTF-8",
            format!("{name}:{line}"),
            "a signature is a JSON file",
        )
    })?;
    if text.trim().is_empty() {
        let message = match name {
            STANDARD_INPUT => "the input is empty",
            _ => "the file is empty",
        };
        return Err(Error::new(message, name, "a signature is a JSON file"));
    }
    json::from_json(text.strip_prefix('\u{feff}').unwrap_or(&text)).map_err(|e| e.in_file(name))
}

/// The error for a file of another kind that Loggia reads.
fn other_kind(bytes: &[u8], name: &str) -> Option<Error> {
    let begin = &bytes[..bytes.len().min(HEAD)];
    if begin.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    let file = if name == STANDARD_INPUT { "-" } else { name };
    if is_goal(begin) {
        return Some(Error::new(
            "this is a GOAL file, not a signature",
            name,
            format!("simulate it: `loggia simulate {file} SIG`"),
        ));
    }
    is_known(&String::from_utf8_lossy(begin)).then(|| {
        Error::new(
            "this is the output of a benchmark, not a signature",
            name,
            format!("make a signature from it: `loggia import {file} -o SIG.json`"),
        )
    })
}

/// The kind of a file is recognised by this number of first bytes.
const HEAD: usize = 1 << 14;

const STANDARD_INPUT: &str = "standard input";

const NAMES: &str = "check the path; `loggia list` lists the built-in signatures";

pub(crate) fn cannot_read(error: &io::Error, name: &str, help: &str) -> Error {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => format!("cannot read: {error}"),
    };
    Error::new(reason, name, help)
}

fn too_large(name: &str) -> Error {
    Error::new(
        format!("the file is larger than {} MiB", json::LARGEST_FILE >> 20),
        name,
        "check that it is a signature file",
    )
}

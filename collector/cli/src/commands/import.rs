//! `loggia import FILE…`

pub(super) mod read;
mod text;

use crate::cli::Import as Args;
use crate::report::{Failure, Output};
use crate::source::load;
use loggia_collect::atomic_file;
use loggia_exchange::import::merge::{Merged, merge};
use loggia_exchange::import::{ImportOptions, ImportResult, make};
use loggia_model::{Signature, json};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// The report of an import.
#[derive(Serialize)]
struct ImportReport<'a> {
    #[serde(flatten)]
    made: &'a ImportResult,
    /// The outcome of each parameter, if the import was added to a signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    merged: Option<Vec<Merged>>,
    /// The path of the written signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(skip)]
    signature: &'a Signature,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    args.overwrite.check(args.output.as_deref())?;
    let base = args.merge.as_deref().map(load).transpose()?;
    let options = options(args);
    let (found, made) = make(&read::all(&args.files)?, &options).complete(&options)?;
    let (signature, merged) = match &base {
        None => (found, None),
        Some(base) => {
            let (signature, merged) = merge(base, &found)?;
            (signature, Some(merged))
        }
    };
    if let Some(path) = &args.output {
        write(path, &signature)?;
    }
    let path = args.output.as_ref().map(|path| path.display().to_string());
    let report = ImportReport { made: &made, merged, output: path, signature: &signature };
    output.print(&report, || text::of(&report))
}

fn options(args: &Args) -> ImportOptions {
    ImportOptions {
        nodes: args.nodes,
        name: args.name.clone(),
        title: args.title.clone(),
        host: args.host.clone(),
        date: args.date.clone(),
        ..args.facts.options()
    }
}

fn write(path: &Path, signature: &Signature) -> Result<(), Failure> {
    signature.validate()?;
    let json = json::to_json(signature);
    atomic_file::write_whole(path, |file| file.write_all(json.as_bytes())).map_err(Failure::Failed)
}

//! Builds the page: compiles `loggia-web` to wasm, binds it to JavaScript, shrinks it, does the like
//! with the simulator, `loggia-worker`, and writes `dist/`, which works from any folder of a static
//! host.
//!
//! Trunk does the same and takes over eleven minutes to build; the library that it calls for the
//! hard part, `wasm-bindgen-cli-support`, takes one, and is always the version in Cargo.lock.

mod compile;
mod optimise;
mod problem;
mod report;
mod single;
mod site;
mod split;
mod write;

use optimise::{Aim, Optimiser};
use problem::Problem;
use site::Bound;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("loggia-bundle: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), Problem> {
    let workspace = workspace()?;
    compile::require_target()?;
    let compiled = compile::module(workspace, compile::PAGE)?;
    let mut later = split::split(&compiled)?;
    let (page, optimiser) = module(workspace, &later.main, "loggia", Aim::Small)?;
    for (name, part) in &mut later.parts {
        optimise::improve(workspace, &later.main.with_file_name(name), part, Aim::Small)?;
    }
    let compiled = compile::module(workspace, compile::SIMULATOR)?;
    let (simulator, _) = module(workspace, &compiled, "simulator", Aim::Fast)?;
    let site = site::assemble(workspace, page, later, simulator)?;
    let written = write::replace(&workspace.join("dist"), &site)?;
    print!("{}", report::sizes(&site, &optimiser, written));
    Ok(())
}

/// Binds a compiled module under that name and improves it.
fn module(
    workspace: &Path,
    compiled: &Path,
    name: &str,
    aim: Aim,
) -> Result<(Bound, Optimiser), Problem> {
    let mut bound = site::bind(compiled, name)?;
    let optimiser = optimise::improve(workspace, compiled, &mut bound.wasm, aim)?;
    Ok((bound, optimiser))
}

/// The folder above `web/bundle`: this program is run from the workspace that it was built in.
fn workspace() -> Result<&'static Path, Problem> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).filter(|root| root.join("index.html").is_file()).ok_or_else(|| {
        Problem::new(
            format!("index.html is not two folders above {}", here.display()),
            "run it with `cargo run -p loggia-bundle` inside the repository",
        )
    })
}

//! Builds the page: compiles `loggia-web` and the simulator, `loggia-worker`, to wasm, binds both to
//! JavaScript, optimises them, and writes `dist/`, which works from any folder of a static host.
//!
//! Trunk does the same, but its own build takes over eleven minutes. Its hard part, the library
//! `wasm-bindgen-cli-support`, takes one minute and always has the version in Cargo.lock.
//!
//! With `--quick`, the page is for this machine only: not optimised and several times as large, in
//! a third of the time.

mod cache;
mod compile;
mod effort;
mod files;
mod join;
mod merge;
mod module;
mod names;
mod optimise;
mod problem;
mod report;
mod script;
mod single;
mod site;
mod split;
mod steps;
mod template;
mod write;

use cache::Cache;
use effort::Effort;
use problem::Problem;
use std::path::Path;
use std::process::ExitCode;
use std::{env, thread};

fn main() -> ExitCode {
    let effort = match env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => Effort::Full,
        [option] if option == "--quick" => Effort::Quick,
        _ => {
            eprintln!("usage: loggia-bundle [--quick]");
            return ExitCode::from(2);
        }
    };
    match build(effort) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("loggia-bundle: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn build(effort: Effort) -> Result<(), Problem> {
    let workspace = workspace()?;
    compile::require_target()?;
    let compiled =
        steps::step("compile the page and the simulator", || compile::modules(workspace, effort))?;
    let cache = Cache::in_folder(compile::target_folder(&compiled[0]).join("bundle"));
    let [page, simulator] = &compiled;
    let (mut page, simulator) = steps::step("bind them to JavaScript", || {
        thread::scope(|scope| {
            let simulator = scope.spawn(|| module::simulator(&cache, simulator));
            let page = module::page(&cache, page)?;
            Ok((page, simulator.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?))
        })
    })?;
    let optimiser = steps::step("optimise the page", || {
        optimise::improve(workspace, &cache, effort, &mut page)
    })?;
    let site = site::assemble(workspace, page, simulator)?;
    let written = write::replace(&workspace.join("dist"), &site)?;
    cache.prune();
    print!("{}", report::sizes(&site, &optimiser, written));
    Ok(())
}

/// The root of the workspace: the folder two levels above this crate's manifest.
fn workspace() -> Result<&'static Path, Problem> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).filter(|root| root.join("index.html").is_file()).ok_or_else(|| {
        Problem::new(
            format!("index.html is not two folders above {}", here.display()),
            "run it with `cargo run -p loggia-bundle` inside the repository",
        )
    })
}

//! Makes a module smaller or faster with Binaryen's wasm-opt, where there is one.

use crate::problem::Problem;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Binaryen 108, which Debian 12 has, cannot parse what today's LLVM writes; 132 is the one that
/// set-up installs and that is tested.
const OLDEST: u32 = 123;

/// What Rust's wasm32 target may use by default since 1.87, and no more: wasm-opt refuses a module
/// that uses a feature it was not told of, and would use any other that it was told of.
const FEATURES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// What a module should become.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Aim {
    Small,
    Fast,
}

/// What happened to the modules, as the report says it.
pub(crate) enum Optimiser {
    Used { version: u32 },
    Missing,
    TooOld { path: PathBuf, version: u32 },
}

/// Replaces the module by a better one. Works on files beside the compiled module.
pub(crate) fn improve(
    workspace: &Path,
    compiled: &Path,
    wasm: &mut Vec<u8>,
    aim: Aim,
) -> Result<Optimiser, Problem> {
    let Some((path, version)) = find(workspace) else { return Ok(Optimiser::Missing) };
    if version < OLDEST {
        return Ok(Optimiser::TooOld { path, version });
    }
    let (before, after) =
        (compiled.with_extension("bound.wasm"), compiled.with_extension("improved"));
    let failed = |what: String| {
        Problem::new(
            format!("{} (version {version}): {what}", path.display()),
            "`make setup` installs the version that is tested",
        )
    };
    fs::write(&before, &wasm).map_err(|e| failed(format!("{}: {e}", before.display())))?;
    let output = Command::new(&path)
        .arg(match aim {
            Aim::Small => "-Oz",
            Aim::Fast => "-O3",
        })
        .args(FEATURES)
        .arg(&before)
        .arg("-o")
        .arg(&after)
        .output()
        .map_err(|e| failed(e.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    *wasm = fs::read(&after).map_err(|e| failed(format!("{}: {e}", after.display())))?;
    Ok(Optimiser::Used { version })
}

/// The repository's own copy before whatever else is installed.
fn find(workspace: &Path) -> Option<(PathBuf, u32)> {
    [workspace.join("node_modules/.bin/wasm-opt"), PathBuf::from("wasm-opt")].into_iter().find_map(
        |path| {
            let output = Command::new(&path).arg("--version").output().ok()?;
            let version = version(&String::from_utf8_lossy(&output.stdout))?;
            Some((path, version))
        },
    )
}

/// The number in `wasm-opt version 132 (version_132)`.
fn version(text: &str) -> Option<u32> {
    text.split_whitespace().skip_while(|word| *word != "version").nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_as_binaryen_prints_them() {
        assert_eq!(version("wasm-opt version 132 (version_132)\n"), Some(132));
        assert_eq!(version("wasm-opt version 108"), Some(108));
        assert_eq!(version("command not found"), None);
    }
}

//! Splits a wasm module: code that only `#[wasm_split]` functions use is moved to parts that are
//! loaded on demand.

use crate::problem::Problem;
use crate::script::shorter;
use std::fs;
use std::path::{Path, PathBuf};
use wasm_split_cli_support::{Options, transform};

/// Parts of a page that are loaded on demand.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct LazyModules {
    /// The JavaScript that loads the parts.
    pub(crate) link: String,
    /// The parts by their names in `link`.
    pub(crate) parts: Vec<(String, Vec<u8>)>,
}

/// Name under which the glue imports the loader.
pub(crate) const LINK: &str = "./__wasm_split.js";
/// Name under which the loader imports the glue.
pub(crate) const GLUE: &str = "./main.js";

/// Splits a module with relocations into a folder next to it. Returns the path of the main module,
/// which is not yet bound to JavaScript (its glue imports [`LINK`]), and the parts.
pub(crate) fn split(compiled: &Path) -> Result<(PathBuf, LazyModules), Problem> {
    let failed = |what: String| {
        Problem::new(
            format!("cannot split {}: {what}", compiled.display()),
            "wasm_split_helpers and wasm_split_cli_support must fit each other in Cargo.lock",
        )
    };
    let read = |path: &Path| {
        fs::read(path).map_err(|error| failed(format!("{}: {error}", path.display())))
    };
    let folder = compiled.with_extension("split");
    let main = folder.join(compiled.file_name().unwrap_or_default());
    let module = read(compiled)?;
    let mut options = Options::new(&module);
    options.output_dir = &folder;
    options.main_out_path = &main;
    options.link_name = LINK;
    options.main_module = GLUE;
    let split = transform(options).map_err(|error| failed(format!("{error:#}")))?;
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut parts = Vec::new();
    for path in &split.split_modules {
        let part = without_custom_sections(&read(path)?)
            .ok_or_else(|| failed(format!("{} is no module", path.display())))?;
        parts.push((name(path), part));
    }
    let link = read(&folder.join(LINK))?;
    Ok((main, LazyModules { link: shorter(&String::from_utf8_lossy(&link)), parts }))
}

/// A module without its custom sections, such as function names, which a browser does not need:
/// they are most of the bytes of a small part.
fn without_custom_sections(module: &[u8]) -> Option<Vec<u8>> {
    const HEADER: usize = 8;
    const CUSTOM: u8 = 0;
    let (header, mut rest) = module.split_at_checked(HEADER)?;
    let mut kept = header.to_vec();
    while let Some((id, after)) = rest.split_first() {
        let (length, content) = leb128(after)?;
        let (_, next) = content.split_at_checked(length)?;
        let section = &rest[..rest.len() - next.len()];
        if *id != CUSTOM {
            kept.extend(section);
        }
        rest = next;
    }
    Some(kept)
}

/// Decodes a LEB128 number; returns it and the remaining bytes.
fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    const MAX: usize = 5;
    let last = bytes.iter().take(MAX).position(|byte| byte & 0x80 == 0)?;
    let (digits, after) = bytes.split_at(last + 1);
    let value = digits.iter().rev().fold(0, |sum, byte| sum << 7 | u64::from(byte & 0x7f));
    Some((usize::try_from(value).ok()?, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn custom_sections_are_left_out() {
        let header = b"\0asm\x01\0\0\0";
        let custom = [[0, 0x83, 0x00].as_slice(), b"abc"].concat();
        let types = [1, 1, 0];
        let module = [header.as_slice(), &custom, &types, &custom].concat();
        let kept = [header.as_slice(), &types].concat();
        assert_eq!(without_custom_sections(&module), Some(kept.clone()));
        assert_eq!(without_custom_sections(&kept), Some(kept));
        assert_eq!(without_custom_sections(&module[..module.len() - 1]), None);
    }
}

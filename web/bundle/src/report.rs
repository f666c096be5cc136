//! Reports the size of the page, and of the parts that it loads on demand.

use crate::files::Files;
use crate::optimise::Optimiser;
use crate::single;
use crate::site::{LATER, SIMULATOR};
use crate::write::Written;
use std::fmt::Write;

/// The page's budget, wasm and JavaScript together, in bytes.
const BUDGET_RAW: usize = 900_000;
const BUDGET_GZIP: usize = 350_000;

/// One line per file, raw and as gzip, and the parts that every visitor loads compared with the
/// budget.
pub(crate) fn sizes(site: &Files, optimiser: &Optimiser, written: Written) -> String {
    let state = match written {
        Written::Replaced => "",
        Written::Unchanged => " (unchanged)",
    };
    let mut text = format!("dist/{state}, {}\n", describe(optimiser));
    // The budget does not apply to a quick build.
    if matches!(optimiser, Optimiser::LeftOut) {
        return text;
    }
    let (later, page): (Vec<File>, Vec<File>) = site.iter().partition(|(name, _)| {
        name.starts_with(SIMULATOR) || name.starts_with(LATER) || *name == single::NAME
    });
    let (raw, gzip) = list(&mut text, &page, "wasm + js");
    let verdict = if raw <= BUDGET_RAW && gzip <= BUDGET_GZIP { "within" } else { "OVER" };
    line(&mut text, &format!("{verdict} the budget of"), BUDGET_RAW, BUDGET_GZIP);
    list(&mut text, &later, "loaded when needed");
    text
}

type File<'a> = (&'a String, &'a Vec<u8>);

/// A line per file, and a sum of all code.
fn list(text: &mut String, files: &[File], sum: &str) -> (usize, usize) {
    let (mut raw, mut gzip) = (0, 0);
    for (name, content) in files {
        let packed = gzip_length(content);
        line(text, name, content.len(), packed);
        if name.ends_with(".wasm") || name.ends_with(".js") {
            raw += content.len();
            gzip += packed;
        }
    }
    line(text, sum, raw, gzip);
    (raw, gzip)
}

fn line(text: &mut String, name: &str, raw: usize, gzip: usize) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "  {name:<40} {raw:>9} B  {gzip:>8} B gzip");
}

fn describe(optimiser: &Optimiser) -> String {
    match optimiser {
        Optimiser::Used { version } => format!("optimised by wasm-opt {version}"),
        Optimiser::LeftOut => {
            "not optimised (`make site` builds the optimised page for a host)".to_owned()
        }
        Optimiser::Missing => {
            "larger than necessary: wasm-opt is not installed (`make setup` installs it with npm)"
                .to_owned()
        }
        Optimiser::TooOld { path, version } => {
            format!("larger than necessary: {} is version {version}, too old", path.display())
        }
    }
}

/// A gzip file is the deflate stream with a header and a trailer of 18 bytes.
fn gzip_length(content: &[u8]) -> usize {
    miniz_oxide::deflate::compress_to_vec(content, 9).len() + 18
}

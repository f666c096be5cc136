//! Says how large the page is.

use crate::optimise::Optimiser;
use crate::site::Site;
use crate::write::Written;
use std::fmt::Write;

/// The page's budget, wasm and JavaScript together, in bytes.
const BUDGET_RAW: usize = 900_000;
const BUDGET_GZIP: usize = 350_000;

/// One line a file, raw and as gzip, and a last one against the budget.
pub(crate) fn sizes(site: &Site, optimiser: &Optimiser, written: Written) -> String {
    let state = match written {
        Written::Replaced => "",
        Written::Unchanged => " (unchanged)",
    };
    let mut text = format!("dist/{state}, {}\n", describe(optimiser));
    let (mut raw, mut gzip) = (0, 0);
    let mut line = |name: &str, raw: usize, gzip: usize| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {name:<30} {raw:>9} B  {gzip:>8} B gzip");
    };
    for (name, content) in site {
        let packed = gzip_length(content);
        line(name, content.len(), packed);
        if name.ends_with(".wasm") || name.ends_with(".js") {
            raw += content.len();
            gzip += packed;
        }
    }
    line("wasm + js", raw, gzip);
    let verdict = if raw <= BUDGET_RAW && gzip <= BUDGET_GZIP { "within" } else { "OVER" };
    line(&format!("{verdict} the budget of"), BUDGET_RAW, BUDGET_GZIP);
    text
}

fn describe(optimiser: &Optimiser) -> String {
    match optimiser {
        Optimiser::Used { version } => format!("shrunk by wasm-opt {version}"),
        Optimiser::Missing => {
            "larger than need be: no wasm-opt here (`make setup` installs it where \
                               there is npm)"
                .to_owned()
        }
        Optimiser::TooOld { path, version } => {
            format!("larger than need be: {} is version {version}, too old", path.display())
        }
    }
}

/// A gzip file is the deflate stream with a header and a trailer of 18 bytes.
fn gzip_length(content: &[u8]) -> usize {
    miniz_oxide::deflate::compress_to_vec(content, 9).len() + 18
}

//! `loggia page`

use super::link;
use crate::cli::Page;
use crate::page;
use crate::report::{Failure, Output};
use loggia_collect::atomic_file::write_whole;
use loggia_link::single;
use serde_json::json;
use std::io::Write;

pub(crate) fn run(args: &Page, output: &mut Output) -> Result<(), Failure> {
    args.overwrite.check([args.output.as_path()])?;
    let state = link::state(&args.state)?;
    let page = single::with_state(&page::one_file()?, &state).ok_or_else(page::not_built)?;
    write_whole(&args.output, |out| out.write_all(page.as_bytes())).map_err(Failure::Failed)?;
    let file = args.output.display().to_string();
    let answer = json!({ "file": file, "bytes": page.len() });
    output.print(&answer, || format!("{file}: {} kB; open it in a browser", page.len() / 1000))
}

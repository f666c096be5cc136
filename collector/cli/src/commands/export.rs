//! `loggia export`

use crate::cli::Export;
use crate::report::{Failure, Output, remark};
use crate::source::load_with;
use loggia_collect::atomic_file::write_whole;
use loggia_exchange::export::{export, warning};
use serde_json::{Value, json};
use std::io::Write;

pub(crate) fn run(args: &Export, output: &mut Output) -> Result<(), Failure> {
    args.overwrite.check(args.output.as_deref())?;
    let defaults = args.route.defaults();
    let signature = load_with(&args.of.sig, defaults, &args.of.assume.set)?;
    let text = export(&signature, args.target, defaults, args.nodes)?;
    let target = args.target.name();
    let warnings: Vec<String> = warning(&signature, args.target, defaults)?.into_iter().collect();
    if !output.is_json() {
        warnings.iter().for_each(|warning| remark(warning));
    }
    let Some(path) = &args.output else {
        if output.is_json() {
            let answer = json!({
                "signature": signature.name, "as": target, "bytes": text.len(), "text": text,
            });
            return output.print(&with_warnings(answer, &warnings), String::new);
        }
        return Ok(output.writer().write_all(text.as_bytes())?);
    };
    write_whole(path, |out| out.write_all(text.as_bytes())).map_err(Failure::Failed)?;
    let file = path.display().to_string();
    let answer = json!({
        "signature": signature.name, "as": target, "bytes": text.len(), "file": file,
    });
    let title = args.target.title();
    output.print(&with_warnings(answer, &warnings), || format!("{file}: {title}"))
}

fn with_warnings(mut answer: Value, warnings: &[String]) -> Value {
    if !warnings.is_empty() {
        answer["warnings"] = warnings.into();
    }
    answer
}

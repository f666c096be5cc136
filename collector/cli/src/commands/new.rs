//! `loggia new NAME`

use super::show::describe;
use crate::cli::New as Args;
use crate::report::{Failure, Output};
use loggia_collect::atomic_file;
use loggia_model::error::Input;
use loggia_model::{Error, Signature, json};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    args.overwrite.check(args.output.as_deref())?;
    let signature = created(args)?;
    let json = json::to_json(&signature);
    if let Some(path) = &args.output {
        write(path, &json)?;
    }
    if output.is_json() {
        return output.text(&json);
    }
    let end = match &args.output {
        Some(path) => {
            let path = path.display();
            format!("{path} is written; `loggia serve {path} --open` shows it on the page")
        }
        None => "nothing is written; name the signature file with -o".to_owned(),
    };
    output.text(&format!("{}\n{end}\n", describe(&signature)))
}

fn created(args: &Args) -> Result<Signature, Error> {
    let (title, source) = (args.title.as_deref(), args.source.as_deref());
    let given: Vec<(&str, &str)> = args.numbers.given().collect();
    let is_own = |place: &str| given.iter().any(|(symbol, _)| *symbol == place) || place == "L";
    let set = args.assume.set.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let all = given.iter().copied().chain(set);
    Signature::assumed(&args.name, title.unwrap_or_default(), source.unwrap_or_default(), all)
        .map_err(|error| {
            let place = error.place.to_string();
            match place.as_str() {
                "name" => error.at("NAME"),
                own if is_own(own) => error.at(format!("--{place}")),
                _ => error.at((Input::Set, place)),
            }
        })
}

fn write(path: &Path, json: &str) -> Result<(), Failure> {
    atomic_file::write_whole(path, |file| file.write_all(json.as_bytes())).map_err(Failure::Failed)
}

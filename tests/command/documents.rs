//! Checks the documents: commands run and print the shown output, options exist, and sketches can
//! be planned. [`REWRITE`] is the command that updates the examples.

use crate::run::loggia;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Remedy for an outdated example.
const REWRITE: &str =
    "LOGGIA_REWRITE_EXAMPLES=1 cargo test -p loggia --test command documents updates it";

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A document of the repository.
struct Document {
    path: PathBuf,
    text: String,
}

impl Document {
    /// Contents of the fenced blocks in this language.
    fn blocks(&self, language: &str) -> impl Iterator<Item = &str> {
        let blocks = self.text.split("\n```").skip(1).step_by(2);
        blocks.filter_map(move |block| block.strip_prefix(language)?.strip_prefix('\n'))
    }

    /// Texts between backticks outside of fenced blocks.
    fn spans(&self) -> impl Iterator<Item = &str> {
        let prose = self.text.split("\n```").step_by(2);
        prose.flat_map(|part| part.split('`').skip(1).step_by(2))
    }

    /// File name, for messages of failures.
    fn name(&self) -> String {
        self.path.file_name().unwrap().to_string_lossy().into_owned()
    }
}

/// Documents at the root and in `docs/`.
fn documents() -> Vec<Document> {
    let mut paths = Vec::new();
    for folder in [Path::new(ROOT), &Path::new(ROOT).join("docs")] {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        paths.extend(files.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    paths.sort();
    assert!(paths.len() >= 10, "{paths:?}");
    let read = |path: PathBuf| Document { text: fs::read_to_string(&path).unwrap(), path };
    paths.into_iter().map(read).collect()
}

/// Commands of a `console` block, each with the output below it.
fn examples(block: &str) -> Vec<(&str, String)> {
    let mut examples: Vec<(&str, String)> = Vec::new();
    for line in block.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => examples.push((command, String::new())),
            None => {
                let (_, output) = examples.last_mut().unwrap();
                output.push_str(line);
                output.push('\n');
            }
        }
    }
    examples
}

/// The block with the current output of its commands.
fn updated(block: &str) -> String {
    let mut text = "\n".to_owned();
    let mut code = 0;
    for (command, _) in examples(block) {
        let printed = match command.strip_prefix("loggia ") {
            Some(arguments) => {
                let run = loggia(&arguments.replace('\'', ""));
                code = run.code;
                run.out
            }
            None => std::mem::take(&mut code).to_string(),
        };
        text.push_str(&format!("$ {command}\n{}\n", printed.trim_end()));
    }
    text.pop();
    text
}

#[test]
fn every_command_prints_the_output_in_the_documents() {
    let rewrites = std::env::var_os("LOGGIA_REWRITE_EXAMPLES").is_some();
    let mut count = 0;
    for document in documents() {
        let name = document.name();
        if rewrites {
            let now = document.blocks("console").fold(document.text.clone(), |text, block| {
                text.replace(
                    &format!("```console\n{block}"),
                    &format!("```console{}", updated(block)),
                )
            });
            fs::write(&document.path, now).unwrap();
            continue;
        }
        // An exit code other than 0 must be shown by `echo $?`.
        let mut code = 0;
        for (command, printed) in document.blocks("console").flat_map(examples) {
            count += 1;
            if command == "echo $?" {
                assert_eq!(std::mem::take(&mut code).to_string(), printed.trim_end(), "{name}");
                continue;
            }
            assert_eq!(code, 0, "{name}: before {command}");
            let arguments = command.strip_prefix("loggia ").unwrap().replace('\'', "");
            let run = loggia(&arguments);
            let (actual, shown) = (run.out.trim_end(), printed.trim_end());
            assert_eq!(actual, shown, "{name}: {command}: {}\n{REWRITE}", run.err);
            code = run.code;
        }
        assert_eq!(code, 0, "{name}");
    }
    assert!(rewrites || count >= 15, "the documents show only {count} commands");
}

/// The arguments of `loggia` in a shell line, without comments and without arguments of other
/// programs.
fn arguments_of(line: &str) -> Option<&str> {
    let line = line.split("  #").next()?.split(" -- ").next()?;
    let arguments =
        line.strip_prefix("loggia ").or_else(|| Some(line.split_once(" loggia ")?.1))?;
    (!line.contains("cargo ")).then_some(arguments)
}

/// Commands in `sh` blocks are not run, since they measure or need the reader's files. Their verbs
/// and options must exist.
#[test]
fn every_verb_and_option_that_the_documents_show_exists() {
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let mut count = 0;
    for document in documents() {
        let name = document.name();
        for arguments in document.blocks("sh").flat_map(str::lines).filter_map(arguments_of) {
            count += 1;
            let verb = arguments.split_whitespace().next().unwrap();
            let help = helps.entry(verb.to_owned()).or_insert_with(|| {
                let run = loggia(&format!("{verb} --help"));
                assert_eq!(run.code, 0, "{name}: {verb}: {}", run.err);
                run.out
            });
            for option in arguments.split_whitespace().filter(|word| word.starts_with("--")) {
                assert!(help.contains(option), "{name}: {verb} has no {option}");
            }
        }
    }
    assert!(count >= 10, "the documents show only {count} of these");
}

/// Each option in running text must belong to a verb.
#[test]
fn every_option_that_the_documents_mention_exists() {
    // Options of cargo.
    let others = ["--features"];
    let all = loggia("--help").out;
    let verbs = all.lines().skip_while(|line| *line != "Commands:").skip(1);
    let verbs = verbs.take_while(|line| !line.is_empty());
    let verbs = verbs
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    let mut verbs: Vec<&str> = verbs.filter(|verb| *verb != "help").collect();
    verbs.extend(["predict p2p", "predict protocol", "predict collective"]);
    assert!(verbs.len() >= 20, "{verbs:?}");
    let helps: String = verbs.iter().map(|verb| loggia(&format!("{verb} --help")).out).collect();
    for document in documents() {
        let options = document.spans().filter(|span| span.starts_with("--"));
        for option in options.filter_map(|span| span.split_whitespace().next()) {
            let exists = helps.contains(option) || others.contains(&option);
            assert!(exists, "{}: no verb has {option}", document.name());
        }
    }
}

/// `plan --fit` must read the tables of measured runs.
#[test]
fn every_table_of_runs_that_the_documents_show_can_be_fitted() {
    let folder = tempfile::tempdir().unwrap();
    let (sketch, runs) = (folder.path().join("sketch.toml"), folder.path().join("runs.csv"));
    fs::write(&sketch, "[let]\nwork = \"?\"\n[[step]]\ncompute = \"work / p\"\n").unwrap();
    let mut count = 0;
    for document in documents() {
        let tables = document.blocks("csv").filter(|table| table.starts_with("procs,time\n"));
        for table in tables {
            count += 1;
            fs::write(&runs, table).unwrap();
            let arguments = format!("plan {} cray-t3d --fit {}", sketch.display(), runs.display());
            let run = loggia(&arguments);
            assert_eq!(run.code, 0, "{}: {}\n{table}", document.name(), run.err);
        }
    }
    assert!(count >= 1);
}

#[test]
fn every_sketch_that_the_documents_show_can_be_planned() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sketch.toml");
    let mut count = 0;
    for document in documents() {
        for sketch in document.blocks("toml").filter(|text| text.contains("[[step]]")) {
            count += 1;
            fs::write(&path, sketch).unwrap();
            let run = loggia(&format!("plan {} cray-t3d --procs 4", path.display()));
            assert_eq!(run.code, 0, "{}: {}\n{sketch}", document.name(), run.err);
        }
    }
    assert!(count >= 5, "the documents show only {count} sketches");
}

#[test]
fn every_file_that_the_documents_link_to_exists() {
    for document in documents() {
        let links = document.text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let files = links.filter(|link| !link.contains("://")).map(|link| link.split('#').next());
        for file in files.flatten() {
            let path = document.path.parent().unwrap().join(file);
            assert!(path.exists(), "{}: {file} does not exist", document.name());
        }
    }
}

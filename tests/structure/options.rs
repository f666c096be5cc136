//! Texts of `shared/` and `web/` must name no option and no verb of the command. Errors carry
//! inputs as data; the command and the page have their own names for them.

use std::fs;
use std::path::{Path, PathBuf};

/// Texts that look like an option of the command.
const NO_OPTION: &[&str] = &[
    // An option of Netgauge, in its output.
    "\"--comm_pattern\"",
    // Custom properties of CSS.
    "--ink-",
    "\"--grid\"",
    "\"--unknown\"",
];

/// Lines outside comments and tests that contain an option or a verb.
pub(crate) fn named_in(folder: &Path) -> Vec<String> {
    // The page may name verbs for tasks that a browser cannot do.
    let is_page = folder.components().any(|part| part.as_os_str() == "web");
    let mut found = Vec::new();
    for file in sources(folder) {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
        for (number, line) in (1..).zip(code) {
            if !line.trim_start().starts_with("//")
                && (names_an_option(line) || !is_page && names_a_verb(line))
            {
                found.push(format!("{}:{number}: {}", file.display(), line.trim()));
            }
        }
    }
    found
}

/// Verbs that record or measure: only they produce these inputs.
const PROGRAMS: [&str; 2] = ["`loggia trace`", "`loggia collect`"];

fn names_a_verb(line: &str) -> bool {
    PROGRAMS.iter().fold(line.to_owned(), |line, name| line.replace(name, "")).contains("`loggia ")
}

fn names_an_option(line: &str) -> bool {
    let is_option = |(at, _): (usize, &str)| {
        let before = line[..at].chars().next_back();
        let after = line[at + 2..].chars().next();
        before != Some('-') && after.is_some_and(|letter| letter.is_ascii_alphabetic())
    };
    line.match_indices("--").any(is_option) && !NO_OPTION.iter().any(|text| line.contains(text))
}

pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension() {
            _ if path.is_dir() && path.file_name().unwrap() != "tests" => {
                files.extend(sources(&path));
            }
            Some(extension) if extension == "rs" && path.file_name().unwrap() != "tests.rs" => {
                files.push(path);
            }
            _ => (),
        }
    }
    files
}

#[test]
fn options_are_distinguished_from_other_dashes() {
    assert!(names_an_option("\"leave --rules out\""));
    assert!(!names_an_option("\"a -- b\""));
    assert!(!names_an_option("let x = 3 --4;"));
    assert!(!names_an_option("\"---a\""));
    assert!(names_a_verb("\"choose another: `loggia list`\""));
    assert!(!names_a_verb("\"the folder that `loggia trace` wrote\""));
}

//! Every command in the README runs and prints what the README says.

use crate::run::loggia;

const README: &str = include_str!("../../README.md");

/// Commands with the output that stands below them, from blocks fenced as `console`.
fn examples() -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = Vec::new();
    for block in README.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        for line in block.lines() {
            match line.strip_prefix("$ ") {
                Some(command) => examples.push((command.to_owned(), String::new())),
                None => {
                    let (_, output) = examples.last_mut().unwrap();
                    output.push_str(line);
                    output.push('\n');
                }
            }
        }
    }
    examples
}

#[test]
fn every_command_prints_what_the_readme_says() {
    let examples = examples();
    assert!(examples.len() >= 4, "the README shows only {} commands", examples.len());
    // What a command ends with is asked for where that is not 0.
    let mut code = 0;
    for (command, printed) in examples {
        if command == "echo $?" {
            assert_eq!(std::mem::take(&mut code).to_string(), printed.trim_end());
            continue;
        }
        assert_eq!(code, 0, "before {command}");
        let words = command.strip_prefix("loggia ").unwrap().replace('\'', "");
        let run = loggia(&words);
        assert_eq!(run.out.trim_end(), printed.trim_end(), "{command}: {}", run.err);
        code = run.code;
    }
    assert_eq!(code, 0);
}

#[test]
fn every_file_that_the_readme_links_to_is_there() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let links: Vec<&str> = README
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|link| !link.contains("://") && !link.starts_with('#'))
        .collect();
    assert!(!links.is_empty());
    for link in links {
        assert!(std::path::Path::new(root).join(link).exists(), "{link} is not there");
    }
}

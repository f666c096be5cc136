//! The structure in docs/architecture.md: the allowed dependencies of each crate, and no cycle of
//! modules in a crate. Reads manifests and source files; builds nothing.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod options;
mod source;

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Crates that only the tests of a crate may use.
const MAY_USE_IN_TESTS: &[(&str, &[&str])] =
    &[("exchange", &["link", "simulate"]), ("cli", &["trace"])];

/// A crate of the workspace, from `cargo metadata`.
struct Member {
    /// Its folder, without the room: its name in docs/architecture.md.
    name: String,
    /// Root file of the crate's library or program.
    root: PathBuf,
    /// Dependencies inside the workspace, without those of tests and build scripts.
    uses: BTreeSet<String>,
    /// Dependencies of tests and build scripts.
    uses_in_tests: BTreeSet<String>,
}

impl Member {
    /// Its room: shared, collector or web.
    fn room(&self) -> &str {
        let workspace = PathBuf::from(ROOT).canonicalize().unwrap();
        let path = self.root.strip_prefix(workspace).unwrap();
        let room = path.components().next().unwrap().as_os_str().to_str().unwrap();
        ["shared", "collector", "web"].into_iter().find(|name| *name == room).unwrap()
    }
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Each crate, and the crates that it may use, with all crates that these may use: the arrows in
/// docs/architecture.md.
fn arrows() -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(format!("{ROOT}/docs/architecture.md")).unwrap();
    let block = text.split("```").skip(1).step_by(2).find(|block| block.contains('→')).unwrap();
    let names = |list: &str| {
        let all = list.split(',').map(str::trim).filter(|name| *name != "nothing");
        all.map(str::to_owned).collect::<Vec<_>>()
    };
    let lines = block.lines().filter_map(|line| line.split_once('→'));
    lines
        .flat_map(|(from, to)| names(from).into_iter().map(move |from| (from, names(to))))
        .collect()
}

fn members() -> Vec<Member> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"])
        .current_dir(ROOT)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    packages.iter().map(member).collect()
}

fn member(package: &Value) -> Member {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let folder = |path: &Value| {
        let path = PathBuf::from(path.as_str().unwrap());
        path.file_name().unwrap().to_str().unwrap().to_owned()
    };
    let dependencies = |in_tests: bool| {
        let all = package["dependencies"].as_array().unwrap().iter();
        let selected = all.filter(|dependency| {
            !dependency["path"].is_null() && in_tests != dependency["kind"].is_null()
        });
        selected.map(|dependency| folder(&dependency["path"])).collect::<BTreeSet<_>>()
    };
    let roots = package["targets"].as_array().unwrap().iter();
    let roots = roots.map(|target| text(&target["src_path"]));
    let mut roots = roots.filter(|path| path.ends_with("/lib.rs") || path.ends_with("/main.rs"));
    let root = roots.find(|path| path.contains("/src/")).unwrap();
    Member {
        name: root.split("/src/").next().map(|path| folder(&path.into())).unwrap(),
        root: PathBuf::from(root).canonicalize().unwrap(),
        uses: dependencies(false),
        uses_in_tests: dependencies(true),
    }
}

/// All crates that a crate may use, directly or indirectly.
fn allowed(name: &str, arrows: &BTreeMap<String, Vec<String>>) -> BTreeSet<String> {
    let Some(direct) = arrows.get(name) else {
        panic!("add the crate {name} to the arrows in docs/architecture.md");
    };
    let mut all: BTreeSet<String> = direct.iter().cloned().collect();
    all.extend(direct.iter().flat_map(|name| allowed(name, arrows)));
    all
}

#[test]
fn crates_use_only_allowed_crates() {
    let in_tests: BTreeMap<&str, &[&str]> = MAY_USE_IN_TESTS.iter().copied().collect();
    let arrows = arrows();
    for member in members() {
        let mut allowed = allowed(&member.name, &arrows);
        let wrong = |used: &String| {
            panic!("{} must not depend on {used}: see docs/architecture.md", member.name)
        };
        member.uses.iter().filter(|used| !allowed.contains(*used)).for_each(wrong);
        allowed.insert(member.name.clone());
        let more = in_tests.get(member.name.as_str()).copied().unwrap_or_default();
        allowed.extend(more.iter().map(|name| (*name).to_owned()));
        member.uses_in_tests.iter().filter(|used| !allowed.contains(*used)).for_each(wrong);
    }
}

#[test]
fn every_allowed_arrow_is_used() {
    let members = members();
    let member = |name: &str| members.iter().find(|member| member.name == name).unwrap();
    let in_code = arrows().into_iter().flat_map(|(from, all)| {
        let uses = member(&from).uses.clone();
        let unused = all.into_iter().filter(move |to| !uses.contains(to));
        unused.map(move |to| format!("{from} → {to}"))
    });
    let in_tests = MAY_USE_IN_TESTS.iter().flat_map(|(from, all)| {
        let uses = &member(from).uses_in_tests;
        let unused = all.iter().filter(move |to| !uses.contains(**to));
        unused.map(move |to| format!("{from} → {to}"))
    });
    let (in_code, in_tests): (Vec<_>, Vec<_>) = (in_code.collect(), in_tests.collect());
    assert!(in_code.is_empty() && in_tests.is_empty(), "unused: {in_code:?}, tests {in_tests:?}");
}

#[test]
fn the_shared_room_uses_no_other_room() {
    let members = members();
    let shared: BTreeSet<&str> =
        members.iter().filter(|m| m.room() == "shared").map(|m| m.name.as_str()).collect();
    assert!(shared.len() >= 10, "{shared:?}");
    for member in members.iter().filter(|member| member.room() == "shared") {
        for used in member.uses.union(&member.uses_in_tests) {
            assert!(shared.contains(used.as_str()), "{} must not depend on {used}", member.name);
        }
    }
}

#[test]
fn the_collector_and_the_page_do_not_use_each_other() {
    let members = members();
    let room: BTreeMap<&str, &str> =
        members.iter().map(|member| (member.name.as_str(), member.room())).collect();
    for member in &members {
        for used in member.uses.union(&member.uses_in_tests) {
            let rooms = (member.room(), room[used.as_str()]);
            let is_across = matches!(rooms, ("collector", "web") | ("web", "collector"));
            assert!(!is_across, "{} must not depend on {used}", member.name);
        }
    }
}

#[test]
fn modules_of_a_crate_form_no_cycle() {
    let mut wrong = Vec::new();
    for member in members() {
        for (folder, arrows) in source::arrows(&member.root) {
            for cycle in source::cycles(&arrows) {
                let cycle = format!("{} → {}", cycle.join(" → "), cycle[0]);
                wrong.push(format!("{} {folder}: modules form a cycle: {cycle}", member.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The reader of sources finds every form of a path, but none in comments, strings and tests.
#[test]
fn arrows_are_found_in_every_form_of_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\npub use b::Known;\nfn of() { a::one(); }\n");
    write(
        "a.rs",
        "use super::{b::{One, Two}, d as other};\n// crate::c\nconst TEXT: &str = \"crate::c\";\n\
         const SIGNS: [char; 2] = ['\"', '\\''];\n\
         #[cfg(test)]\nmod tests {\n use crate::c::Three;\n}\n",
    );
    write("b.rs", "fn of<'a>(x: &'a str) -> crate::d::Four { inner::five() }\nmod inner;\n");
    std::fs::create_dir(folder.path().join("b")).unwrap();
    write("b/inner.rs", "use super::super::c;\n");
    write(
        "c.rs",
        "mod inline { fn of() { super::super::Known::new(); super::Mine::new(); } }\nmod other;\nuse other::Mine;\n",
    );
    std::fs::create_dir(folder.path().join("c")).unwrap();
    write("c/other.rs", "use super::inline::Six;\nfn of() { super::of(); }\n");
    write("c/inline.rs", "never read, as it is inline");
    write("d.rs", "fn of() { crate::of(); }\n");
    let folders = source::arrows(&folder.path().join("lib.rs"));
    let found = |folder: &str| -> Vec<String> {
        let arrows = folders[folder].iter();
        arrows.flat_map(|(from, all)| all.iter().map(move |to| format!("{from} → {to}"))).collect()
    };
    assert_eq!(found(""), ["a → b", "a → d", "b → c", "b → d", "c → b", "d → lib", "lib → a"]);
    assert_eq!(source::cycles(&folders[""]), [vec!["a", "d", "lib"], vec!["b", "c"]]);
    assert_eq!(found("c"), ["inline → other", "other → inline"]);
}

/// The documents at the root and in docs/, by name.
fn documents() -> Vec<(String, String)> {
    let mut documents = Vec::new();
    for folder in [ROOT.to_owned(), format!("{ROOT}/docs")] {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            if name.ends_with(".md") {
                documents.push((name, fs::read_to_string(entry.path()).unwrap()));
            }
        }
    }
    assert!(documents.len() >= 10);
    documents
}

/// Texts between backticks in a line.
fn spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

#[test]
fn every_path_that_the_documents_name_exists() {
    let rooms = ["shared/", "collector/", "web/", "tests/", "docs/", "fuzz/", ".ci/"];
    for (document, text) in documents() {
        let all = text.lines().flat_map(spans);
        for path in all.filter(|span| rooms.iter().any(|room| span.starts_with(room))) {
            let path = path.split(' ').next().unwrap();
            assert!(PathBuf::from(ROOT).join(path).exists(), "{document}: {path} does not exist");
        }
    }
}

/// Editors find the schema that a sketch names.
#[test]
fn every_schema_that_a_sketch_names_exists() {
    let folder = PathBuf::from(ROOT).join("docs/sketches");
    for sketch in fs::read_dir(&folder).unwrap().flatten() {
        let text = fs::read_to_string(sketch.path()).unwrap();
        let schema = text.lines().find_map(|line| line.strip_prefix("#:schema "));
        let exists = schema.is_none_or(|path| folder.join(path).exists());
        assert!(exists, "{}: {schema:?} does not exist", sketch.path().display());
    }
}

/// In docs/architecture.md, a name after a path in the same line must be in that file.
#[test]
fn the_architecture_names_symbols_that_exist() {
    let text = fs::read_to_string(format!("{ROOT}/docs/architecture.md")).unwrap();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in text.lines() {
        let mut file = None;
        for span in spans(line) {
            if span.contains('/') {
                file = fs::read_to_string(PathBuf::from(ROOT).join(span))
                    .ok()
                    .map(|text| (span, text));
            } else if let Some((name, text)) = &file
                && span.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
            {
                count += 1;
                if !text.contains(span) {
                    wrong.push(format!("{span} is not in {name}"));
                }
            }
        }
    }
    assert!(count >= 25, "{count} names");
    assert!(wrong.is_empty(), "docs/architecture.md:\n{}", wrong.join("\n"));
}

/// Sources of the readers of untrusted input.
const READERS: [&str; 20] = [
    "shared/files/src",
    "shared/link/src/link",
    "shared/link/src/link.rs",
    "shared/link/src/state.rs",
    "shared/model/src/json.rs",
    "shared/model/src/placement.rs",
    "shared/model/src/ranks.rs",
    "shared/model/src/signature",
    "shared/plan/src/expression.rs",
    "shared/plan/src/sketch",
    "shared/plan/src/sketch.rs",
    "shared/plan/src/study.rs",
    "shared/plan/src/sweep.rs",
    "shared/lesson/src/read.rs",
    "shared/exchange/src/import",
    "shared/replay/src/summary",
    "shared/schedule/src/schedule.rs",
    "shared/schedule/src/goal",
    "collector/cli/src/http.rs",
    "web/worker/src/workload.rs",
];

/// In the table of bounds in SECURITY.md, each row has the values of its constant, and each
/// constant of a reader has a row.
#[test]
fn the_stated_bounds_equal_those_of_the_code() {
    let text = fs::read_to_string(format!("{ROOT}/SECURITY.md")).unwrap();
    let mut unstated: BTreeSet<(String, String)> =
        READERS.iter().flat_map(|path| bounds(path)).collect();
    assert!(unstated.len() >= 30, "{unstated:?}");
    for row in text.lines().filter(|line| line.starts_with('|') && line.contains("` in `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, _, stated, place, _] = cells[..] else { panic!("{row}") };
        let [name, path] = spans(place).collect::<Vec<_>>()[..] else { panic!("{place}") };
        let source = fs::read_to_string(PathBuf::from(ROOT).join(path)).unwrap();
        let (_, rest) = source.split_once(&format!("const {name}: ")).unwrap();
        let (_, value) = rest.split_once(';').unwrap().0.split_once(" = ").unwrap();
        let (stated, values) = (numbers(stated), numbers(value));
        assert!(!values.is_empty(), "{name} = {value}");
        assert!(values.iter().all(|value| stated.contains(value)), "{row}: {values:?}");
        unstated.remove(&(path.to_owned(), name.to_owned()));
    }
    assert!(unstated.is_empty(), "SECURITY.md has no row for {unstated:?}");
}

/// The bounds in a file or a folder: path and name of each.
fn bounds(path: &str) -> Vec<(String, String)> {
    let full = PathBuf::from(ROOT).join(path);
    let files = if full.is_dir() { options::sources(&full) } else { vec![full] };
    let mut found = Vec::new();
    for file in files {
        let path = file.strip_prefix(ROOT).unwrap().display().to_string();
        for line in fs::read_to_string(&file).unwrap().lines().filter(|line| !line.starts_with(' '))
        {
            let Some((name, _)) =
                line.split_once("const ").and_then(|(_, rest)| rest.split_once(':'))
            else {
                continue;
            };
            let words = ["MAX", "FEW", "LONGEST", "LARGEST", "DEEPEST", "SECONDS"];
            if name.split('_').any(|word| words.contains(&word)) {
                found.push((path.clone(), name.to_owned()));
            }
        }
    }
    found
}

/// The numbers of a text or an expression: 4 GiB, 4,194,304, `1 << 16`, `(1 << 31) - 1`.
fn numbers(text: &str) -> Vec<u64> {
    let words: Vec<&str> = text.split([' ', '(', ')', ';', '{', '}']).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let number = |at: usize| words.get(at)?.replace([',', '_'], "").parse::<u64>().ok();
    let mut numbers = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some(mut value) = number(at) else {
            at += 1;
            continue;
        };
        at += 1;
        while let Some(word) = words.get(at) {
            let operand = number(at + 1);
            match (*word, operand) {
                ("<<", Some(bits)) => value <<= bits,
                ("-", Some(less)) => value -= less,
                ("KiB", _) => value <<= 10,
                ("MiB", _) => value <<= 20,
                ("GiB", _) => value <<= 30,
                _ => break,
            }
            at += if word.ends_with("iB") { 1 } else { 2 };
        }
        numbers.push(value);
    }
    numbers
}

#[test]
fn shared_texts_name_no_option_and_no_verb_of_the_command() {
    let root = PathBuf::from(ROOT);
    let shared = fs::read_dir(root.join("shared")).unwrap();
    let folders = shared.map(|entry| entry.unwrap().path().join("src"));
    let web = ["page", "worker"].map(|name| root.join("web").join(name).join("src"));
    let found: Vec<String> = folders
        .chain(web)
        .filter(|folder| folder.is_dir())
        .flat_map(|folder| options::named_in(&folder))
        .collect();
    assert!(found.is_empty(), "use loggia_model::error::Input:\n{}", found.join("\n"));
}

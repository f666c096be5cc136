//! Nothing is lost: a command that is killed while it writes leaves the old file or the new one.
//!
//! `LOGGIA_KILLS` sets how often each command is killed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Instant;

/// So often each command is killed, unless the environment asks for another number.
const KILLS: u32 = 12;

const ROWS: &str = "op,ranks,pairs,bytes,time_us\np2p,2,1,8,2\np2p,2,1,64,3\nbcast,4,,64,10\n";

#[test]
fn a_signature_that_results_are_merged_into() {
    killed("import rows.csv --merge old.json --tier network -o out.json --overwrite", "out.json");
}

#[test]
fn an_exported_platform() {
    killed("export cray-t3d --as simgrid -o out.xml", "out.xml");
}

#[test]
fn a_page() {
    killed("page cray-t3d -o out.html", "out.html");
}

#[test]
fn a_lesson() {
    killed("lesson page four-numbers -o out.html", "out.html");
}

/// Kills the command at moments from its start to beyond its end. The file holds what it held before,
/// or all that the command writes.
fn killed(words: &str, file: &str) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("rows.csv"), ROWS).unwrap();
    fs::write(folder.join("old.json"), finished(folder, "show cray-t3d --json")).unwrap();
    let path = folder.join(file);
    let begin = Instant::now();
    finished(folder, words);
    let whole = begin.elapsed();
    let new = fs::read(&path).unwrap();
    let old = b"what was here before";
    let kills = std::env::var("LOGGIA_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let mut is_old = 0;
    for kill in 0..kills {
        fs::write(&path, old).unwrap();
        let mut child = command(folder, words).stdout(Stdio::null()).spawn().unwrap();
        sleep(whole.mul_f64(1.1 * f64::from(kill) / f64::from(kills)));
        child.kill().unwrap();
        child.wait().unwrap();
        let left = fs::read(&path).unwrap();
        let how_long = left.len();
        assert!(left == old || left == new, "{file} has {how_long} bytes after kill {kill}");
        is_old += u32::from(left == old);
    }
    eprintln!("{words}: {kills} kills, {is_old} times the old file");
    assert!(is_old > 0, "the first kill comes at once");
    finished(folder, words);
    assert!(fs::read(&path).unwrap() == new, "the next run writes another file");
    let mut names: Vec<_> = folder.read_dir().unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["old.json", file, "rows.csv"], "something is left beside the files");
}

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loggia"));
    command.args(words.split(' ')).current_dir(folder).stderr(Stdio::null());
    command
}

/// Runs to its end; returns what it printed.
fn finished(folder: &Path, words: &str) -> Vec<u8> {
    let run = command(folder, words).stderr(Stdio::piped()).output().unwrap();
    assert!(run.status.success(), "{words}: {}", String::from_utf8_lossy(&run.stderr));
    run.stdout
}

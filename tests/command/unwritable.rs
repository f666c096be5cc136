//! A file that cannot be written: the error gives the file and the reason, the old file stays, and
//! no partial file is left.

use crate::disk::Disk;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Every command that writes a file, without the path.
const WRITERS: [&str; 12] = [
    "collect --transport synthetic --from cray-t3d --quick --only ping-pong --sizes 8 -o",
    "plan halo.toml cray-t3d --procs 4 -o",
    "import rows.csv --merge old.json --tier network -o",
    "new mine --set L=3us --set o_s=1us --set o_r=1us -o",
    "export cray-t3d --as csv -o",
    "page cray-t3d -o",
    "lesson page four-numbers -o",
    "lesson handout four-numbers -o",
    "simulate --op bcast --algorithm binomial cray-t3d --procs 64 --timeline",
    "simulate --op bcast --algorithm binomial cray-t3d --procs 64 --write-goal",
    "replay small.goal cray-t3d --timeline",
    "replay small.goal cray-t3d --write-goal",
];

/// The option to replace an old file.
const REPLACE: &str = "--overwrite";

const OLD: &str = "what was here before";

/// Input files of the commands.
fn inputs() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let input = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    input("rows.csv", "op,ranks,pairs,bytes,time_us\np2p,2,1,8,2\np2p,2,1,64,3\n");
    input("halo.toml", "[grid]\ncells = [1024, 1024]\n[[step]]\nhalo = 64\n");
    input("small.goal", "num_ranks 1\nrank 0 {\nl1: calc 100\n}\n");
    input("old.json", &crate::run::loggia("show cray-t3d --json").out);
    folder
}

fn run(inputs: &TempDir, arguments: &str, output: &Path, more: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loggia"));
    command
        .args(arguments.split(' '))
        .arg(output)
        .args(more.split_whitespace())
        .current_dir(inputs.path())
        .output()
        .unwrap()
}

#[track_caller]
fn refused(run: &Output, output: &Path, reason: &str) {
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert!(matches!(run.status.code(), Some(1 | 2)), "{output:?}: {stderr}");
    let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("loggia: ")).collect();
    let place = output.display().to_string();
    assert!(
        errors.len() == 1 && errors[0].contains(&place) && errors[0].contains(reason),
        "{reason}: {stderr}"
    );
    assert!(!stderr.contains("panicked"), "{stderr}");
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

#[test]
fn a_file_that_exists() {
    let inputs = inputs();
    let output = inputs.path().join("out");
    fs::write(&output, OLD).unwrap();
    let before = names(inputs.path());
    for arguments in WRITERS {
        refused(&run(&inputs, arguments, &output, ""), &output, "the file exists");
        assert_eq!(fs::read_to_string(&output).unwrap(), OLD, "{arguments}");
        assert_eq!(names(inputs.path()), before, "{arguments}");
    }
}

#[test]
fn a_missing_folder() {
    let inputs = inputs();
    let before = names(inputs.path());
    for arguments in WRITERS {
        let output = Path::new("nowhere/out");
        refused(&run(&inputs, arguments, output, REPLACE), output, "there is no such folder");
        assert_eq!(names(inputs.path()), before, "{arguments}");
    }
}

#[test]
fn a_folder_in_place_of_the_file() {
    let inputs = inputs();
    let output = inputs.path().join("out");
    fs::create_dir(&output).unwrap();
    let before = names(inputs.path());
    for arguments in WRITERS {
        refused(&run(&inputs, arguments, &output, REPLACE), &output, "is a folder");
        assert_eq!((names(inputs.path()), names(&output)), (before.clone(), vec![]), "{arguments}");
    }
}

#[test]
fn a_read_only_disk() {
    let Some(disk) = Disk::mounted("size=1m") else { return };
    let (inputs, output) = (inputs(), disk.0.join("out"));
    fs::write(&output, OLD).unwrap();
    disk.make_read_only();
    is_kept(&inputs, &disk, "read-only");
}

#[test]
fn a_full_disk() {
    let Some(disk) = Disk::mounted("size=64k") else { return };
    let (inputs, output) = (inputs(), disk.0.join("out"));
    fs::write(&output, OLD).unwrap();
    fs::write(disk.0.join("filler"), vec![0; 1 << 20]).expect_err("the disk is full");
    is_kept(&inputs, &disk, "no storage space");
}

fn is_kept(inputs: &TempDir, disk: &Disk, reason: &str) {
    let (output, before) = (disk.0.join("out"), names(&disk.0));
    for arguments in WRITERS {
        refused(&run(inputs, arguments, &output, REPLACE), &output, reason);
        assert_eq!(fs::read_to_string(&output).unwrap(), OLD, "{arguments}");
        assert_eq!(names(&disk.0), before, "{arguments}");
    }
    let output = disk.0.join("trace");
    refused(&run(inputs, "trace -o", &output, "-- true"), &output, reason);
    assert_eq!(names(&disk.0), before, "trace");
}

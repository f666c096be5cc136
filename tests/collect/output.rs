//! The output: there already, nowhere, read-only, on a full disk. What was there is never lost, and
//! nothing half-written stays.

use crate::lab::disk::Disk;
use crate::lab::file::{finished, read, valid};
use crate::pair::{Launcher, threads_and_mpi};
use std::fs;
use std::path::{Path, PathBuf};

threads_and_mpi!(
    an_existing_file_is_kept,
    overwrite_replaces_it,
    a_finished_run_is_not_resumed,
    another_plan_is_not_resumed,
    what_is_no_collected_file_is_not_resumed,
    a_folder_that_is_not_there,
    a_folder_that_cannot_be_written_to,
    a_full_disk,
);

const SHORT: &str = "--quick --only ping-pong --sizes 8 -o sig.json";

/// A refused run leaves everything as it was.
#[track_caller]
fn refused(way: &Launcher, folder: &Path, words: &str, said: &[&str]) {
    let before = contents(folder);
    way.collected(folder, words).ended(2, said);
    assert_eq!(contents(folder), before, "{words}");
}

fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), fs::read(path).unwrap_or_default())).collect()
}

fn an_existing_file_is_kept(way: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sig.json"), "precious").unwrap();
    let said = ["sig.json: the file exists", "--resume", "--overwrite"];
    refused(way, folder.path(), SHORT, &said);
}

fn overwrite_replaces_it(way: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sig.json");
    fs::write(&path, "old").unwrap();
    way.collected(folder.path(), &format!("{SHORT} --overwrite")).good();
    finished(&path);
}

fn a_finished_run_is_not_resumed(way: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    way.collected(folder.path(), SHORT).good();
    refused(way, folder.path(), &format!("{SHORT} --resume"), &["this run is finished"]);
}

fn another_plan_is_not_resumed(way: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    way.collected(folder.path(), SHORT).good();
    for plan in [
        "--quick --only ping-pong --sizes 16",
        "--quick --only flood --sizes 8",
        "--only ping-pong --sizes 8",
        "--quick --only ping-pong --sizes 8 --style send",
    ] {
        let words = format!("{plan} -o sig.json --resume");
        refused(way, folder.path(), &words, &["sig.json", "another plan"]);
    }
}

fn what_is_no_collected_file_is_not_resumed(way: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let words = format!("{SHORT} --resume");
    refused(way, folder.path(), &words, &["sig.json: there is no run to resume"]);
    let path = folder.path().join("sig.json");
    fs::write(&path, "{\"loggia\": 1").unwrap();
    refused(way, folder.path(), &words, &["sig.json:1"]);
    let shared = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/model/library/cray-t3d.json");
    fs::copy(shared, &path).unwrap();
    refused(way, folder.path(), &words, &["was not measured by loggia collect"]);
}

fn a_folder_that_is_not_there(way: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let words = "--quick --only ping-pong --sizes 8 -o nowhere/sig.json";
    refused(way, folder.path(), words, &["nowhere/sig.json", "check the folder"]);
    refused(way, folder.path(), "--quick -o .", &["this is a folder"]);
}

fn a_folder_that_cannot_be_written_to(way: &Launcher) {
    let Some(disk) = Disk::mounted("ro,size=64k") else { return };
    refused(way, &disk.0, SHORT, &["sig.json", "read-only"]);
}

/// Saving fails in the middle of a run: what was saved before is whole.
fn a_full_disk(way: &Launcher) {
    // Room for some saves of samples that grow by some ten KiB each, beside the one before.
    let Some(disk) = Disk::mounted("size=128k") else { return };
    let words = "--only ping-pong,flood --sizes 8..64KiB -o sig.json";
    let run = way.collected(&disk.0, words);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    run.said(&["sig.json", "cannot be written", "no storage space", "the free space"]);
    let path = disk.0.join("sig.json");
    let left: Vec<PathBuf> = contents(&disk.0).into_iter().map(|(path, _)| path).collect();
    assert_eq!(left, std::slice::from_ref(&path), "something is left beside the last good file");
    let file = valid(&path);
    assert_eq!(file["collection"]["finished"], false);

    // Full from the beginning: an older file stays what it was.
    let filler = fs::read(&path).unwrap();
    for i in 0..20 {
        let _ = fs::write(disk.0.join(format!("filler{i}")), &filler);
    }
    let run = way.collected(&disk.0, &format!("{words} --overwrite"));
    assert!(run.code == Some(1) || run.code == Some(2), "{}{}", run.out, run.err);
    run.said(&["sig.json", "the free space"]);
    assert_eq!(read(&path), file);
}

//! The output file: it exists, its folder is missing or read-only, or the disk is full. An existing
//! file is never lost, and no partial file stays.

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
    a_file_of_another_origin_is_not_resumed,
    a_missing_folder,
    a_read_only_folder,
    a_full_disk,
);

const SHORT: &str = "--quick --only ping-pong --sizes 8 -o sig.json";

/// A refused run changes no file.
#[track_caller]
fn refused(launcher: &Launcher, folder: &Path, arguments: &str, errors: &[&str]) {
    let before = contents(folder);
    launcher.collected(folder, arguments).exited(2, errors);
    assert_eq!(contents(folder), before, "{arguments}");
}

fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), fs::read(path).unwrap_or_default())).collect()
}

fn an_existing_file_is_kept(launcher: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sig.json"), "precious").unwrap();
    let errors = ["sig.json: the file exists", "--resume", "--overwrite"];
    refused(launcher, folder.path(), SHORT, &errors);
}

fn overwrite_replaces_it(launcher: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sig.json");
    fs::write(&path, "old").unwrap();
    launcher.collected(folder.path(), &format!("{SHORT} --overwrite")).good();
    finished(&path);
}

fn a_finished_run_is_not_resumed(launcher: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    launcher.collected(folder.path(), SHORT).good();
    refused(launcher, folder.path(), &format!("{SHORT} --resume"), &["this run is finished"]);
}

fn another_plan_is_not_resumed(launcher: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    launcher.collected(folder.path(), SHORT).good();
    let plans = [
        "--quick --only ping-pong --sizes 16",
        "--quick --only flood --sizes 8",
        "--only ping-pong --sizes 8",
        "--quick --only ping-pong --sizes 8 --style send",
    ];
    let tried = if matches!(launcher, Launcher::Threads) { &plans[..] } else { &plans[..1] };
    for plan in tried {
        let arguments = format!("{plan} -o sig.json --resume");
        refused(launcher, folder.path(), &arguments, &["sig.json", "another plan"]);
    }
}

fn a_file_of_another_origin_is_not_resumed(launcher: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = format!("{SHORT} --resume");
    refused(launcher, folder.path(), &arguments, &["sig.json: there is no run to resume"]);
    let path = folder.path().join("sig.json");
    fs::write(&path, "{\"loggia\": 1").unwrap();
    refused(launcher, folder.path(), &arguments, &["sig.json:1"]);
    let shared = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/model/library/cray-t3d.json");
    fs::copy(shared, &path).unwrap();
    refused(launcher, folder.path(), &arguments, &["was not measured by loggia collect"]);
}

fn a_missing_folder(launcher: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--quick --only ping-pong --sizes 8 -o nowhere/sig.json";
    refused(launcher, folder.path(), arguments, &["nowhere/sig.json", "check the folder"]);
    refused(launcher, folder.path(), "--quick -o .", &["this is a folder"]);
}

fn a_read_only_folder(launcher: &Launcher) {
    let Some(disk) = Disk::mounted("ro,size=64k") else { return };
    refused(launcher, &disk.0, SHORT, &["sig.json", "read-only"]);
}

/// Saving fails in the middle of a run: the last saved file stays complete.
fn a_full_disk(launcher: &Launcher) {
    // Space for some saves: each is about 10 KiB larger, and the file before it still exists.
    let Some(disk) = Disk::mounted("size=128k") else { return };
    let arguments = "--only ping-pong,flood --sizes 8..64KiB -o sig.json";
    let run = launcher.collected(&disk.0, arguments);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    run.printed(&["sig.json", "cannot be written", "no storage space", "the free space"]);
    let path = disk.0.join("sig.json");
    let left: Vec<PathBuf> = contents(&disk.0).into_iter().map(|(path, _)| path).collect();
    assert_eq!(
        left,
        std::slice::from_ref(&path),
        "other files are left next to the last complete file"
    );
    let file = valid(&path);
    assert_eq!(file["collection"]["finished"], false);

    // A disk that is full from the beginning: an older file stays unchanged.
    let filler = fs::read(&path).unwrap();
    for i in 0..20 {
        let _ = fs::write(disk.0.join(format!("filler{i}")), &filler);
    }
    let run = launcher.collected(&disk.0, &format!("{arguments} --overwrite"));
    assert!(run.code == Some(1) || run.code == Some(2), "{}{}", run.out, run.err);
    run.printed(&["sig.json", "the free space"]);
    assert_eq!(read(&path), file);
}

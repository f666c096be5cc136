//! A command that is killed while it writes leaves the complete old or the complete new file.
//!
//! `LOGGIA_KILLS` sets the number of kills of each command.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Instant;

/// Default number of kills of each command.
const KILLS: u32 = 12;

const ROWS: &str = "op,ranks,pairs,bytes,time_us\np2p,2,1,8,2\np2p,2,1,64,3\nbcast,4,,64,10\n";

const SKETCH: &str = "[grid]\ncells = [1024, 1024]\n[[step]]\nhalo = 64\n[[step]]\nallreduce = 8\n";

#[test]
fn a_signature_that_results_are_merged_into() {
    check_kills(
        "import rows.csv --merge old.json --tier network -o out.json --overwrite",
        "out.json",
    );
}

#[test]
fn an_exported_platform() {
    check_kills("export cray-t3d --as simgrid -o out.xml --overwrite", "out.xml");
}

#[test]
fn a_signature_out_of_parameters() {
    check_kills(
        "new mine --set L=3us --set o_s=1us --set o_r=1us -o out.json --overwrite",
        "out.json",
    );
}

#[test]
fn a_page() {
    check_kills("page cray-t3d -o out.html --overwrite", "out.html");
}

#[test]
fn a_lesson() {
    check_kills("lesson page four-numbers -o out.html --overwrite", "out.html");
}

const RUN: &str = "simulate --op allreduce --algorithm ring cray-t3d --procs 64";

#[test]
fn a_timeline() {
    check_kills(&format!("{RUN} --timeline out.json --overwrite"), "out.json");
}

#[test]
fn a_schedule() {
    check_kills(&format!("{RUN} --write-goal out.goal --overwrite"), "out.goal");
}

/// After a kill, `--resume` keeps the finished plans, and writes the file of an uninterrupted run.
#[test]
fn many_plans() {
    let plan = "plan old.toml cray-t3d now-sparc --procs 4,9 --sweep L=1us,2us -o out.json";
    let folder = Folder::new();
    let new = folder.finished_file(&format!("{plan} --overwrite"), "out.json");
    let mut resumed = 0;
    folder.killed_often(&format!("{plan} --overwrite"), "out.json", |left, kill| {
        assert!(left == OLD || left == new, "{} bytes after kill {kill}", left.len());
        if folder.path("out.json.part").exists() {
            resumed += 1;
            fs::remove_file(folder.path("out.json")).unwrap();
            folder.finished(&format!("{plan} --resume"));
            assert!(fs::read(folder.path("out.json")).unwrap() == new, "resumed after kill {kill}");
        }
    });
    assert!(resumed > 0, "no kill interrupted the planning");
    folder.has_only("out.json");
}

/// The collector saves after each measurement. The file that a kill leaves is complete, and is
/// resumed.
#[test]
fn a_measured_machine() {
    let collect = "collect --transport synthetic --from cray-t3d --noise 5% --quick \
                   --only ping-pong --sizes 8..64 -o out.json";
    let folder = Folder::new();
    let mut resumed = 0;
    folder.killed_often(&format!("{collect} --overwrite"), "out.json", |left, kill| {
        if left == OLD {
            return;
        }
        let read = |bytes: &[u8]| -> serde_json::Value {
            serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("kill {kill}: {error}"))
        };
        let before = read(left);
        folder.finished("show out.json");
        if before["collection"]["finished"] == false {
            resumed += 1;
            folder.finished(&format!("{collect} --resume"));
            let after = read(&fs::read(folder.path("out.json")).unwrap());
            assert_eq!(after["collection"]["finished"], true, "kill {kill}");
            let [old, new] = [before, after].map(|file| file["collection"]["measured"].clone());
            let [old, new] = [&old, &new].map(|list| list.as_array().unwrap());
            assert!(new.starts_with(old), "kill {kill}: a measurement is lost");
        }
    });
    assert!(resumed > 0, "no kill interrupted the measuring");
    folder.has_only("out.json");
}

const OLD: &[u8] = b"what was here before";

/// Kills the command at times from its start to beyond its end. Each kill leaves the old file or
/// the complete new one.
fn check_kills(arguments: &str, file: &str) {
    let folder = Folder::new();
    let new = folder.finished_file(arguments, file);
    folder.killed_often(arguments, file, |left, kill| {
        assert!(left == OLD || left == new, "{file} has {} bytes after kill {kill}", left.len());
    });
    assert!(folder.finished_file(arguments, file) == new, "the next run writes another file");
    folder.has_only(file);
}

/// A folder with the input files of the commands.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        fs::write(folder.path("rows.csv"), ROWS).unwrap();
        fs::write(folder.path("old.toml"), SKETCH).unwrap();
        fs::write(folder.path("old.json"), folder.finished("show cray-t3d --json")).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loggia"));
        command.args(arguments.split_whitespace()).current_dir(self.0.path()).stderr(Stdio::null());
        command
    }

    /// Runs the command to its end; returns its standard output.
    fn finished(&self, arguments: &str) -> Vec<u8> {
        let run = self.command(arguments).stderr(Stdio::piped()).output().unwrap();
        assert!(run.status.success(), "{arguments}: {}", String::from_utf8_lossy(&run.stderr));
        run.stdout
    }

    /// Runs the command to its end; returns its output file.
    fn finished_file(&self, arguments: &str, file: &str) -> Vec<u8> {
        self.finished(arguments);
        fs::read(self.path(file)).unwrap()
    }

    /// Kills the command at times from its start to beyond its end, and checks the file after each
    /// kill.
    fn killed_often(&self, arguments: &str, file: &str, mut check: impl FnMut(&[u8], u32)) {
        let begin = Instant::now();
        self.finished(arguments);
        let duration = begin.elapsed();
        let kills = std::env::var("LOGGIA_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
        let mut old_files = 0;
        for kill in 0..kills {
            fs::write(self.path(file), OLD).unwrap();
            let mut child = self.command(arguments).stdout(Stdio::null()).spawn().unwrap();
            sleep(duration.mul_f64(1.1 * f64::from(kill) / f64::from(kills)));
            child.kill().unwrap();
            child.wait().unwrap();
            let left = fs::read(self.path(file)).unwrap();
            old_files += u32::from(left == OLD);
            check(&left, kill);
        }
        eprintln!("{arguments}: {kills} kills, {old_files} times the old file");
        assert!(old_files > 0, "the first kill is immediate");
        self.finished(arguments);
    }

    /// Fails if the folder has other files.
    fn has_only(&self, file: &str) {
        let entries = self.0.path().read_dir().unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["old.json", "old.toml", file, "rows.csv"]);
    }
}

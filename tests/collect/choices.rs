//! `--only`, `--sizes`, `--style`, `--json`, and invalid values.

use crate::lab::file::{distinct, finished, list, measured};
use crate::lab::running::{loggia, run};
use crate::pair::{Launcher, threads_and_mpi};
use serde_json::{Value, json};

threads_and_mpi!(only_selected_measurements_are_made, a_range_of_sizes, json_is_the_file);

fn only_selected_measurements_are_made(launcher: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--quick --only two-processor,ping-pong --sizes 8,1KiB,5000 --style send,ssend";
    launcher.collected(folder.path(), &format!("{arguments} -o sig.json")).good();
    let file = finished(&folder.path().join("sig.json"));
    let is_selected = |name: &&str| name.contains("two-processor") || name.contains("ping-pong");
    let names = measured(&file);
    assert!(names.iter().all(is_selected) && names.len() >= 2, "{names:?}");
    let mut sizes = distinct(&file, "bytes");
    sizes.sort_by_key(|size| size.as_u64());
    assert_eq!(sizes, [&json!(8), &json!(1024), &json!(5000)]);
    let overheads = list(&file["samples"]).iter().filter(|s| s["quantity"] == "send_overhead");
    let styles: Vec<&str> = overheads.filter_map(|s| s["style"].as_str()).collect();
    assert!(styles.contains(&"send") && styles.contains(&"ssend"), "{styles:?}");
    assert!(styles.iter().all(|style| ["send", "ssend"].contains(style)), "{styles:?}");
    let plan = file["collection"]["plan"].as_str().unwrap();
    for part in ["quick", "5000", "ssend", "ping-pong"] {
        assert!(plan.contains(part), "{plan}");
    }
}

fn a_range_of_sizes(launcher: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--quick --only ping-pong --sizes 4..64 -o sig.json";
    launcher.collected(folder.path(), arguments).good();
    let file = finished(&folder.path().join("sig.json"));
    let mut sizes: Vec<u64> =
        distinct(&file, "bytes").into_iter().filter_map(Value::as_u64).collect();
    sizes.sort_unstable();
    // Sizes between these are also measured where the curve bends in the survey.
    assert!([4, 8, 16, 32, 64].iter().all(|size| sizes.contains(size)), "{sizes:?}");
    assert_eq!((sizes.first(), sizes.last()), (Some(&4), Some(&64)));
}

fn json_is_the_file(launcher: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--quick --only ping-pong --sizes 8 -o sig.json --json";
    let run = launcher.collected(folder.path(), arguments).good();
    let printed: Value = serde_json::from_str(&run.out)
        .unwrap_or_else(|error| panic!("{error}: the answer is not one object:\n{}", run.out));
    assert_eq!(printed, finished(&folder.path().join("sig.json")));

    let again = launcher.collected(folder.path(), arguments);
    assert_eq!(again.code, Some(2), "{}{}", again.out, again.err);
    // Only loggia's output is checked: a launcher may print its own lines after it.
    let object = again.out.lines().next().unwrap_or_default();
    let refusal: Value = serde_json::from_str(object)
        .unwrap_or_else(|error| panic!("{error}: the refusal is no object:\n{}", again.out));
    assert_eq!(refusal["error"]["where"], "sig.json");
}

#[test]
fn invalid_values_are_refused_before_any_measurement() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, error) in [
        ("--sizes frog", "frog"),
        ("--sizes 8..4", "the range contains no size"),
        ("--sizes 1G", "16 MiB"),
        ("--style isent", "isent"),
        ("--only pingpong", "pingpong"),
        ("--transport pigeon", "pigeon"),
        ("--max-time 5parsec", "5parsec"),
        ("--quick --thorough", "--thorough"),
        ("--resume --overwrite", "--overwrite"),
    ] {
        let run = run(&mut loggia(folder.path(), &format!("collect -o sig.json {arguments}")));
        let run = run.exited(2, &[error]);
        assert_eq!(run.out, "", "{arguments}");
        let lines = run.err.lines().count();
        assert!((1..=2).contains(&lines), "{arguments}: {}", run.err);
    }
    let run = run(&mut loggia(folder.path(), "collect --quick"));
    assert_eq!(run.code, Some(2), "no file is named: {}", run.err);
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

/// Without a launcher, no rank waits for other ranks.
#[test]
fn without_a_launcher_two_threads_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let _slot = crate::lab::running::beside_another();
    let arguments = "collect --quick --only ping-pong --sizes 8 -o sig.json";
    run(&mut loggia(folder.path(), arguments)).good();
    let file = finished(&folder.path().join("sig.json"));
    assert_eq!(file["collection"]["transport"], "threads");
}

/// The survey alone takes longer than this limit: three rounds are measured, and a note names the rest,
/// even if the plan has only these three.
#[test]
fn a_time_limit_leaves_out_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let _slot = crate::lab::running::beside_another();
    let arguments = "collect --transport threads --only ping-pong --max-time 0.05s -o sig.json";
    let run = run(&mut loggia(folder.path(), arguments)).good();
    // The survey decides how many rounds are planned.
    let mut words = (4..=99).map(|all| format!("the time limit left out {} of {all} ", all - 3));
    assert!(words.any(|words| run.out.contains(&words)), "{}", run.out);
    let file = finished(&folder.path().join("sig.json"));
    let rounds = [1, 2, 3].map(|round| format!("node: ping-pong, round {round}"));
    assert_eq!(measured(&file), rounds);
}

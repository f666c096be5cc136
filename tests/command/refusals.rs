//! Errors of bad input: fact, place and remedy in one or two lines, exit code 2; never a panic.

use crate::run::{loggia, refusal, run_json, with_input};
use std::fs::File;

fn check(error: &serde_json::Value, key: &str, expected: &str) {
    let actual = error[key].as_str().unwrap();
    assert!(actual.contains(expected), "{key} {actual:?} lacks {expected:?}");
}

#[test]
fn an_unknown_signature_offers_near_names() {
    let error = refusal("show cray-td3");
    check(&error, "message", "unknown signature `cray-td3`");
    check(&error, "help", "did you mean cray-t3d?");
    check(&refusal("show convex"), "help", "convex-exemplar");
}

#[test]
fn a_truncated_file_is_refused_with_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cut.json");
    let whole = loggia("show cray-t3d --json").out;
    std::fs::write(&file, &whole[..700]).unwrap();
    let error = refusal(&format!("show {}", file.display()));
    let lines = whole[..700].lines().count();
    check(&error, "where", &format!("cut.json:{lines}:"));
    check(&error, "help", "cut off");
}

#[test]
fn an_empty_file_is_called_empty() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.json");
    std::fs::write(&file, "\n").unwrap();
    let error = refusal(&format!("show {}", file.display()));
    check(&error, "message", "the file is empty");
    check(&error, "where", "empty.json");
    let run = with_input("show -", b"");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("standard input: the input is empty"), "{}", run.err);
}

#[test]
fn a_negative_number_names_its_option() {
    for (arguments, option, value) in [
        ("predict p2p cray-t3d --bytes -1", "--bytes", "-1"),
        ("replay docs/halo cray-t3d --scale-latency -.5", "--scale-latency", "-.5"),
        ("collect --transport synthetic --from cray-t3d --noise -5%", "--noise", "-5%"),
    ] {
        let error = refusal(arguments);
        check(&error, "where", option);
        check(&error, "message", &format!("{value} is negative"));
    }
    // A flag has no value.
    let error = refusal("replay docs/halo cray-t3d --split -1");
    check(&error, "where", "-1");
}

#[test]
fn an_unknown_operation_of_a_choice_names_the_option() {
    let error = refusal("replay docs/halo cray-t3d --algorithm foo=ring");
    check(&error, "where", "--algorithm");
    check(&error, "message", "unknown operation `foo`");
}

#[test]
fn a_figure_needs_two_ranks() {
    for at in ["0", "1"] {
        let error = refusal(&format!("figure tourino-2 --at {at}"));
        check(&error, "where", "--at");
        check(&error, "message", "2 ranks or more");
    }
    assert_eq!(loggia("figure tourino-2 --at 2").code, 0);
    // Over sizes, 0 is a size.
    assert_eq!(loggia("figure al-tawil-6 --at 0").code, 0);
}

#[test]
fn a_figure_names_a_machine_that_it_leaves_out() {
    let run = loggia("figure hwang-5 alps");
    assert_eq!(run.code, 0);
    let warning = "! alps has no closed form of alltoall, bcast, gather, reduce, scan, scatter, so";
    assert!(run.out.contains(warning), "{}", run.out);
    assert!(run_json("figure hwang-5 alps")["warnings"][0].is_string());
    assert!(!loggia("figure hwang-5").out.contains('!'));
}

#[test]
fn help_of_help_is_help() {
    let expected = loggia("help").out;
    assert!(expected.contains("Usage: loggia"), "{expected}");
    for again in ["help --help", "help -h"] {
        let run = loggia(again);
        assert_eq!((run.code, run.out), (0, expected.clone()), "{again}");
    }
}

#[test]
fn unreadable_files_are_reported() {
    check(&refusal("show nowhere.json"), "message", "no such file");
    check(&refusal("show /"), "message", "folder");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("binary.json");
    std::fs::write(&file, b"{\n\xff\xfe").unwrap();
    let error = refusal(&format!("show {}", file.display()));
    check(&error, "message", "UTF-8");
    check(&error, "where", "binary.json:2");
}

#[test]
fn impossible_parameters_name_the_field() {
    let folder = tempfile::tempdir().unwrap();
    let whole = loggia("show cray-t3d --json").out;
    for (wrong, place, message) in [
        ("-3.1", "tiers[0].latency.value", "must not be negative"),
        ("NaN", ":", "expected"),
        ("1e999", ":", "out of range"),
        ("Infinity", ":", "expected"),
        ("\"3.1\"", "tiers[0].latency.value", "invalid type"),
    ] {
        let file = folder.path().join("wrong.json");
        std::fs::write(&file, whole.replace("\"value\": 3.1", &format!("\"value\": {wrong}")))
            .unwrap();
        let error = refusal(&format!("predict p2p {} --bytes 1", file.display()));
        check(&error, "where", place);
        check(&error, "message", message);
    }
    for assumed in ["L=-1", "L=NaN", "L=inf", "o_s=16:NaN", "G=-6ns", "S=-1"] {
        let error = refusal(&format!("predict p2p cray-t3d --bytes 1 --set {assumed}"));
        check(&error, "where", "--set");
    }
}

#[test]
fn an_unknown_field_and_a_newer_version_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.json");
    let whole = loggia("show cray-t3d --json").out;
    std::fs::write(&file, whole.replace("\"latency\"", "\"lateness\"")).unwrap();
    let error = refusal(&format!("show {}", file.display()));
    check(&error, "message", "unknown field `lateness`");
    std::fs::write(&file, whole.replace("\"loggia\": 1", "\"loggia\": 2")).unwrap();
    let error = refusal(&format!("show {}", file.display()));
    check(&error, "message", "newer than this program");
}

#[test]
fn a_gigabyte_of_zeros_is_refused_without_reading_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zeros.json");
    File::create(&path).unwrap().set_len(1 << 30).unwrap();
    let error = refusal(&format!("show {}", path.display()));
    check(&error, "message", "larger than 64 MiB");
    // The size of a pipe is not known in advance.
    let piped = with_input("show -", &vec![0; 65 << 20]);
    assert_eq!(piped.code, 2);
    assert!(piped.err.contains("larger than 64 MiB"), "{}", piped.err);
}

#[test]
fn factors_are_numbers() {
    for (arguments, message) in [
        ("--scale-latency x", "`x` is not a number of 0 or more"),
        ("--scale-compute 1=nan", "`nan` is not a number of 0 or more"),
        ("--scale-compute one=2", "`one` is not a rank"),
        ("--scale-bandwidth 0", "`0` is not a number above 0"),
    ] {
        check(&refusal(&format!("replay docs/halo cray-t3d {arguments}")), "message", message);
    }
    let error = refusal("link cray-t3d --set scale_bandwidth=0");
    check(&error, "message", "`0` is not a number above 0");
}

#[test]
fn invalid_numbers_of_ranks_are_refused() {
    for procs in ["0", "1"] {
        let arguments = format!("predict collective cray-t3d --op bcast --procs {procs} --bytes 8");
        check(&refusal(&arguments), "message", "needs 2 ranks or more");
    }
    for procs in ["-4", "1.5", "many", "4294967296"] {
        refusal(&format!("predict collective cray-t3d --op bcast --procs={procs} --bytes 8"));
    }
}

#[test]
fn outside_its_range_a_form_answers_with_a_warning() {
    let arguments = "predict collective cray-t3d --op bcast --procs 128 --bytes 8";
    let answer = run_json(arguments);
    assert!(answer["time_us"].is_number());
    assert_eq!(answer["extrapolated"], true);
    assert!(answer["warnings"][0].as_str().unwrap().contains("2–64"));
    let text = loggia(arguments);
    assert!(
        text.code == 0 && text.out.contains("! extrapolated: p is outside 2–64"),
        "{}",
        text.out
    );
}

#[test]
fn a_negative_form_gives_no_number_and_names_the_term() {
    for (arguments, term) in [
        ("ibm-sp2 --op alltoall --procs 2", "t_b(p)"),
        ("cray-t3d --op alltoall --procs 3", "t_b(p)"),
        ("ap3000-mpi --op gather --procs 24", "T0(p)"),
    ] {
        let answer = run_json(&format!("predict collective {arguments} --bytes 64"));
        assert!(answer["time_us"].is_null() && answer["low_us"].is_null(), "{answer}");
        let warnings = answer["warnings"].to_string();
        assert!(warnings.contains(term) && warnings.contains("negative"), "{warnings}");
    }
}

#[test]
fn sizes_from_zero_to_the_largest() {
    for bytes in ["0", "9223372036854775808", "18446744073709551615"] {
        for arguments in [
            format!("predict p2p cray-t3d --bytes {bytes}"),
            format!("predict collective ap3000-mpi --op alltoall --procs 4 --bytes {bytes}"),
            format!("predict protocol cray-t3d --protocol rat --bytes {bytes}"),
            format!("choose ap3000-mpi --op allgather --procs 4 --bytes {bytes}"),
        ] {
            run_json(&arguments);
        }
    }
    for bytes in ["-1", "1.5", "18446744073709551616", "64kb", "NaN", ""] {
        refusal(&format!("predict p2p cray-t3d --bytes={bytes}"));
    }
}

#[test]
fn a_model_names_missing_parameters_and_their_measurements() {
    let error = refusal("predict p2p cray-t3d --bytes 8 --model LogGPS");
    check(&error, "message", "LogGPS needs S, which is unknown");
    check(&error, "help", "the overlap measurements of Chen et al. 2009");
    check(&error, "help", "models possible here: LogGP, LogP");
    check(&refusal("predict p2p ap3000-mpi --bytes 8 --model loggp"), "message", "o_s, L, o_r, G");
    check(&refusal("predict p2p ibm-sp2 --bytes 8"), "message", "no point-to-point parameters");
    check(&refusal("predict p2p myrinet-gm --bytes 8"), "help", "some metrics need none of them");
    check(
        &refusal(
            "predict collective now-sparc --op bcast --procs 8 --bytes 8 --algorithm closed-form",
        ),
        "message",
        "bcast",
    );
    check(&refusal("predict protocol ap3000-mpi --protocol t --bytes 8"), "message", "o_s, L, o_r");
}

#[test]
fn unknown_names_offer_known_names() {
    check(&refusal("predict p2p cray-t3d --bytes 8 --style isned"), "help", "isend");
    check(
        &refusal("predict p2p convex-exemplar --bytes 8 --tier intra"),
        "help",
        "intra-hypernode",
    );
    check(&refusal("predict p2p cray-t3d --bytes 8 --model logpg"), "help", "loggp");
    check(&refusal("predict collective cray-t3d --op bcst --procs 8 --bytes 8"), "help", "bcast");
    check(&refusal("predict p2p cray-t3d --bytes 8 --set Lat=5us"), "where", "--set Lat=5us");
    check(&refusal("link cray-t3d --set byte=8"), "help", "bytes");
    let unknown =
        refusal("predict collective cray-t3d --op bcast --procs 8 --bytes 8 --algorithm x");
    check(&unknown, "help", "closed-form");
    refusal("predict collective cray-t3d --op bcast --procs 8");
    refusal("frobnicate");
    refusal("predict p2p cray-t3d");
}

#[test]
fn damaged_links_are_reported() {
    let link = run_json("link myrinet-gm")["link"].as_str().unwrap().to_owned();
    check(&refusal(&format!("open {}", &link[..link.len() - 3])), "message", "damaged");
    check(&refusal(&format!("open {}", link.replacen("#2.", "#3.", 1))), "message", "version 3");
    check(&refusal("open cray-t3d"), "message", "not a Loggia link");
    check(&refusal(&format!("show {}", &link[..40])), "message", "damaged");
}

#[test]
fn a_closed_pipe_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_loggia"))
        .args(["show", "ap3000-mpi", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_missing_folder_is_named_before_any_measurement() {
    let error = refusal("collect --transport threads -o nowhere/sig.json");
    check(&error, "message", "there is no such folder");
    check(&error, "where", "nowhere/sig.json");
}

/// A signature of other tiers has no number to compare with these ranks.
#[test]
fn a_signature_of_another_machine_cannot_be_validated() {
    let run = loggia("validate cray-t3d --transport threads --json");
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run.code, 2);
    check(&answer["error"], "message", "its tiers: network");
}

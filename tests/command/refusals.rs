//! Bad input: what, where and what to do, in one or two lines, exit 2; never a panic.

use crate::run::{ask, loggia, refusal, with_input};
use std::fs::File;

fn says(error: &serde_json::Value, key: &str, words: &str) {
    let said = error[key].as_str().unwrap();
    assert!(said.contains(words), "{key} {said:?} does not say {words:?}");
}

#[test]
fn an_unknown_signature_offers_near_names() {
    let error = refusal("show cray-td3");
    says(&error, "message", "unknown signature `cray-td3`");
    says(&error, "help", "did you mean cray-t3d?");
    says(&refusal("show convex"), "help", "convex-exemplar");
}

#[test]
fn a_truncated_file_is_refused_with_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cut.json");
    let whole = loggia("show cray-t3d --json").out;
    std::fs::write(&file, &whole[..700]).unwrap();
    let error = refusal(&format!("show {}", file.display()));
    let lines = whole[..700].lines().count();
    says(&error, "where", &format!("cut.json:{lines}:"));
    says(&error, "help", "cut off");
}

#[test]
fn what_cannot_be_read_is_said() {
    says(&refusal("show nowhere.json"), "message", "no such file");
    says(&refusal("show /"), "message", "folder");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("binary.json");
    std::fs::write(&file, b"{\n\xff\xfe").unwrap();
    let error = refusal(&format!("show {}", file.display()));
    says(&error, "message", "UTF-8");
    says(&error, "where", "binary.json:2");
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
        says(&error, "where", place);
        says(&error, "message", message);
    }
    for assumed in ["L=-1", "L=NaN", "L=inf", "o_s=16:NaN", "G=-6ns", "S=-1"] {
        let error = refusal(&format!("predict p2p cray-t3d --bytes 1 --set {assumed}"));
        says(&error, "where", "--set");
    }
}

#[test]
fn an_unknown_field_and_a_newer_version_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.json");
    let whole = loggia("show cray-t3d --json").out;
    std::fs::write(&file, whole.replace("\"latency\"", "\"lateness\"")).unwrap();
    let error = refusal(&format!("show {}", file.display()));
    says(&error, "message", "unknown field `lateness`");
    std::fs::write(&file, whole.replace("\"loggia\": 1", "\"loggia\": 2")).unwrap();
    let error = refusal(&format!("show {}", file.display()));
    says(&error, "message", "newer than this program");
}

#[test]
fn a_gigabyte_of_zeros_is_refused_without_reading_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zeros.json");
    File::create(&path).unwrap().set_len(1 << 30).unwrap();
    let error = refusal(&format!("show {}", path.display()));
    says(&error, "message", "larger than 64 MiB");
    // Through a pipe the size is not known beforehand.
    let piped = with_input("show -", &vec![0; 65 << 20]);
    assert_eq!(piped.code, 2);
    assert!(piped.err.contains("larger than 64 MiB"), "{}", piped.err);
}

#[test]
fn factors_are_numbers() {
    for (words, message) in [
        ("--scale-latency x", "`x` is not a number of 0 or more"),
        ("--scale-compute 1=nan", "`nan` is not a number of 0 or more"),
        ("--scale-compute one=2", "`one` is not a rank"),
        ("--scale-bandwidth 0", "`0` is not a number above 0"),
    ] {
        says(&refusal(&format!("replay docs/halo cray-t3d {words}")), "message", message);
    }
    let error = refusal("link cray-t3d --set scale_bandwidth=0");
    says(&error, "message", "`0` is not a number above 0");
}

#[test]
fn numbers_of_processes() {
    for procs in ["0", "1"] {
        let question = format!("predict collective cray-t3d --op bcast --procs {procs} --bytes 8");
        says(&refusal(&question), "message", "needs 2 ranks or more");
    }
    for procs in ["-4", "1.5", "many", "4294967296"] {
        refusal(&format!("predict collective cray-t3d --op bcast --procs={procs} --bytes 8"));
    }
}

#[test]
fn outside_its_range_a_form_warns_and_answers() {
    let question = "predict collective cray-t3d --op bcast --procs 128 --bytes 8";
    let answer = ask(question);
    assert!(answer["time_us"].is_number());
    assert_eq!(answer["extrapolated"], true);
    assert!(answer["warnings"][0].as_str().unwrap().contains("2–64"));
    let text = loggia(question);
    assert!(
        text.code == 0 && text.out.contains("! extrapolated: p is outside 2–64"),
        "{}",
        text.out
    );
}

#[test]
fn a_form_that_turns_negative_gives_no_number_and_names_the_term() {
    for (words, term) in [
        ("ibm-sp2 --op alltoall --procs 2", "t_b(p)"),
        ("cray-t3d --op alltoall --procs 3", "t_b(p)"),
        ("ap3000-mpi --op gather --procs 24", "T0(p)"),
    ] {
        let answer = ask(&format!("predict collective {words} --bytes 64"));
        assert!(answer["time_us"].is_null() && answer["low_us"].is_null(), "{answer}");
        let warnings = answer["warnings"].to_string();
        assert!(warnings.contains(term) && warnings.contains("negative"), "{warnings}");
    }
}

#[test]
fn sizes_from_nothing_to_the_largest() {
    for bytes in ["0", "9223372036854775808", "18446744073709551615"] {
        for question in [
            format!("predict p2p cray-t3d --bytes {bytes}"),
            format!("predict collective ap3000-mpi --op alltoall --procs 4 --bytes {bytes}"),
            format!("predict protocol cray-t3d --protocol rat --bytes {bytes}"),
            format!("choose ap3000-mpi --op allgather --procs 4 --bytes {bytes}"),
        ] {
            ask(&question);
        }
    }
    for bytes in ["-1", "1.5", "18446744073709551616", "64kb", "NaN", ""] {
        refusal(&format!("predict p2p cray-t3d --bytes={bytes}"));
    }
}

#[test]
fn a_model_says_what_it_lacks_and_where_that_could_come_from() {
    let error = refusal("predict p2p cray-t3d --bytes 8 --model loggps");
    says(&error, "message", "LogGPS needs S, which is unknown");
    says(&error, "help", "the overlap measurements of Chen et al. 2009");
    says(&error, "help", "loggp");
    says(&refusal("predict p2p ap3000-mpi --bytes 8 --model loggp"), "message", "o_s, L, o_r, G");
    says(&refusal("predict p2p ibm-sp2 --bytes 8"), "message", "no point-to-point parameters");
    says(&refusal("predict p2p myrinet-gm --bytes 8"), "help", "some metrics need none of them");
    says(
        &refusal("predict collective now-sparc --op bcast --procs 8 --bytes 8 --algorithm formula"),
        "message",
        "bcast",
    );
    says(&refusal("predict protocol ap3000-mpi --protocol t --bytes 8"), "message", "o_s, L, o_r");
}

#[test]
fn unknown_words_offer_the_known_ones() {
    says(&refusal("predict p2p cray-t3d --bytes 8 --style isned"), "help", "isend");
    says(&refusal("predict p2p convex-exemplar --bytes 8 --tier intra"), "help", "intra-hypernode");
    says(&refusal("predict p2p cray-t3d --bytes 8 --model logpg"), "help", "loggp");
    says(&refusal("predict collective cray-t3d --op bcst --procs 8 --bytes 8"), "help", "bcast");
    says(&refusal("predict p2p cray-t3d --bytes 8 --set Lat=5us"), "where", "--set Lat=5us");
    says(&refusal("link cray-t3d --set byte=8"), "help", "bytes");
    let unknown =
        refusal("predict collective cray-t3d --op bcast --procs 8 --bytes 8 --algorithm x");
    says(&unknown, "help", "formula");
    refusal("predict collective cray-t3d --op bcast --procs 8");
    refusal("frobnicate");
    refusal("predict p2p cray-t3d");
}

#[test]
fn damaged_links_say_so() {
    let link = ask("link myrinet-gm")["link"].as_str().unwrap().to_owned();
    says(&refusal(&format!("open {}", &link[..link.len() - 3])), "message", "damaged");
    says(&refusal(&format!("open {}", link.replacen("#2.", "#3.", 1))), "message", "version 3");
    says(&refusal("open cray-t3d"), "message", "not a Loggia link");
    says(&refusal(&format!("show {}", &link[..40])), "message", "damaged");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
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
fn a_missing_folder_is_named_before_anything_is_measured() {
    let error = refusal("collect --transport threads -o nowhere/sig.json");
    says(&error, "message", "there is no such folder");
    says(&error, "where", "nowhere/sig.json");
}

/// A signature of other tiers has nothing that could be compared with these ranks.
#[test]
fn a_machine_that_is_not_this_one_cannot_be_validated() {
    let run = loggia("validate cray-t3d --transport threads --json");
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run.code, 2);
    says(&answer["error"], "message", "it has network");
}

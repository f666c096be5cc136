//! `loggia import`: outputs of other benchmarks.

use crate::run::{Run, loggia, refusal, run_json, with_input};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// RTT/2 with a change of protocol above 8 KiB.
fn message(bytes: u64) -> f64 {
    let handshake = if bytes > 8192 { 20.0 } else { 0.0 };
    5.0 + 0.001 * bytes as f64 + handshake
}

fn osu(title: &str, header: &str, rows: impl Iterator<Item = (u64, f64)>) -> String {
    let mut text =
        format!("\n# OSU MPI {title} Test v7.4\n# Datatype: MPI_CHAR.\n# Size  {header}\n");
    for (bytes, value) in rows {
        let _ = writeln!(text, "{bytes:<10}{value:>18.2}");
    }
    text
}

fn sizes() -> impl Iterator<Item = u64> {
    (0..=20).map(|k| 1 << k)
}

fn latency() -> String {
    osu("Latency", "     Avg Latency(us)", sizes().map(|bytes| (bytes, message(bytes))))
}

fn bandwidth() -> String {
    let rate = |bytes: u64| (bytes, bytes as f64 / (2.0 + 0.0009 * bytes as f64));
    osu("Bandwidth", "     Bandwidth (MB/s)", sizes().map(rate))
}

fn allreduce(procs: u32) -> String {
    let startup = 4.0 * f64::from(procs).log2();
    let time = move |bytes: u64| (bytes, startup + 0.002 * bytes as f64);
    osu("Allreduce Latency", "     Avg Latency(us)", sizes().map(time))
}

/// A folder with files.
struct Folder(TempDir);

impl Folder {
    fn with(files: &[(&str, String)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn named(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }
}

fn succeeds(arguments: &str) -> Run {
    let run = loggia(arguments);
    assert_eq!(run.code, 0, "{arguments}: {}{}", run.out, run.err);
    run
}

fn signature(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.path(name)).unwrap()).unwrap()
}

#[test]
fn a_ping_pong_gives_its_parameters_and_no_others() {
    let folder = Folder::with(&[("lat.txt", latency()), ("bw.txt", bandwidth())]);
    let (lat, bw, sig) = (folder.named("lat.txt"), folder.named("bw.txt"), folder.named("s.json"));
    let report = run_json(&format!("import {lat} {bw} -o {sig} --name cluster --tier network"));
    assert_eq!(report["files"][0]["taken"][0]["numbers"], 21);
    assert_eq!(report["files"][1]["taken"][0]["tool"], "osu");
    let written = signature(&folder, "s.json");
    let tier = &written["tiers"][0];
    let close = |value: &Value, expected: f64| {
        let value = value.as_f64().unwrap();
        assert!((value / expected - 1.0).abs() < 0.01, "{value} for {expected}");
    };
    close(&tier["end_to_end_latency"]["value"], 5.01);
    close(&tier["gap_per_byte"]["value"], 0.0009);
    let limit = &tier["progress"]["eager_limit"];
    assert_eq!((&limit["low"], &limit["high"]), (&8192.into(), &16383.into()));
    assert!(tier["latency"].is_null(), "the files contain no overhead");
    assert!(report["unknown"].to_string().contains("o_s, o_r, L"), "{}", report["unknown"]);
    let sources: Vec<&str> = written["samples"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|s| s["source"].as_str())
        .collect();
    assert!(sources.iter().any(|source| source.ends_with("lat.txt:5")), "{sources:?}");
    // Other verbs accept the signature.
    let predicted = run_json(&format!("predict p2p {sig} --bytes 1KiB"));
    assert_eq!(
        (&predicted["model"], &predicted["basis"]),
        (&"measured".into(), &"measured".into())
    );
    assert_eq!(predicted["time_us"], predicted["terms"][0]["value_us"]);
    let modelled = run_json(&format!("predict p2p {sig} --bytes 1KiB --model hockney"));
    assert_eq!(modelled["basis"], "modelled");
    assert_eq!(modelled["measured_us"], predicted["time_us"]);
}

#[test]
fn a_missing_number_of_ranks_is_requested() {
    let folder = Folder::with(&[
        ("osu_allreduce.4p.txt", allreduce(4)),
        ("osu_allreduce.16p.txt", allreduce(16)),
        ("lat.txt", latency()),
    ]);
    let all = folder.0.path().display().to_string();
    let error = refusal(&format!("import {all}"));
    assert!(error["message"].as_str().unwrap().contains("number of ranks"), "{error}");
    assert!(error["where"].as_str().unwrap().ends_with("osu_allreduce.16p.txt:2"), "{error}");
    assert!(error["help"].as_str().unwrap().contains("--ranks 16"), "{error}");

    let sig = folder.named("sig.json");
    let run = succeeds(&format!("import {all} --ranks .4p=4 --ranks .16p=16 -o {sig}"));
    assert!(run.out.contains("tier network is assumed"), "{}", run.out);
    let predicted =
        run_json(&format!("predict collective {sig} --op allreduce --procs 8 --bytes 1KiB"));
    let time = predicted["time_us"].as_f64().unwrap();
    assert!((time / (12.0 + 0.002 * 1024.0) - 1.0).abs() < 0.02, "{time}");
}

#[test]
fn results_without_a_number_of_ranks_can_be_left_out() {
    let folder = Folder::with(&[("a.txt", format!("{}{}", allreduce(4), latency()))]);
    let file = folder.named("a.txt");
    let report = run_json(&format!("import {file} --leave-out"));
    let taken = report["files"][0]["taken"].as_array().unwrap();
    assert!(taken[0]["unused"].as_str().unwrap().contains("number of ranks"));
    assert!(taken[1]["unused"].is_null());
    assert_eq!(report["questions"].as_array().unwrap().len(), 1);
}

#[test]
fn a_number_with_a_comma_is_refused_with_its_line() {
    let comma = latency().replace('.', ",").replace("v7,4", "v7.4").replace("CHAR,", "CHAR.");
    let folder = Folder::with(&[("comma.txt", comma)]);
    let refused = refusal(&format!("import {}", folder.named("comma.txt")));
    assert!(refused["where"].as_str().unwrap().ends_with("comma.txt:5"), "{refused}");
    assert!(refused["help"].as_str().unwrap().contains("LC_ALL=C"), "{refused}");
}

#[test]
fn known_values_stay_and_missing_values_are_added() {
    let folder = Folder::with(&[("lat.txt", latency()), ("all.txt", allreduce(8))]);
    let (lat, all) = (folder.named("lat.txt"), folder.named("all.txt"));
    let sig = folder.named("merged.json");
    let report = run_json(&format!(
        "import {lat} {all} --ranks 8 --tier torus:inter --merge cray-t3d -o {sig}"
    ));
    let merged = report["merged"].as_array().unwrap();
    let outcome = |symbol: &str| {
        let found = merged.iter().find(|parameter| parameter["symbol"] == symbol);
        found.unwrap_or_else(|| panic!("{symbol} in {merged:?}"))["outcome"].clone()
    };
    assert_eq!(outcome("allreduce"), "added");
    let written = signature(&folder, "merged.json");
    assert_eq!(written["name"], "cray-t3d");
    assert_eq!(written["tiers"].as_array().unwrap().len(), 2);
    let notes = written["notes"].to_string();
    assert!(notes.contains("with parameters from OSU 7.4"), "{notes}");
    // A second merge finds every value known.
    let again = folder.named("again.json");
    let report = run_json(&format!(
        "import {lat} {all} --ranks 8 --tier torus:inter --merge {sig} -o {again}"
    ));
    let merged = report["merged"].as_array().unwrap();
    assert!(merged.iter().all(|parameter| parameter["outcome"] == "kept"), "{merged:?}");
}

#[test]
fn standard_input_is_read_and_no_file_is_written() {
    let run = with_input("import -", latency().as_bytes());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("standard input"), "{}", run.out);
    assert!(run.out.contains("nothing is written"), "{}", run.out);
}

#[test]
fn an_existing_file_is_not_replaced() {
    let folder = Folder::with(&[("lat.txt", latency()), ("mine.json", "precious".to_owned())]);
    let (lat, mine) = (folder.named("lat.txt"), folder.named("mine.json"));
    let refused = refusal(&format!("import {lat} -o {mine}"));
    assert!(refused["help"].as_str().unwrap().contains("--overwrite"));
    assert_eq!(fs::read_to_string(folder.path("mine.json")).unwrap(), "precious");
    succeeds(&format!("import {lat} -o {mine} --overwrite"));
    assert_eq!(signature(&folder, "mine.json")["loggia"], 1);
}

#[test]
fn invalid_values_are_refused() {
    let folder = Folder::with(&[("lat.txt", latency()), ("x.txt", "hello\n".to_owned())]);
    let lat = folder.named("lat.txt");
    for (arguments, help) in [
        (format!("import {lat} --tier ib"), "NAME:inter"),
        (format!("import {lat} --ranks many"), "osu_bcast.txt=4"),
        (format!("import {lat} --op bcst"), "bcast"),
        (format!("import {}", folder.named("x.txt")), "OSU"),
        (format!("import {}", folder.named("nothing")), "check the path"),
    ] {
        let refused = refusal(&arguments);
        assert!(refused["help"].as_str().unwrap().contains(help), "{arguments}: {refused}");
    }
}

#[test]
fn tables_without_results_name_their_line() {
    let text = |text: &str| text.to_owned();
    let folder = Folder::with(&[
        ("names.csv", text("op,procs,bytes,time\nallreduce,4,8,2\n")),
        ("semicolons.csv", text("op;ranks;bytes;time_us\nallreduce;4;8;2\n")),
        ("header.csv", text("op,ranks,bytes,time_us\n")),
        ("one.csv", text("op,ranks,bytes,time_us\nallreduce,1,8,2\n")),
        ("results.tgz", text("\u{1f}")),
    ]);
    succeeds(&format!("import {}", folder.named("semicolons.csv")));
    fs::write(folder.path("results.tgz"), b"\x1f\x8b\x08\0 tar").unwrap();
    for (file, place, text) in [
        ("names.csv", "names.csv:1", "unknown columns procs, time; known: op, ranks"),
        ("header.csv", "header.csv:1", "no row"),
        ("one.csv", "one.csv:2, column ranks", "ranks is 1; allreduce needs 2 ranks or more"),
        ("results.tgz", "results.tgz:1", "gzip files are not supported: unpack it"),
    ] {
        let refused = refusal(&format!("import {}", folder.named(file)));
        assert!(refused["where"].as_str().unwrap().ends_with(place), "{refused}");
        let said = [&refused["message"], &refused["help"]].map(|said| said.as_str().unwrap());
        assert!(said.concat().contains(text), "{refused}");
    }
    let folder = Folder::with(&[("a.txt", allreduce(4))]);
    let refused = refusal(&format!("import {} --ranks 1", folder.named("a.txt")));
    assert!(refused["help"].as_str().unwrap().contains("1 ranks cannot exchange"), "{refused}");
}

/// A misspelled file name must not leave the default in its place.
#[test]
fn a_value_for_a_file_that_does_not_exist_is_refused() {
    for (option, value) in
        [("ranks", "nomatch=7"), ("tier", "nomatch=node"), ("op", "nomatch=bcast")]
    {
        let refused = refusal(&format!("import docs/osu --ranks 4 --{option} {value}"));
        assert_eq!(refused["where"], format!("--{option} nomatch=…"), "{refused}");
        assert!(refused["message"].as_str().unwrap().contains("`nomatch`"), "{refused}");
    }
    let refused = refusal("import docs/osu --ranks osu_allreduce.32p=32 --ranks 4");
    assert!(refused["help"].as_str().unwrap().contains("osu_allreduce."), "{refused}");
    succeeds("import docs/osu --ranks 4 --ranks .16p=16 --ranks osu_allreduce.64p.txt:2=64");
}

/// A file of another kind is no broken JSON.
#[test]
fn files_of_another_kind_are_recognised() {
    for (arguments, message, help) in [
        ("show docs/stencil.goal", "a GOAL file", "loggia simulate docs/stencil.goal SIG"),
        ("simulate cray-t3d docs/stencil.goal", "a GOAL file", "loggia simulate docs/stencil.goal"),
        ("show docs/osu/osu_latency.txt", "output of a benchmark", "loggia import docs/osu/osu_"),
        ("show docs/tables/cluster.csv", "output of a benchmark", "loggia import docs/tables/"),
        ("show README.md", "not a Loggia signature", "begins with"),
    ] {
        let refused = refusal(arguments);
        assert!(refused["message"].as_str().unwrap().contains(message), "{refused}");
        assert!(refused["help"].as_str().unwrap().contains(help), "{refused}");
        assert!(!refused.to_string().contains("NaN"), "{refused}");
    }
}

/// The files in `docs/osu` and the signature of the picture in docs/import.md.
#[test]
fn the_example_of_the_guide_is_imported() {
    let folder = Folder::with(&[]);
    let sig = folder.named("cluster.json");
    let ranks = "--ranks .4p=4 --ranks .16p=16 --ranks .64p=64";
    let report = run_json(&format!("import docs/osu {ranks} -o {sig}"));
    assert_eq!(report["files"].as_array().unwrap().len(), 5);
    let predicted =
        run_json(&format!("predict collective {sig} --op allreduce --procs 16 --bytes 8"));
    let time = predicted["time_us"].as_f64().unwrap();
    assert!((time / 7.0 - 1.0).abs() < 0.03, "{time}");
}

//! The view *Simulate*: runs of the command, dropped files, cancelled runs, deadlocks, and a
//! timeline that keys move.

use crate::browser::{Page, visit};
use crate::oracle::oracle;
use crate::{address_of, file, link, loggia, quantity, until, visit_t3d, wait};
use serde_json::{Value, json};
use std::path::Path;

/// Machine, operation, algorithm, ranks, bytes and further options.
const RUNS: [(&str, &str, &[&str]); 7] = [
    ("cray-t3d", "op=allreduce algorithm=ring procs=12 bytes=100000", &[]),
    ("cray-t3d", "op=alltoall algorithm=bruck procs=9 bytes=64", &["rules=logp"]),
    ("now-sparc", "op=bcast algorithm=binomial procs=33 bytes=4096", &["rules=loggp"]),
    (
        "cray-t3d",
        "op=bcast algorithm=binomial procs=33 bytes=4096",
        &["rules=loggops", "o_s=30us", "o_r=30us", "g=5us"],
    ),
    ("convex-exemplar", "op=scan algorithm=linear procs=5 bytes=77", &["tier=inter-hypernode"]),
    ("cray-t3d", "op=barrier algorithm=dissemination procs=64 bytes=1", &["style=issend"]),
    ("cray-t3d", "op=reduce algorithm=binomial procs=16 bytes=8192", &[]),
];

#[test]
fn a_run_equals_the_command_s_exactly() {
    visit_t3d(async |page| {
        for (sig, what, more) in RUNS {
            let set: Vec<&str> = what.split(' ').chain(more.iter().copied()).collect();
            let options = set.iter().map(|pair| {
                match pair.starts_with(['o', 'g']) && !pair.starts_with("op=") {
                    true => format!("--set={pair}"),
                    false => format!("--{pair}"),
                }
            });
            let options: Vec<String> = options.collect();
            let mut arguments = vec!["simulate", sig, "--json", "--split", "--critical-path"];
            arguments.push("--sensitivity");
            arguments.extend(options.iter().map(String::as_str));
            let answer = loggia(&arguments);
            assert_eq!(answer["error"], Value::Null, "{sig} {set:?}: {answer}");
            page.open(&link(sig, "simulate", &set)).await;
            page.find("#critical-path [data-quantity='simulate.d_gap']").await;
            let full = |path: &str| format!("simulate.{path}");
            for path in ["time_us", "events", "messages", "bytes", "procs", "status", "rules"] {
                let expected = answer[path].as_f64().map_or(answer[path].clone(), |n| json!(n));
                assert_eq!(quantity(page, &full(path)).await, expected, "{sig} {set:?} {path}");
            }
            for path in ["d_latency", "d_overhead", "d_gap", "d_gap_per_byte"] {
                let expected = json!(answer[path].as_f64().expect("a number"));
                assert_eq!(quantity(page, &full(path)).await, expected, "{sig} {set:?} {path}");
            }
            let terms = answer["critical_path"]["terms"].as_array().expect("terms");
            for (i, term) in terms.iter().enumerate() {
                let path = format!("simulate.critical_path.terms.{i}.time_us");
                let expected = json!(term["time_us"].as_f64());
                assert_eq!(quantity(page, &path).await, expected, "{sig} {set:?} {term}");
            }
            page.evaluate("document.querySelector('#time-split details').open = true").await;
            let last = answer["procs"].as_u64().expect("ranks") - 1;
            let path = format!("ranks.{last}.waiting_us");
            let expected = answer["ranks"][last as usize]["waiting_us"].as_f64();
            let shown = format!("!!document.querySelector(\"[data-quantity='{}']\")", full(&path));
            if page.evaluate(&shown).await == json!(true) {
                assert_eq!(quantity(page, &full(&path)).await, json!(expected), "{sig} {set:?}");
            }
        }
    });
}

#[test]
fn an_impossible_run_has_the_error_of_the_command() {
    visit_t3d(async |page| {
        for (sig, set) in [
            ("now-sparc", ["rules=loggops", "procs=33", "algorithm=ring"]),
            ("ibm-sp2", ["rules=loggp", "procs=4", "algorithm=ring"]),
            ("cray-t3d", ["rules=loggp", "procs=4", "algorithm=rung"]),
        ] {
            let mut arguments = vec!["simulate", sig, "--json", "--op=allreduce", "--bytes=1KiB"];
            let options = set.map(|pair| format!("--{pair}"));
            arguments.extend(options.iter().map(String::as_str));
            let error = loggia(&arguments)["error"]["message"].clone();
            page.open(&link(sig, "simulate", &set)).await;
            page.find("#simulate .explained").await;
            let is_shown =
                format!("document.querySelector('#simulate').textContent.includes({error})");
            wait(page, &is_shown).await;
        }
    });
}

#[test]
fn curves_equal_the_command_s() {
    visit_t3d(async |page| {
        let set =
            ["op=barrier", "algorithm=dissemination", "procs=8", "bytes=16", "g=80us", "L=80us"];
        page.open(&link("cray-t3d", "simulate", &set)).await;
        page.find("#curve [data-quantity='simulate.curve.L.pieces.0.to_us']").await;
        let pieces = "document.querySelectorAll('[data-quantity^=\"simulate.curve.L\"]\
                      [data-quantity$=\"slope\"]').length";
        let pieces = page.evaluate(pieces).await.as_u64().expect("a number");
        let last = format!("simulate.curve.L.pieces.{}.to_us", pieces - 1);
        let range = format!("--curve=L=0..{}", quantity(page, &last).await);
        let options = ["--op=barrier", "--algorithm=dissemination", "--procs=8", "--bytes=16"];
        let mut arguments =
            vec!["simulate", "cray-t3d", "--json", "--set=g=80us", "--set=L=80us", &range];
        arguments.extend(options);
        let answer = loggia(&arguments);
        let expected = answer["curve"]["pieces"].as_array().expect("pieces");
        assert!(expected.len() > 1 && expected.len() as u64 == pieces, "{answer}");
        for (i, piece) in expected.iter().enumerate() {
            for key in ["from_us", "to_us", "time_us", "slope"] {
                let path = format!("simulate.curve.L.pieces.{i}.{key}");
                assert_eq!(quantity(page, &path).await, json!(piece[key].as_f64()), "{path}");
            }
        }
    });
}

async fn drop_file(page: &Page, path: &Path) {
    let (name, bytes) = file(path);
    let opened = "document.querySelector('.opened b')?.textContent ?? ''";
    let is_open = format!("({opened}) === {}", json!(name));
    page.drop_files(&[(name, bytes)]).await;
    wait(page, &is_open).await;
}

/// The page's numbers of the dropped file must equal the command's, on the T3D.
async fn same_as_the_command(page: &Page, file: &Path) {
    let name = file.file_name().expect("a name").to_string_lossy().into_owned();
    let answer = loggia(&["simulate", &file.to_string_lossy(), "cray-t3d", "--json"]);
    let has_run =
        format!("document.querySelector('#simulate .asked b')?.textContent === {}", json!(name));
    wait(page, &has_run).await;
    for key in ["status", "events", "messages"] {
        let expected = answer[key].as_f64().map_or(answer[key].clone(), |n| json!(n));
        assert_eq!(quantity(page, &format!("simulate.{key}")).await, expected, "{name} {key}");
    }
    assert_eq!(quantity(page, "simulate.time_us").await, answer["time_us"], "{name}");
}

#[test]
fn dropped_files_are_run_text_and_binary() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("ring.goal");
    let binary = folder.path().join("ring.bin");
    for file in [&text, &binary] {
        loggia(&[
            "simulate",
            "cray-t3d",
            "--op",
            "allgather",
            "--algorithm",
            "ring",
            "--procs",
            "7",
            "--bytes",
            "1000",
            "--json",
            "--write-goal",
            &file.to_string_lossy(),
        ]);
    }
    let mut files = vec![text, binary];
    let names = ["r_p16_03.goal", "m_incast_4_100000.goal", "s_allreduce_recdoub_p8_d1024.goal"];
    files.extend(oracle("goal").into_iter().flat_map(|oracle| names.map(|name| oracle.join(name))));
    visit_t3d(async |page| {
        for file in &files {
            drop_file(page, file).await;
            same_as_the_command(page, file).await;
        }
        page.find(".opened button").await.click().await.expect("a click");
        page.find("input[name=algorithm]").await;
        wait(
            page,
            "document.querySelector('#simulate .asked b').textContent.startsWith('allreduce')",
        )
        .await;
    });
}

#[test]
fn a_deadlock_shows_its_cycle_and_a_bad_file_its_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stuck.goal");
    let operations = |rank: u32| {
        let other = 1 - rank;
        format!(
            "rank {rank} {{\na: recv 8b from {other}\nb: send 8b to {other}\nb requires a\n}}\n"
        )
    };
    std::fs::write(&file, format!("num_ranks 2\n{}{}", operations(0), operations(1)))
        .expect("written");
    let bad = folder.path().join("bad.goal");
    std::fs::write(&bad, "num_ranks 2\nrank 0 {\nsend 8b too 1\n}\n").expect("written");
    visit_t3d(async |page| {
        drop_file(page, &file).await;
        same_as_the_command(page, &file).await;
        assert_eq!(quantity(page, "simulate.status").await, json!("unmatched"));
        assert_eq!(quantity(page, "simulate.time_us").await, Value::Null);
        let answer = loggia(&["simulate", &file.to_string_lossy(), "cray-t3d", "--json"]);
        let text = page.text("#simulate .stuck").await;
        let cycle = answer["stuck"]["cycle"].as_array().expect("a cycle");
        assert_eq!(cycle.len(), 4);
        for blocked in cycle {
            let operation = blocked["op"].as_str().expect("a text");
            assert!(text.contains(operation), "{operation} in {text}");
        }
        let drawn = "[...document.querySelectorAll('.deadlock .on')].map(text => text.textContent)";
        let operation = |(at, blocked): (usize, &Value)| {
            format!("{}. {}", at + 1, blocked["activity"].as_str().expect("an activity"))
        };
        let expected: Vec<String> = cycle.iter().enumerate().map(operation).collect();
        assert_eq!(page.evaluate(drawn).await, json!(expected));
        let arrows = "document.querySelectorAll('.deadlock .waits').length";
        assert_eq!(page.evaluate(arrows).await, json!(4));
        drop_file(page, &bad).await;
        let error = loggia(&["simulate", &bad.to_string_lossy(), "cray-t3d", "--json"]);
        let message = error["error"]["message"].as_str().expect("a message").to_owned();
        let is_shown =
            format!("document.querySelector('#simulate').textContent.includes({})", json!(message));
        wait(page, &is_shown).await;
    });
}

#[test]
fn a_long_run_is_cancelled_and_another_runs() {
    visit_t3d(async |page| {
        let set = ["op=alltoall", "algorithm=linear", "procs=2048", "bytes=64"];
        page.open(&link("cray-t3d", "simulate", &set)).await;
        page.find("#simulate .running progress").await;
        page.find("#simulate .running button").await.click().await.expect("a click");
        wait(page, "!document.querySelector('#simulate .running progress')").await;
        assert!(page.text("#simulate .running").await.contains("Cancelled"));
        let field = page.find("#procs").await;
        field.click().await.expect("a click");
        page.evaluate("document.activeElement.select()").await;
        field.send_keys("8").await.expect("keys");
        let answer = loggia(&[
            "simulate",
            "cray-t3d",
            "--op",
            "alltoall",
            "--algorithm",
            "linear",
            "--procs",
            "8",
            "--bytes",
            "64",
            "--json",
        ]);
        page.find("[data-quantity='simulate.time_us']").await;
        until(page, "simulate.time_us", &answer["time_us"]).await;
    });
}

#[test]
fn keys_zoom_and_move_the_timeline() {
    visit(&link("cray-t3d", "simulate", &["procs=16"]), async |page| {
        let area = page.find("#timeline .lanes-area").await;
        wait(page, "document.querySelectorAll('#timeline .flights').length === 1").await;
        let edges = "(() => { const { from, to, top, bottom } = \
                     document.querySelector('.lanes-area').dataset; \
                     return [from, to, top, bottom].map(Number); })()";
        let all = page.evaluate(edges).await;
        let end = quantity(page, "simulate.time_us").await;
        assert_eq!(all, json!([0, end, 0, 16]));
        let end = end.as_f64().expect("a time");
        area.click().await.expect("a click");
        area.send_keys("+").await.expect("keys");
        let from = |share: f64| format!("Math.abs({edges}[0] - {}) < 1e-9", end * share);
        wait(page, &from(0.25)).await;
        // An arrow to the right, then Home.
        area.send_keys("\u{e014}").await.expect("keys");
        wait(page, &from(0.325)).await;
        area.send_keys(".").await.expect("keys");
        let pointed = page.text("#timeline .pointed").await;
        assert!(pointed.contains("rank "), "{pointed}");
        area.send_keys("\u{e011}").await.expect("keys");
        wait(page, &from(0.0)).await;
    });
}

#[test]
fn ranks_per_node_set_the_command_s_nodes() {
    // The ranks of a node share its card.
    const CARD: &str = "R_N=5GB/s";
    let options = ["--op=allreduce", "--procs=16", "--bytes=64KiB"];
    let expected = |sig: &str, algorithm: &str, nodes: &str| {
        let method = [format!("--algorithm={algorithm}"), format!("--nodes={nodes}")];
        let card = ["--set", CARD];
        let card = if sig == "deep-est" { &card[..] } else { &[] };
        loggia(&[&["simulate", sig, "--json", &method[0], &method[1]], &options[..], card].concat())
    };
    let state = |algorithm: &str, nodes: &str| {
        let all = ["op=allreduce", "procs=16", "bytes=64KiB"].map(str::to_owned);
        let more = [format!("algorithm={algorithm}"), format!("nodes={nodes}")];
        [&all[..], &more[..]].concat()
    };
    let link_to = |sig: &str, algorithm: &str, nodes: &str| {
        let mut state = state(algorithm, nodes);
        state.extend((sig == "deep-est").then(|| CARD.to_owned()));
        link(sig, "simulate", &state.iter().map(String::as_str).collect::<Vec<_>>())
    };
    visit(&link_to("deep-est", "recursive-doubling", ""), async |page| {
        page.find("#ranks-per-node").await;
        for ranks_per_node in ["4", "8"] {
            page.call(crate::plan::PER_NODE, &[json!(ranks_per_node)]).await;
            let nodes = format!("block:{ranks_per_node}");
            let answer = expected("deep-est", "recursive-doubling", &nodes);
            until(page, "simulate.time_us", &answer["time_us"]).await;
            address_of(page, "nodes", &json!(nodes)).await;
        }
        // With nodes, algorithms of two levels can be chosen.
        let two = "document.querySelector('input[name=algorithm][value=two-level]')";
        assert_eq!(page.evaluate(&format!("{two}.disabled")).await, json!(false));
        page.evaluate(&format!("{two}.click()")).await;
        let answer = expected("deep-est", "two-level", "block:8");
        until(page, "simulate.time_us", &answer["time_us"]).await;
        // On one tier, nodes change nothing, and a warning states it.
        page.open(&link_to("cray-t3d", "two-level", "block:4")).await;
        let answer = expected("cray-t3d", "two-level", "block:4");
        until(page, "simulate.time_us", &answer["time_us"]).await;
        let remark = answer["warnings"].as_array().and_then(|all| {
            all.iter().filter_map(Value::as_str).find(|text| text.contains("one tier"))
        });
        let warnings = page.text("#simulate .warnings").await;
        assert!(warnings.contains(remark.expect("a remark")), "{warnings}");
        // Other placements also equal the command's.
        page.open(&link_to("deep-est", "recursive-doubling", "cyclic:4")).await;
        let answer = expected("deep-est", "recursive-doubling", "cyclic:4");
        until(page, "simulate.time_us", &answer["time_us"]).await;
        assert!(page.text("#ranks-per-node-problem").await.contains("cyclic:4"));
    });
}

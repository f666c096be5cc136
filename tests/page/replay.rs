//! The view *Replay*: dropped traces, numbers of the command, what-if, and the state in the link.

use crate::browser::{Page, visit};
use crate::{address_of, link, loggia, quantity, until, visit_t3d, wait};
use loggia_trace::call::{
    ANY_TAG, Call, Collective, CompletedRequest, CompletedRequests, Completion, Envelope,
    MatchedMessage, Mode, Operation, Peer, WORLD,
};
use loggia_trace::header::Header;
use loggia_trace::record::{Record, write};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;

const RANKS: u32 = 4;

fn put(bytes: &mut Vec<u8>, gap: u64, duration: u64, call: Call) {
    write(bytes, &Record { gap, duration, call });
}

/// Trace of a halo exchange of four ranks: messages of 20 kB in both directions, overlapped with
/// computation, and an allreduce every ten rounds. One receive takes any source.
fn halo() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for rank in 0..RANKS {
        let header = Header { run: 11, rank, ranks: RANKS, start: 5_000, ..Header::default() };
        let mut bytes = header.to_bytes().to_vec();
        let [left, right] = [(rank + RANKS - 1) % RANKS, (rank + 1) % RANKS];
        let to = |peer, tag| Envelope { peer: Peer::Rank(peer), tag, bytes: 20_000, comm: WORLD };
        for round in 0..30 {
            let any = Envelope { peer: Peer::AnySource, tag: ANY_TAG, ..to(0, 0) };
            put(&mut bytes, 2_000, 300, Call::Irecv(any, 0));
            put(&mut bytes, 100, 300, Call::Irecv(to(right, 2), 1));
            put(&mut bytes, 100, 700, Call::Isend(Mode::Standard, to(right, 1), 2));
            put(&mut bytes, 100, 700, Call::Isend(Mode::Standard, to(left, 2), 3));
            let met = Some(MatchedMessage { source: left, tag: 1, bytes: 20_000 });
            let done = (0..4)
                .map(|request| CompletedRequest { request, met: met.filter(|_| request == 0) });
            let mut list = Vec::new();
            let done = CompletedRequests::new(&mut list, done);
            let how = Completion::Waitall;
            let imbalance = 10_000 * u64::from(rank);
            put(
                &mut bytes,
                400_000 + imbalance,
                50_000,
                Call::Complete { how, requested: 4, done },
            );
            if round % 10 == 9 {
                put(
                    &mut bytes,
                    1_000,
                    9_000,
                    Call::Collective(Collective::new(Operation::Allreduce, WORLD, 8)),
                );
            }
        }
        put(&mut bytes, 500, 0, Call::Finalize);
        let path = folder.path().join(format!("rank-{rank}.trace"));
        std::fs::write(path, bytes).expect("a file");
    }
    folder
}

async fn drop_folder(page: &Page, folder: &Path) {
    let entries = folder.read_dir().expect("a folder");
    let files: Vec<_> =
        entries.map(|entry| crate::file(&entry.expect("an entry").path())).collect();
    page.drop_files(&files).await;
}

/// JSON output of `loggia replay`.
fn replayed(folder: &Path, sig: &str, options: &[&str]) -> Value {
    let folder = folder.to_string_lossy();
    let mut arguments = vec!["replay", &folder, sig, "--json"];
    arguments.extend(options);
    loggia(&arguments)
}

/// The numbers of the page must equal the command's exactly.
async fn compare_replay(page: &Page, answer: &Value) {
    assert_eq!(answer["status"], "ok", "{answer}");
    // A what-if has a change compared with the traced run, and no error.
    let compared = if answer["error"].is_null() { "change" } else { "error" };
    for path in ["predicted_us", "measured_us", compared, "records", "procs", "messages"] {
        until(page, &format!("replay.{path}"), &json!(answer[path].as_f64())).await;
    }
    assert_eq!(quantity(page, "replay.rules").await, answer["rules"]);
    let operations = answer["operations"].as_array().expect("operations");
    for (i, operation) in operations.iter().enumerate() {
        for key in ["measured_us", "predicted_us"] {
            let path = format!("replay.operations.{i}.{key}");
            assert_eq!(quantity(page, &path).await, json!(operation[key].as_f64()), "{operation}");
        }
    }
}

#[test]
fn a_dropped_trace_has_the_numbers_of_the_command() {
    let folder = halo();
    visit_t3d(async |page| {
        // A trace dropped on another view opens Replay.
        drop_folder(page, folder.path()).await;
        page.find("#operations").await;
        compare_replay(page, &replayed(folder.path(), "cray-t3d", &[])).await;
        page.find("#measured canvas").await;
        page.find("#predicted canvas").await;
        page.find("#critical-path").await;
        // Each rank's computation is drawn, measured above predicted.
        wait(page, "document.querySelector('#measured .pointed').textContent.includes('In view')")
            .await;
        assert_eq!(page.complaints().await, [""; 0]);
    });
}

/// Drops by the browser's own input: no script can create a folder.
pub(crate) async fn drop_by_browser(page: &Page, path: &Path) {
    page.find("main .panel").await;
    let files = json!([path.to_string_lossy()]);
    let data = json!({ "items": [], "files": files, "dragOperationsMask": 1 });
    for kind in ["dragEnter", "dragOver", "drop"] {
        let event = json!({ "type": kind, "x": 600, "y": 400, "data": data });
        page.devtools("Input.dispatchDragEvent", event).await;
    }
}

/// A ZIP archive of a folder's files.
pub(crate) fn pack(folder: &Path, into: &Path) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(into).expect("an archive"));
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("a file in it");
        zip.write_all(&std::fs::read(path).expect("a file")).expect("its bytes");
    }
    zip.finish().expect("its end");
}

#[test]
fn a_folder_and_an_archive_are_traces_too() {
    let folder = halo();
    std::fs::write(folder.path().join("trace.json"), "{}").expect("an index");
    let answer = replayed(folder.path(), "cray-t3d", &[]);
    visit_t3d(async |page| {
        drop_by_browser(page, folder.path()).await;
        page.find("#operations").await;
        compare_replay(page, &answer).await;
    });
    let elsewhere = tempfile::tempdir().expect("a folder");
    let packed = elsewhere.path().join("halo.zip");
    pack(folder.path(), &packed);
    let by_name = replayed(&packed, "cray-t3d", &[]);
    assert_eq!(by_name["predicted_us"], answer["predicted_us"], "{by_name}");
    visit_t3d(async |page| {
        drop_by_browser(page, &packed).await;
        page.find("#operations").await;
        compare_replay(page, &answer).await;
    });
}

#[test]
fn a_what_if_is_replayed_and_in_the_link() {
    let folder = halo();
    let set = ["scale_latency=0.25", "scale_compute=0.5", "rules=logp"];
    let options = ["--scale-latency", "0.25", "--scale-compute", "0.5", "--rules", "logp"];
    visit(&link("now-sparc", "replay", &set), async |page| {
        // Without a trace, the view explains how to record one, and offers an example.
        page.find("#simulate .intro").await;
        page.evaluate("document.querySelector('#example').click()").await;
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/halo");
        compare_replay(page, &replayed(&example, "now-sparc", &options)).await;
        drop_folder(page, folder.path()).await;
        compare_replay(page, &replayed(folder.path(), "now-sparc", &options)).await;
        let state = page.evaluate("location.hash").await;
        let state = loggia(&["open", state.as_str().expect("a fragment")]);
        assert_eq!(state["inputs"]["scale_latency"], 0.25, "{state}");
        assert_eq!(state["view"], "replay");
    });
}

/// Moves a slider by this number of steps from its middle, and records the estimates meanwhile.
const SLIDE: &str = "(id, steps) => {
    window.estimates = [];
    new MutationObserver(() => {
        const shown = document.querySelector(\"[data-quantity='replay.estimated_us']\");
        if (shown?.dataset.value) window.estimates.push(Number(shown.dataset.value));
    }).observe(document.querySelector('#simulate'), { subtree: true, childList: true,
        attributes: true, characterData: true });
    const slider = document.getElementById(id);
    slider.value = String(steps);
    slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
}";

#[test]
fn an_estimate_is_shown_until_the_run_has_ended() {
    let folder = halo();
    visit(&link("cray-t3d", "replay", &[]), async |page| {
        drop_folder(page, folder.path()).await;
        page.find("#critical-path [data-quantity='simulate.d_gap']").await;
        let before = quantity(page, "replay.predicted_us").await.as_f64().expect("a number");
        page.call(SLIDE, &[json!("scale_compute"), json!(10)]).await;
        let answer = replayed(folder.path(), "cray-t3d", &["--scale-compute", "2"]);
        until(page, "replay.predicted_us", &answer["predicted_us"]).await;
        let after = answer["predicted_us"].as_f64().expect("a number");
        let estimates = page.evaluate("window.estimates").await;
        let estimate = estimates[0].as_f64().expect("an estimate before the run had ended");
        assert!(after > before, "{before} {after}");
        let facts = page.text("#simulate .answered").await;
        assert!(facts.contains("change compared with the traced run"), "{facts}");
        // The estimate uses the old critical path, so it is at most the new time, and near it.
        assert!((0.9..1.0 + 1e-9).contains(&(estimate / after)), "{estimate} {after}");
        address_of(page, "scale_compute", &json!(2.0)).await;
        page.evaluate("[...document.querySelectorAll('.what-if button')].at(-1).click()").await;
        until(page, "replay.predicted_us", &json!(before)).await;
    });
}

#[test]
fn traces_of_other_tools_are_replayed_and_damaged_traces_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (rank, other) in [(0, 1), (1, 0)] {
        let lines = format!(
            "{rank} init\n{rank} compute 5e5\n{rank} isend {other} 3 10000\n\
             {rank} recv {other} 3 10000\n{rank} waitall\n{rank} allreduce 800 1e3\n{rank} finalize\n"
        );
        std::fs::write(folder.path().join(format!("ti-{rank}.txt")), lines).expect("a file");
    }
    visit_t3d(async |page| {
        drop_folder(page, folder.path()).await;
        let answer = replayed(folder.path(), "cray-t3d", &[]);
        assert_eq!(answer["measured_us"], Value::Null, "the trace has no times");
        until(page, "replay.predicted_us", &answer["predicted_us"]).await;
        page.find("#predicted canvas").await;
        assert_eq!(page.evaluate("!document.querySelector('#measured')").await, json!(true));

        let damaged = halo();
        std::fs::remove_file(damaged.path().join("rank-2.trace")).expect("a file");
        drop_folder(page, damaged.path()).await;
        let text = "document.querySelector('#simulate').textContent";
        wait(page, &format!("{text}.includes('1 of 4 ranks are missing: rank-2.trace')")).await;
    });
}

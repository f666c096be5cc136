//! Requests to the page's worker: a request as JSON, then its files.

use super::files;
use loggia_model::json::to_json;
use loggia_model::library;
use loggia_worker::{Request, Response, RunSource, Simulator};

/// Runs with more ranks are skipped; runs with far more must be refused.
const MAX_PROCS: u32 = 64;
const REFUSED_PROCS: u32 = 1 << 29;

/// Replaces `"@NAME"` in a request by the signature of a built-in machine, and checks the response.
pub(crate) fn check(bytes: &[u8]) {
    let (request, files) = files(bytes);
    let mut text = String::from_utf8_lossy(request).into_owned();
    for name in ["cray-t3d", "myrinet-gm"] {
        let place = format!("\"@{name}\"");
        if text.contains(&place) {
            let machine = library::load(name).expect("a built-in machine");
            let signature = serde_json::to_string(&to_json(&machine)).expect("a text");
            text = text.replacen(&place, &signature, 2);
        }
    }
    let Ok(request) = serde_json::from_str::<Request>(&text) else { return };
    if is_long(&request) {
        return;
    }
    let json = serde_json::to_string(&request).expect("a request is JSON");
    assert_eq!(serde_json::from_str::<Request>(&json).ok().as_ref(), Some(&request));
    let mut simulator = Simulator::default();
    for (name, file) in files {
        simulator.add(&name, file.to_vec());
    }
    let response = simulator.answer(&request, &mut |_, _| {});
    let json = serde_json::to_string(&response).expect("a response is JSON");
    let read = serde_json::from_str::<Response>(&json);
    assert!(read.is_ok(), "{read:?}\n{json}");
}

/// Whether a run or a plan takes a long time, which is not an error.
fn is_long(request: &Request) -> bool {
    match request {
        Request::Run { question, .. } => match &question.runs {
            RunSource::Algorithm { procs, .. } => (MAX_PROCS..REFUSED_PROCS).contains(&procs.0),
            RunSource::File => false,
        },
        Request::Plan(planning, _) => planning.ranks.len() > 8 || planning.sketch.len() > 1024,
        _ => false,
    }
}

//! Requests to the worker about lessons, one after another.

use super::words;
use crate::browser::{WebWorker, WorkerEvent};
use loggia_model::Error;
use loggia_worker::{LessonRequest, LessonResponse, Request, Response};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use yew::{Callback, hook, use_callback, use_effect_with, use_mut_ref};

pub(super) type LessonResult = Result<LessonResponse, Error>;

/// The worker, and requests that wait until the worker is ready.
#[derive(Default)]
struct LessonWorker {
    worker: Option<WebWorker>,
    is_ready: bool,
    waiting: Vec<String>,
}

/// Sends requests; `on_response` receives each result.
#[hook]
pub(super) fn use_worker(on_response: Callback<LessonResult>) -> Callback<LessonRequest> {
    let worker = use_mut_ref(LessonWorker::default);
    let latest = use_mut_ref(|| on_response.clone());
    *latest.borrow_mut() = on_response;
    {
        let worker = worker.clone();
        // Ending the worker cancels its request.
        use_effect_with((), move |()| move || worker.borrow_mut().worker = None);
    }
    use_callback((), move |request, ()| send(&worker, &latest, request))
}

fn send(
    worker: &Rc<RefCell<LessonWorker>>,
    latest: &Rc<RefCell<Callback<LessonResult>>>,
    request: LessonRequest,
) {
    // A request is always JSON.
    let text = serde_json::to_string(&Request::Lesson(Box::new(request))).unwrap_or_default();
    worker.borrow_mut().waiting.push(text);
    let is_started = worker.borrow().worker.is_some();
    if !is_started {
        let (weak, callback) = (Rc::downgrade(worker), latest.clone());
        let started = WebWorker::start(move |event| handle_event(&weak, &callback, &event));
        if started.is_none() {
            latest.borrow().emit(Err(lost("")));
        }
        worker.borrow_mut().worker = started;
    }
    flush(worker);
}

fn flush(worker: &Rc<RefCell<LessonWorker>>) {
    let mut worker = worker.borrow_mut();
    if !worker.is_ready {
        return;
    }
    let waiting = std::mem::take(&mut worker.waiting);
    if let Some(worker) = &worker.worker {
        waiting.iter().for_each(|text| worker.send(text, None));
    }
}

fn handle_event(
    worker: &Weak<RefCell<LessonWorker>>,
    latest: &Rc<RefCell<Callback<LessonResult>>>,
    event: &WorkerEvent,
) {
    let Some(worker) = worker.upgrade() else { return };
    let report = |result: LessonResult| {
        let callback = latest.borrow().clone();
        callback.emit(result);
    };
    match event {
        WorkerEvent::Ready => {
            worker.borrow_mut().is_ready = true;
            flush(&worker);
        }
        WorkerEvent::Progress(_) => {}
        WorkerEvent::Response { text, .. } => report(match serde_json::from_str(text) {
            Ok(Response::Lesson(response)) => Ok(response),
            Ok(Response::Refused(error)) => Err(error),
            _ => Err(lost("")),
        }),
        WorkerEvent::Lost(failure) => {
            *worker.borrow_mut() = LessonWorker::default();
            report(Err(lost(failure)));
        }
        WorkerEvent::NotLoaded => {
            *worker.borrow_mut() = LessonWorker::default();
            report(Err(lost(crate::text::SIMULATOR_NOT_LOADED)));
        }
    }
}

fn lost(failure: &str) -> Error {
    Error::new(words::LOST, failure, words::LOST_HELP)
}

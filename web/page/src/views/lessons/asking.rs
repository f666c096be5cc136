//! Requests to the worker about lessons, one after another.

use super::words;
use crate::browser::{WebWorker, WorkerEvent};
use loggia_model::Error;
use loggia_worker::{LessonRequest, LessonResponse, Request, Response};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use yew::{Callback, hook, use_callback, use_effect_with, use_mut_ref};

pub(super) type Heard = Result<LessonResponse, Error>;

/// The worker, and requests that wait until it is ready.
#[derive(Default)]
struct Desk {
    worker: Option<WebWorker>,
    is_ready: bool,
    waiting: Vec<String>,
}

/// Sends requests; `on_response` hears what comes of them.
#[hook]
pub(super) fn use_worker(on_response: Callback<Heard>) -> Callback<LessonRequest> {
    let desk = use_mut_ref(Desk::default);
    let latest = use_mut_ref(|| on_response.clone());
    *latest.borrow_mut() = on_response;
    {
        let desk = desk.clone();
        // Ending the worker ends what it is at.
        use_effect_with((), move |()| move || desk.borrow_mut().worker = None);
    }
    use_callback((), move |request, ()| ask(&desk, &latest, request))
}

fn ask(desk: &Rc<RefCell<Desk>>, latest: &Rc<RefCell<Callback<Heard>>>, request: LessonRequest) {
    // A request is always JSON.
    let text = serde_json::to_string(&Request::Lesson(Box::new(request))).unwrap_or_default();
    desk.borrow_mut().waiting.push(text);
    let is_started = desk.borrow().worker.is_some();
    if !is_started {
        let (weak, told) = (Rc::downgrade(desk), latest.clone());
        let started = WebWorker::start(move |event| hear(&weak, &told, &event));
        if started.is_none() {
            latest.borrow().emit(Err(lost("")));
        }
        desk.borrow_mut().worker = started;
    }
    flush(desk);
}

fn flush(desk: &Rc<RefCell<Desk>>) {
    let mut desk = desk.borrow_mut();
    if !desk.is_ready {
        return;
    }
    let waiting = std::mem::take(&mut desk.waiting);
    if let Some(worker) = &desk.worker {
        waiting.iter().for_each(|text| worker.ask(text, None));
    }
}

fn hear(desk: &Weak<RefCell<Desk>>, latest: &Rc<RefCell<Callback<Heard>>>, event: &WorkerEvent) {
    let Some(desk) = desk.upgrade() else { return };
    let tell = |heard: Heard| {
        let callback = latest.borrow().clone();
        callback.emit(heard);
    };
    match event {
        WorkerEvent::Ready => {
            desk.borrow_mut().is_ready = true;
            flush(&desk);
        }
        WorkerEvent::Progress(_) => {}
        WorkerEvent::Response { text, .. } => tell(match serde_json::from_str(text) {
            Ok(Response::Lesson(response)) => Ok(response),
            Ok(Response::Refused(error)) => Err(error),
            _ => Err(lost("")),
        }),
        WorkerEvent::Lost(failure) => {
            *desk.borrow_mut() = Desk::default();
            tell(Err(lost(failure)));
        }
        WorkerEvent::NotLoaded => {
            *desk.borrow_mut() = Desk::default();
            tell(Err(lost(crate::text::SIMULATOR_NOT_LOADED)));
        }
    }
}

fn lost(failure: &str) -> Error {
    Error::new(words::LOST, failure, words::LOST_HELP)
}

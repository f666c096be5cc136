//! The simulator's web worker, and the files sent to it.

use super::window;
use js_sys::{Array, Uint8Array};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, MessageEvent, Worker};

/// Files of a program, of a trace, or outputs of benchmarks. They may be large, so only the worker
/// reads them as a whole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Files(pub(crate) Vec<File>);

impl Files {
    /// A file with this name and text.
    pub(crate) fn of_text(name: &str, text: &str) -> Option<Self> {
        let parts = Array::of1(&JsValue::from_str(text));
        File::new_with_str_sequence(&parts, name).ok().map(|file| Files(vec![file]))
    }

    /// Files with these names and bytes.
    pub(crate) fn of_bytes(files: &[(&str, &[u8])]) -> Option<Self> {
        let file = |(name, bytes): &(&str, &[u8])| {
            let parts = Array::of1(&Uint8Array::from(*bytes));
            File::new_with_u8_array_sequence(&parts, name).ok()
        };
        files.iter().map(file).collect::<Option<Vec<File>>>().map(Files)
    }

    /// Renames files.
    pub(crate) fn named(files: &[(String, File)]) -> Self {
        let named = |(name, file): &(String, File)| {
            if file.name() == *name {
                return file.clone();
            }
            let named = File::new_with_blob_sequence(&Array::of1(file), name);
            named.unwrap_or_else(|_| file.clone())
        };
        Files(files.iter().map(named).collect())
    }

    /// The name of the first file, and the number of others.
    pub(crate) fn name(&self) -> (String, usize) {
        let first = self.0.first().map(File::name).unwrap_or_default();
        (first, self.0.len().saturating_sub(1))
    }
}

/// The first bytes of a file; empty if it cannot be read.
pub(crate) async fn head(file: &File, most: u32) -> Vec<u8> {
    let Ok(begin) = file.slice_with_i32_and_i32(0, most as i32) else { return Vec::new() };
    let bytes = JsFuture::from(begin.array_buffer()).await;
    bytes.map(|bytes| Uint8Array::new(&bytes).to_vec()).unwrap_or_default()
}

/// An event of the worker.
#[derive(Debug)]
pub(crate) enum WorkerEvent {
    /// The worker is ready for requests.
    Ready,
    /// Progress of the request, from 0 to 1.
    Progress(f64),
    Response {
        /// JSON.
        text: String,
        /// Binary data of the response.
        shares: Vec<u8>,
        /// Duration of the request.
        milliseconds: f64,
    },
    /// The worker has crashed, with this message.
    Lost(String),
    /// The worker failed before its first request: its files could not be loaded.
    NotLoaded,
}

/// A web worker; dropping it interrupts its request and frees its memory.
#[derive(Debug)]
pub(crate) struct WebWorker {
    worker: Worker,
    _on_event: Closure<dyn FnMut(MessageEvent)>,
    _fail: Closure<dyn FnMut()>,
}

impl WebWorker {
    /// Starts a worker; `None` if the browser cannot.
    pub(crate) fn start(on_event: impl Fn(WorkerEvent) + Clone + 'static) -> Option<Self> {
        let worker = Worker::new(&script()?).ok()?;
        let is_ready = Rc::new(Cell::new(false));
        let on_event = move |event| match event {
            WorkerEvent::Lost(_) if !is_ready.get() => on_event(WorkerEvent::NotLoaded),
            event => {
                is_ready.set(true);
                on_event(event);
            }
        };
        let fail = {
            let on_event = on_event.clone();
            Closure::<dyn FnMut()>::new(move || on_event(WorkerEvent::Lost(String::new())))
        };
        let on_event = Closure::<dyn FnMut(_)>::new(move |event: MessageEvent| {
            on_event(read_event(&event.data()))
        });
        worker.set_onmessage(Some(on_event.as_ref().unchecked_ref()));
        worker.set_onerror(Some(fail.as_ref().unchecked_ref()));
        Some(WebWorker { worker, _on_event: on_event, _fail: fail })
    }

    /// Sends a request, with files to open before it.
    pub(crate) fn send(&self, request: &str, files: Option<&Files>) {
        let files =
            files.map_or(JsValue::NULL, |Files(files)| files.iter().collect::<Array>().into());
        // A request that cannot be sent gets no response; the reader can cancel it.
        let _ = self.worker.post_message(&Array::of2(&JsValue::from_str(request), &files));
    }
}

impl Drop for WebWorker {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// Address of the worker's script, from the page.
fn script() -> Option<String> {
    let named = window()?.document()?.query_selector("meta[name=loggia-worker]").ok()??;
    named.get_attribute("content")
}

fn read_event(data: &JsValue) -> WorkerEvent {
    if data.is_null() {
        return WorkerEvent::Ready;
    }
    if let Some(share) = data.as_f64() {
        return WorkerEvent::Progress(share);
    }
    if let Some(failure) = data.as_string() {
        return WorkerEvent::Lost(failure);
    }
    let parts = Array::from(data);
    WorkerEvent::Response {
        text: parts.get(0).as_string().unwrap_or_default(),
        shares: Uint8Array::new(&parts.get(1)).to_vec(),
        milliseconds: parts.get(2).as_f64().unwrap_or_default(),
    }
}

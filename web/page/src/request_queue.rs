//! The queue of requests to the worker: one at a time, the newest first. If a slow request is
//! stale, the worker is replaced.

use crate::browser::{Files, WebWorker, WorkerEvent};
use loggia_worker::Request;
use std::collections::VecDeque;

/// Requests about a question `Q`, each with a query `W`.
pub(super) struct RequestQueue<Q, W> {
    start: Box<dyn Fn() -> Option<WebWorker>>,
    /// Builds a request.
    request: fn(&Q, &W) -> Request,
    worker: Option<WebWorker>,
    /// Whether the worker is ready.
    is_ready: bool,
    /// The files open in the worker.
    opened: Option<Files>,
    question: Option<(Q, Option<Files>)>,
    /// The running query, and whether it belongs to the current question.
    pub(super) running: Option<(W, bool)>,
    waiting: VecDeque<W>,
    /// Number of requests so far.
    pub(super) count: u32,
}

impl<Q: PartialEq, W: Clone> RequestQueue<Q, W> {
    /// Creates a queue; `start` starts a worker.
    pub(super) fn new(
        start: impl Fn() -> Option<WebWorker> + 'static,
        request: fn(&Q, &W) -> Request,
    ) -> Self {
        RequestQueue {
            start: Box::new(start),
            request,
            worker: None,
            is_ready: false,
            opened: None,
            question: None,
            running: None,
            waiting: VecDeque::new(),
            count: 0,
        }
    }

    /// Whether the question differs from the current one.
    pub(super) fn is_new(&self, question: &Q, files: &Option<Files>) -> bool {
        self.question.as_ref().is_none_or(|(now, open)| now != question || open != files)
    }

    /// Changes the question. The response to a running request will be ignored.
    pub(super) fn set_question(&mut self, question: Q, files: Option<Files>, first: Vec<W>) {
        self.question = Some((question, files));
        if let Some((_, is_current)) = &mut self.running {
            *is_current = false;
        }
        self.waiting = VecDeque::from(first);
        self.send_next();
    }

    /// Adds queries about the current question.
    pub(super) fn add(&mut self, queries: Vec<W>) {
        self.waiting.extend(queries);
        self.send_next();
    }

    /// Puts a query first, and removes similar ones.
    pub(super) fn add_first(&mut self, query: W, is_similar: fn(&W) -> bool) {
        self.waiting.retain(|other| !is_similar(other));
        self.waiting.push_front(query);
        self.send_next();
    }

    /// Handles an event of the worker; returns the query of a response.
    pub(super) fn handle(&mut self, event: &WorkerEvent) -> Option<W> {
        match event {
            WorkerEvent::Ready => self.is_ready = true,
            WorkerEvent::Progress(_) => {}
            WorkerEvent::Lost(_) | WorkerEvent::NotLoaded => self.end(),
            WorkerEvent::Response { .. } => {
                let (query, is_current) = self.running.take()?;
                // The caller may add requests before the next one starts.
                return is_current.then_some(query);
            }
        }
        None
    }

    /// Ends the worker and drops all queries.
    pub(super) fn end(&mut self) {
        self.waiting.clear();
        self.stop();
    }

    /// Replaces the worker by a new one, which continues with the waiting queries.
    pub(super) fn restart(&mut self) {
        self.stop();
        self.send_next();
    }

    fn stop(&mut self) {
        (self.worker, self.is_ready, self.opened, self.running) = (None, false, None, None);
    }

    /// Forgets the open file, since the worker has refused it.
    pub(super) fn forget_file(&mut self) {
        self.opened = None;
    }

    /// Sends the next request, if none is running.
    pub(super) fn send_next(&mut self) {
        if self.waiting.is_empty() || self.running.is_some() {
            return;
        }
        if self.worker.is_none() {
            self.worker = (self.start)();
        }
        let (Some(worker), true, Some((question, files))) =
            (&self.worker, self.is_ready, &self.question)
        else {
            return;
        };
        let Some(query) = self.waiting.pop_front() else { return };
        let request = (self.request)(question, &query);
        let file = files.as_ref().filter(|files| self.opened.as_ref() != Some(files));
        // A request always serialises.
        worker.send(&serde_json::to_string(&request).unwrap_or_default(), file);
        if let Some(file) = file {
            self.opened = Some(file.clone());
        }
        self.running = Some((query, true));
        self.count += 1;
    }

    /// Whether there is a worker, or can be one.
    pub(super) fn is_possible(&self) -> bool {
        self.worker.is_some() || self.waiting.is_empty()
    }
}

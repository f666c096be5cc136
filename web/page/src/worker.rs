//! The queue of requests to the worker: one at a time, the latest first. A slow stale request ends
//! the worker.

use crate::browser::{Files, Thread, WorkerEvent};
use loggia_worker::Request;
use std::collections::VecDeque;

/// Requests about a question `Q`, each with a query `W`.
pub(super) struct RequestQueue<Q, W> {
    start: Box<dyn Fn() -> Option<Thread>>,
    /// Builds a request.
    request: fn(&Q, &W) -> Request,
    thread: Option<Thread>,
    /// Whether the worker is ready.
    is_ready: bool,
    /// The files open in the worker.
    opened: Option<Files>,
    question: Option<(Q, Option<Files>)>,
    /// The running query, and whether it belongs to the current question.
    pub(super) asked: Option<(W, bool)>,
    waiting: VecDeque<W>,
    /// Number of requests so far.
    pub(super) count: u32,
}

impl<Q: PartialEq, W: Clone> RequestQueue<Q, W> {
    /// Creates a queue; `start` starts a worker.
    pub(super) fn new(
        start: impl Fn() -> Option<Thread> + 'static,
        request: fn(&Q, &W) -> Request,
    ) -> Self {
        RequestQueue {
            start: Box::new(start),
            request,
            thread: None,
            is_ready: false,
            opened: None,
            question: None,
            asked: None,
            waiting: VecDeque::new(),
            count: 0,
        }
    }

    /// Whether the question differs from the current one.
    pub(super) fn is_new(&self, question: &Q, goal: &Option<Files>) -> bool {
        self.question.as_ref().is_none_or(|(now, open)| now != question || open != goal)
    }

    /// Changes the question. The response to a running request will be ignored.
    pub(super) fn ask_about(&mut self, question: Q, goal: Option<Files>, first: Vec<W>) {
        self.question = Some((question, goal));
        if let Some((_, is_current)) = &mut self.asked {
            *is_current = false;
        }
        self.waiting = VecDeque::from(first);
        self.go_on();
    }

    /// Adds queries about the current question.
    pub(super) fn want(&mut self, wants: Vec<W>) {
        self.waiting.extend(wants);
        self.go_on();
    }

    /// Puts a query first, and removes similar ones.
    pub(super) fn want_first(&mut self, want: W, is_like_it: fn(&W) -> bool) {
        self.waiting.retain(|other| !is_like_it(other));
        self.waiting.push_front(want);
        self.go_on();
    }

    /// Handles an event of the worker; returns the query of a response.
    pub(super) fn hear(&mut self, heard: &WorkerEvent) -> Option<W> {
        match heard {
            WorkerEvent::Ready => self.is_ready = true,
            WorkerEvent::Progress(_) => {}
            WorkerEvent::Lost(_) | WorkerEvent::NotLoaded => self.end(),
            WorkerEvent::Response { .. } => {
                let (want, is_current) = self.asked.take()?;
                // The caller may add requests before the next one starts.
                return is_current.then_some(want);
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
    pub(super) fn begin_anew(&mut self) {
        self.stop();
        self.go_on();
    }

    fn stop(&mut self) {
        (self.thread, self.is_ready, self.opened, self.asked) = (None, false, None, None);
    }

    /// Forgets the open file, since the worker has refused it.
    pub(super) fn forget_file(&mut self) {
        self.opened = None;
    }

    /// Sends the next request, if none is running.
    pub(super) fn go_on(&mut self) {
        if self.waiting.is_empty() || self.asked.is_some() {
            return;
        }
        if self.thread.is_none() {
            self.thread = (self.start)();
        }
        let (Some(thread), true, Some((question, goal))) =
            (&self.thread, self.is_ready, &self.question)
        else {
            return;
        };
        let Some(want) = self.waiting.pop_front() else { return };
        let request = (self.request)(question, &want);
        let file = goal.as_ref().filter(|goal| self.opened.as_ref() != Some(goal));
        // A request always serialises.
        thread.ask(&serde_json::to_string(&request).unwrap_or_default(), file);
        if let Some(file) = file {
            self.opened = Some(file.clone());
        }
        self.asked = Some((want, true));
        self.count += 1;
    }

    /// Whether there is a worker, or can be one.
    pub(super) fn is_possible(&self) -> bool {
        self.thread.is_some() || self.waiting.is_empty()
    }
}

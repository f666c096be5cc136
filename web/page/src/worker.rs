//! The queue of requests to the worker: one at a time, the latest first. A request that takes too
//! long ends the worker.

use crate::browser::{Files, Thread, WorkerEvent};
use loggia_worker::Request;
use std::collections::VecDeque;

/// Who talks: about questions of some kind, of which more or less is wanted.
pub(super) struct RequestQueue<Q, W> {
    start: Box<dyn Fn() -> Option<Thread>>,
    /// What the thread is told.
    request: fn(&Q, &W) -> Request,
    thread: Option<Thread>,
    /// Whether the thread has said that it can be asked.
    is_ready: bool,
    /// The file that the thread has open.
    opened: Option<Files>,
    question: Option<(Q, Option<Files>)>,
    /// What is being answered, and whether for the present question.
    pub(super) asked: Option<(W, bool)>,
    waiting: VecDeque<W>,
    /// Counts what was asked.
    pub(super) count: u32,
}

impl<Q: PartialEq, W: Clone> RequestQueue<Q, W> {
    /// With threads that are started so.
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

    /// Whether the question is another than the present one.
    pub(super) fn is_new(&self, question: &Q, goal: &Option<Files>) -> bool {
        self.question.as_ref().is_none_or(|(now, open)| now != question || open != goal)
    }

    /// Asks that of something else. Whatever is still being answered is of no use any more.
    pub(super) fn ask_about(&mut self, question: Q, goal: Option<Files>, first: Vec<W>) {
        self.question = Some((question, goal));
        if let Some((_, is_current)) = &mut self.asked {
            *is_current = false;
        }
        self.waiting = VecDeque::from(first);
        self.go_on();
    }

    /// Wants more of the present question.
    pub(super) fn want(&mut self, wants: Vec<W>) {
        self.waiting.extend(wants);
        self.go_on();
    }

    /// Wants this before everything else, and not what is like it.
    pub(super) fn want_first(&mut self, want: W, is_like_it: fn(&W) -> bool) {
        self.waiting.retain(|other| !is_like_it(other));
        self.waiting.push_front(want);
        self.go_on();
    }

    /// What the thread says: an answer, with what was wanted.
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

    /// Ends the thread, and with it what it was at. Nothing waits any more.
    pub(super) fn end(&mut self) {
        self.waiting.clear();
        self.stop();
    }

    /// Ends the thread and goes on with what waits in another.
    pub(super) fn begin_anew(&mut self) {
        self.stop();
        self.go_on();
    }

    fn stop(&mut self) {
        (self.thread, self.is_ready, self.opened, self.asked) = (None, false, None, None);
    }

    /// The file is not open after all: the thread has refused it.
    pub(super) fn forget_file(&mut self) {
        self.opened = None;
    }

    /// Asks the next, if nothing is being answered.
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
        // A request is always JSON.
        thread.ask(&serde_json::to_string(&request).unwrap_or_default(), file);
        if let Some(file) = file {
            self.opened = Some(file.clone());
        }
        self.asked = Some((want, true));
        self.count += 1;
    }

    /// Whether there is a browser's thread to talk to, or will be.
    pub(super) fn is_possible(&self) -> bool {
        self.thread.is_some() || self.waiting.is_empty()
    }
}

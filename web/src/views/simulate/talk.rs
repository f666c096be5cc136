//! The conversation with the simulator: one question at a time, the latest first; what takes too
//! long is ended with its thread.

use crate::browser::{Files, Heard, Thread};
use loggia_model::simulate::desk::{Question, Request, Want};
use std::collections::VecDeque;

/// Who talks.
pub(super) struct Talk {
    start: Box<dyn Fn() -> Option<Thread>>,
    thread: Option<Thread>,
    /// Whether the thread has said that it can be asked.
    is_ready: bool,
    /// The file that the thread has open.
    opened: Option<Files>,
    question: Option<(Question, Option<Files>)>,
    /// What is being answered, and whether for the present question.
    pub(super) asked: Option<(Want, bool)>,
    waiting: VecDeque<Want>,
    /// Counts what was asked.
    pub(super) count: u32,
}

impl Talk {
    /// With threads that are started so.
    pub(super) fn new(start: impl Fn() -> Option<Thread> + 'static) -> Self {
        Talk {
            start: Box::new(start),
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
    pub(super) fn is_new(&self, question: &Question, goal: &Option<Files>) -> bool {
        self.question.as_ref().is_none_or(|(now, open)| now != question || open != goal)
    }

    /// Asks about something else. Whatever is still being answered is of no use any more.
    pub(super) fn ask_about(&mut self, question: Question, goal: Option<Files>) {
        self.question = Some((question, goal));
        if let Some((_, is_current)) = &mut self.asked {
            *is_current = false;
        }
        self.waiting = VecDeque::from([Want::End]);
        self.go_on();
    }

    /// Wants more of the present question.
    pub(super) fn want(&mut self, wants: Vec<Want>) {
        self.waiting.extend(wants);
        self.go_on();
    }

    /// Wants another part of the timeline, before everything else.
    pub(super) fn look(&mut self, want: Want) {
        self.waiting.retain(|other| !matches!(other, Want::Sight(_) | Want::Calls(_)));
        self.waiting.push_front(want);
        self.go_on();
    }

    /// What the thread says: an answer, with what was wanted.
    pub(super) fn hear(&mut self, heard: &Heard) -> Option<Want> {
        match heard {
            Heard::Ready => self.is_ready = true,
            Heard::Progress(_) => {}
            Heard::Lost(_) => self.end(),
            Heard::Told { .. } => {
                let (want, is_current) = self.asked.take()?;
                // Whoever hears may ask for more before the next is asked.
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
        let request = Request::Run { question: Box::new(question.clone()), want: want.clone() };
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

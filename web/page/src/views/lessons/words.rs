//! Texts of lessons.

use loggia_worker::class::{Class, ClassStep};
use loggia_worker::presentation::{MarkKind, Status};

pub(crate) const TITLE: &str = "Lessons";
pub(crate) const ABOUT: &str = "Eight short lessons, from four numbers to the limit of a program. \
    In each step you answer first, then the model does.";
pub(crate) const LOADING: &str = "Loading …";
pub(crate) const START: &str = "Start";
pub(crate) const CONTINUE: &str = "Continue";
pub(crate) const OPEN: &str = "Open again";
pub(crate) const LOST: &str = "the lesson could not be computed";
pub(crate) const LOST_HELP: &str = "check the connection, then reload the page";
pub(crate) const PARAMETERS: &str = "Parameters of the machines";
pub(crate) const MACHINE: &str = "Machine";
pub(crate) const UNKNOWN: &str = "unknown";
pub(crate) const STEPS: &str = "Steps of this lesson";
pub(crate) const ALL: &str = "All lessons";
pub(crate) const ANSWER: &str = "Answer";
pub(crate) const GIVE_UP: &str = "Give up";
pub(crate) const BACK: &str = "Back";
pub(crate) const NEXT: &str = "Next";
pub(crate) const RIGHT_SIGN: &str = "✓";
pub(crate) const WRONG_SIGN: &str = "✗";
pub(crate) const RIGHT: &str = "✓ Right.";
pub(crate) const WRONG: &str = "✗ Not yet.";
pub(crate) const WRONG_TO_THE_END: &str = "✗ Not right.";
pub(crate) const HINT: &str = "Hint: ";
pub(crate) const THE_ANSWER: &str = "Answer: ";
pub(crate) const SHOW_ME: &str = "Show me";
pub(crate) const CHANGED: &str =
    "You have changed values: the view below no longer shows the question. ";
pub(crate) const BACK_TO_QUESTION: &str = "Back to the values of the question";
pub(crate) const YOUR_NUMBER: &str = "Your answer, a number";
pub(crate) const YOUR_TEXT: &str = "Your answer";
pub(crate) const NO_NUMBER: &str = " Type a number.";
pub(crate) const BAND: &str = "Answers in the grey band are accepted.";
pub(crate) const RESET: &str = "Reset";
pub(crate) const EARLIER: &str = "Move up";
pub(crate) const LATER: &str = "Move down";
pub(crate) const MY_ANSWERS: &str = "My answers";
pub(crate) const MY_ANSWERS_ABOUT: &str = "This code holds your first answers and how often you \
    tried. Send it to your teacher. Everybody who has the code can read your answers.";
pub(crate) const MY_NAME: &str = "Name or nickname ";
pub(crate) const COPY_CODE: &str = "Copy code";
pub(crate) const KEPT: &str = "Your progress is kept on this device. ";
pub(crate) const NOT_KEPT: &str =
    "Your progress is in the address: bookmark it to continue later. ";
pub(crate) const KEEP: &str = "Remember on this device";
pub(crate) const FORGET: &str = "Forget";
pub(crate) const CLASS: &str = "For teachers: answers of a class";
pub(crate) const CLASS_ABOUT: &str = "Paste a chat, or any text with the codes of your students. \
    Nothing leaves this page.";
pub(crate) const CLASS_LESSON: &str = "Lesson ";
pub(crate) const CLASS_CODES: &str = "Codes ";
pub(crate) const CLASS_COUNT: &str = "Count answers";

pub(crate) const CLASS_ORDER: &str = "Order ";
pub(crate) const CLASS_BY_STEP: &str = "by step";
pub(crate) const CLASS_BY_SHARE: &str = "by share of right first answers";
pub(crate) const CLASS_COPY: &str = "Copy CSV";
pub(crate) const CLASS_SAVE: &str = "Save CSV";

/// A number with three digits.
pub(crate) fn number(value: f64) -> String {
    loggia_model::units::words::number(value, 3)
}

/// First answers on their axis.
pub(crate) fn class_numbers(numbers: &[f64], [low, high]: [f64; 2]) -> String {
    let right = numbers.iter().filter(|value| (low..=high).contains(*value)).count();
    let [low, high] = [low, high].map(number);
    format!("{} first answers; {right} from {low} to {high}, which is accepted", numbers.len())
}

/// The accepted band, and the number of answers outside the axis.
pub(crate) fn class_band([low, high]: [f64; 2], left_out: usize) -> String {
    let band =
        format!("Each dot is a first answer. Accepted: {} to {}.", number(low), number(high));
    match left_out {
        0 => band,
        1 => format!("{band} 1 answer is 0 or negative."),
        more => format!("{band} {more} answers are 0 or negative."),
    }
}

pub(crate) const TEACH: &str = "For teachers: make a lesson";
pub(crate) const TEACH_ABOUT: &str = "Set up a view as students should see it, copy its link and add it \
    as a step. Then change the texts. The model computes every answer.";
pub(crate) const TEACH_LINK: &str = "Link to a view ";
pub(crate) const TEACH_ADD: &str = "Add as a step";
pub(crate) const TEACH_TEXT: &str = "The lesson ";
pub(crate) const TEACH_OPEN: &str = "Open as a student";
pub(crate) const TEACH_FILE: &str = "Save the lesson";
pub(crate) const TEACH_PAGE: &str = "Save as one page";
pub(crate) const REVEAL: &str = "Reveal (space)";

/// The choice of a view of the loaded machine.
pub(crate) fn teach_loaded(machine: &str) -> String {
    format!("Or {machine}, as it is loaded, in the view ")
}

/// An input of the question.
pub(crate) fn input(name: &str) -> String {
    match name {
        "bytes" => "Message size",
        "style" => "Send mode",
        "procs" => "Ranks",
        "op" => "Operation",
        "count" => "Messages",
        "compute" => "Computation per message, µs",
        "send_at" => "Sender begins at, µs",
        "recv_at" => "Receiver begins at, µs",
        "send_compute" => "Sender computes for, µs",
        "recv_compute" => "Receiver computes for, µs",
        "nodes" => "Ranks per node",
        "rules" => "Simulation model",
        name => return name.replace('_', " "),
    }
    .to_owned()
}

/// Duration and number of steps of a lesson.
pub(crate) fn length(minutes: u64, steps: usize) -> String {
    format!("{minutes} minutes, {steps} steps")
}

/// The student's progress.
pub(crate) fn place(at: u32, steps: usize) -> String {
    if at as usize == steps {
        " · you have reached the last step".to_owned()
    } else {
        format!(" · you are at step {at} of {steps}")
    }
}

pub(crate) fn tries(left: u8) -> String {
    match left {
        1 => "1 try left".to_owned(),
        left => format!("{left} tries left"),
    }
}

/// The result of a lesson.
pub(crate) fn end(statuses: &[Status]) -> String {
    let count = |is: &[Status]| statuses.iter().filter(|status| is.contains(status)).count();
    let first = count(&[Status::RightAtFirst]);
    let open = count(&[Status::Open, Status::Tried]);
    let left = if open > 0 { format!(" {open} are still open.") } else { String::new() };
    format!(
        "This was the last step of the lesson. You had {first} of {} right at the first try.{left}",
        statuses.len()
    )
}

/// The button to the next lesson.
pub(crate) fn next_lesson(title: &str) -> String {
    format!("Next lesson: {title}")
}

/// A sign for a status, and its meaning.
pub(crate) fn status(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Open => ("", "not answered"),
        Status::Tried => ("…", "tried"),
        Status::RightAtFirst => ("✓", "right at the first try"),
        Status::Right => ("✓", "right"),
        Status::Shown => ("✗", "answer shown"),
    }
}

pub(crate) fn mark(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::FirstAnswer => "your first answer",
        MarkKind::RightAnswer => "model",
    }
}

/// The label of a field that may be changed.
pub(crate) fn free(key: &str) -> String {
    match key {
        "bytes" => "Message size ".to_owned(),
        "procs" => "Ranks p ".to_owned(),
        key => format!("{key} "),
    }
}

/// A value with its unit, as it can be typed.
pub(crate) fn set_to(key: &str, value: f64) -> String {
    let unit = unit(key);
    let value = match unit {
        "ns" => rounded(value * 1000.0),
        "µs" => rounded(value),
        _ => value,
    };
    format!("{value}{unit}")
}

/// The unit of a field.
pub(crate) fn unit(key: &str) -> &'static str {
    match key {
        "G" | "t_b" => "ns",
        "L" | "o" | "o_s" | "o_r" | "g" | "EEL" | "t_s" | "O'" | "O_control" | "O_i" | "O_c" => {
            "µs"
        }
        "compute" | "send_compute" | "recv_compute" | "send_at" | "recv_at" => "µs",
        _ => "",
    }
}

/// Four digits, without separators.
fn rounded(value: f64) -> f64 {
    let text = format!("{value:.3e}");
    text.parse().unwrap_or(value)
}

/// An example of a typed value.
pub(crate) fn example(key: &str) -> &'static str {
    match key {
        "bytes" | "S" => " such as 4096 or 16KiB",
        "procs" => " such as 1024",
        key => match unit(key) {
            "ns" => " per byte, such as 5ns",
            "µs" => " such as 2.5µs",
            _ => "",
        },
    }
}

fn codes(count: usize) -> String {
    if count == 1 { "1 code is".to_owned() } else { format!("{count} codes are") }
}

/// Remarks on the codes.
pub(crate) fn remarks(class: &Class) -> Vec<String> {
    let mut remarks = Vec::new();
    if class.replaced > 0 {
        remarks.push(format!("{} replaced by a later one of the same name", codes(class.replaced)));
    }
    if class.of_other_lessons > 0 {
        let count = class.of_other_lessons;
        remarks
            .push(format!("{} of another lesson, or of another version of this one", codes(count)));
    }
    if !class.damaged.is_empty() {
        remarks.push(format!("damaged codes: {}", class.damaged.join(", ")));
    }
    remarks
}

/// The result of a class in a step.
pub(crate) fn class_step(step: &ClassStep) -> String {
    format!(
        "{} answered; right at the first try {}, in the end {}; with a hint {}; gave up {}",
        step.answered, step.right_at_first, step.right_at_last, step.with_hint, step.gave_up
    )
}

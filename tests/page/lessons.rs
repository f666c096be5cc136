//! All lessons, with right answers and with known wrong answers; codes; hidden answers.

use crate::accessible::Checker;
use crate::browser::{Page, visit};
use crate::frame::press;
use crate::sharing::click;
use crate::{PATIENCE, address_of, link, loggia, until, wait};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The right answers of a lesson, from the command, which computes them once for all tests.
fn answers(lesson: &str) -> Vec<Value> {
    static KNOWN: Mutex<BTreeMap<String, Value>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().expect("an earlier lesson could not be checked");
    let checked = known
        .entry(lesson.to_owned())
        .or_insert_with(|| loggia(&["lesson", "check", lesson, "--json"]));
    checked["answers"].as_array().expect("answers").clone()
}

fn names() -> Vec<String> {
    let lessons = loggia(&["lesson", "list", "--json"]);
    let name = |lesson: &Value| lesson["name"].as_str().expect("a name").to_owned();
    lessons.as_array().expect("a list").iter().map(name).collect()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().expect("a text")
}

/// A text as shown in the page, where `o_s` has a subscript.
fn displayed(text: &str) -> String {
    let mut displayed = String::new();
    let mut word = 0;
    for c in text.chars() {
        // `MPI_Send` is a name.
        if c != '_' || word > 1 {
            displayed.push(c);
        }
        word = if c.is_ascii_alphabetic() || c == '_' && word > 1 { word + 1 } else { 0 };
    }
    displayed
}

/// Waits until an element's text contains this.
pub(crate) async fn wait_for_text(page: &Page, selector: &str, expected: &str) {
    let (selector, expected) = (json!(selector), json!(displayed(expected)));
    wait(page, &format!("!!document.querySelector({selector})?.textContent.includes({expected})"))
        .await;
}

/// Waits until this step is open.
pub(crate) async fn at_step(page: &Page, at: usize) {
    page.find(&format!("#lesson[data-step='{at}'] .lesson-submit")).await;
}

/// Presses a button, even outside the visible part of the page.
pub(crate) async fn press_button(page: &Page, selector: &str) {
    page.find(selector).await;
    page.evaluate(&format!("document.querySelector('{selector}').click()")).await;
}

/// Replaces the text of a field.
pub(crate) async fn type_over(page: &Page, selector: &str, text: &str) {
    let field = page.find(selector).await;
    field.click().await.expect("a click");
    page.evaluate("document.activeElement.select()").await;
    field.send_keys(text).await.expect("keys");
}

/// Enters an answer in the command's wording, and submits it.
pub(crate) async fn answer(page: &Page, kind: &str, given: &str, right: &str) {
    match kind {
        "choice" => {
            let choose = "(text) => [...document.querySelectorAll('.lesson-option')]
                .find(label => label.textContent === text).querySelector('input').click()";
            page.call(choose, &[json!(displayed(given))]).await;
        }
        "number" => {
            let number = given.split(' ').next().expect("a number");
            let field = page.find("#lesson-number").await;
            field.clear().await.expect("an empty field");
            field.send_keys(number).await.expect("keys");
        }
        "order" => order(page, given, right).await,
        "target" => {
            let (key, value) = given.split_once(" = ").expect("a value");
            type_over(page, &format!("#free-{key}"), value).await;
            page.find("h1").await.click().await.expect("a click");
        }
        other => unreachable!("no such kind: {other}"),
    }
    press_button(page, ".lesson-submit").await;
}

/// Moves options into an order such as `a (1) < b (2)`. A wrong order puts one option `first` or
/// `last` and leaves the other options in the right order.
async fn order(page: &Page, given: &str, right: &str) {
    let up = "(text, to) => {
        const place = () => [...document.querySelectorAll('.lesson-order li span')]
            .findIndex(one => one.textContent === text);
        if (place() === to) return true;
        const item = document.querySelectorAll('.lesson-order li')[place()];
        item.querySelectorAll('button')[place() > to ? 0 : 1].click();
        return false;
    }";
    // An option's name may also contain brackets: its value is the last part in brackets.
    let name = |option: &str| option.rsplit_once(" (").expect("a value").0.to_owned();
    let mut names: Vec<String> = right.split(" < ").map(name).collect();
    if let Some((moved, place)) = given.rsplit_once(' ').filter(|_| given != right) {
        names.retain(|name| name != moved);
        let place = if place == "first" { 0 } else { names.len() };
        names.insert(place, moved.to_owned());
    }
    let targets = names.into_iter().enumerate().map(|(at, name)| (name, at as i64));
    for (name, place) in targets {
        for _ in 0..20 {
            if page.call(up, &[json!(displayed(&name)), json!(place)]).await == json!(true) {
                break;
            }
            // The page draws the new order.
            page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))")
                .await;
        }
    }
}

/// Before the reveal, the document must not contain the number of the answer, except in a question
/// or an option.
async fn does_not_leak(page: &Page, step: &Value) {
    let shown = text(step, "answer").split(' ').next().expect("a number");
    if text(step, "kind") != "number" || shown.len() < 3 {
        return;
    }
    let rest = "(shown) => {
        const copy = document.documentElement.cloneNode(true);
        for (const excepted of copy.querySelectorAll(
            '.lesson-question, .lesson-option, .lesson-text, legend, .parameters, label.machine, ' +
            'script, style'
        )) excepted.remove();
        return new RegExp('(^|[^\\\\d.,])' + shown.replace('.', '\\\\.') + '($|[^\\\\d.,])').test(copy.textContent);
    }";
    assert_eq!(
        page.call(rest, &[json!(shown)]).await,
        json!(false),
        "{shown} is in the document: {step}"
    );
}

/// Takes a lesson. Each step gets up to `wrong_answers` wrong answers, then the right answer. `check`
/// runs before and after the right answer.
async fn take(page: &Page, lesson: &str, wrong_answers: usize, mut check: impl AsyncFnMut(String)) {
    let steps = answers(lesson);
    page.open(&format!("#lesson={lesson}")).await;
    for (place, step) in steps.iter().enumerate() {
        let (at, kind) = (place + 1, text(step, "kind"));
        at_step(page, at).await;
        wait_for_text(page, "#lesson-question", text(step, "question")).await;
        does_not_leak(page, step).await;
        check(format!("{lesson}, {at}")).await;
        let wrong = step["wrong"].as_array().expect("a list").iter();
        let wrong: Vec<&Value> = wrong
            .filter(|wrong| kind != "target" && !text(wrong, "answer").is_empty())
            .take(wrong_answers)
            .collect();
        for wrong in &wrong {
            answer(page, kind, text(wrong, "answer"), text(step, "answer")).await;
            wait_for_text(page, ".lesson-feedback", text(wrong, "feedback")).await;
            assert!(page.text(".lesson-feedback").await.contains("✗"), "{lesson} {at}");
        }
        answer(page, kind, text(step, "answer"), text(step, "answer")).await;
        wait_for_text(page, ".lesson-reveal", text(step, "reveal")).await;
        assert!(page.text(".lesson-feedback").await.contains("✓ Right."), "{lesson} {at}");
        check(format!("{lesson}, {at}, answered")).await;
        if at < steps.len() {
            press_button(page, ".lesson-next").await;
        }
    }
}

/// The student's code, with a name.
pub(crate) async fn code(page: &Page, name: &str) -> String {
    page.evaluate("document.querySelector('.my-answers').open = true").await;
    let field = page.find("#my-name").await;
    field.send_keys(name).await.expect("keys");
    wait_for_text(page, "#my-code", name).await;
    page.text("#my-code").await
}

/// Counts of the command for these codes.
fn class(lesson: &str, codes: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let chat = folder.path().join("chat.txt");
    std::fs::write(&chat, codes).expect("a file");
    loggia(&["lesson", "class", lesson, &chat.display().to_string(), "--json"])
}

/// On a telephone: known wrong answers get their feedback and right answers are accepted; every step
/// is accessible and fits the screen, before and after its answer.
#[test]
fn all_lessons_accept_right_answers_and_name_the_mistake_of_wrong_ones() {
    visit("", async |page| {
        page.resize(360, 740).await;
        let axe = Checker::on(page).await;
        let mut faults = Vec::new();
        for lesson in names() {
            take(page, &lesson, 2, async |place| {
                if let Some(axe) = &axe {
                    let found = axe.violations(page).await;
                    faults
                        .extend(found.into_iter().map(|violation| format!("{place}: {violation}")));
                }
                let wide = "document.documentElement.scrollWidth > window.innerWidth";
                if page.evaluate(wide).await == json!(true) {
                    faults.push(format!("{place}: wider than the screen"));
                }
            })
            .await;
            let class = class(&lesson, &code(page, "Ada").await);
            let steps = class["steps"].as_array().expect("steps").clone();
            assert!(steps.iter().all(|step| step["right_at_last"] == json!(1)), "{steps:?}");
            // The answers to targets were right at first.
            let first = steps.iter().filter(|step| step["right_at_first"] == json!(1));
            let targets = steps.iter().filter(|step| step["kind"] == json!("target"));
            assert_eq!(first.count(), targets.count(), "{lesson}");
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    });
}

/// This lesson has steps of all kinds.
#[test]
fn right_answers_count_as_right_at_first() {
    visit("", async |page| {
        take(page, "trees-and-rings", 0, async |_| ()).await;
        let class = class("trees-and-rings", &code(page, "Bob").await);
        let mut kinds = BTreeSet::new();
        for step in class["steps"].as_array().expect("steps") {
            kinds.insert(text(step, "kind"));
            assert_eq!((&step["answered"], &step["right_at_first"]), (&json!(1), &json!(1)));
        }
        assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["choice", "number", "order", "target"]);
    });
}

#[test]
fn giving_up_shows_the_answer_and_the_address_holds_the_progress() {
    visit("#lesson=four-numbers&at=2", async |page| {
        at_step(page, 2).await;
        answer(page, "number", "33.1", "").await;
        wait_for_text(page, ".lesson-feedback", "no processor works on it").await;
        wait_for_text(page, ".lesson-feedback", "Hint").await;
        assert_eq!(
            page.evaluate("document.activeElement.className").await,
            json!("lesson-feedback")
        );
        click(page, ".lesson-give-up").await;
        wait_for_text(page, ".lesson-reveal", "30 µs").await;
        page.find(".lesson-axis .axis-first").await;
        page.find("[data-quantity='predict.p2p.time_us']").await;
        let code = page.evaluate("document.querySelector('#my-code').textContent").await;
        let code = code.as_str().expect("a code").rsplit('·').next().expect("a code").to_owned();
        wait(page, "location.hash.startsWith('#2.')").await;
        let address = address_of(page, "answers", &json!(code)).await;
        page.open(&address).await;
        wait_for_text(page, ".lesson-reveal", "30 µs").await;
        assert_eq!(page.evaluate("!!document.querySelector('.lesson-submit')").await, json!(false));
    });
}

/// The numbers of a view that are nowhere else in the document.
const VIEW_NUMBERS: &str = "(() => {
    const panels = document.querySelector('.panels');
    const around = document.documentElement.outerHTML.replace(panels.innerHTML, '');
    const digits = value => value.replace(/[^0-9]/g, '').replace(/^0+/, '').length;
    return [...new Set([...panels.querySelectorAll('[data-value]')]
        .map(one => one.dataset.value)
        .filter(value => digits(value) >= 4 && !around.includes(value)))];
})()";

/// The numbers of the view, as soon as they stay the same for 300 ms.
async fn settled(page: &Page) -> Value {
    let begin = Instant::now();
    let mut numbers = page.evaluate(VIEW_NUMBERS).await;
    loop {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let next = page.evaluate(VIEW_NUMBERS).await;
        if next == numbers {
            return numbers;
        }
        assert!(begin.elapsed() < PATIENCE, "the numbers do not settle: {numbers}, {next}");
        numbers = next;
    }
}

/// With hidden answers, the document contains no number of the view.
#[test]
fn hidden_answers_are_not_in_the_document() {
    visit("", async |page| {
        let mut counted = 0;
        for (sig, view, set) in [
            ("cray-t3d", "message", &["bytes=1000"][..]),
            ("cray-t3d", "protocols", &["bytes=1000"]),
            ("cray-t3d", "overlap", &["bytes=1000"]),
            ("ap3000-mpi", "collectives", &["op=bcast", "procs=7", "bytes=1000"]),
            ("cray-t3d", "simulate", &["op=bcast", "algorithm=binomial", "procs=16", "bytes=1000"]),
            ("cray-t3d", "plan", &["ranks=4..64"]),
            ("ibm-sp2", "compare", &["bytes=1000"]),
            ("convex-exemplar", "signature", &[]),
        ] {
            page.open(&link(sig, view, set)).await;
            page.find(".panels [data-value]").await;
            wait(page, &format!("{VIEW_NUMBERS}.length > 0")).await;
            let numbers = settled(page).await;
            counted += numbers.as_array().expect("numbers").len();
            let hidden = [set, &["hidden=yes"]].concat();
            page.open(&link(sig, view, &hidden)).await;
            page.find("#asked").await;
            settled(page).await;
            let found = "(numbers) => numbers.filter(value => document.documentElement.outerHTML.includes(value))";
            assert_eq!(page.call(found, &[numbers]).await, json!([]), "{view}");
            let drawn =
                "document.querySelectorAll('.panels :is(canvas, svg, table, output)').length";
            assert_eq!(page.evaluate(drawn).await, json!(0), "{view}");
        }
        assert!(counted > 50, "only {counted} numbers were searched");
    });
}

/// The browser stores progress only on request.
#[test]
fn progress_is_stored_on_request_and_removed() {
    visit("", async |page| {
        page.open("#lesson=four-numbers").await;
        let stored = "localStorage.length";
        at_step(page, 1).await;
        assert_eq!(page.evaluate(stored).await, json!(0));
        click(page, ".lesson-around > button").await;
        click(page, ".lesson-memory button").await;
        wait(page, "localStorage.length === 1").await;
        page.open("").await;
        page.find(".tabs input[value=lessons]").await;
        page.evaluate("document.querySelector('.tabs input[value=lessons]').click()").await;
        wait_for_text(page, ".lessons", "you are at step 1 of 6").await;
        click(page, ".lesson-memory button").await;
        wait(page, "localStorage.length === 0").await;
    });
}

/// Large text, one step per screen; the space bar reveals the answer.
#[test]
fn a_projector_shows_a_step_and_space_reveals_it() {
    visit("#lesson=four-numbers&at=2", async |page| {
        at_step(page, 2).await;
        press(page, "p").await;
        page.find(".projector .lesson-show-room").await;
        for (width, height) in [(1280, 720), (1920, 1080)] {
            page.resize(width, height).await;
            let size =
                "parseFloat(getComputedStyle(document.querySelector('#lesson-question')).fontSize)";
            let size = page.evaluate(size).await.as_f64().expect("a size");
            assert!(size >= 22.0, "{size} px at {width}");
            let bottom = "document.querySelector('.lesson-submit').getBoundingClientRect().bottom";
            let bottom = page.evaluate(bottom).await.as_f64().expect("a place");
            assert!(bottom < f64::from(height), "the answer is at {bottom} of {height}");
        }
        press(page, " ").await;
        wait_for_text(page, ".lesson-reveal", "30 µs").await;
        assert_eq!(page.evaluate("!!document.querySelector('.lesson-next')").await, json!(true));
    });
}

/// A field keeps any typed text; a unit may follow a number.
#[test]
fn a_number_is_typed_without_losing_the_field() {
    visit("#lesson=four-numbers", async |page| {
        at_step(page, 1).await;
        answer(page, "choice", "the processors: o_s + o_r", "").await;
        press_button(page, ".lesson-next").await;
        at_step(page, 2).await;
        let field = page.find("#lesson-number").await;
        let value = "document.querySelector('#lesson-number').value";
        for typed in ["abc", ".5", "1e3", "~30"] {
            field.clear().await.expect("an empty field");
            field.send_keys(typed).await.expect("keys");
            assert_eq!(page.evaluate(value).await, json!(typed));
            assert_eq!(
                page.evaluate("document.activeElement.id").await,
                json!("lesson-number"),
                "{typed}"
            );
        }
        field.clear().await.expect("an empty field");
        field.send_keys("48.7 us").await.expect("keys");
        press_button(page, ".lesson-submit").await;
        wait_for_text(page, ".lesson-feedback", "Not yet").await;
        // The focus is on the feedback: typed digits open no other view.
        page.client.active_element().await.expect("the focus").send_keys("30").await.expect("keys");
        page.find("#lesson[data-step='2'] #lesson-number").await;
        let view = "document.querySelector('.tabs input:checked')?.value ?? ''";
        let before = page.evaluate(view).await;
        assert!(before != json!("figures") && before != json!("overlap"), "{before}");
    });
}

/// The tabulator key, as WebDriver writes it.
const TAB: &str = "\u{e004}";

/// The focus moves to the text of a step that opens, so the next Tab reaches its first option.
#[test]
fn the_focus_moves_to_the_step_that_opens() {
    visit("", async |page| {
        let begins = "document.activeElement.classList.contains('lesson-beginning')";
        click(page, ".begin").await;
        at_step(page, 1).await;
        wait(page, begins).await;
        let focused = page.client.active_element().await.expect("a focused element");
        focused.send_keys(TAB).await.expect("keys");
        assert_eq!(page.evaluate("document.activeElement.type").await, json!("radio"));
        press_button(page, "#lesson .lesson-around li:nth-child(2) button").await;
        at_step(page, 2).await;
        wait(page, begins).await;
    });
}

/// The fields of a target and the page show the same values.
#[test]
fn a_target_has_one_value_in_two_places() {
    visit("#lesson=four-numbers&at=5", async |page| {
        page.find("#free-G").await;
        let value = |name: &str| format!("document.querySelector('#free-{name}').value");
        assert_eq!(page.evaluate(&value("o_s")).await, json!("40.1µs"));
        type_over(page, "#free-G", "20ns").await;
        let time = loggia(&[
            "predict",
            "p2p",
            "cray-t3d",
            "--bytes=1KiB",
            "--style=isend",
            "--set",
            "G=20ns",
            "--json",
        ]);
        until(page, "predict.p2p.time_us", &time["time_us"]).await;
        // A number without a unit has that of the field.
        type_over(page, "#free-G", "21").await;
        wait(page, "document.querySelector('#parameter-G').value === '21'").await;
        page.find(".lesson-reset").await.click().await.expect("a click");
        wait(page, &format!("{} === '40ns'", value("G"))).await;
    });
}

/// That a latency is unknown, and the parameters of the compared machine, are answers.
#[test]
fn the_table_of_parameters_gives_no_answer_away() {
    visit("#lesson=which-to-trust&at=1", async |page| {
        at_step(page, 1).await;
        assert!(!page.text("#asked").await.contains("unknown"));
        for (step, machines) in [("one-card&at=1", 1), ("four-numbers&at=3", 2)] {
            page.open(&format!("#lesson={step}")).await;
            let rows = "document.querySelectorAll('#asked tbody tr').length";
            wait(page, &format!("{rows} === {machines}")).await;
        }
    });
}

/// The card of the answer has a picture, inside the window.
#[test]
fn the_answer_has_a_picture_in_the_window() {
    visit("", async |page| {
        click(page, ".begin").await;
        at_step(page, 1).await;
        assert_eq!(page.evaluate("document.querySelector('.lesson-picture')").await, Value::Null);
        wait_for_text(page, "#asked tbody td", "30").await;
        let checked = answers("four-numbers");
        let right = |at: usize| text(&checked[at], "answer").to_owned();
        answer(page, "choice", &right(0), "").await;
        page.find(".lesson-picture .bar").await;
        wait_for_text(page, ".lesson-picture", "total 48.7").await;
        let bottom = "document.querySelector('.lesson-picture').getBoundingClientRect().bottom";
        let bottom = page.evaluate(bottom).await.as_f64().expect("a place");
        assert!(bottom < 800.0, "the picture ends at {bottom}");
        let changed = "!!document.querySelector('.lesson-changed')";
        assert_eq!(page.evaluate(changed).await, json!(false));
        type_over(page, "#parameter-L", "50").await;
        click(page, ".lesson-changed button").await;
        wait(page, &format!("!{changed}")).await;
        assert_eq!(
            page.evaluate("document.querySelector('#parameter-L').value").await,
            json!("3.1")
        );
        // Methods of many messages, and a diagram of two ranks.
        for (at, picture) in
            [("four-numbers&at=4", ".ranking"), ("who-waits&at=1", ".protocol svg[width]")]
        {
            page.open(&format!("#lesson={at}")).await;
            page.find(".lesson-submit").await;
            press(page, "p").await;
            press_button(page, ".lesson-show-room").await;
            page.find(&format!(".lesson-picture {picture}")).await;
            press(page, "p").await;
        }
    });
}

/// With the answer, the view shows the state of the question: here, a deadlock.
#[test]
fn the_view_shows_the_state_of_the_answer() {
    visit("#lesson=one-byte-more&at=6", async |page| {
        at_step(page, 6).await;
        answer(page, "choice", "it never ends", "").await;
        wait_for_text(page, "#simulate", "deadlock").await;
        page.open("#lesson=one-byte-more&at=3").await;
        at_step(page, 3).await;
        let right = text(&answers("one-byte-more")[2], "answer").to_owned();
        answer(page, "number", &right, "").await;
        wait(page, "document.querySelector('#bytes')?.value === '4097 B'").await;
        wait_for_text(page, ".lesson-reveal", &right).await;
    });
}

//! Lessons of teachers, and the answers of a class.

use crate::browser::visit;
use crate::lessons::{answer, at_step, code, press_button, wait_for_text};
use crate::sharing::click;
use crate::{link, wait};
use serde_json::json;

#[test]
fn a_class_of_forty_codes_is_counted_in_the_page() {
    visit("#lesson=four-numbers", async |page| {
        at_step(page, 1).await;
        answer(page, "choice", "the network: L", "").await;
        wait_for_text(page, ".lesson-feedback", "Networks were fast").await;
        let wrong = code(page, "x").await;
        page.open("#lesson=four-numbers").await;
        at_step(page, 1).await;
        answer(page, "choice", "the processors: o_s + o_r", "").await;
        page.find(".lesson-reveal").await;
        let right = code(page, "x").await;
        let line = |at: usize| {
            let code = if at < 15 { &wrong } else { &right };
            format!("[12:{at:02}] {}\n", code.replace("·x·", &format!("·Student {at}·")))
        };
        let chat: String = (0..40).map(line).collect();
        click(page, ".lesson-around > button").await;
        page.find("[data-lesson='ten-lines']").await;
        page.evaluate("document.querySelector('.class-answers').open = true").await;
        let put = "(text) => {
            const field = document.querySelector('#class-codes');
            field.value = text;
            field.dispatchEvent(new Event('input', { bubbles: true }));
        }";
        page.call(put, &[json!(chat)]).await;
        click(page, "#class-count").await;
        wait_for_text(page, ".class-counted", "40 students").await;
        wait_for_text(page, ".class-step", "40 answered; right at the first try 25").await;
        let rows = page
            .evaluate(
                "[...document.querySelector('.class-step').querySelectorAll('tr')]
            .map(row => [row.children[0].textContent, row.children[1].textContent])",
            )
            .await;
        let expected = json!([
            ["✗ the network: L", "15"],
            ["✗ the bytes: G", "0"],
            ["✓ the processors: o_s + o_r", "25"],
        ]);
        assert_eq!(rows, expected);
        // Steps with the lowest share of right answers are first; unanswered steps are last.
        let first = "document.querySelector('.class-step h3').textContent";
        assert!(page.evaluate(first).await.as_str().is_some_and(|text| text.starts_with("1. ")));
        let order = "(value) => {
            const field = document.querySelector('#class-order');
            field.value = value;
            field.dispatchEvent(new Event('change', { bubbles: true }));
        }";
        page.call(order, &[json!("share")]).await;
        let steps = "[...document.querySelectorAll('.class-step h3')].map(one => one.textContent[0]).join('')";
        wait(page, &format!("{steps}.startsWith('1')")).await;
        page.find("#class-save").await;
        page.find("#class-copy").await;
    });
}

#[test]
fn a_teacher_makes_a_lesson_from_a_link() {
    visit("", async |page| {
        page.find(".tabs input[value=lessons]").await;
        page.evaluate("document.querySelector('.tabs input[value=lessons]').click()").await;
        page.find("[data-lesson='ten-lines']").await;
        page.evaluate("document.querySelector('#teach').open = true").await;
        let field = page.find("#teach-link").await;
        field
            .send_keys(&link("cray-t3d", "message", &["bytes=1KiB", "L=5us"]))
            .await
            .expect("keys");
        click(page, "#teach-add").await;
        wait_for_text(page, ".teach-found", "It takes 108 µs.").await;
        let replace = "(from, to) => {
            const field = document.querySelector('#teach-text');
            field.value = field.value.replace(from, to);
            field.dispatchEvent(new Event('input', { bubbles: true }));
        }";
        page.call(replace, &[json!("takes {t}"), json!("takes {u}")]).await;
        wait_for_text(page, "#teach", "unknown name `u`").await;
        page.call(replace, &[json!("takes {u}"), json!("takes {t}")]).await;
        wait_for_text(page, ".teach-found", "It takes 108 µs.").await;
        click(page, "#teach-open").await;
        at_step(page, 1).await;
        answer(page, "number", "108 µs", "").await;
        wait_for_text(page, ".lesson-reveal", "It takes 108 µs.").await;
    });
}

/// A teacher's lesson: made from the loaded machine, kept while other views are open, opened from
/// its file, listed, and counted.
#[test]
fn a_lesson_of_a_teacher_is_kept_opened_and_counted() {
    let machine = link("cray-t3d", "lessons", &["L=7us"]);
    visit(&machine, async |page| {
        page.find("#teach").await;
        page.evaluate("document.querySelector('#teach').open = true").await;
        press_button(page, "#teach-loaded").await;
        let text = "(document.querySelector('#teach-text')?.value ?? '')";
        wait(page, &format!("{text}.includes('[[step]]')")).await;
        wait_for_text(page, ".teach-found", "µs").await;
        let lesson = page.evaluate(text).await.as_str().expect("text").to_owned();
        // After a visit of another view, the text is unchanged and its panel open.
        page.evaluate("document.querySelector('.tabs input[value=message]').click()").await;
        page.find("#p2p").await;
        page.evaluate("document.querySelector('.tabs input[value=lessons]').click()").await;
        page.find("#teach[open]").await;
        assert_eq!(page.evaluate(text).await, json!(lesson));
        // The dropped file opens the lesson as for a student.
        page.drop_files(&[("lesson.toml".to_owned(), lesson.clone().into_bytes())]).await;
        at_step(page, 1).await;
        answer(page, "number", "1", "").await;
        wait_for_text(page, ".lesson-feedback", "Not yet").await;
        let sent = code(page, "Ben").await;
        press_button(page, ".lesson-around > button").await;
        wait(page, "[...document.querySelectorAll('#class-lesson option')].length === 9").await;
        let put = "(text) => {
            const choice = document.querySelector('#class-lesson');
            choice.selectedIndex = 8;
            choice.dispatchEvent(new Event('change', { bubbles: true }));
            const field = document.querySelector('#class-codes');
            field.value = text;
            field.dispatchEvent(new Event('input', { bubbles: true }));
        }";
        page.evaluate("document.querySelector('.class-answers').open = true").await;
        page.call(put, &[json!(sent)]).await;
        press_button(page, "#class-count").await;
        wait_for_text(page, ".class-counted", "1 student").await;
        page.find(".class-numbers circle").await;
    });
}

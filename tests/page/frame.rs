//! The frame of the views: machines, tabs, keys, the reader's files.

use crate::browser::{Page, visit, visit_served_with};
use crate::lessons::type_over;
use crate::sharing::click;
use crate::{PATIENCE, TIME, link, loggia, on_the_t3d, quantity, until, visit_t3d, wait};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use std::time::Instant;

/// The tab's title names number, view and machine, and follows them. Hidden answers are not in it.
#[test]
fn the_title_of_the_tab_names_the_answer() {
    let title = "document.title";
    visit(&link("cray-t3d", "message", &["bytes=1KiB"]), async |page| {
        let number = page.text(".panels .answer output").await;
        let expected = format!("{number} · Message · Cray T3D – Loggia");
        wait(page, &format!("{title} === {}", json!(expected))).await;
        type_over(page, "#bytes", "16").await;
        wait(page, &format!("{title} !== {} && {title}.includes('µs · Message')", json!(expected)))
            .await;
        click(page, "input[name=view][value=collectives] + span").await;
        wait(page, &format!("{title}.includes('s · Collectives · Cray T3D')")).await;
        click(page, "input[name=view][value=figures] + span").await;
        wait(page, &format!("{title} === 'Figures · Cray T3D – Loggia'")).await;
    });
    visit(&link("cray-t3d", "message", &["hidden=yes"]), async |page| {
        wait(page, &format!("{title} === 'Message · Cray T3D – Loggia'")).await;
    });
}

#[test]
fn opens_with_a_heading() {
    visit("", async |page| {
        assert_eq!(page.text("h1").await, "Loggia");
        page.find("[data-quantity='predict.p2p.time_us']").await;
        let names = "[...document.querySelectorAll('input[name=machine]')].map(i => i.value)";
        let list = loggia(&["list", "--json"]);
        let known: Vec<&Value> =
            list.as_array().expect("a list").iter().map(|m| &m["name"]).collect();
        assert!(known.len() >= 24, "{}", known.len());
        assert_eq!(page.evaluate(names).await, json!(known));
        let groups = "[...document.querySelectorAll('.machines legend')].map(l => l.textContent)";
        let expected = ["Today: HPC", "Today: cloud", "Today: GPU", "Papers: 1993–2003"];
        assert_eq!(page.evaluate(groups).await, json!(expected));
    });
}

/// Each machine shows year and network; the search needs all typed words.
#[test]
fn machines_are_searched_by_words() {
    visit("", async |page| {
        let shown = "[...document.querySelectorAll('input[name=machine]')].map(i => i.value)";
        let text = page.text(".machine:has([value=piz-daint]) small").await;
        assert!(text.contains("2022") && text.contains("Cray Aries"), "{text}");
        let field = page.find(".machines .find").await;
        field.send_keys("cloud Infiniband").await.expect("keys");
        let list = loggia(&["list", "cloud", "infiniband", "--json"]);
        let found: Vec<&Value> =
            list.as_array().expect("a list").iter().map(|m| &m["name"]).collect();
        assert!(!found.is_empty() && found.len() < 5, "{found:?}");
        wait(page, &format!("JSON.stringify({shown}) == '{}'", json!(found))).await;
        field.send_keys(" nothing").await.expect("keys");
        page.find(".machines [role=status]").await;
    });
}

/// The new machine equals that of `loggia new`; other parameters stay unknown.
#[test]
fn a_machine_is_made_from_a_few_numbers() {
    visit("", async |page| {
        page.find(".machines .new").await.click().await.expect("a click");
        page.find("#new-L").await;
        let narrow = "[...document.querySelectorAll('.making .field')].filter((one) => one.clientWidth < 100)";
        assert_eq!(page.evaluate(&format!("{narrow}.length")).await, json!(0));
        for (field, text) in [
            ("new-name", "The next cluster"),
            ("new-source", "an offer"),
            ("new-L", "2us"),
            ("new-o", "0.3us"),
            ("new-G", "0.08ns"),
        ] {
            page.find(&format!("#{field}")).await.send_keys(text).await.expect("keys");
        }
        page.find(".making [type=submit]").await.click().await.expect("a click");
        wait_for_text(page, TITLE, "The next cluster").await;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("next.json").display().to_string();
        let made = ["new", "next", "--L", "2us", "--o", "0.3us", "--G", "0.08ns", "-o", &path];
        loggia(&[&made[..], &["--json"]].concat());
        let answer = loggia(&["predict", "p2p", &path, "--bytes", "1KiB", "--json"]);
        until(page, TIME, &answer["time_us"]).await;
        let notes = page.text(".notes").await;
        assert!(notes.contains("assumed: an offer"), "{notes}");
        page.find(".remove-machine").await.click().await.expect("a click");
        wait(page, "document.querySelectorAll('.remove-machine').length == 0").await;
        assert!(!page.text(".machines").await.contains("The next cluster"));
    });
}

#[test]
fn a_new_machine_without_a_number_is_refused() {
    visit("", async |page| {
        page.find(".machines .new").await.click().await.expect("a click");
        page.find("#new-name").await.send_keys("x").await.expect("keys");
        page.find(".making [type=submit]").await.click().await.expect("a click");
        wait_for_text(page, ".making [role=alert]", "no parameter is given").await;
    });
}

const TITLE: &str = ".about h2";

/// Waits until the text of an element contains this.
async fn wait_for_text(page: &Page, selector: &str, expected: &str) {
    let start = Instant::now();
    loop {
        let text = page.text(selector).await;
        if text.contains(expected) {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "{selector} has {text:?}, not {expected:?}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// Selects the IBM SP2, and waits until the address has it.
async fn select_the_sp2(page: &Page) {
    let before = page.evaluate("location.hash").await;
    click(page, "input[name=machine][value=ibm-sp2] + .title").await;
    wait_for_text(page, TITLE, "IBM SP2").await;
    wait(page, &format!("location.hash !== {before}")).await;
}

/// As in `make explore`: the page opens before its machine is measured.
#[test]
fn a_measured_machine_appears_in_the_open_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("here.json");
    let watch = path.to_str().expect("a path");
    visit_served_with(&["--watch", watch], "", async |page| {
        assert!(page.text(".watching").await.contains("is being measured"));
        let before = page.text(TITLE).await;
        fs::write(&path, "{\"half").expect("a file");
        let mut machine = loggia(&["show", "now-sparc", "--json"]);
        machine["name"] = json!("here");
        let mut measure = |title: &str| {
            machine["title"] = json!(title);
            let whole = folder.path().join("whole.json");
            fs::write(&whole, machine.to_string()).expect("a file");
            fs::rename(&whole, &path).expect("a file");
        };
        for title in ["This machine", "The same, measured again"] {
            measure(title);
            wait_for_text(page, TITLE, title).await;
        }
        assert_ne!(before, "This machine");
        assert_eq!(page.evaluate("document.querySelector('.watching')").await, Value::Null);
        // A link goes on to show what it holds, with the measured machine in the list.
        select_the_sp2(page).await;
        measure("Measured while the page was loaded again");
        page.client.refresh().await.expect("a page");
        wait_for_text(page, "input[value=here] + .title", "loaded again").await;
        assert!(page.text(TITLE).await.contains("IBM SP2"));
    });
}

/// Presses a key, as soon as the page handles keys.
pub(crate) async fn press(page: &Page, key: &str) {
    page.find("main").await;
    page.find("body").await.send_keys(key).await.expect("keys");
}

/// Each request takes time, however short its answer.
#[test]
fn a_link_opens_with_few_requests() {
    const MOST: u64 = 30;
    visit_t3d(async |page| {
        page.find("[data-quantity='predict.p2p.time_us']").await;
        let sent = page.evaluate("performance.getEntriesByType('resource').length").await;
        assert!(sent.as_u64().is_some_and(|sent| (8..=MOST).contains(&sent)), "{sent} requests");
    });
}

#[test]
fn every_tab_opens_its_view() {
    visit("", async |page| {
        for digit in 1..=10 {
            press(page, &(digit % 10).to_string()).await;
            let checked = "document.querySelectorAll('input[name=view]')";
            let open = page.evaluate(&format!("{checked}[{}].checked", digit - 1)).await;
            assert_eq!(open, json!(true), "view {digit}");
            page.find(".panel h2").await;
        }
    });
}

/// Arrow keys move from tab to tab, for readers without a mouse.
#[test]
fn the_focus_stays_on_the_tabs() {
    visit_t3d(async |page| {
        page.find("main h2").await;
        page.evaluate("document.querySelector('input[name=view]').focus()").await;
        let tabs = page.evaluate("document.querySelectorAll('input[name=view]').length").await;
        for _ in 1..tabs.as_u64().expect("a number") {
            let before = page.evaluate("document.activeElement.value").await;
            page.client
                .active_element()
                .await
                .expect("the focus")
                .send_keys("\u{e014}")
                .await
                .expect("keys");
            wait(
                page,
                &format!("document.querySelector('input[name=view]:checked').value !== {before}"),
            )
            .await;
            page.find("main h2").await;
            assert_eq!(
                page.evaluate("document.activeElement.name").await,
                json!("view"),
                "after {before}"
            );
        }
    });
}

/// From the file picker, and by a drop.
#[test]
fn a_file_of_the_reader_is_opened() {
    visit_t3d(async |page| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.json");
        let shown = Command::new(env!("CARGO_BIN_EXE_loggia"))
            .args(["show", "now-sparc", "--json", "--set", "L=77us"])
            .output()
            .expect("the command");
        let own = String::from_utf8(shown.stdout).expect("text").replace("NOW of", "My own");
        fs::write(&path, &own).expect("a file");
        let picker = page.find(".picker input").await;
        picker.send_keys(&path.display().to_string()).await.expect("keys");
        wait_for_text(page, TITLE, "My own").await;
        let path = path.display().to_string();
        let answer = loggia(&["predict", "p2p", &path, "--bytes", "1KiB", "--json"]);
        until(page, TIME, &answer["time_us"]).await;

        let other = own.replace("My own", "Another's");
        drop_text(page, "other.json", &other).await;
        wait_for_text(page, TITLE, "Another's").await;
    });
}

/// The page shows the command's error, and keeps its machine.
#[test]
fn a_bad_file_is_refused_with_the_error_of_the_command() {
    visit_t3d(async |page| {
        let folder = tempfile::tempdir().expect("a folder");
        let good = loggia(&["show", "cray-t3d", "--json"]).to_string();
        let future = good.replacen("\"loggia\":1", "\"loggia\":99", 1);
        for bad in [&good[..good.len() / 2], future.as_str(), "{}", "no signature at all"] {
            let path = folder.path().join("bad.json");
            fs::write(&path, bad).expect("a file");
            let report = loggia(&["show", &path.display().to_string(), "--json"]);
            let message = report["error"]["message"].as_str().expect("a message");
            drop_text(page, "bad.json", bad).await;
            wait_for_text(page, "[role=alert]", message).await;
            assert_eq!(quantity(page, TIME).await, on_the_t3d("1KiB"));
        }
    });
}

async fn drop_text(page: &Page, name: &str, content: &str) {
    page.drop_files(&[(name.to_owned(), content.as_bytes().to_vec())]).await;
}

#[test]
fn back_and_forward_of_the_browser_work() {
    visit("", async |page| {
        press(page, "4").await;
        page.find("[data-quantity='predict.collective.time_us']").await;
        let start = Instant::now();
        while page.evaluate("location.hash").await == json!("") {
            assert!(start.elapsed() < PATIENCE, "the address was not written");
        }
        select_the_sp2(page).await;
        page.evaluate("history.back()").await;
        wait_for_text(page, TITLE, "Alps").await;
        page.evaluate("history.forward()").await;
        wait_for_text(page, TITLE, "IBM SP2").await;
    });
}

#[test]
fn back_of_the_browser_returns_to_the_first_state() {
    visit("", async |page| {
        page.find(".panel h2").await;
        press(page, "7").await;
        page.find("#plan").await;
        wait(page, "location.hash.startsWith('#2.')").await;
        page.evaluate("history.back()").await;
        wait(page, "document.querySelector('input[name=view][value=message]').checked").await;
        // Longer than the page's delay before it writes its address.
        std::thread::sleep(std::time::Duration::from_millis(900));
        assert_eq!(page.evaluate("location.hash").await, json!(""));
    });
}

#[test]
fn a_figure_is_one_entry_in_the_history() {
    visit("", async |page| {
        page.find(".panel h2").await;
        let before = page.evaluate("history.length").await.as_u64().expect("a length");
        page.evaluate("location.hash = '#figure=hwang-3'").await;
        wait(page, "location.hash.startsWith('#2.')").await;
        assert_eq!(page.evaluate("history.length").await, json!(before + 1));
    });
}

#[test]
fn keys_are_listed_and_answers_hidden_until_revealed() {
    visit_t3d(async |page| {
        press(page, "?").await;
        wait_for_text(page, "dialog", "undo").await;
        press(page, "\u{e00c}").await;
        let start = Instant::now();
        while page.evaluate("document.querySelector('dialog')").await != Value::Null {
            assert!(start.elapsed() < PATIENCE, "the list of keys stays open");
        }
        press(page, "h").await;
        page.find(".reveal").await;
        assert_eq!(page.evaluate("document.querySelector('main output')").await, Value::Null);
        page.find(".reveal button").await.click().await.expect("a click");
        page.find("main output").await;
        press(page, "p").await;
        page.find(".projector").await;
        press(page, "p").await;
    });
}

/// A change of a parameter, undo, redo and reset; the time equals the command's each time.
#[test]
fn a_parameter_is_changed_undone_redone_and_reset() {
    visit_t3d(async |page| {
        let with = |set: &str| {
            let arguments =
                ["predict", "p2p", "cray-t3d", "--bytes", "1KiB", "--set", set, "--json"];
            loggia(&arguments)["time_us"].clone()
        };
        let field = page.find("#parameter-L").await;
        field.click().await.expect("a click");
        page.evaluate("document.activeElement.select()").await;
        field.send_keys("12.5").await.expect("keys");
        until(page, TIME, &with("L=12.5us")).await;
        page.find("h1").await.click().await.expect("a click");
        press(page, &format!("\u{e009}z{}", '\u{e000}')).await;
        until(page, TIME, &on_the_t3d("1KiB")).await;
        press(page, &format!("\u{e009}y{}", '\u{e000}')).await;
        until(page, TIME, &with("L=12.5us")).await;
        page.find(".parameter .reset").await.click().await.expect("a click");
        until(page, TIME, &on_the_t3d("1KiB")).await;
    });
}

/// At 1280 × 800, the first screen has the answer, or the parameters to assume. Long sections are
/// folded, and open.
#[test]
fn the_first_screen_has_the_answer_and_other_sections_are_folded() {
    const HEIGHT: &str = "(document.querySelectorAll('.panel').forEach((panel) => \
        panel.style.contentVisibility = 'visible'), document.documentElement.scrollHeight)";
    const BOTTOM: &str = "Math.min(...[...document.querySelectorAll('.answer, .assume')]\
        .map((found) => found.getBoundingClientRect().bottom))";
    visit("", async |page| {
        for (sig, view, last) in [
            ("alps", "message", "#beside"),
            ("alps", "collectives", "#run"),
            ("alps", "protocols", "#blocking"),
            ("alps", "overlap", "#messages .folded"),
            ("alps", "simulate", "#elsewhere"),
            ("alps", "plan", "#plan-missing"),
            ("cray-t3d", "compare", "#compare-changes"),
        ] {
            page.open(&link(sig, view, &[])).await;
            page.find(last).await;
            let height = page.evaluate(HEIGHT).await.as_f64().expect("a height");
            assert!(height < 2500.0, "{view} is {height} px tall");
            let bottom = page.evaluate(BOTTOM).await.as_f64().expect("an answer");
            assert!(bottom < 800.0, "the answer of {view} ends at {bottom} px");
        }
        page.open(&link("alps", "simulate", &[])).await;
        let is_shown = "document.querySelector('#critical-path .parts')?.checkVisibility()";
        wait(page, &format!("{is_shown} === false")).await;
        click(page, "#critical-path > summary").await;
        wait(page, &format!("{is_shown} === true")).await;
        assert!(page.text("#critical-path > summary").await.contains("8 steps"));
    });
}

/// Parameters have a unit that fits, in display and input, and no text is cut off.
#[test]
fn a_gap_per_byte_is_edited_in_a_unit_that_fits() {
    visit(&link("alps", "message", &[]), async |page| {
        let field = page.find("#parameter-G").await;
        assert_eq!(field.prop("value").await.expect("a value"), Some("0.09375".to_owned()));
        assert_eq!(page.text("#parameter-G + small").await, "ns/byte");
        let cut = "[...document.querySelectorAll('.parameter .field')]\
            .filter((field) => field.scrollWidth > field.clientWidth).map((field) => field.id)";
        assert_eq!(page.evaluate(cut).await, json!([]));
        let apart = "[...document.querySelectorAll('.parameter')].every((one) => \
            one.querySelector('.symbol').getBoundingClientRect().right \
            <= one.querySelector('.field').getBoundingClientRect().left)";
        assert_eq!(page.evaluate(apart).await, json!(true));
        type_over(page, "#parameter-G", "0.1875").await;
        let twice = ["predict", "p2p", "alps", "--bytes=1KiB", "--set=G=0.0001875", "--json"];
        until(page, TIME, &loggia(&twice)["time_us"]).await;
        // A typed unit means per byte, as in the command.
        type_over(page, "#parameter-G", "0.1875ns").await;
        until(page, TIME, &loggia(&twice)["time_us"]).await;
    });
}

/// A machine without the parameters that a view needs offers values to assume.
#[test]
fn missing_parameters_can_be_assumed() {
    visit(&link("lanl-omni-path", "overlap", &[]), async |page| {
        click(page, "#messages .assume").await;
        page.find("#messages .answer").await;
        for (view, answer) in [("message", "#p2p"), ("protocols", "#protocols")] {
            page.open(&link("lanl-omni-path", view, &[])).await;
            click(page, &format!("{answer} .assume")).await;
            page.find(&format!("{answer} .answer")).await;
        }
    });
}

/// Projector mode shows number, formula and picture together.
#[test]
fn a_projector_shows_number_formula_and_picture_on_one_screen() {
    const PLACES: &str = "(formula, picture) => {
        const bottom = (selector) => {
            const found = document.querySelector(selector);
            return found?.checkVisibility() ? found.getBoundingClientRect().bottom : 1e6;
        };
        const small = [...document.querySelectorAll('main :is(text, p, small, h2, h3, li, span)')]
            .filter((e) => e.checkVisibility() && !e.closest('.unseen') && e.textContent.trim()
                && e.getBoundingClientRect().height > 1
                && e.getBoundingClientRect().bottom < innerHeight)
            .filter((e) => parseFloat(getComputedStyle(e).fontSize) < 22);
        return [
            Math.max(bottom('main .answer'), formula ? bottom('main .formula') : 0),
            bottom(picture),
            small.map((e) => e.textContent),
        ];
    }";
    visit_t3d(async |page| {
        for (sig, view, formula, picture) in [
            ("cray-t3d", "message", true, ".plot-area"),
            ("cray-t3d", "protocols", true, ".protocol svg"),
            ("cray-t3d", "collectives", false, ".plot-area"),
            ("alps", "collectives", true, ".plot-area"),
            ("alps", "simulate", false, ".lanes"),
            ("alps", "plan", false, ".plot-area"),
            ("cray-t3d", "compare", false, ".plot-area"),
        ] {
            page.open(&link(sig, view, &[])).await;
            page.find(&format!("main {picture}")).await;
            page.find("main .answer").await;
            press(page, "p").await;
            page.find(".projector").await;
            for (width, height) in [(1280, 720), (1920, 1080)] {
                page.resize(width, height).await;
                let arguments = [json!(formula), json!(format!("main {picture}"))];
                let places = page.call(PLACES, &arguments).await;
                let fits = |at: usize| places[at].as_f64() < Some(f64::from(height));
                assert!(fits(0) && fits(1), "{view} at {width}: {places}");
                assert_eq!(places[2], json!([]), "small text in {view} at {width}");
            }
            // The button that ends projector mode stays visible.
            click(page, ".masthead .undo button:nth-child(3)").await;
            page.find("main .panel").await;
            page.resize(1280, 800).await;
        }
    });
}

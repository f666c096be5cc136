//! `loggia lesson`: lists, checks and prints lessons, and counts the answers of a class.

use crate::run::{loggia, run_json, run_json_exiting, with_input};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn list<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    value[key].as_array().unwrap()
}

/// The numbers of a lesson equal those of the command.
#[test]
fn answers_equal_those_of_the_command() {
    let quantity = |lesson: &str, step: usize, name: &str| {
        let report = run_json(&format!("lesson check {lesson}"));
        let all = list(&report["answers"][step - 1], "quantities").clone();
        let found = all.iter().find(|quantity| quantity[0] == name).unwrap();
        found[1].as_f64().unwrap()
    };
    let t3d = run_json("predict p2p cray-t3d --bytes 16 --style isend");
    assert_eq!(quantity("four-numbers", 1, "t"), t3d["time_us"].as_f64().unwrap());
    let metrics = run_json("metrics cray-t3d --model loggp");
    let half = metrics["half_length_bytes"].as_f64().unwrap();
    assert_eq!(quantity("one-byte-more", 2, "T3D"), half);
    let barrier = "simulate cray-t3d --op barrier --algorithm dissemination --procs 16384";
    let run = run_json(&format!("{barrier} --set L=1.55us"));
    assert_eq!(quantity("latency-or-overhead", 2, "tl"), run["time_us"].as_f64().unwrap());
    let compared = run_json_exiting("compare docs/runs/2026-06.json docs/runs/2026-07.json", 3);
    let gap = list(&compared, "parameters").iter().find(|row| row["symbol"] == "G").unwrap();
    assert_eq!(json!(quantity("which-to-trust", 4, "gl")), gap["machines"][1]["ratio_low"]);
}

fn check(text: &str, code: i32) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    fs::write(&path, text).unwrap();
    run_json_exiting(&format!("lesson check {}", path.display()), code)
}

/// The lesson in docs/lessons.md.
fn guide() -> String {
    let guide = fs::read_to_string(Path::new(ROOT).join("docs/lessons.md")).unwrap();
    let (_, rest) = guide.split_once("```toml lesson\n").unwrap();
    rest.split_once("\n```").unwrap().0.to_owned() + "\n"
}

#[test]
fn the_lesson_of_the_guide_is_valid() {
    let report = check(&guide(), 0);
    assert_eq!((list(&report, "problems").len(), list(&report, "warnings").len()), (0, 0));
    let t2 =
        run_json("predict p2p cray-t3d --bytes 2KiB --style isend")["time_us"].as_f64().unwrap();
    assert_eq!(report["answers"][0]["answer"], format!("{t2:.0} µs"));
}

/// The error gives name and line of a mistake.
#[test]
fn bad_lessons_are_refused_with_their_line() {
    let line_of = |part: &str| guide().lines().position(|line| line.contains(part)).unwrap() + 1;
    for (from, to, code, line, expected) in [
        ("{t2/t} times", "{t3/t} times", 2, "reveal = \"{t2}", "unknown name `t3`"),
        (
            "machine = \"t3d\", view = \"message\", bytes = \"1KiB\", style = \"isend\" }\nlet = { t ",
            "machine = \"t3e\", view = \"message\", bytes = \"1KiB\", style = \"isend\" }\nlet = { t ",
            1,
            "state = {",
            "unknown machine of this lesson `t3e`",
        ),
        (
            "terms[G].total_us\", t2",
            "terms[H].total_us\", t2",
            1,
            "let = { t = ",
            "unknown quantity `H`",
        ),
        ("answer = \"most\"", "answer = \"L\"", 1, "is = \"L\"", "this wrong answer is right"),
        ("is = \"2*t\"", "is = \"t2\"", 1, "is = \"2*t\"", "this wrong answer is right"),
        ("takes {t} µs on", "takes {t = 99} µs on", 1, "[[step]]", "the text has 99 for t"),
        ("ask = \"number\"", "ask = \"numbr\"", 2, "ask = \"number\"", "unknown kind of question"),
        (
            "ask = \"number\"",
            "picture = \"mesage\"\nask = \"number\"",
            2,
            "ask = \"number\"",
            "unknown picture `mesage`",
        ),
        (
            "value = \"L\" }",
            "right = \"L > G\" }",
            2,
            "answer = \"most\"",
            "an option has no value",
        ),
        ("bytes = \"2KiB\"", "byts = \"2KiB\"", 2, "let = { t = ", "unknown input or parameter"),
    ] {
        let text = guide().replacen(from, to, 1);
        assert_ne!(text, guide(), "{from}");
        let report = check(&text, code);
        let error = if code == 2 { &report["error"] } else { &report["problems"][0] };
        let (message, place) =
            (error["message"].as_str().unwrap(), error["where"].as_str().unwrap());
        assert!(message.contains(expected), "{to}: {error}");
        assert!(place.contains(&format!("mine.toml:{}:", line_of(line))), "{to}: {place}");
    }
}

/// Neither of the two options is right on this machine.
#[test]
fn a_choice_without_a_right_option_is_refused() {
    let condition = guide().replace("value = \"L\" }", "right = \"L > 1000\" }");
    let condition = condition.replace("value = \"G\" }", "right = \"G > 1000\" }");
    let text = condition
        .replace("answer = \"most\"", "answer = \"right\"")
        .replace("is = \"L\"", "is = \"the network: L\"");
    let report = check(&text, 1);
    assert_eq!(report["problems"][0]["message"], "no option is right");
}

#[test]
fn a_handout_has_questions_without_answers() {
    let folder = tempfile::tempdir().unwrap();
    // Three lessons suffice: the others differ only in their questions, and plans take long.
    for lesson in list(&json!({ "all": run_json("lesson list") }), "all").iter().take(3) {
        let name = lesson["name"].as_str().unwrap();
        let path = folder.path().join(format!("{name}.html"));
        let run = loggia(&format!("lesson handout {name} -o {}", path.display()));
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        let page = fs::read_to_string(path).unwrap();
        let report = run_json(&format!("lesson check {name}"));
        for step in list(&report, "answers") {
            let escaped = |key: &str| {
                let text = step[key].as_str().unwrap();
                text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
            };
            assert!(page.contains(&escaped("question")), "{name}: {step}");
            assert!(!page.contains(&escaped("reveal")), "{name}: {step}");
        }
    }
}

#[test]
fn a_lesson_is_a_page_of_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let (lesson, page) = (folder.path().join("mine.toml"), folder.path().join("mine.html"));
    fs::write(&lesson, guide()).unwrap();
    let run = loggia(&format!("lesson page {} -o {}", lesson.display(), page.display()));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let page = fs::read_to_string(page).unwrap();
    let (_, state) = page.split_once("id=\"loggia-state\">").unwrap();
    let state: Value = serde_json::from_str(state.split_once("</script>").unwrap().0).unwrap();
    assert_eq!((&state["view"], &state["inputs"]["lesson"]), (&json!("lessons"), &json!(guide())));
}

#[test]
fn damaged_codes_are_counted() {
    let run = with_input("lesson class four-numbers - --json", "L1·Eve·0 L1·x·00000000".as_bytes());
    let class: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&class["students"], &class["damaged"]), (&json!(0), &json!(["Eve"])));
    assert_eq!(class["of_other_lessons"], 1);
    let none = with_input("lesson class four-numbers - --json", "good morning".as_bytes());
    assert!(none.code == 2 && none.out.contains("no code of a lesson"), "{}{}", none.out, none.err);
    let unknown = run_json_exiting("lesson check four-number", 2);
    assert!(unknown["error"]["help"].as_str().unwrap().contains("four-numbers"));
}

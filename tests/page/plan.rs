//! The view *Plan*: a sketch is typed, dropped, chosen or edited in the form. Numbers and errors
//! equal the command's, and the link contains the state.

use crate::browser::{Page, visit};
use crate::{address_of, file, link, loggia, quantity, until, visit_t3d, wait};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/sketches")
        .join(name)
        .with_extension("toml")
}

/// JSON output of `loggia plan` for a sketch.
fn planned(sketch: &str, sig: &str, options: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sketch.toml");
    std::fs::write(&path, sketch).expect("a file");
    let path = path.to_string_lossy();
    loggia(&[&["plan", &path, sig, "--json"], options].concat())
}

/// Types a text into the field of the sketch.
const TYPE: &str = "(text) => {
    const field = document.querySelector('#sketch-text');
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}";

/// All numbers of a plan must equal the command's exactly; parts to a relative error of 1e-12,
/// since they may be added in another order.
async fn compare_plan(page: &Page, answer: &Value) {
    let points = answer["plans"][0]["points"].as_array().expect("points");
    let last = points.len() - 1;
    let path = format!("plan.plans.0.points.{last}.time_us");
    // All points appear together with the last.
    until(page, &path, &json!(points[last]["time_us"].as_f64())).await;
    for (i, point) in points.iter().enumerate() {
        for key in ["time_us", "total_us", "efficiency"] {
            let path = format!("plan.plans.0.points.{i}.{key}");
            assert_eq!(quantity(page, &path).await, json!(point[key].as_f64()), "{path}");
        }
        for key in ["compute", "overhead", "latency", "waiting"] {
            let path = format!("plan.plans.0.points.{i}.parts.{key}");
            let shown = quantity(page, &path).await.as_f64().expect("a number");
            let expected = point["parts"][key].as_f64().expect("a number");
            assert!(
                (shown - expected).abs() <= 1e-12 * expected.abs(),
                "{path}: {shown} {expected}"
            );
        }
    }
}

#[test]
fn a_typed_sketch_has_the_numbers_of_the_command() {
    let sketch = "iterations = 7\n\n[let]\nflop = \"0.25ns\"\n\n[[step]]\n# the matrix\n\
                  compute = \"2e9 * flop / p\"\n\n[[step]]\nalltoall = \"1KiB\"\n\n\
                  [[step]]\nallreduce = 8\nevery = 5\n";
    let options = ["--procs", "2,3,8,64,1Ki", "--scale-latency", "0.5"];
    let answer = planned(sketch, "cray-t3d", &options);
    let set = ["ranks=2,3,8,64,1Ki", "scale_latency=0.5"];
    visit(&link("cray-t3d", "plan", &set), async |page| {
        // The view begins with an example.
        page.find("#plan-points").await;
        page.call(TYPE, &[json!(sketch)]).await;
        compare_plan(page, &answer).await;
        assert_eq!(quantity(page, "plan.plans.0.rules").await, answer["plans"][0]["rules"]);
        // At the selected number of ranks: the time of each step, and the gain from better
        // machines.
        page.evaluate("document.querySelector('#plan-at').open = true").await;
        let text = page.text("#plan-at").await;
        assert!(text.contains("alltoall, 1 KiB line 11") && text.contains("line 8"), "{text}");
        assert!(text.contains("half the latency"), "{text}");
        let place = answer["plans"][0]["points"].as_array().expect("points").len() - 1;
        let time = &answer["plans"][0]["points"][place]["what_if"][1]["time_us"];
        page.evaluate("document.querySelectorAll('.columns .column')[4].dispatchEvent(new MouseEvent('click', { bubbles: true }))").await;
        until(page, &format!("plan.plans.0.points.{place}.what_if.1.time_us"), time).await;
        let warnings = page.text("#plan .warnings").await;
        let expected = answer["plans"][0]["warnings"][0].as_str().expect("a warning");
        assert!(warnings.contains(expected), "{warnings}");
        // The warnings are below the number, inside the window.
        page.find("#plan .answered + .warnings").await;
        page.resize(1280, 800).await;
        let bottom = "(document.querySelector('#plan').scrollIntoView(), \
            document.querySelector('#plan .warnings').getBoundingClientRect().bottom)";
        let bottom = page.evaluate(bottom).await.as_f64().expect("pixels");
        assert!(bottom < 800.0, "{bottom}");
        let address = address_of(page, "sketch", &json!(sketch)).await;
        assert!(address.len() < 600, "{}", address.len());
    });
}

#[test]
fn a_mistake_is_reported_with_line_column_and_nearest_word() {
    let sketch = "[[step]]\nallreduse = 8\n";
    let error = planned(sketch, "cray-t3d", &[]);
    let set = format!("sketch={sketch}");
    // A link with an invalid sketch opens, with the error.
    visit(&link("cray-t3d", "plan", &[&set]), async |page| {
        let problem = "(document.querySelector('#sketch-problem')?.textContent ?? '')";
        wait(page, &format!("{problem}.includes('unknown key')")).await;
        let text = page.text("#sketch-problem").await;
        assert!(text.contains("2:1") && text.contains("did you mean allreduce"), "{text}");
        let message = error["error"]["message"].as_str().expect("a message");
        assert!(text.contains(message), "{text}");
        page.evaluate("document.querySelector('#sketch-problem button').click()").await;
        // Position 9 is the beginning of the second line.
        let at =
            "document.activeElement.id === 'sketch-text' && document.activeElement.selectionStart";
        wait(page, &format!("({at}) === 9")).await;
        // The corrected sketch is planned.
        let corrected = sketch.replace("use", "uce");
        page.call(TYPE, &[json!(corrected)]).await;
        compare_plan(page, &planned(&corrected, "cray-t3d", &[])).await;
        wait(page, &format!("{problem} === ''")).await;
    });
}

#[test]
fn a_slider_of_the_form_changes_only_its_number() {
    let sketch = std::fs::read_to_string(example("halo")).expect("a sketch");
    let sketch = sketch.trim_end().replace("during", "# hidden\nduring");
    let set = format!("sketch={sketch}");
    visit(&link("cray-t3d", "plan", &[&set, "ranks=4,64"]), async |page| {
        page.find("#plan-points").await;
        const SLIDE: &str = "(name, values) => {
            const slider = [...document.querySelectorAll('.sketch-form .slider')]
                .find(one => one.getAttribute('aria-label').startsWith(name));
            for (const value of values) {
                slider.value = String(value);
                slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
            }
        }";
        // Many values in a row, faster than the worker responds: the last value counts.
        page.call(SLIDE, &[json!("computation meanwhile"), json!([50, 150, 20, 168])]).await;
        let slid = sketch.replace("2ns", "100us");
        address_of(page, "sketch", &json!(slid)).await;
        compare_plan(page, &planned(&slid, "cray-t3d", &["--procs", "4,64"])).await;
        let shown = page.evaluate("document.querySelector('#sketch-text').value").await;
        assert_eq!(shown, json!(slid));
        // Fields work likewise; one undo reverts a whole drag.
        page.call(
            "(value) => {
                const field = document.querySelector('#sketch-step-1-0');
                field.value = value;
                field.dispatchEvent(new Event('change', { bubbles: true }));
            }",
            &[json!("64KiB")],
        )
        .await;
        let typed = slid.replace("allreduce = 8", "allreduce = \"64KiB\"");
        address_of(page, "sketch", &json!(typed)).await;
        for before in [&slid, &sketch] {
            page.evaluate("document.querySelector('.undo button').click()").await;
            address_of(page, "sketch", &json!(before)).await;
        }
    });
}

/// Script that presses a button, even outside the visible part of the page.
fn press(selector: &str) -> String {
    format!("document.querySelector('{selector}').click()")
}

#[test]
fn steps_are_added_moved_and_removed_by_the_form() {
    visit(&link("cray-t3d", "plan", &["ranks=4"]), async |page| {
        page.find("#plan-points").await;
        let sketch = std::fs::read_to_string(example("halo")).expect("a sketch");
        const ADD: &str = "(name) => {
            const list = [...document.querySelectorAll('.sketch-form select')].at(-1);
            list.value = name;
            list.dispatchEvent(new Event('change', { bubbles: true }));
        }";
        page.call(ADD, &[json!("barrier")]).await;
        let added = format!("{}\n\n[[step]]\nbarrier = 0\n", sketch.trim_end());
        address_of(page, "sketch", &json!(added)).await;
        // Waits until the form shows the new text.
        page.find(".stages > li:nth-child(3)").await;
        wait(page, "!document.querySelector('.sketch-form').disabled").await;
        page.evaluate(&press(".stages > li:nth-child(3) .hands button")).await;
        wait(page, "document.querySelector('#sketch-text').value.indexOf('barrier') < document.querySelector('#sketch-text').value.indexOf('allreduce')").await;
        wait(page, "!document.querySelector('.sketch-form').disabled").await;
        let remove = ".stages > li:nth-child(2) .hands button:last-child";
        page.evaluate(&press(remove)).await;
        address_of(page, "sketch", &json!(sketch)).await;
    });
}

#[test]
fn a_dropped_sketch_opens_the_view() {
    visit_t3d(async |page| {
        page.drop_files(&[file(&example("wavefront"))]).await;
        page.find("#plan-points").await;
        let sketch = std::fs::read_to_string(example("wavefront")).expect("a sketch");
        address_of(page, "sketch", &json!(sketch)).await;
        let chosen = page.evaluate("document.querySelector('[name=example]:checked').value").await;
        assert_eq!(chosen, json!("wavefront"));
        // An invalid sketch opens with its error.
        page.drop_files(&[("mine.toml".to_owned(), b"iterations = 3\r\nsteps = 4".to_vec())]).await;
        let problem = "document.querySelector('#sketch-problem')?.textContent ?? ''";
        wait(page, &format!("({problem}).includes('2:1')")).await;
        assert!(page.text("#sketch-problem").await.contains("did you mean step"));
    });
}

#[test]
fn other_machines_are_planned_for_comparison() {
    let machines = ["cray-t3d", "now-sparc", "ibm-sp2"];
    let set = ["--set", "machines=yes", "--set", "ranks=2,16,256"];
    let arguments = [&["link"], &machines[..], &["--view", "plan", "--json"], &set].concat();
    let link = loggia(&arguments)["link"].as_str().expect("a link").to_owned();
    let path = example("halo");
    let path = path.to_string_lossy();
    let answer = loggia(&["plan", &path, "cray-t3d", "now-sparc", "--procs", "2,16,256", "--json"]);
    visit(&link, async |page| {
        page.find("#beside table").await;
        // The view selects the fastest number of ranks.
        let at = 2;
        for i in 0..2 {
            let path = format!("plan.plans.{i}.points.{at}.time_us");
            let time = &answer["plans"][i]["points"][at]["time_us"];
            until(page, &path, &json!(time.as_f64())).await;
        }
        assert!(page.text("#beside .refusing").await.contains("IBM SP2"));
    });
}

#[test]
fn the_ranks_field_and_keys_change_the_plan() {
    visit(&link("cray-t3d", "plan", &[]), async |page| {
        page.find("#plan-points").await;
        page.call(
            "(value) => {
                const field = document.querySelector('#ranks');
                field.value = value;
                field.dispatchEvent(new InputEvent('input', { bubbles: true }));
            }",
            &[json!("2..1Mi")],
        )
        .await;
        let path = example("halo");
        let path = path.to_string_lossy();
        let arguments = ["plan", &path, "cray-t3d", "--procs", "2..1Mi", "--json"];
        compare_plan(page, &loggia(&arguments)).await;
        // The handle moves from one number of ranks to the next.
        let key = "(name) => {
            const handle = document.querySelector('#plan .handle');
            handle.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
        }";
        page.call(key, &[json!("Home")]).await;
        wait(page, "document.querySelector('#plan-at h2').textContent.startsWith('On 2 ranks')")
            .await;
        page.call(key, &[json!("ArrowRight")]).await;
        wait(page, "document.querySelector('#plan-at h2').textContent.startsWith('On 4 ranks')")
            .await;
        address_of(page, "procs", &json!(4)).await;
        // A digit in the text of a sketch opens no view.
        page.evaluate("document.querySelector('[name=edit][value=text]').click()").await;
        page.find("#sketch-text").await.send_keys("1").await.expect("a key");
        assert_eq!(page.evaluate("!!document.querySelector('#plan')").await, json!(true));
    });
}

/// Types ranks per node.
pub(crate) const PER_NODE: &str = "(value) => {
    const field = document.querySelector('#ranks-per-node');
    field.value = value;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}";

#[test]
fn ranks_per_node_are_the_first_field_and_planned_as_by_the_command() {
    let sketch = std::fs::read_to_string(example("halo")).expect("a sketch");
    let expected = |ranks_per_node: &str| {
        let options = ["--procs", "2,16,256", "--ranks-per-node", ranks_per_node];
        planned(&sketch, "blue-waters", &options)
    };
    visit(&link("blue-waters", "plan", &["ranks=2,16,256"]), async |page| {
        page.find("#plan-points").await;
        compare_plan(page, &expected("1")).await;
        // On the first screen, above the form.
        page.resize(1280, 800).await;
        let bottom = "document.querySelector('#ranks-per-node').getBoundingClientRect().bottom";
        let bottom = page.evaluate(bottom).await.as_f64().expect("pixels");
        let form = "document.querySelector('.sketch-form').getBoundingClientRect().top";
        let form = page.evaluate(form).await.as_f64().expect("pixels");
        assert!(bottom < form.min(800.0), "{bottom} {form}");
        // Digits typed faster than the page outlines the text.
        for typed in ["1", "16"] {
            page.call(PER_NODE, &[json!(typed)]).await;
        }
        compare_plan(page, &expected("16")).await;
        page.call(PER_NODE, &[json!("8")]).await;
        compare_plan(page, &expected("8")).await;
        // The sketch in the link contains the value.
        let text = "document.querySelector('#sketch-text').value";
        let text = page.evaluate(text).await;
        assert!(text.as_str().is_some_and(|text| text.contains("ranks_per_node = 8\n")), "{text}");
        address_of(page, "sketch", &text).await;
        page.call(PER_NODE, &[json!("none")]).await;
        let problem = page.text("#ranks-per-node-problem").await;
        assert!(problem.contains("whole number"), "{problem}");
    });
}

/// The plan follows the form, and slides under no section below.
#[test]
fn the_plan_stays_beside_its_sketch() {
    const COVERED: &str = "(at => {
        scrollTo(0, at);
        const plan = document.querySelector('#plan').getBoundingClientRect();
        const next = document.querySelector('#plan-split').getBoundingClientRect();
        return plan.bottom > next.top;
    })";
    visit(&link("cray-t3d", "plan", &[]), async |page| {
        page.find("#plan-split").await;
        for (width, height) in [(360, 740), (1280, 800), (1920, 1080)] {
            page.resize(width, height).await;
            for at in (0..4000).step_by(250) {
                assert_eq!(page.call(COVERED, &[json!(at)]).await, json!(false), "{width}, {at}");
            }
        }
    });
}

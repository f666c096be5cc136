//! The view of plans: a sketch typed, dropped, chosen or built by its form; the same numbers as the
//! command's; what is wrong with it, where; all of it in the link.

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

/// What the command says of a sketch.
fn planned(sketch: &str, sig: &str, options: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sketch.toml");
    std::fs::write(&path, sketch).expect("a file");
    let path = path.to_string_lossy();
    loggia(&[&["plan", &path, sig, "--json"], options].concat())
}

/// Writes a text into the field of the sketch, as a reader does.
const TYPE: &str = "(text) => {
    const field = document.querySelector('#sketch-text');
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}";

/// The page tells all numbers of a plan that the command tells, to the last digit; parts to the
/// twelfth, since they may be added in another order.
async fn same(page: &Page, answer: &Value) {
    let points = answer["plans"][0]["points"].as_array().expect("points");
    let last = points.len() - 1;
    let path = format!("plan.plans.0.points.{last}.time_us");
    // The last comes with all others.
    until(page, &path, &json!(points[last]["time_us"].as_f64())).await;
    for (i, point) in points.iter().enumerate() {
        for key in ["time_us", "total_us", "efficiency"] {
            let path = format!("plan.plans.0.points.{i}.{key}");
            assert_eq!(quantity(page, &path).await, json!(point[key].as_f64()), "{path}");
        }
        for key in ["compute", "overhead", "latency", "waiting"] {
            let path = format!("plan.plans.0.points.{i}.parts.{key}");
            let shown = quantity(page, &path).await.as_f64().expect("a number");
            let told = point["parts"][key].as_f64().expect("a number");
            assert!((shown - told).abs() <= 1e-12 * told.abs(), "{path}: {shown} {told}");
        }
    }
}

#[test]
fn a_sketch_that_is_typed_is_planned_as_the_command_plans_it() {
    let sketch = "iterations = 7\n\n[let]\nflop = \"0.25ns\"\n\n[[step]]\n# the matrix\n\
                  compute = \"2e9 * flop / p\"\n\n[[step]]\nalltoall = \"1KiB\"\n\n\
                  [[step]]\nallreduce = 8\nevery = 5\n";
    let options = ["--procs", "2,3,8,64,1Ki", "--scale-latency", "0.5"];
    let answer = planned(sketch, "cray-t3d", &options);
    let set = ["ranks=2,3,8,64,1Ki", "scale_latency=0.5"];
    visit(&link("cray-t3d", "plan", &set), async |page| {
        // It begins with an example.
        page.find("#plan-points").await;
        page.call(TYPE, &[json!(sketch)]).await;
        same(page, &answer).await;
        assert_eq!(quantity(page, "plan.plans.0.rules").await, answer["plans"][0]["rules"]);
        // At its number of ranks, what each step takes, and what a better machine would give.
        page.evaluate("document.querySelector('#plan-at').open = true").await;
        let said = page.text("#plan-at").await;
        assert!(said.contains("alltoall, 1 KiB line 11") && said.contains("line 8"), "{said}");
        assert!(said.contains("half the latency"), "{said}");
        let place = answer["plans"][0]["points"].as_array().expect("points").len() - 1;
        let time = &answer["plans"][0]["points"][place]["what_if"][1]["time_us"];
        page.evaluate("document.querySelectorAll('.columns .column')[4].dispatchEvent(new MouseEvent('click', { bubbles: true }))").await;
        until(page, &format!("plan.plans.0.points.{place}.what_if.1.time_us"), time).await;
        let warnings = page.text("#plan .warnings").await;
        let said = answer["plans"][0]["warnings"][0].as_str().expect("a warning");
        assert!(warnings.contains(said), "{warnings}");
        // They stand under the number, in the window.
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
fn what_is_wrong_is_said_with_line_and_column_and_the_nearest_word() {
    let sketch = "[[step]]\nallreduse = 8\n";
    let error = planned(sketch, "cray-t3d", &[]);
    let set = format!("sketch={sketch}");
    // A link with such a sketch opens, and says so.
    visit(&link("cray-t3d", "plan", &[&set]), async |page| {
        let problem = "(document.querySelector('#sketch-problem')?.textContent ?? '')";
        wait(page, &format!("{problem}.includes('unknown word')")).await;
        let said = page.text("#sketch-problem").await;
        assert!(said.contains("2:1") && said.contains("did you mean allreduce"), "{said}");
        let message = error["error"]["message"].as_str().expect("a message");
        assert!(said.contains(message), "{said}");
        page.evaluate("document.querySelector('#sketch-problem button').click()").await;
        // The second line begins there.
        let at =
            "document.activeElement.id === 'sketch-text' && document.activeElement.selectionStart";
        wait(page, &format!("({at}) === 9")).await;
        // Put right, it is planned.
        let right = sketch.replace("use", "uce");
        page.call(TYPE, &[json!(right)]).await;
        same(page, &planned(&right, "cray-t3d", &[])).await;
        wait(page, &format!("{problem} === ''")).await;
    });
}

#[test]
fn a_slider_of_the_form_writes_its_number_and_leaves_everything_else() {
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
        // Many in a row, faster than anybody answers: the last one counts.
        page.call(SLIDE, &[json!("computation meanwhile"), json!([50, 150, 20, 168])]).await;
        let slid = sketch.replace("2ns", "100us");
        address_of(page, "sketch", &json!(slid)).await;
        same(page, &planned(&slid, "cray-t3d", &["--procs", "4,64"])).await;
        let shown = page.evaluate("document.querySelector('#sketch-text').value").await;
        assert_eq!(shown, json!(slid));
        // Fields, too; and one click takes a drag back.
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

/// Presses a button wherever the window ends.
fn pressed(selector: &str) -> String {
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
        // The form is that of the new text before the next hand is laid on it.
        page.find(".stages > li:nth-child(3)").await;
        wait(page, "!document.querySelector('.sketch-form').disabled").await;
        page.evaluate(&pressed(".stages > li:nth-child(3) .hands button")).await;
        wait(page, "document.querySelector('#sketch-text').value.indexOf('barrier') < document.querySelector('#sketch-text').value.indexOf('allreduce')").await;
        wait(page, "!document.querySelector('.sketch-form').disabled").await;
        let remove = ".stages > li:nth-child(2) .hands button:last-child";
        page.evaluate(&pressed(remove)).await;
        address_of(page, "sketch", &json!(sketch)).await;
    });
}

#[test]
fn a_sketch_that_is_dropped_opens_this_view() {
    visit_t3d(async |page| {
        page.drop_files(&[file(&example("wavefront"))]).await;
        page.find("#plan-points").await;
        let sketch = std::fs::read_to_string(example("wavefront")).expect("a sketch");
        address_of(page, "sketch", &json!(sketch)).await;
        let chosen = page.evaluate("document.querySelector('[name=example]:checked').value").await;
        assert_eq!(chosen, json!("wavefront"));
        // One that is broken, too: it says why.
        page.drop_files(&[("mine.toml".to_owned(), b"iterations = 3\r\nsteps = 4".to_vec())]).await;
        let problem = "document.querySelector('#sketch-problem')?.textContent ?? ''";
        wait(page, &format!("({problem}).includes('2:1')")).await;
        assert!(page.text("#sketch-problem").await.contains("did you mean step"));
    });
}

#[test]
fn other_machines_are_planned_beside() {
    let machines = ["cray-t3d", "now-sparc", "ibm-sp2"];
    let set = ["--set", "machines=yes", "--set", "ranks=2,16,256"];
    let words = [&["link"], &machines[..], &["--view", "plan", "--json"], &set].concat();
    let link = loggia(&words)["link"].as_str().expect("a link").to_owned();
    let path = example("halo");
    let path = path.to_string_lossy();
    let answer = loggia(&["plan", &path, "cray-t3d", "now-sparc", "--procs", "2,16,256", "--json"]);
    visit(&link, async |page| {
        page.find("#beside table").await;
        // The fastest number of ranks is looked at.
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
fn ranks_and_machine_are_followed_by_hand_and_by_keys() {
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
        let words = ["plan", &path, "cray-t3d", "--procs", "2..1Mi", "--json"];
        same(page, &loggia(&words)).await;
        // The handle goes from one number of ranks to the next.
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

/// Types ranks per node as a reader does.
pub(crate) const PER_NODE: &str = "(value) => {
    const field = document.querySelector('#ranks-per-node');
    field.value = value;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}";

#[test]
fn ranks_per_node_are_asked_first_and_planned_as_the_command_plans_them() {
    let sketch = std::fs::read_to_string(example("halo")).expect("a sketch");
    let of = |each: &str| {
        let options = ["--procs", "2,16,256", "--ranks-per-node", each];
        planned(&sketch, "blue-waters", &options)
    };
    visit(&link("blue-waters", "plan", &["ranks=2,16,256"]), async |page| {
        page.find("#plan-points").await;
        same(page, &of("1")).await;
        // On the first screen, above the form.
        page.resize(1280, 800).await;
        let bottom = "document.querySelector('#ranks-per-node').getBoundingClientRect().bottom";
        let bottom = page.evaluate(bottom).await.as_f64().expect("pixels");
        let form = "document.querySelector('.sketch-form').getBoundingClientRect().top";
        let form = page.evaluate(form).await.as_f64().expect("pixels");
        assert!(bottom < form.min(800.0), "{bottom} {form}");
        // Typed digit by digit, faster than the outline of the text comes back.
        for typed in ["1", "16"] {
            page.call(PER_NODE, &[json!(typed)]).await;
        }
        same(page, &of("16")).await;
        page.call(PER_NODE, &[json!("8")]).await;
        same(page, &of("8")).await;
        // The sketch of the link has it.
        let text = "document.querySelector('#sketch-text').value";
        let text = page.evaluate(text).await;
        assert!(text.as_str().is_some_and(|text| text.contains("ranks_per_node = 8\n")), "{text}");
        address_of(page, "sketch", &text).await;
        page.call(PER_NODE, &[json!("none")]).await;
        let problem = page.text("#ranks-per-node-problem").await;
        assert!(problem.contains("whole number"), "{problem}");
    });
}

//! Output of the page: the single-file page, copied text, and saved files.

use crate::browser::{Page, Scheme, visit, visit_at};
use crate::{PATIENCE, TIME, link, loggia, quantity, until, visit_t3d, wait};
use fantoccini::key::Key;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The single-file page that the command writes.
pub(crate) fn one_file(folder: &TempDir, arguments: &[&str]) -> PathBuf {
    let path = folder.path().join("one.html");
    let output = path.display().to_string();
    let arguments = [&["page", "--json", "--overwrite", "-o", &output], arguments].concat();
    assert_eq!(loggia(&arguments)["file"], json!(output));
    path
}

pub(crate) fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

pub(crate) async fn click(page: &Page, selector: &str) {
    page.find(selector).await.click().await.expect("a click");
}

/// A folder for the files that the browser saves.
pub(crate) async fn save_folder(page: &Page) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display().to_string();
    let parameters = json!({"behavior": "allow", "downloadPath": path});
    page.devtools("Browser.setDownloadBehavior", parameters).await;
    folder
}

/// The saved file with this name. A copy stays under cargo's target directory, for inspection.
pub(crate) async fn saved(folder: &TempDir, name: &str) -> Vec<u8> {
    let (start, path) = (Instant::now(), folder.path().join(name));
    loop {
        match fs::read(&path) {
            Ok(content) if !content.is_empty() => {
                let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
                fs::write(copy, &content).expect("a file");
                return content;
            }
            _ => {
                let found: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
                assert!(
                    start.elapsed() < PATIENCE,
                    "{name} was not saved; the folder has {found:?}"
                );
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }
}

#[test]
fn the_page_as_one_file_opens_from_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = one_file(&folder, &["cray-t3d", "--set", "bytes=64KiB", "--set", "L=77us"]);
    visit_at(&address(&path), async |page| {
        let options = ["--bytes", "64KiB", "--set", "L=77us", "--json"];
        let answer = loggia(&[&["predict", "p2p", "cray-t3d"], &options[..]].concat());
        until(page, TIME, &answer["time_us"]).await;
        // Every view opens; the same file contains the parts that are loaded later.
        let tabs = "[...document.querySelectorAll('input[name=view]')].map(tab => tab.value)";
        let tabs = page.evaluate(tabs).await;
        for tab in tabs.as_array().expect("a list") {
            let tab = tab.as_str().expect("a name");
            click(page, &format!("input[name=view][value={tab}] + span")).await;
            page.find(".panel h2").await;
            wait(page, "!document.querySelector('main [role=alert]')").await;
        }
        // The address is updated, so that the browser's buttons work.
        wait(page, "location.hash.startsWith('#2.')").await;
        let requests = "performance.getEntriesByType('resource').map(entry => entry.name)\
                     .filter(name => !/^(blob|data):/.test(name))";
        assert_eq!(page.evaluate(requests).await, json!([]));
    });
}

/// Directly by its address, and in the worker of the view.
#[test]
fn the_simulator_of_the_single_file_runs() {
    const SIMULATE: &str = "async (script, numbers) => {
        const { Prepared } = await import(script);
        return Prepared.of_algorithm('barrier', 'dissemination', 16384, 1).run(...numbers).end_us;
    }";
    let folder = tempfile::tempdir().expect("a folder");
    let set = ["op=allreduce", "algorithm=ring", "procs=12", "bytes=100000"];
    let options = set.map(|pair| format!("--{pair}"));
    let arguments =
        [&["simulate", "cray-t3d", "--json"], &options.each_ref().map(String::as_str)[..]];
    let answer = loggia(&arguments.concat());
    let set = set.map(|pair| ["--set", pair]).concat();
    let path = one_file(&folder, &[&["cray-t3d", "--view", "simulate"], &set[..]].concat());
    visit_at(&address(&path), async |page| {
        page.find("[data-quantity='simulate.time_us']").await;
        until(page, "simulate.time_us", &answer["time_us"]).await;
        let script = page.evaluate("document.querySelector('meta[name=loggia-simulator]').content");
        let numbers = json!([2.5, 1.5, 1, 0.006, 0, 65535]);
        assert_eq!(page.call(SIMULATE, &[script.await, numbers]).await, json!(77));
    });
}

/// The head of a page, without the state.
fn parts(page: &str) -> String {
    let (_, head) = page.split_once("<head>").expect("a head");
    let (head, _) = head.split_once("</head>").expect("its end");
    head.replace(&state_in(page), "")
}

/// From a host and from a file, equal to the command's file.
#[test]
fn the_page_saves_itself_as_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let set = ["bytes=100", "L=7us"].map(|pair| ["--set", pair]).concat();
    let state = [&["cray-t3d", "--view", "protocols"], &set[..]].concat();
    let path = one_file(&folder, &state);
    let expected = fs::read_to_string(&path).expect("a file");
    let link = link("cray-t3d", "protocols", &["bytes=100", "L=7us"]);
    let check = async |page: &Page, keeps_samples: bool| {
        let saves = save_folder(page).await;
        page.find("[data-quantity]").await;
        click(page, ".share button + button").await;
        click(page, ".sharing section:nth-of-type(3) button").await;
        let content = String::from_utf8(saved(&saves, "cray-t3d.html").await).expect("text");
        assert!(parts(&content) == parts(&expected), "the heads differ");
        let opened: Value = serde_json::from_str(&state_in(&content)).expect("JSON");
        let state = loggia(&["open", &link]);
        assert_eq!(opened["view"], "protocols");
        // A link has no samples; a file keeps them.
        let samples = opened["signatures"][0]["samples"].as_array();
        assert_eq!(samples.is_some_and(|samples| !samples.is_empty()), keeps_samples);
        assert_eq!(opened["inputs"], state["inputs"]);
        assert_eq!(opened["signatures"][0]["tiers"], state["signatures"][0]["tiers"]);
    };
    visit(&link, async |page| check(page, false).await);
    visit_at(&address(&path), async |page| check(page, true).await);
}

/// The state embedded in a page.
fn state_in(page: &str) -> String {
    let (_, rest) = page.split_once("id=\"loggia-state\">").expect("a state");
    rest.split_once("</script>").expect("its end").0.to_owned()
}

#[test]
fn the_share_dialog_offers_link_code_text_and_signature() {
    visit_t3d(async |page| {
        let set = ["bytes=64KiB", "L=5us"];
        page.open(&link("cray-t3d", "message", &set)).await;
        let permissions = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
        page.devtools("Browser.grantPermissions", permissions).await;
        let saves = save_folder(page).await;
        let time = quantity(page, TIME).await;
        click(page, ".share button + button").await;
        let shown = page.find(".sharing input").await.prop("value").await.expect("a property");
        let shown = shown.expect("a link");
        assert_eq!(loggia(&["open", &shown])["inputs"]["bytes"], 65536);
        let length = page.text(".sharing section p").await;
        assert_eq!(length, format!("{} characters", shown.len()));
        assert!(page.text(".sharing").await.contains("samples"), "the list of omitted values");
        page.find(".sharing svg.qr path").await;

        click(page, ".sharing section:nth-of-type(2) button").await;
        wait(page, "document.querySelector('.sharing [role=status]').textContent == 'Copied'")
            .await;
        let copied = page.evaluate("await navigator.clipboard.readText()").await;
        let copied = copied.as_str().expect("a text");
        assert!(copied.starts_with("### Cray T3D: Message\n\n"), "{copied}");
        let part = "| Term | Count | Each | µs | Source |\n| --- | --- | --- | --- | --- |\n";
        assert!(copied.contains(part), "{copied}");
        assert!(copied.contains("64 KiB by isend") && copied.contains("| 5 µs | 5 |"), "{copied}");
        assert!(copied.trim_end().ends_with(&format!("[Open in Loggia]({shown})")), "{copied}");
        assert!(time.as_f64().is_some_and(|time| time > 2000.0), "{time}");

        click(page, ".sharing section:nth-of-type(3) .row:last-child button").await;
        let json: Value =
            serde_json::from_slice(&saved(&saves, "cray-t3d.json").await).expect("JSON");
        let mut shown = loggia(&["show", "cray-t3d", "--json", "--set", "L=5us"]);
        shown.as_object_mut().expect("an object").remove("samples");
        assert_eq!(json, shown);
    });
}

#[test]
fn links_and_codes_of_a_local_page_can_have_a_public_address() {
    visit("", async |page| {
        let code = "document.querySelector('.sharing svg.qr path').getAttribute('d')";
        let address = "document.querySelector('.sharing input').value";
        click(page, ".share button + button").await;
        page.find(".sharing svg.qr path").await;
        assert!(page.text(".sharing").await.contains("open only here"));
        let local = page.evaluate(code).await;
        let field = page.find("#public-address").await;
        let typed = format!("https://example.org/loggia/{}", Key::Tab);
        field.send_keys(&typed).await.expect("keys");
        wait(page, &format!("{address}.startsWith('https://example.org/loggia/#2.')")).await;
        assert!(!page.text(".sharing").await.contains("open only here"));
        assert_ne!(page.evaluate(code).await, local);
        let public = page.evaluate(address).await;
        assert_eq!(loggia(&["open", public.as_str().expect("a text")])["view"], "message");
        // The page keeps the public address.
        click(page, ".sharing header button").await;
        click(page, ".share button + button").await;
        wait(page, &format!("{address}.startsWith('https://example.org/')")).await;
    });
}

/// At every width, light and dark; saves screenshots.
#[test]
fn the_share_dialog_fits_every_window() {
    visit_t3d(async |page| {
        click(page, ".share button + button").await;
        page.find(".sharing svg.qr path").await;
        for (width, height) in [(360, 740), (1280, 800), (2560, 1440)] {
            page.resize(width, height).await;
            let excess = "document.querySelector('.sharing').scrollWidth \
                          - document.querySelector('.sharing').clientWidth";
            assert_eq!(page.evaluate(excess).await, json!(0), "at {width}");
            for scheme in [Scheme::Light, Scheme::Dark] {
                page.scheme(scheme).await;
                page.screenshot(&format!("sharing-{width}-{scheme:?}").to_lowercase()).await;
            }
        }
    });
}

/// The browser denies copying, and the page reports it.
#[test]
fn a_denied_copy_is_reported() {
    visit_t3d(async |page| {
        let denied = json!({"permission": {"name": "clipboard-write"}, "setting": "denied"});
        page.devtools("Browser.setPermission", denied).await;
        click(page, ".share button + button").await;
        click(page, ".sharing section:nth-of-type(2) button").await;
        let status = "document.querySelector('.sharing [role=status]').textContent";
        wait(page, &format!("{status}.startsWith('Not allowed here')")).await;
    });
}

/// Exports equal the command's, with the changes made in the page; an impossible export gives its
/// reason.
#[test]
fn the_share_dialog_exports_for_other_programs() {
    const FORMATS: [(&str, &str); 5] = [
        ("simgrid", "cray-t3d-simgrid.xml"),
        ("loggopsim", "cray-t3d-loggopsim.sh"),
        ("csv", "cray-t3d-parameters.csv"),
        ("python", "cray-t3d-parameters.py"),
        ("json", "cray-t3d-parameters.json"),
    ];
    visit(&link("cray-t3d", "message", &["style=issend", "L=5us"]), async |page| {
        let saves = save_folder(page).await;
        quantity(page, TIME).await;
        click(page, ".share button + button").await;
        for (place, (format, name)) in FORMATS.into_iter().enumerate() {
            let button = format!(".sharing section:nth-of-type(4) p:nth-of-type({})", place + 1);
            click(page, &format!("{button} button")).await;
            let set = ["--style", "issend", "--set", "L=5us", "--json"];
            let expected = loggia(&[&["export", "cray-t3d", "--as", format], &set[..]].concat());
            let content = String::from_utf8(saved(&saves, name).await).expect("text");
            assert_eq!(expected["text"], content, "{format}");
        }
        page.open(&link("ibm-sp2", "collectives", &[])).await;
        click(page, ".share button + button").await;
        click(page, ".sharing section:nth-of-type(4) p:first-of-type button").await;
        let status = "document.querySelector('.sharing [role=status]').textContent";
        wait(page, &format!("{status}.includes('reports no point-to-point parameters')")).await;
    });
}

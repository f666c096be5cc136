//! Headless Chromium for the page's tests. Each test has its own server, and so its own origin.
//! Successive tests share a browser, each in a new window.
//!
//! ```text
//! #[test]
//! fn the_heading() {
//!     browser::visit("#2.state", async |page| assert_eq!(page.text("h1").await, "Loggia"));
//! }
//! ```
//!
//! A test also fails if the browser's console has an error or a warning at its end. Without a
//! browser, it fails with instructions for the installation; `LOGGIA_NO_BROWSER=1` skips it
//! instead.

#![allow(dead_code, reason = "each test program uses its own part of this")]
#![allow(clippy::panic, reason = "a test fails by panicking")]

pub(crate) mod driver;
mod process;
pub(crate) mod static_host;

use driver::Session;
use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use process::Process;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

/// Colour scheme that the reader prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Light,
    Dark,
}

/// A browser that shows the page, served by the built command.
pub(crate) struct Page {
    /// For actions without a method of [`Page`].
    pub(crate) client: Client,
    /// Address of the page, with a final slash.
    pub(crate) address: String,
    // Dropped in this order: first the browser, then its server.
    session: Session,
    _server: Option<Process>,
}

/// The command's JSON.
pub(crate) fn loggia(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_loggia")).args(arguments).output();
    serde_json::from_slice(&output.expect("the command").stdout).expect("JSON")
}

/// Fragment of a link to this view of this machine in this state.
pub(crate) fn link(sig: &str, view: &str, set: &[&str]) -> String {
    let mut arguments = vec!["link", sig, "--view", view, "--json"];
    arguments.extend(set.iter().flat_map(|pair| ["--set", pair]));
    loggia(&arguments)["link"].as_str().expect("a link").to_owned()
}

/// Serves the page with `loggia serve`, opens it with this fragment and runs the test on it.
pub(crate) fn visit(fragment: &str, test: impl AsyncFnOnce(&Page)) {
    visit_served_with(&[], fragment, test);
}

/// Like [`visit`], with more options of `loggia serve`.
pub(crate) fn visit_served_with(options: &[&str], fragment: &str, test: impl AsyncFnOnce(&Page)) {
    if skipped() {
        return;
    }
    let command = Path::new(env!("CARGO_BIN_EXE_loggia"));
    let arguments = [&["serve", "--port", "0"], options].concat();
    let mut server = Process::start(command, &arguments);
    let address = server.line_with("http://");
    run(format!("{}{fragment}", address.trim()), Some(server), test);
}

/// Runs the test on a page from another server.
pub(crate) fn visit_at(address: &str, test: impl AsyncFnOnce(&Page)) {
    if !skipped() {
        run(address.to_owned(), None, test);
    }
}

fn run(address: String, server: Option<Process>, test: impl AsyncFnOnce(&Page)) {
    driver::RUNTIME.block_on(async {
        let session = Session::take().await;
        let page = Page { client: session.client.clone(), address, session, _server: server };
        page.resize(1280, 800).await;
        page.scheme(Scheme::Light).await;
        page.open("").await;
        test(&page).await;
        assert_eq!(page.complaints().await, [""; 0], "the browser's console");
        page.session.give_back().await;
    });
}

/// Whether a console entry only means that a test left the page while a part of it was loading,
/// before or during its body. For a missing part, the browser adds another entry.
fn is_of_a_page_left(message: &str) -> bool {
    message.ends_with("Network error: Response body loading was aborted")
        || message.contains("/later-") && message.contains("TypeError: Failed to fetch")
}

fn skipped() -> bool {
    let skipped = env::var_os("LOGGIA_NO_BROWSER").is_some_and(|value| value == "1");
    if skipped {
        eprintln!("skipped, because LOGGIA_NO_BROWSER=1: this test needs a browser");
    }
    skipped
}

/// Deadline of a change in the page, on a slow machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);
/// Interval between two checks while a test waits.
pub(crate) const POLL: Duration = Duration::from_millis(20);

impl Page {
    /// Loads the page again, with this fragment (`#2.…`) unless it is empty.
    pub(crate) async fn open(&self, fragment: &str) {
        let address = match fragment {
            "" => self.address.clone(),
            _ => format!("{}{fragment}", self.address.split('#').next().unwrap_or_default()),
        };
        // Via another page: a new fragment alone does not reload.
        self.client.goto("about:blank").await.expect("a blank page");
        self.client.goto(&address).await.unwrap_or_else(|error| panic!("{address}: {error}"));
    }

    /// Waits until the page has drawn its last change, and its transitions have ended.
    pub(crate) async fn drawn(&self) {
        let frames =
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))";
        let ends = "Promise.allSettled(document.getAnimations().map(one => one.finished))";
        self.evaluate(&format!("{frames}.then(() => {ends}).then(() => true)")).await;
    }

    /// Follows a link to this fragment, without loading the page again.
    pub(crate) async fn follow(&self, fragment: &str) {
        self.call("fragment => { location.hash = fragment }", &[json!(fragment)]).await;
    }

    /// The first element of this selector, as soon as it exists.
    pub(crate) async fn find(&self, selector: &str) -> Element {
        let found = self
            .client
            .wait()
            .at_most(PATIENCE)
            .every(POLL)
            .for_element(Locator::Css(selector))
            .await;
        found.unwrap_or_else(|error| panic!("{selector} did not appear: {error}"))
    }

    /// The visible text of an element.
    pub(crate) async fn text(&self, selector: &str) -> String {
        let start = Instant::now();
        loop {
            // The page may have replaced the element meanwhile.
            match self.find(selector).await.text().await {
                Ok(text) => return text,
                Err(error) => assert!(start.elapsed() < PATIENCE, "{selector}: {error}"),
            }
        }
    }

    /// The value of a JavaScript expression.
    pub(crate) async fn evaluate(&self, expression: &str) -> Value {
        let value = self.client.execute(&format!("return {expression}"), vec![]).await;
        value.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Calls an asynchronous JavaScript function, given as source, with these arguments.
    pub(crate) async fn call(&self, function: &str, arguments: &[Value]) -> Value {
        let script = format!("return ({function})(...arguments)");
        let value = self.client.execute(&script, arguments.to_vec()).await;
        value.unwrap_or_else(|error| panic!("{function}: {error}"))
    }

    /// Drops files with these names and bytes onto the page by a drop event, as soon as the page
    /// handles it.
    pub(crate) async fn drop_files(&self, files: &[(String, Vec<u8>)]) {
        const DROP: &str = "(files) => {
            const data = new DataTransfer();
            for (const [name, bytes] of files) {
                data.items.add(new File([new Uint8Array(bytes)], name));
            }
            const event = { bubbles: true, cancelable: true, dataTransfer: data };
            document.body.dispatchEvent(new DragEvent('drop', event));
        }";
        self.find("main .panel").await;
        self.call(DROP, &[json!(files)]).await;
    }

    /// The address of the script that starts the simulator.
    pub(crate) async fn simulator(&self) -> Value {
        let named = "document.querySelector('meta[name=loggia-simulator]')?.content";
        self.evaluate(&format!("new URL({named}, document.baseURI).href")).await
    }

    /// Sets the size of the viewport in CSS pixels, also below the minimum width of a window.
    pub(crate) async fn resize(&self, width: u32, height: u32) {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    /// Emulates the reader's `prefers-color-scheme`.
    pub(crate) async fn scheme(&self, scheme: Scheme) {
        let value = match scheme {
            Scheme::Light => "light",
            Scheme::Dark => "dark",
        };
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": value}]});
        self.devtools("Emulation.setEmulatedMedia", media).await;
    }

    /// Saves a picture of the viewport under cargo's target directory, for inspection.
    pub(crate) async fn screenshot(&self, name: &str) -> PathBuf {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("png");
        fs::write(&path, self.client.screenshot().await.expect("a picture")).expect("a file");
        path
    }

    /// Errors and warnings on the browser's console since the last call.
    pub(crate) async fn complaints(&self) -> Vec<String> {
        let log = self.session.post("se/log", &json!({"type": "browser"})).await;
        let entries = log.as_array().cloned().unwrap_or_default();
        let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        entries
            .iter()
            .filter(|entry| matches!(text(entry, "level").as_str(), "SEVERE" | "WARNING"))
            .filter(|entry| !is_of_a_page_left(&text(entry, "message")))
            .map(|entry| format!("{}: {}", text(entry, "level"), text(entry, "message")))
            .collect()
    }

    /// Sends a command of the Chrome DevTools protocol.
    pub(crate) async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let body = json!({"cmd": command, "params": parameters});
        self.session.post("goog/cdp/execute", &body).await
    }
}

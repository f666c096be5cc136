//! Real headless Chromium for the page's tests, each with a server, and so an origin, of its own. Tests
//! that run one after another have the same browser, each in a new window.
//!
//! ```text
//! #[test]
//! fn the_heading() {
//!     browser::visit("#2.state", async |page| assert_eq!(page.text("h1").await, "Loggia"));
//! }
//! ```
//!
//! A test fails, too, when the browser's console has an error or a warning at its end. Where there
//! is no browser it fails and says how to get one; `LOGGIA_NO_BROWSER=1` skips it instead.

#![allow(dead_code, reason = "each test program uses its own part of this")]
#![allow(clippy::panic, reason = "that is how a test fails, with what it saw in the words")]

pub(crate) mod driver;
mod process;
pub(crate) mod static_host;

use driver::Session;
use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use process::Process;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

/// Whether the reader asked for a light or a dark page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Light,
    Dark,
}

/// A browser that shows the page, served by the built command.
pub(crate) struct Page {
    /// For everything that has no shorthand here.
    pub(crate) client: Client,
    /// Where the page is, ending in a slash.
    pub(crate) address: String,
    // In this order: first the browser goes, then what it shows.
    session: Session,
    _server: Option<Process>,
}

/// Serves the page with `loggia serve`, opens it with this fragment and runs the test on it.
pub(crate) fn visit(fragment: &str, test: impl AsyncFnOnce(&Page)) {
    visit_served_with(&[], fragment, test);
}

/// The same with more options of `loggia serve`.
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

/// Runs the test on a page that somebody else serves.
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

/// Whether the console says no more than that a test left the page while a part of it was loading: in
/// its body, or before the answer. A part that is missing has an entry of its own, by the browser.
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

/// How long a slow machine may take for what a reader sees at once.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);
/// So often a test looks again for what it waits for.
pub(crate) const POLL: Duration = Duration::from_millis(20);

impl Page {
    /// Loads the page anew, with this fragment (`#2.…`) if it isn't empty.
    pub(crate) async fn open(&self, fragment: &str) {
        let address = match fragment {
            "" => self.address.clone(),
            _ => format!("{}{fragment}", self.address.split('#').next().unwrap_or_default()),
        };
        // From another page: a new fragment alone would load nothing.
        self.client.goto("about:blank").await.expect("a blank page");
        self.client.goto(&address).await.unwrap_or_else(|error| panic!("{address}: {error}"));
    }

    /// The first element that the selector finds, once there is one.
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
            // The page may draw it anew in between.
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

    /// What an asynchronous JavaScript function, given as its source, makes of these arguments.
    pub(crate) async fn call(&self, function: &str, arguments: &[Value]) -> Value {
        let script = format!("return ({function})(...arguments)");
        let value = self.client.execute(&script, arguments.to_vec()).await;
        value.unwrap_or_else(|error| panic!("{function}: {error}"))
    }

    /// Drops files of these names and bytes on the page, as the browser tells it, once the page is
    /// there to hear of it.
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

    /// Makes the viewport exactly this large, in CSS pixels, narrower than any window may be.
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

    /// A picture of the viewport, kept under cargo's target directory to be looked at.
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

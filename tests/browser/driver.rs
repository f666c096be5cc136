//! Chromedriver: starts it on a free port, starts Chromium through it, and ends both.

use super::process::Process;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::{env, fs};
use tempfile::TempDir;
use url::{ParseError, Url};

/// Nothing that talks to the network by itself, and pixels that do not depend on the machine.
const FLAGS: [&str; 11] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
];
const FONTS: &str = "--font-render-hinting=none";

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const DRIVERS: [&str; 1] = ["chromedriver"];

/// Whether there is a browser at all.
pub(crate) fn is_installed() -> bool {
    find(&BROWSERS).is_some() && find(&DRIVERS).is_some()
}

/// A running chromedriver and the profile of its browser.
pub(crate) struct Driver {
    process: Process,
    port: u16,
    browser: PathBuf,
    profile: TempDir,
}

/// Chromedriver, and where it listens. It chooses its port for one family of addresses, and ends
/// where another program has the same of the other family: then it may choose again.
fn chromedriver() -> (Process, String) {
    let start = || {
        let mut process = Process::start(&installed(&DRIVERS), &["--port=0"]);
        process.says("started successfully on port ").map(|line| (process, line))
    };
    (0..5).find_map(|_| start()).expect("chromedriver starts; its errors are above")
}

impl Driver {
    pub(crate) fn start() -> Self {
        let browser = installed(&BROWSERS);
        let (process, line) = chromedriver();
        let digits = line.trim_end().trim_end_matches('.').rsplit(' ').next();
        let port = digits.and_then(|digits| digits.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no port in {line:?}"));
        Self { process, port, browser, profile: TempDir::new().expect("a folder") }
    }

    /// A browser with an empty profile, which keeps its console for the tests.
    pub(crate) async fn browser(&self) -> Client {
        let profile = format!("--user-data-dir={}", self.profile.path().display());
        let flags = FLAGS.into_iter().chain([FONTS, &profile]).collect::<Vec<_>>();
        let wishes = json!({
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"binary": self.browser, "args": flags},
        });
        let address = format!("http://127.0.0.1:{}", self.port);
        let wishes = wishes.as_object().cloned().unwrap_or_default();
        let started =
            ClientBuilder::new(HttpConnector::new()).capabilities(wishes).connect(&address).await;
        started.unwrap_or_else(|error| {
            panic!("chromedriver cannot start {}: {error}", self.browser.display())
        })
    }

    /// Sends one of chromedriver's own commands, by its path under the session.
    pub(crate) async fn post(&self, client: &Client, path: &'static str, body: &Value) -> Value {
        let answer = client.issue_cmd(Post { path, body: body.to_string() }).await;
        answer.unwrap_or_else(|error| panic!("chromedriver's {path}: {error}"))
    }
}

/// Killing chromedriver alone would leave its browser behind, so it is asked to end both.
impl Drop for Driver {
    fn drop(&mut self) {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else { return };
        let asked = stream.write_all(b"GET /shutdown HTTP/1.1\r\nHost: localhost\r\n\r\n");
        if asked.is_ok() && stream.read(&mut [0]).is_ok() {
            self.process.wait();
        }
        // The profile is deleted next, though the browser's last helpers may still write to it.
    }
}

#[derive(Debug)]
struct Post {
    path: &'static str,
    body: String,
}

impl WebDriverCompatibleCommand for Post {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.clone()))
    }
}

/// The first of these programs that is on the PATH.
fn find(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<_> = env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect();
    let mut places = names.iter().flat_map(|name| folders.iter().map(move |dir| dir.join(name)));
    places.find(|path| fs::metadata(path).is_ok_and(|found| found.is_file()))
}

fn installed(names: &[&str]) -> PathBuf {
    find(names).unwrap_or_else(|| {
        panic!(
            "{} is not installed, and this test needs a real browser: run `make setup`, \
             or set LOGGIA_NO_BROWSER=1 to skip such tests",
            names[0]
        )
    })
}

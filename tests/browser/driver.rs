//! Starts chromedriver on a free port and Chromium through it, and ends both. A browser whose test
//! has passed is kept for the next test.

use super::process::Process;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::{env, fs};
use tokio::runtime::Runtime;
use url::{ParseError, Url};

/// No network access by Chromium itself, pixels that do not depend on the machine, and one process
/// for all pages: starting a process takes as long as drawing a page.
const FLAGS: [&str; 14] = [
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
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
    "--disable-features=RenderDocument,BackForwardCache,SpareRendererForSitePerProcess",
    "--force-color-profile=srgb",
];
const FONTS: &str = "--font-render-hinting=none";

/// Chromium without windows of its own: the same engine, in less processor time.
const HEADLESS_SHELL: &str = "chromium-headless-shell";
const BROWSERS: [&str; 4] = [HEADLESS_SHELL, "chromium", "chromium-browser", "google-chrome"];
const STARTED_SHELL: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/browser/headless-shell.sh");
const DRIVERS: [&str; 1] = ["chromedriver"];

/// Whether a browser and its driver are installed.
pub(crate) fn is_installed() -> bool {
    find(&BROWSERS).is_some() && find(&DRIVERS).is_some()
}

/// One runtime for all tests: a browser's connection also needs it between two tests.
pub(crate) static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));

/// Browsers kept for the next test.
static IDLE: Mutex<Vec<Session>> = Mutex::new(Vec::new());

/// A browser, started through its own chromedriver.
pub(crate) struct Session {
    pub(crate) client: Client,
    driver: Driver,
}

impl Session {
    /// A kept browser, or a new one.
    pub(crate) async fn take() -> Self {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(session) => session,
            None => {
                let driver = Driver::start();
                Session { client: driver.browser().await, driver }
            }
        }
    }

    /// Keeps the browser for the next test, with one new window and no permissions.
    pub(crate) async fn give_back(self) {
        let old = self.client.windows().await.expect("windows");
        let new = self.client.new_window(true).await.expect("a window").handle;
        for window in old {
            self.client.switch_to_window(window).await.expect("a window");
            self.client.close_window().await.expect("it closes");
        }
        self.client.switch_to_window(new).await.expect("a window");
        let reset = json!({"cmd": "Browser.resetPermissions", "params": {}});
        self.post("goog/cdp/execute", &reset).await;
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self);
    }

    /// Sends a command that only chromedriver has, by its path in the session.
    pub(crate) async fn post(&self, path: &'static str, body: &Value) -> Value {
        let response = self.client.issue_cmd(Post { path, body: body.to_string() }).await;
        response.unwrap_or_else(|error| panic!("chromedriver's {path}: {error}"))
    }
}

/// A running chromedriver and the profile of its browser.
struct Driver {
    process: Process,
    port: u16,
    browser: PathBuf,
    profile: PathBuf,
}

/// Runs chromedriver until the shell's input ends, which happens at every end of the test program.
/// Then it ends the browser and removes its profile.
const RUN: &str = r#"
    "$1" --port=0 &
    cat >/dev/null
    kill $!
    pkill -f -- "--user-data-dir=$2"
    wait
    rm -rf "$2" 2>/dev/null || { sleep 1; rm -rf "$2"; }
"#;

/// Chromedriver, and the line with its port. It chooses a port that is free for IPv4 or for IPv6,
/// and ends if another program has this port in the other family. Then it is started again.
fn chromedriver(profile: &Path) -> (Process, String) {
    let (driver, profile) = (installed(&DRIVERS), profile.display().to_string());
    let start = || {
        let arguments = ["-c", RUN, "sh", &driver.display().to_string(), &profile];
        let mut process = Process::start(Path::new("sh"), &arguments);
        process.try_line_with("started successfully on port ").map(|line| (process, line))
    };
    (0..5).find_map(|_| start()).expect("chromedriver starts; its errors are above")
}

impl Driver {
    fn start() -> Self {
        let browser = match installed(&BROWSERS) {
            shell if shell.ends_with(HEADLESS_SHELL) => PathBuf::from(STARTED_SHELL),
            browser => browser,
        };
        let profile = tempfile::tempdir().expect("a folder").keep();
        let (process, line) = chromedriver(&profile);
        let digits = line.trim_end().trim_end_matches('.').rsplit(' ').next();
        let port = digits.and_then(|digits| digits.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no port in {line:?}"));
        Self { process, port, browser, profile }
    }

    /// A browser with an empty profile that logs its console for the tests.
    async fn browser(&self) -> Client {
        let profile = format!("--user-data-dir={}", self.profile.display());
        let flags = FLAGS.into_iter().chain([FONTS, &profile]).collect::<Vec<_>>();
        let capabilities = json!({
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"binary": self.browser, "args": flags},
        });
        let address = format!("http://127.0.0.1:{}", self.port);
        let capabilities = capabilities.as_object().cloned().unwrap_or_default();
        let started = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&address)
            .await;
        started.unwrap_or_else(|error| {
            panic!("chromedriver cannot start {}: {error}", self.browser.display())
        })
    }
}

/// Chromedriver ends its browser on request, which is faster than killing both.
impl Drop for Driver {
    fn drop(&mut self) {
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            // Without a response, it is killed.
            let _ = stream.write_all(b"GET /shutdown HTTP/1.1\r\nHost: localhost\r\n\r\n");
            let _ = stream.read(&mut [0]);
        }
        self.process.wait();
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

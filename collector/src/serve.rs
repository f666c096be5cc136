//! `loggia serve`: the page from the command itself, on this machine only.
//!
//! Browsers refuse module scripts from `file://`, so the page needs a server. This one knows
//! nothing but the files that were built into it, listens on loopback, and answers no other host
//! name: a foreign page that points its own name at 127.0.0.1 gets nothing.

use crate::report::Failure;
use loggia_model::Error;
use loggia_model::codec::single;
use loggia_model::state::State;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response, Server, StatusCode};

/// The files of `dist/` by their path in it; empty when the page was not built first.
static PAGE: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

type File = (&'static str, &'static [u8]);

/// The page, by its path in `dist/`.
const INDEX: &str = "index.html";
/// The same as one file.
const ONE_FILE: &str = "page.html";

/// The port that is tried first, so that a bookmark goes on working.
const USUAL_PORT: u16 = 7478;

/// What is served.
struct Site {
    files: &'static [File],
    /// The page's first file, where it is not as it was built.
    index: Option<String>,
}

impl Site {
    fn find(&self, name: &str) -> Option<&[u8]> {
        match &self.index {
            Some(index) if name == INDEX => Some(index.as_bytes()),
            _ => find(self.files, name),
        }
    }
}

/// The page's first file, holding this state.
fn index_with(state: &State) -> Option<String> {
    single::with_state(str::from_utf8(find(PAGE, INDEX)?).ok()?, state)
}

/// What the command line asks for.
pub(crate) struct Options {
    /// The port; none is the usual one or, where that is taken, any. 0 is any.
    pub(crate) port: Option<u16>,
    /// Whether to show the page in the browser.
    pub(crate) open: bool,
    /// What the page begins with, if not with its own choice.
    pub(crate) state: Option<State>,
}

/// Whether this binary holds the page.
pub(crate) fn page_is_built() -> bool {
    find(PAGE, INDEX).is_some()
}

/// The page as one file, which holds no state yet.
pub(crate) fn one_file() -> Result<&'static str, Failure> {
    let page = find(PAGE, ONE_FILE).and_then(|page| str::from_utf8(page).ok());
    page.ok_or_else(not_built)
}

fn not_built() -> Failure {
    Failure::Failed(Error::new(
        "the page is not built into this program",
        "dist/",
        "run `make site`, then build this again",
    ))
}

/// Serves the page until the process ends. The addresses are printed once it listens.
pub(crate) fn run(options: &Options, out: &mut dyn Write) -> Result<(), Failure> {
    if !page_is_built() {
        return Err(not_built());
    }
    let site = Site { files: PAGE, index: options.state.as_ref().and_then(index_with) };
    let listener = listen(options.port)?;
    let address = format!("http://{}/", listener.local_addr()?);
    let server = Server::from_listener(listener, None).map_err(io::Error::other)?;
    writeln!(out, "{address}")?;
    if options.open && !open(&address) {
        writeln!(out, "No browser could be started: open this address by hand.")?;
    }
    out.flush()?;
    for request in server.incoming_requests() {
        // A browser that has gone away is no reason to stop.
        let _ = respond(request, &site);
    }
    Ok(())
}

fn listen(port: Option<u16>) -> Result<TcpListener, Failure> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    match port {
        None => bind(USUAL_PORT).or_else(|_| bind(0)),
        Some(port) => bind(port),
    }
    .map_err(|error| {
        Failure::Failed(Error::new(
            format!("cannot listen on this port: {error}"),
            "--port",
            "choose another one, or leave it out to get a free one",
        ))
    })
}

/// Asks the desktop to show the address, whatever desktop it is.
fn open(address: &str) -> bool {
    let openers: [&[&str]; 3] = [&["xdg-open"], &["open"], &["cmd", "/c", "start", ""]];
    openers.iter().any(|opener| {
        let (silent, no_input) = (Stdio::null, Stdio::null());
        let child = Command::new(opener[0])
            .args(&opener[1..])
            .arg(address)
            .stdin(no_input)
            .stdout(silent())
            .stderr(silent())
            .spawn();
        child.is_ok_and(|mut child| {
            // One that fails says so at once; one that became the browser never ends.
            for _ in 0..10 {
                match child.try_wait() {
                    Ok(Some(status)) => return status.success(),
                    Ok(None) => thread::sleep(Duration::from_millis(50)),
                    Err(_) => return false,
                }
            }
            true
        })
    })
}

fn respond(request: Request, site: &Site) -> io::Result<()> {
    let host = request.headers().iter().find(|header| header.field.equiv("Host"));
    let host = host.map(|header| header.value.as_str().to_owned());
    let answer = answer(site, request.method(), request.url(), host.as_deref());
    let headers = answer
        .headers
        .into_iter()
        .filter_map(|(name, value)| Header::from_bytes(name.as_bytes(), value.as_bytes()).ok());
    let length = answer.body.len();
    let response = Response::new(
        StatusCode(answer.status),
        headers.collect(),
        answer.body,
        Some(length),
        None,
    );
    // With a length always, never in chunks: the whole of it is at hand.
    request.respond(response.with_chunked_threshold(usize::MAX))
}

struct Answer<'a> {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: &'a [u8],
}

/// What a request gets; all of the server that is worth a test.
fn answer<'a>(site: &'a Site, method: &Method, url: &str, host: Option<&str>) -> Answer<'a> {
    if !host.is_some_and(is_this_machine) {
        return refuse(403, b"This page is for this machine only.\n");
    }
    if !matches!(method, Method::Get | Method::Head) {
        let mut answer = refuse(405, b"There is nothing here but files to read.\n");
        answer.headers.push(("Allow", "GET, HEAD".to_owned()));
        return answer;
    }
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let name = match path.strip_prefix('/') {
        Some("") => INDEX,
        Some(name) => name,
        None => return refuse(400, b"An address starts with a slash.\n"),
    };
    let Some(body) = site.find(name) else { return refuse(404, b"There is no such file.\n") };
    let mut headers = headers(content_type(name));
    headers.push(("Cache-Control", caching(name).to_owned()));
    // The page as one file has a policy of its own; everything else is part of the page.
    let stated = if name == ONE_FILE { Some(body) } else { site.find(INDEX) };
    let policy = stated.and_then(policy).unwrap_or("default-src 'none'");
    // Only a header can forbid other pages to frame this one; a static host leaves that out.
    headers.push(("Content-Security-Policy", format!("{policy}; frame-ancestors 'none'")));
    Answer { status: 200, headers, body }
}

fn refuse(status: u16, body: &'static [u8]) -> Answer<'static> {
    let mut headers = headers("text/plain; charset=utf-8");
    headers.push(("Cache-Control", "no-store".to_owned()));
    Answer { status, headers, body }
}

fn headers(content_type: &str) -> Vec<(&'static str, String)> {
    vec![
        ("Content-Type", content_type.to_owned()),
        ("X-Content-Type-Options", "nosniff".to_owned()),
        ("Referrer-Policy", "no-referrer".to_owned()),
    ]
}

fn find(page: &[File], name: &str) -> Option<&'static [u8]> {
    page.iter().find(|(path, _)| *path == name).map(|(_, content)| *content)
}

/// Whether a `Host` header names this machine, with any port or none.
fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

/// A name with its content's hash in it, `loggia-0123456789abcdef.wasm`, never means anything else.
fn caching(name: &str) -> &'static str {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let hashed = stem.rsplit_once('-').is_some_and(|(_, hash)| {
        hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    if hashed { "public, max-age=31536000, immutable" } else { "no-cache" }
}

/// The policy that a page states for hosts whose headers nobody can set; stated only there.
fn policy(page: &[u8]) -> Option<&str> {
    let (_, rest) =
        str::from_utf8(page).ok()?.split_once("\"Content-Security-Policy\" content=\"")?;
    Some(rest.split_once('"')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    static SAMPLE: &[File] = &[
        ("index.html", include_bytes!("../../index.html")),
        ("loggia-0123456789abcdef.wasm", b"\0asm"),
        ("page.html", b"\"Content-Security-Policy\" content=\"script-src 'sha256-x'\""),
        ("snippets/a-1/inline0.js", b"export {}"),
    ];

    static SITE: Site = Site { files: SAMPLE, index: None };

    fn ask(method: &str, url: &str, host: &str) -> Answer<'static> {
        answer(&SITE, &method.parse().unwrap(), url, Some(host))
    }

    fn header<'a>(answer: &'a Answer<'_>, name: &str) -> &'a str {
        answer.headers.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    #[test]
    fn the_root_is_the_page() {
        for url in ["/", "/index.html", "/?x=1", "/index.html?y#z"] {
            let answer = ask("GET", url, "127.0.0.1:7478");
            assert_eq!((answer.status, answer.body), (200, SAMPLE[0].1), "{url}");
            assert_eq!(header(&answer, "Content-Type"), "text/html; charset=utf-8");
            assert_eq!(header(&answer, "Cache-Control"), "no-cache");
        }
    }

    #[test]
    fn types_and_caching_follow_the_name() {
        let wasm = ask("GET", "/loggia-0123456789abcdef.wasm", "localhost");
        assert_eq!((wasm.status, wasm.body), (200, b"\0asm".as_slice()));
        assert_eq!(header(&wasm, "Content-Type"), "application/wasm");
        assert!(header(&wasm, "Cache-Control").contains("immutable"));
        let snippet = ask("GET", "/snippets/a-1/inline0.js", "localhost");
        assert_eq!(header(&snippet, "Content-Type"), "text/javascript; charset=utf-8");
        assert_eq!(header(&snippet, "Cache-Control"), "no-cache");
    }

    #[test]
    fn every_file_carries_the_page_s_own_policy() {
        let answer = ask("GET", "/", "localhost:80");
        let sent = header(&answer, "Content-Security-Policy");
        assert!(sent.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"));
        assert!(sent.ends_with("form-action 'none'; frame-ancestors 'none'"), "{sent}");
        assert_eq!(header(&answer, "X-Content-Type-Options"), "nosniff");
        assert_eq!(header(&answer, "Referrer-Policy"), "no-referrer");
    }

    #[test]
    fn the_page_as_one_file_carries_its_own() {
        let answer = ask("GET", "/page.html", "localhost");
        let sent = header(&answer, "Content-Security-Policy");
        assert_eq!(sent, "script-src 'sha256-x'; frame-ancestors 'none'");
        assert_eq!(header(&answer, "Cache-Control"), "no-cache");
    }

    #[test]
    fn what_is_not_a_file_of_the_page_is_not_found() {
        let urls = ["/favicon.ico", "/../Cargo.toml", "/index.html/", "//index.html", "/%2e%2e/x"];
        for url in urls {
            assert_eq!(ask("GET", url, "localhost").status, 404, "{url}");
        }
        assert_eq!(ask("GET", "*", "localhost").status, 400);
    }

    #[test]
    fn nothing_but_reading() {
        assert_eq!(ask("HEAD", "/", "localhost").status, 200);
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"] {
            let answer = ask(method, "/", "localhost");
            assert_eq!((answer.status, header(&answer, "Allow")), (405, "GET, HEAD"), "{method}");
        }
    }

    /// DNS rebinding: a foreign page's own name, made to point at this machine.
    #[test]
    fn other_host_names_get_nothing() {
        for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]", "[::1]:7478"] {
            assert_eq!(ask("GET", "/", host).status, 200, "{host}");
        }
        let foreign = ["evil.example", "127.0.0.1.evil.example:80", "localhost.", "::1", "", ":80"];
        for host in foreign {
            assert_eq!(ask("GET", "/", host).status, 403, "{host}");
        }
        assert_eq!(answer(&SITE, &Method::Get, "/", None).status, 403);
    }

    #[test]
    fn the_page_may_begin_with_another_state() {
        let site = Site { files: SAMPLE, index: Some("mine".to_owned()) };
        assert_eq!(answer(&site, &Method::Get, "/", Some("localhost")).body, b"mine");
        let other = answer(&site, &Method::Get, "/page.html", Some("localhost"));
        assert_eq!(other.body, SAMPLE[2].1);
    }

    #[test]
    fn a_taken_port_is_an_error_only_when_it_was_asked_for() {
        let taken = listen(Some(0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let error = listen(Some(port)).unwrap_err();
        assert!(matches!(&error, Failure::Failed(e) if e.place == "--port"), "{error:?}");
        assert!(listen(None).is_ok());
    }
}

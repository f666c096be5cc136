//! `loggia serve`: serves the page on this machine only.
//!
//! Browsers refuse module scripts from `file://`, so the page needs a server. The server has only
//! the page and one watched signature, listens on loopback and checks the Host header against DNS
//! rebinding.

use crate::http;
use crate::page::{self, INDEX, ONE_FILE};
use crate::report::Failure;
use hyper::body::Bytes;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Response, StatusCode, Uri};
use loggia_link::single;
use loggia_link::state::State;
use loggia_model::Error;
use loggia_model::json;
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, UNIX_EPOCH};
use std::{fs, thread};

/// The path of the watched signature.
const WATCHED: &str = "watched.json";

/// The port tried first, so that bookmarks keep working.
const DEFAULT_PORT: u16 = 7478;

struct Site {
    file: fn(&str) -> Option<Bytes>,
    /// The initial state of the page, if not its default.
    state: Option<State>,
    /// A signature file that the page shows after each change.
    watched: Option<PathBuf>,
}

impl Site {
    fn find(&self, name: &str) -> Option<Bytes> {
        let file = (self.file)(name)?;
        if name != INDEX || (self.state.is_none() && self.watched.is_none()) {
            return Some(file);
        }
        let mut page = String::from_utf8(file.into()).ok()?;
        if let Some(state) = &self.state {
            page = single::with_state(&page, state)?;
        }
        if self.watched.is_some() {
            page = single::with_polling(&page, WATCHED)?;
        }
        Some(page.into())
    }

    /// The watched signature and its tag, if the run is finished and the tag differs from `seen`.
    fn newly_watched(&self, seen: &str) -> Option<(String, Bytes)> {
        let path = self.watched.as_ref()?;
        let file = fs::metadata(path).ok()?;
        let written = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let tag = format!("\"{:x}-{:x}\"", written.as_nanos(), file.len());
        if tag == seen {
            return None;
        }
        let content = fs::read_to_string(path).ok()?;
        let signature = json::from_json(&content).ok()?;
        let is_finished = signature.collection.as_ref().is_none_or(|run| run.finished);
        is_finished.then(|| (tag, content.into()))
    }
}

pub(crate) struct Options {
    /// `None`: the default port, or a free port if it is in use. 0: a free port.
    pub(crate) port: Option<u16>,
    /// Whether to open the browser.
    pub(crate) open: bool,
    /// The initial state of the page, if not its default.
    pub(crate) state: Option<State>,
    /// A signature file that the page shows after each change.
    pub(crate) watched: Option<PathBuf>,
}

/// Serves the page until the process ends. Prints the address once it listens.
pub(crate) fn run(options: Options, out: &mut dyn Write) -> Result<(), Failure> {
    if page::file(INDEX).is_none() {
        return Err(page::not_built());
    }
    let site = Site { file: page::file, state: options.state, watched: options.watched };
    let listener = listen(options.port)?;
    let address = format!("http://{}/", listener.local_addr()?);
    writeln!(out, "{address}")?;
    if options.open && !open(&address) {
        writeln!(out, "no browser was found; open this address in a browser")?;
    }
    out.flush()?;
    http::serve(listener, move |request| {
        let host = only_host(request.uri(), request.headers());
        let seen = request.headers().get(header::IF_NONE_MATCH);
        let seen = seen.and_then(|tag| tag.to_str().ok()).unwrap_or_default();
        answer(&site, request.method(), request.uri().path(), host, seen)
    })?;
    Ok(())
}

fn listen(port: Option<u16>) -> Result<TcpListener, Failure> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    match port {
        None => bind(DEFAULT_PORT).or_else(|_| bind(0)),
        Some(port) => bind(port),
    }
    .map_err(|error| {
        Failure::Failed(Error::new(
            format!("cannot listen on this port: {error}"),
            "--port",
            "choose another port, or omit --port for a free one",
        ))
    })
}

/// Opens the address in the default browser.
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
            // A failed opener exits at once; an opener that becomes the browser does not exit.
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

/// The host of a request; `None` if the request names several. Another program between client and
/// server might evaluate a second `Host` header, or the host of an absolute address.
fn only_host<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> Option<&'a str> {
    let mut hosts = headers.get_all(header::HOST).into_iter();
    let host = hosts.next()?.to_str().ok()?;
    let is_only = hosts.next().is_none() && uri.authority().is_none_or(|other| other == host);
    is_only.then_some(host)
}

/// The response to a request. `seen` is the tag of the watched file on the page.
fn answer(
    site: &Site,
    method: &Method,
    path: &str,
    host: Option<&str>,
    seen: &str,
) -> Response<Bytes> {
    if !host.is_some_and(is_this_machine) {
        return refuse(
            StatusCode::FORBIDDEN,
            "Only this machine may open the page; use http://127.0.0.1.\n",
        );
    }
    if !matches!(*method, Method::GET | Method::HEAD) {
        let why = "Only GET and HEAD are allowed.\n";
        let mut refusal = refuse(StatusCode::METHOD_NOT_ALLOWED, why);
        refusal.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return refusal;
    }
    let name = match path.strip_prefix('/') {
        Some("") => INDEX,
        Some(name) => name,
        None => return refuse(StatusCode::BAD_REQUEST, "The path must start with a slash.\n"),
    };
    if name == WATCHED && site.watched.is_some() {
        return watched(site, seen);
    }
    let Some(body) = site.find(name) else {
        return refuse(StatusCode::NOT_FOUND, "This file does not exist.\n");
    };
    // The single-file page has a different policy. A state does not change the policy, and takes long to
    // add: the page as built is enough.
    let policy_page = if name == ONE_FILE { Some(body.clone()) } else { (site.file)(INDEX) };
    let policy = policy_page.as_deref().and_then(policy).unwrap_or("default-src 'none'");
    let mut response = reply(StatusCode::OK, body, content_type(name), caching(name));
    // Only a header can forbid that other pages frame this page; a static host cannot set it.
    if let Ok(policy) = HeaderValue::try_from(format!("{policy}; frame-ancestors 'none'")) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// The watched signature, if the page has an older version.
fn watched(site: &Site, seen: &str) -> Response<Bytes> {
    let json = "application/json";
    let Some((tag, signature)) = site.newly_watched(seen) else {
        return reply(StatusCode::NO_CONTENT, Bytes::new(), json, "no-store");
    };
    let mut response = reply(StatusCode::OK, signature, json, "no-store");
    if let Ok(tag) = HeaderValue::try_from(tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

fn refuse(status: StatusCode, why: &'static str) -> Response<Bytes> {
    reply(status, Bytes::from_static(why.as_bytes()), "text/plain; charset=utf-8", "no-store")
}

fn reply(
    status: StatusCode,
    body: Bytes,
    content_type: &'static str,
    caching: &'static str,
) -> Response<Bytes> {
    let headers: [(HeaderName, &'static str); 4] = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, caching),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    response.headers_mut().extend(headers);
    response
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

/// A name with a content hash, such as `loggia-0123456789abcdef.wasm`, has always the same content.
fn caching(name: &str) -> &'static str {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let hashed = stem.rsplit_once('-').is_some_and(|(_, hash)| {
        hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    if hashed { "public, max-age=31536000, immutable" } else { "no-cache" }
}

/// The policy in the page itself, for hosts that cannot set headers.
fn policy(page: &[u8]) -> Option<&str> {
    let (_, rest) =
        str::from_utf8(page).ok()?.split_once("\"Content-Security-Policy\" content=\"")?;
    Some(rest.split_once('"')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    static SAMPLE: &[(&str, &[u8])] = &[
        ("index.html", include_bytes!("../../../index.html")),
        ("loggia-0123456789abcdef.wasm", b"\0asm"),
        ("page.html", b"\"Content-Security-Policy\" content=\"script-src 'sha256-x'\""),
        ("snippets/a-1/inline0.js", b"export {}"),
    ];

    const SITE: Site = Site { file: sample, state: None, watched: None };

    fn sample(name: &str) -> Option<Bytes> {
        let found = SAMPLE.iter().find(|(path, _)| *path == name);
        found.map(|(_, content)| Bytes::from_static(content))
    }

    fn request(method: &str, path: &str, host: &str) -> Response<Bytes> {
        answer(&SITE, &method.parse().unwrap(), path, Some(host), "")
    }

    fn header<'a>(answer: &'a Response<Bytes>, name: &str) -> &'a str {
        answer.headers().get(name).map_or("", |value| value.to_str().unwrap())
    }

    #[test]
    fn the_root_is_the_page() {
        for path in ["/", "/index.html"] {
            let answer = request("GET", path, "127.0.0.1:7478");
            assert_eq!((answer.status(), &answer.body()[..]), (StatusCode::OK, SAMPLE[0].1));
            assert_eq!(header(&answer, "Content-Type"), "text/html; charset=utf-8");
            assert_eq!(header(&answer, "Cache-Control"), "no-cache");
        }
    }

    #[test]
    fn types_and_caching_follow_the_name() {
        let wasm = request("GET", "/loggia-0123456789abcdef.wasm", "localhost");
        assert_eq!((wasm.status(), &wasm.body()[..]), (StatusCode::OK, b"\0asm".as_slice()));
        assert_eq!(header(&wasm, "Content-Type"), "application/wasm");
        assert!(header(&wasm, "Cache-Control").contains("immutable"));
        let snippet = request("GET", "/snippets/a-1/inline0.js", "localhost");
        assert_eq!(header(&snippet, "Content-Type"), "text/javascript; charset=utf-8");
        assert_eq!(header(&snippet, "Cache-Control"), "no-cache");
    }

    #[test]
    fn every_file_carries_the_page_s_own_policy() {
        let answer = request("GET", "/", "localhost:80");
        let sent = header(&answer, "Content-Security-Policy");
        assert!(sent.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"));
        assert!(sent.ends_with("form-action 'none'; frame-ancestors 'none'"), "{sent}");
        assert_eq!(header(&answer, "X-Content-Type-Options"), "nosniff");
        assert_eq!(header(&answer, "Referrer-Policy"), "no-referrer");
    }

    #[test]
    fn the_single_file_page_carries_its_own_policy() {
        let answer = request("GET", "/page.html", "localhost");
        let sent = header(&answer, "Content-Security-Policy");
        assert_eq!(sent, "script-src 'sha256-x'; frame-ancestors 'none'");
        assert_eq!(header(&answer, "Cache-Control"), "no-cache");
    }

    #[test]
    fn other_files_are_not_found() {
        let paths = ["/favicon.ico", "/../Cargo.toml", "/index.html/", "//index.html", "/%2e%2e/x"];
        for path in paths {
            assert_eq!(request("GET", path, "localhost").status(), 404, "{path}");
        }
        assert_eq!(request("GET", "*", "localhost").status(), 400);
    }

    #[test]
    fn only_get_and_head_are_allowed() {
        assert_eq!(request("HEAD", "/", "localhost").status(), 200);
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"] {
            let answer = request(method, "/", "localhost");
            let allowed = header(&answer, "Allow");
            assert_eq!((answer.status().as_u16(), allowed), (405, "GET, HEAD"), "{method}");
        }
    }

    /// DNS rebinding: the name of a foreign page resolves to this machine.
    #[test]
    fn other_host_names_are_refused() {
        for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]", "[::1]:7478"] {
            assert_eq!(request("GET", "/", host).status(), 200, "{host}");
        }
        let foreign = ["evil.example", "127.0.0.1.evil.example:80", "localhost.", "::1", "", ":80"];
        for host in foreign {
            assert_eq!(request("GET", "/", host).status(), 403, "{host}");
        }
        assert_eq!(answer(&SITE, &Method::GET, "/", None, "").status(), 403);
    }

    #[test]
    fn a_request_with_two_hosts_has_no_host() {
        let named = |uri: &str, hosts: &[&'static str]| {
            let hosts = hosts.iter().map(|host| (header::HOST, HeaderValue::from_static(host)));
            let mut headers = HeaderMap::new();
            for (name, host) in hosts {
                headers.append(name, host);
            }
            only_host(&uri.parse().unwrap(), &headers).map(str::to_owned)
        };
        assert_eq!(named("/", &["localhost:1"]).as_deref(), Some("localhost:1"));
        assert_eq!(named("http://localhost/", &["localhost"]).as_deref(), Some("localhost"));
        assert_eq!(named("/", &[]), None);
        assert_eq!(named("/", &["localhost", "evil.example"]), None);
        assert_eq!(named("/", &["localhost", "localhost"]), None);
        assert_eq!(named("http://evil.example/", &["localhost"]), None);
    }

    #[test]
    fn the_page_may_start_with_another_state() {
        let site = Site { state: Some(State::default()), ..SITE };
        let page = |path| answer(&site, &Method::GET, path, Some("localhost"), "").into_body();
        let index = String::from_utf8(page("/").to_vec()).unwrap();
        assert!(index.contains("\"signatures\"") && !index.contains(">null<"), "{index}");
        assert_eq!(page("/page.html"), SAMPLE[2].1);
    }

    #[test]
    fn a_watched_signature_is_sent_when_it_is_finished_and_after_each_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sig.json");
        let site = Site { watched: Some(path.clone()), ..SITE };
        let request = |path: &str, seen: &str| {
            let answer = answer(&site, &Method::GET, path, Some("localhost"), seen);
            (answer.status().as_u16(), header(&answer, "ETag").to_owned(), answer.into_body())
        };
        let index = String::from_utf8(request("/", "").2.to_vec()).unwrap();
        assert!(index.contains("data-watch=\"./watched.json\""), "{index}");
        assert_eq!(request("/watched.json", "").0, 204);
        fs::write(&path, "{\"half").unwrap();
        assert_eq!(request("/watched.json", "").0, 204);
        let whole = json::to_json(&loggia_model::library::load("cray-t3d").unwrap());
        fs::write(&path, &whole).unwrap();
        let (code, tag, content) = request("/watched.json", "");
        assert_eq!((code, &content[..]), (200, whole.as_bytes()));
        assert_eq!(request("/watched.json", &tag).0, 204);
        assert_eq!(request("/watched.json", "\"another\"").0, 200);
        assert_eq!(super::tests::request("GET", "/watched.json", "localhost").status(), 404);
    }

    #[test]
    fn a_port_in_use_is_an_error_only_if_it_was_requested() {
        let taken = listen(Some(0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let error = listen(Some(port)).unwrap_err();
        assert!(matches!(&error, Failure::Failed(e) if e.place == "--port".into()), "{error:?}");
        assert!(listen(None).is_ok());
    }
}

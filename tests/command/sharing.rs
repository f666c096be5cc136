//! `loggia page` and `loggia serve`.

use crate::run::{loggia, refusal};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const STATE: &str = "<script type=\"application/json\" id=\"loggia-state\">";

/// The state embedded in a page.
fn state_in(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once(STATE).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn the_page_is_one_file_without_external_requests() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.html").display().to_string();
    let run = loggia(&format!(
        "page cray-t3d ibm-sp2 --view compare --set bytes=64KiB --set L=5us -o {path}"
    ));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let page = fs::read_to_string(&path).unwrap();
    let state = state_in(&page);
    assert_eq!(state["view"], "compare");
    assert_eq!(state["inputs"]["bytes"], 65536);
    assert_eq!(state["signatures"][0]["tiers"][0]["latency"]["value"], 5.0);
    assert_eq!(state["signatures"][1]["name"], "ibm-sp2");
    assert!(!state["signatures"][0]["samples"].as_array().unwrap().is_empty());
    let policy = page.split_once("Content-Security-Policy\" content=\"").unwrap().1;
    let policy = policy.split_once('"').unwrap().0;
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    for open in ["'self'", "http", "unsafe-inline", "'unsafe-eval'", "*"] {
        assert!(!policy.contains(open), "{policy}");
    }
    assert!(!page.contains(" src=\"") && !page.contains("rel=\"stylesheet\""));
}

#[test]
fn invalid_states_of_a_page_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.html").display().to_string();
    assert_eq!(refusal(&format!("page nobody -o {path}"))["where"], "SIG");
    let set = refusal(&format!("page cray-t3d --set bytes=much -o {path}"));
    assert_eq!(set["where"], "--set bytes=much");
    assert!(!folder.path().join("one.html").exists());
    let nowhere = folder.path().join("no/one.html").display().to_string();
    let run = loggia(&format!("page cray-t3d -o {nowhere}"));
    assert_eq!(run.code, 1);
    assert!(run.err.contains("there is no such folder"), "{}", run.err);
}

/// A running `loggia serve`; killed when dropped.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(arguments: &[&str]) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loggia"));
    start(command.args(["serve", "--port", "0"]).args(arguments))
}

fn start(command: &mut Command) -> Server {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    Server { child, address }
}

impl Server {
    /// Head and body of the response to a request with this `Host`.
    fn send(&self, request: &str, host: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let message = format!("{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(message.as_bytes()).unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).unwrap();
        let response = String::from_utf8_lossy(&response).into_owned();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }
}

#[test]
fn the_served_page_contains_the_complete_signatures() {
    let server = serve(&["cray-t3d", "now-sparc"]);
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    let (head, body) = server.send("GET /", &server.address);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("Content-Security-Policy: default-src 'none'; script-src 'self'"));
    let state = state_in(&body);
    assert_eq!(state["signatures"][1]["name"], "now-sparc");
    assert!(!state["signatures"][0]["samples"].as_array().unwrap().is_empty());
    assert!(state_in(&serve(&[]).send("GET /", "localhost").1).is_null());
}

/// Sends a request on every connection, then reads all responses.
fn all_get_a_response(streams: &mut [TcpStream]) {
    for stream in &mut *streams {
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(REQUEST).unwrap();
    }
    streams.iter_mut().for_each(gets_a_response);
}

fn gets_a_response(stream: &mut TcpStream) {
    let mut start = [0; 12];
    stream.read_exact(&mut start).expect("a response");
    assert_eq!(&start, b"HTTP/1.1 200");
}

const REQUEST: &[u8] = b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// A browser opens several connections at once and keeps them open.
#[test]
fn no_connection_waits_for_another() {
    let server = serve(&[]);
    for _ in 0..50 {
        let open = || TcpStream::connect(&server.address).unwrap();
        let _unused: Vec<_> = (0..4).map(|_| open()).collect();
        let mut streams: Vec<_> = (0..12).map(|_| open()).collect();
        all_get_a_response(&mut streams);
    }
}

#[test]
fn other_methods_and_other_hosts_are_refused() {
    let server = serve(&[]);
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        let (head, _) = server.send(&format!("{method} /"), "localhost");
        assert!(head.starts_with("HTTP/1.1 405"), "{method}: {head}");
    }
    for host in ["evil.example", "127.0.0.1.evil.example"] {
        assert!(server.send("GET /", host).0.starts_with("HTTP/1.1 403"), "{host}");
    }
    assert!(server.send("GET /../Cargo.toml", "localhost").0.starts_with("HTTP/1.1 404"));
}

#[test]
fn no_path_leads_out_of_the_page() {
    let server = serve(&[]);
    for path in
        ["/%2e%2e/Cargo.toml", "//etc/passwd", "/etc/passwd", "/..%2f..%2fetc/passwd", "/%00"]
    {
        let (head, _) = server.send(&format!("GET {path}"), "localhost");
        assert!(head.starts_with("HTTP/1.1 404"), "{path}: {head}");
    }
    let (head, _) = server.send("GET http://evil.example/", "localhost.evil.example");
    assert!(head.starts_with("HTTP/1.1 403"), "{head}");
}

#[test]
fn a_long_header_is_refused_and_an_incomplete_one_blocks_no_client() {
    let server = serve(&[]);
    let mut half = TcpStream::connect(&server.address).unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost: loc").unwrap();
    let mut long = TcpStream::connect(&server.address).unwrap();
    long.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // The server reads all these bytes, and refuses them without an end of the header.
    let begin = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ";
    let rest = "x".repeat((16 << 10) - begin.len());
    long.write_all(format!("{begin}{rest}").as_bytes()).unwrap();
    let mut start = [0; 12];
    long.read_exact(&mut start).expect("a refusal");
    assert_eq!(&start, b"HTTP/1.1 431");
    assert!(server.send("GET /", "localhost").0.starts_with("HTTP/1.1 200"));
}

#[test]
fn a_request_names_one_host() {
    let server = serve(&[]);
    for (request, host) in [
        ("GET /", "localhost\r\nHost: evil.example"),
        ("GET /", "evil.example\r\nHost: localhost"),
        ("GET http://evil.example/", "localhost"),
        ("GET http://localhost/", "evil.example"),
        ("GET /", "localhost@evil.example"),
        ("GET /", "evil.example#localhost"),
        ("GET /", "localhost.evil.example"),
        ("GET /", "127.0.0.1.nip.io"),
        ("GET /", "0.0.0.0"),
    ] {
        let (head, body) = server.send(request, host);
        assert!(
            head.starts_with("HTTP/1.1 4") && !body.contains("<html"),
            "{request} {host}: {head}"
        );
    }
}

#[test]
fn a_thousand_requests_at_once_are_answered() {
    let server = serve(&[]);
    let open = || TcpStream::connect(&server.address).unwrap();
    let mut streams: Vec<_> = (0..1000).map(|_| open()).collect();
    all_get_a_response(&mut streams);
}

/// The server may open 64 files, and 100 connections wait for a response.
#[test]
fn connections_wait_for_a_free_file_descriptor() {
    let begin = r#"ulimit -n 64; exec "$0" serve --port 0"#;
    let server = start(Command::new("sh").args(["-c", begin, env!("CARGO_BIN_EXE_loggia")]));
    let mut idle: Vec<_> = (0..100).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    let mut last = idle.pop().unwrap();
    last.write_all(REQUEST).unwrap();
    last.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    last.read_exact(&mut [0; 12]).expect_err("no file descriptor is free for this connection");
    drop(idle);
    last.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    gets_a_response(&mut last);
}

//! The built page in a real browser: it opens, says nothing on the console, and works from any
//! folder of a host that sets no headers.

mod browser;

use browser::{Scheme, visit, visit_at};
use serde_json::json;
use std::path::Path;
use std::{fs, thread};
use tiny_http::{Header, Response, Server};

#[test]
fn opens_with_a_heading() {
    visit("", async |page| {
        assert_eq!(page.text("h1").await, "Loggia");
        assert_eq!(page.evaluate("document.title").await, json!("Loggia"));
    });
}

/// As on any static host: under a folder, and with no policy but the one in `index.html`.
#[test]
fn opens_from_any_folder_of_a_static_host() {
    let server = Server::http("127.0.0.1:0").expect("a free port");
    let port = server.server_addr().to_ip().expect("an address").port();
    thread::spawn(move || {
        for request in server.incoming_requests() {
            let response = from_folder(request.url());
            let _ = request.respond(response);
        }
    });
    visit_at(&format!("http://127.0.0.1:{port}/some/folder/"), async |page| {
        assert_eq!(page.text("h1").await, "Loggia");
        let inline = "(() => { const script = document.createElement('script'); \
                      script.textContent = 'window.ran = true'; document.head.append(script); \
                      return window.ran === true; })()";
        assert_eq!(page.evaluate(inline).await, json!(false));
        let refused = page.complaints().await;
        assert!(
            refused.len() == 1 && refused[0].contains("Content Security Policy"),
            "{refused:?}"
        );
    });
}

/// What a static host says to a path under `/some/folder/`.
fn from_folder(url: &str) -> Response<std::io::Cursor<Vec<u8>>> {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist");
    let name = match url.strip_prefix("/some/folder/") {
        Some("") => "index.html",
        Some(name) => name,
        None => return Response::from_string("not here").with_status_code(404),
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        _ => "application/wasm",
    };
    let kind = Header::from_bytes("Content-Type", kind).expect("a header");
    match fs::read(dist.join(name)) {
        Ok(content) => Response::from_data(content).with_header(kind),
        Err(error) => Response::from_string(error.to_string()).with_status_code(404),
    }
}

/// The harness itself: the other tests rely on what it emulates.
#[test]
fn the_browser_is_as_asked_for() {
    visit("", async |page| {
        for width in [360, 1280, 2560] {
            page.resize(width, 700).await;
            assert_eq!(page.evaluate("[innerWidth, innerHeight]").await, json!([width, 700]));
            let picture = page.screenshot(&format!("page-{width}")).await;
            let picture = fs::read(picture).expect("the picture");
            // A PNG's width and height stand behind its signature and the first chunk's name.
            assert_eq!(picture[16..20], width.to_be_bytes());
        }
        let dark = "matchMedia('(prefers-color-scheme: dark)').matches";
        for scheme in [Scheme::Dark, Scheme::Light] {
            page.scheme(scheme).await;
            assert_eq!(page.evaluate(dark).await, json!(scheme == Scheme::Dark));
        }
        page.evaluate("console.warn('a doubt'), console.error('a fault'), console.log('x')").await;
        let complaints = page.complaints().await;
        assert_eq!(complaints.len(), 2, "{complaints:?}");
        assert!(complaints[1].contains("a fault"));
    });
}

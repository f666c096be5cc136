//! A static file host without any knowledge of Loggia. It sets only the header Content-Type.

#[path = "../../collector/cli/src/http.rs"]
mod http;

use hyper::Response;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use std::net::TcpListener;
use std::path::Path;
use std::{fs, thread};

/// Serves `dist/` and one more file under a folder until the test program ends. Returns the
/// folder's address.
pub(crate) fn start(extra: Option<(&'static str, String)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        http::serve(listener, move |request| from_folder(request.uri().path(), extra.as_ref()))
    });
    format!("http://127.0.0.1:{port}/some/folder/")
}

/// Response to a path under `/some/folder/`.
fn from_folder(path: &str, extra: Option<&(&'static str, String)>) -> Response<Bytes> {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist");
    let name = match path.strip_prefix("/some/folder/") {
        Some("") => "index.html",
        Some(name) => name,
        None => return not_found("not here".to_owned()),
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        _ => "application/wasm",
    };
    let content = match extra {
        Some((other, content)) if *other == name => Ok(content.clone().into_bytes()),
        _ => fs::read(dist.join(name)),
    };
    match content {
        Ok(content) => {
            let mut response = Response::new(content.into());
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
            response
        }
        Err(error) => not_found(error.to_string()),
    }
}

fn not_found(reason: String) -> Response<Bytes> {
    let mut response = Response::new(reason.into());
    *response.status_mut() = hyper::StatusCode::NOT_FOUND;
    response
}

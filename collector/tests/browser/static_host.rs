//! A host of files that knows nothing of Loggia and sets no headers but their types.

use std::path::Path;
use std::{fs, thread};
use tiny_http::{Header, Response, Server};

/// Serves `dist/` under a folder, with one more file beside it, for as long as the test runs. The
/// address of that folder.
pub(crate) fn start(beside: Option<(&'static str, String)>) -> String {
    let server = Server::http("127.0.0.1:0").expect("a free port");
    let port = server.server_addr().to_ip().expect("an address").port();
    thread::spawn(move || {
        for request in server.incoming_requests() {
            let response = from_folder(request.url(), beside.as_ref());
            let _ = request.respond(response);
        }
    });
    format!("http://127.0.0.1:{port}/some/folder/")
}

/// What a static host says to a path under `/some/folder/`.
fn from_folder(
    url: &str,
    beside: Option<&(&'static str, String)>,
) -> Response<std::io::Cursor<Vec<u8>>> {
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
    let content = match beside {
        Some((other, content)) if *other == name => Ok(content.clone().into_bytes()),
        _ => fs::read(dist.join(name)),
    };
    match content {
        Ok(content) => Response::from_data(content).with_header(kind),
        Err(error) => Response::from_string(error.to_string()).with_status_code(404),
    }
}

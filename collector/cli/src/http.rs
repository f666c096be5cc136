//! An HTTP server of content in memory, for `loggia serve` and for hosts in tests.

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::rc::Rc;
use tokio::task::LocalSet;

/// Answers requests until the listener fails. Browsers keep idle connections open, so connections
/// are served concurrently.
pub(crate) fn serve(
    listener: TcpListener,
    answer: impl Fn(&Request<Incoming>) -> Response<Bytes> + 'static,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let answer = Rc::new(answer);
    LocalSet::new().block_on(&runtime, async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        loop {
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                // The client closed it first.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
                Err(error) => return Err(error),
            };
            let answer = Rc::clone(&answer);
            let service = service_fn(move |request| {
                let response = answer(&request).map(Full::new);
                async { Ok::<_, Infallible>(response) }
            });
            let mut server = http1::Builder::new();
            server.title_case_headers(true);
            let connection = server.serve_connection(TokioIo::new(stream), service);
            // A client may disconnect at any time.
            tokio::task::spawn_local(async { connection.await.is_ok() });
        }
    })
}

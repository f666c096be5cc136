//! An HTTP server of content in memory, for `loggia serve` and for hosts in tests.

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::LocalSet;

/// Maximum number of open connections; others wait until one of these is closed.
pub(crate) const MOST_CONNECTIONS: usize = 1024;

/// Maximum time for a request's header; an idle connection is closed after it.
pub(crate) const HEADER_SECONDS: u64 = 30;

/// Maximum length of a request's header, in bytes.
pub(crate) const LONGEST_HEADER: usize = 16 << 10;

/// Answers requests, without an end. Browsers keep idle connections open, so connections
/// are served concurrently.
pub(crate) fn serve(
    listener: TcpListener,
    answer: impl Fn(&Request<Incoming>) -> Response<Bytes> + 'static,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let answer = Rc::new(answer);
    let room = Rc::new(Semaphore::new(MOST_CONNECTIONS));
    LocalSet::new().block_on(&runtime, async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        loop {
            let place = Rc::clone(&room);
            let Ok(()) = place.acquire().await.map(|place| place.forget()) else { return Ok(()) };
            // The client closed it first, or no file descriptor is free until another is closed.
            let Ok((stream, _)) = listener.accept().await else {
                room.add_permits(1);
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            let answer = Rc::clone(&answer);
            let service = service_fn(move |request| {
                let response = answer(&request).map(Full::new);
                async { Ok::<_, Infallible>(response) }
            });
            let mut server = http1::Builder::new();
            server
                .title_case_headers(true)
                .timer(TokioTimer::new())
                .header_read_timeout(Duration::from_secs(HEADER_SECONDS))
                .max_buf_size(LONGEST_HEADER);
            let connection = server.serve_connection(TokioIo::new(stream), service);
            // A client may disconnect at any time.
            tokio::task::spawn_local(async move {
                let _ = connection.await;
                place.add_permits(1);
            });
        }
    })
}

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
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::LocalSet;
use tokio::time::{Sleep, sleep};

/// Maximum number of open connections; others wait until one of these is closed.
pub(crate) const MOST_CONNECTIONS: usize = 1024;

/// Maximum time for a request's header; an idle connection is closed after it.
pub(crate) const HEADER_SECONDS: u64 = 30;

/// Maximum time in which a client takes nothing of its answer.
pub(crate) const ANSWER_SECONDS: u64 = 30;

/// Maximum length of a request's header, in bytes.
pub(crate) const LONGEST_HEADER: usize = 16 << 10;

/// What clients may take up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) connections: usize,
    /// For the header of a request.
    pub(crate) header: Duration,
    /// In which a client takes nothing of its answer.
    pub(crate) answer: Duration,
}

const USUAL: Bounds = Bounds {
    connections: MOST_CONNECTIONS,
    header: Duration::from_secs(HEADER_SECONDS),
    answer: Duration::from_secs(ANSWER_SECONDS),
};

/// Answers requests, without an end. Browsers keep idle connections open, so connections
/// are served concurrently.
pub(crate) fn serve(
    listener: TcpListener,
    answer: impl Fn(&Request<Incoming>) -> Response<Bytes> + 'static,
) -> io::Result<()> {
    serve_within(USUAL, listener, answer)
}

/// The same, within other bounds.
pub(crate) fn serve_within(
    bounds: Bounds,
    listener: TcpListener,
    answer: impl Fn(&Request<Incoming>) -> Response<Bytes> + 'static,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let answer = Rc::new(answer);
    let room = Rc::new(Semaphore::new(bounds.connections));
    LocalSet::new().block_on(&runtime, async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        loop {
            let place = Rc::clone(&room);
            let Ok(()) = place.acquire().await.map(|place| place.forget()) else { return Ok(()) };
            // The client closed it first, or no file descriptor is free until another is closed.
            let Ok((stream, _)) = listener.accept().await else {
                room.add_permits(1);
                sleep(Duration::from_millis(20)).await;
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
                .header_read_timeout(bounds.header)
                .max_buf_size(LONGEST_HEADER);
            let connection =
                server.serve_connection(TokioIo::new(Client::new(stream, bounds)), service);
            // A client may disconnect at any time.
            tokio::task::spawn_local(async move {
                let _ = connection.await;
                place.add_permits(1);
            });
        }
    })
}

/// A connection that ends when the client takes nothing for too long.
struct Client {
    stream: TcpStream,
    patience: Duration,
    /// Until when the client must take something, while it takes nothing.
    until: Option<Pin<Box<Sleep>>>,
}

impl Client {
    fn new(stream: TcpStream, bounds: Bounds) -> Self {
        Client { stream, patience: bounds.answer, until: None }
    }

    /// What was written, or an error after too long a wait.
    fn taken<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.until = None;
            return written;
        }
        let until = self.until.get_or_insert_with(|| Box::pin(sleep(self.patience)));
        ready!(until.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Client {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, into)
    }
}

impl AsyncWrite for Client {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let client = self.get_mut();
        let written = Pin::new(&mut client.stream).poll_write(context, bytes);
        client.taken(context, written)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

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

/// Maximum number of open connections; a further connection waits until a slot is free.
pub(crate) const MAX_CONNECTIONS: usize = 1024;

/// Maximum time for a request's header; an idle connection is closed after it.
pub(crate) const HEADER_SECONDS: u64 = 30;

/// Maximum time without progress while a response is sent.
pub(crate) const RESPONSE_SECONDS: u64 = 30;

/// Maximum length of a request's header, in bytes.
pub(crate) const LONGEST_HEADER: usize = 16 << 10;

/// Limits per server and per connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) connections: usize,
    /// Time limit for the header of a request.
    pub(crate) header: Duration,
    /// Time limit without progress while a response is sent.
    pub(crate) answer: Duration,
}

const DEFAULT: Bounds = Bounds {
    connections: MAX_CONNECTIONS,
    header: Duration::from_secs(HEADER_SECONDS),
    answer: Duration::from_secs(RESPONSE_SECONDS),
};

/// Serves requests and does not return. Browsers keep idle connections open, so connections
/// are served concurrently.
pub(crate) fn serve(
    listener: TcpListener,
    answer: impl Fn(&Request<Incoming>) -> Response<Bytes> + 'static,
) -> io::Result<()> {
    serve_within(DEFAULT, listener, answer)
}

/// Like [`serve`], with other limits.
pub(crate) fn serve_within(
    bounds: Bounds,
    listener: TcpListener,
    answer: impl Fn(&Request<Incoming>) -> Response<Bytes> + 'static,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let answer = Rc::new(answer);
    let slots = Rc::new(Semaphore::new(bounds.connections));
    LocalSet::new().block_on(&runtime, async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        loop {
            let slots = Rc::clone(&slots);
            let Ok(()) = slots.acquire().await.map(|permit| permit.forget()) else { return Ok(()) };
            // The client closed the connection first, or no file descriptor is free.
            let Ok((stream, _)) = listener.accept().await else {
                slots.add_permits(1);
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
                slots.add_permits(1);
            });
        }
    })
}

/// A connection that is closed if the client reads nothing for too long.
struct Client {
    stream: TcpStream,
    timeout: Duration,
    /// The deadline for the client's next read, while a write is pending.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl Client {
    fn new(stream: TcpStream, bounds: Bounds) -> Self {
        Client { stream, timeout: bounds.answer, deadline: None }
    }

    /// The result of a write, or a timeout error if the write is pending for too long.
    fn or_timeout<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(self.timeout)));
        ready!(deadline.as_mut().poll(context));
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
        client.or_timeout(context, written)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, SocketAddr, TcpStream};
    use std::thread;

    const SHORT: Duration = Duration::from_millis(200);
    const LONG: Duration = Duration::from_secs(20);
    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    /// The address of a server whose response fits into no buffer.
    fn server(connections: usize, [header, answer]: [Duration; 2]) -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let bounds = Bounds { connections, header, answer };
        thread::spawn(move || {
            serve_within(bounds, listener, |_| Response::new(vec![b' '; 64 << 20].into()))
        });
        address
    }

    fn client(server: SocketAddr) -> TcpStream {
        let client = TcpStream::connect(server).unwrap();
        client.set_read_timeout(Some(LONG)).unwrap();
        client
    }

    /// The first bytes of a response; empty if the connection was closed without a response.
    fn status(client: &mut TcpStream) -> String {
        let mut start = Vec::new();
        client.take(12).read_to_end(&mut start).unwrap();
        String::from_utf8(start).unwrap()
    }

    fn is_answered(client: &mut TcpStream) {
        client.write_all(REQUEST).unwrap();
        assert_eq!(status(client), "HTTP/1.1 200");
    }

    #[test]
    fn a_connection_without_a_request_is_closed() {
        let server = server(8, [SHORT, LONG]);
        for begun in ["", "GET / HTTP/1.1\r\nHost: loc"] {
            let mut half = client(server);
            let begin = std::time::Instant::now();
            half.write_all(begun.as_bytes()).unwrap();
            assert_eq!(status(&mut half), "", "{begun:?}");
            let after = begin.elapsed();
            assert!((SHORT..LONG / 2).contains(&after), "{begun:?}: {after:?}");
        }
    }

    /// Each byte arrives in time, but the whole header does not.
    #[test]
    fn a_header_that_arrives_byte_by_byte_is_refused() {
        let server = server(8, [SHORT, LONG]);
        let mut slow = client(server);
        let begin = std::time::Instant::now();
        let gone = REQUEST.iter().position(|byte| {
            thread::sleep(SHORT / 8);
            slow.write_all(&[*byte]).is_err()
        });
        assert!(gone.is_some(), "the whole header was taken in {:?}", begin.elapsed());
    }

    #[test]
    fn half_open_connections_free_their_slots() {
        let server = server(4, [SHORT, LONG]);
        let half: Vec<TcpStream> = (0..12).map(|_| client(server)).collect();
        is_answered(&mut client(server));
        drop(half);
    }

    #[test]
    fn a_client_that_reads_nothing_frees_its_slot() {
        let server = server(1, [LONG, SHORT]);
        let mut stuck = client(server);
        stuck.write_all(REQUEST).unwrap();
        is_answered(&mut client(server));
        let mut rest = Vec::new();
        let _ = stuck.read_to_end(&mut rest);
        assert!(rest.starts_with(b"HTTP/1.1 200") && rest.len() < 64 << 20, "{}", rest.len());
    }

    /// The server reads the whole header, so that the refusal arrives before the connection ends.
    #[test]
    fn a_header_that_is_too_long_is_refused() {
        let server = server(8, [LONG, LONG]);
        let line = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ";
        let mut long = client(server);
        let header = line.to_owned() + &"x".repeat(LONGEST_HEADER - line.len());
        long.write_all(header.as_bytes()).unwrap();
        assert_eq!(status(&mut long), "HTTP/1.1 431");
        let mut shorter = client(server);
        let header = line.to_owned() + &"x".repeat(LONGEST_HEADER / 2) + "\r\n\r\n";
        shorter.write_all(header.as_bytes()).unwrap();
        assert_eq!(status(&mut shorter), "HTTP/1.1 200");
    }
}

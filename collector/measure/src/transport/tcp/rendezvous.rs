//! Connects the two ranks. Each connection starts with a greeting, so that other clients are
//! rejected.

use super::{Tcp, failed};
use crate::transport::Result;
use loggia_model::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Maximum time by which rank 1 may start before rank 0.
const MAX_EARLY: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 10 });
/// Maximum time by which rank 1 may start after rank 0.
const MAX_LATE: Duration = Duration::from_secs(300);

/// Time limit for a greeting.
const GREETING: Duration = Duration::from_secs(2);

/// A greeting: version of the protocol, kind of the connection, and a random number of the
/// client.
const MAGIC: [u8; 7] = *b"loggia1";
const WELCOME: u8 = b'!';

fn greeting(connection: u8, caller: u64) -> [u8; 16] {
    let mut greeting = [connection; 16];
    greeting[..7].copy_from_slice(&MAGIC);
    greeting[8..].copy_from_slice(&caller.to_le_bytes());
    greeting
}

/// The socket on which rank 0 waits for rank 1.
pub struct Listener(TcpListener);

impl Listener {
    /// Binds an address of this host; port 0 is a free port.
    pub fn bind(address: &str) -> Result<Self> {
        let addresses = resolved(address)?;
        TcpListener::bind(addresses.as_slice()).map(Listener).map_err(|error| {
            let help = match error.kind() {
                ErrorKind::AddrInUse => "choose another port, or end the program that uses it",
                ErrorKind::AddrNotAvailable => {
                    "use an address of this host, or 0.0.0.0 for all its addresses"
                }
                ErrorKind::PermissionDenied => "choose a port above 1023",
                _ => "give an address and a port of this host, such as 0.0.0.0:7777",
            };
            Error::new(format!("rank 0 cannot listen: {}", words(&error)), address, help)
        })
    }

    /// The address with its actual port.
    pub fn address(&self) -> Result<SocketAddr> {
        self.0.local_addr().map_err(|error| failed(&error))
    }

    /// Waits for rank 1.
    pub fn wait(self) -> Result<Tcp> {
        let late = || {
            let address = self.address().map(|address| address.to_string());
            Error::new(
                format!("rank 1 did not connect within {} s", MAX_LATE.as_secs()),
                address.unwrap_or_default(),
                "start rank 1 with an address of this host that it can reach, and check firewalls",
            )
        };
        self.0.set_nonblocking(true).map_err(|error| failed(&error))?;
        let end = Instant::now() + MAX_LATE;
        while Instant::now() < end {
            match self.0.accept() {
                Ok((messages, _)) => {
                    if let Some(tcp) = self.welcome(messages) {
                        return Ok(tcp);
                    }
                }
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
        Err(late())
    }

    /// Both connections of a client, if the first has a valid greeting.
    fn welcome(&self, mut messages: TcpStream) -> Option<Tcp> {
        let caller = received_greeting(&mut messages, b'm')?;
        let end = Instant::now() + GREETING;
        while Instant::now() < end {
            let Ok((mut control, _)) = self.0.accept() else {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            };
            if received_greeting(&mut control, b'c') == Some(caller) {
                messages.write_all(&[WELCOME]).ok()?;
                return Tcp::over(0, messages, control).ok();
            }
        }
        None
    }
}

/// The number of a client with a valid greeting.
fn received_greeting(stream: &mut TcpStream, connection: u8) -> Option<u64> {
    stream.set_nonblocking(false).ok()?;
    stream.set_read_timeout(Some(GREETING)).ok()?;
    let mut greeting = [0; 16];
    stream.read_exact(&mut greeting).ok()?;
    let caller = u64::from_le_bytes(*greeting.last_chunk()?);
    (greeting == self::greeting(connection, caller)).then_some(caller)
}

/// Rank 1: connects to rank 0, and retries while rank 0 is not started yet.
pub(super) fn connect(address: &str) -> Result<Tcp> {
    let addresses = resolved(address)?;
    let end = Instant::now() + MAX_EARLY;
    loop {
        let error = match connect_once(&addresses) {
            Ok(tcp) => return Ok(tcp),
            Err(error) => error,
        };
        if Instant::now() >= end {
            let help = match error.kind() {
                ErrorKind::ConnectionRefused => "start rank 0 first, at this address and port",
                ErrorKind::UnexpectedEof | ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                    "another program may listen at this address, or rank 0 is connected already"
                }
                _ => "check the address and firewalls",
            };
            let message = format!("rank 1 cannot reach rank 0: {}", words(&error));
            return Err(Error::new(message, address, help));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn connect_once(addresses: &[SocketAddr]) -> io::Result<Tcp> {
    let caller = RandomState::new().hash_one(std::process::id());
    let mut messages = connect_any(addresses)?;
    messages.write_all(&greeting(b'm', caller))?;
    let mut control = connect_any(addresses)?;
    control.write_all(&greeting(b'c', caller))?;
    messages.set_read_timeout(Some(GREETING))?;
    let mut answer = [0];
    messages.read_exact(&mut answer)?;
    match answer {
        [WELCOME] => Tcp::over(1, messages, control),
        _ => Err(ErrorKind::UnexpectedEof.into()),
    }
}

fn connect_any(addresses: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut failure = io::Error::from(ErrorKind::AddrNotAvailable);
    for address in addresses {
        match TcpStream::connect_timeout(address, GREETING) {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn resolved(address: &str) -> Result<Vec<SocketAddr>> {
    let wrong = |why: String| {
        Error::new(why, address, "write host and port, such as 192.168.0.1:7777 or node1:7777")
    };
    let addresses: Vec<SocketAddr> = address
        .to_socket_addrs()
        .map_err(|error| wrong(format!("the address cannot be resolved: {}", words(&error))))?
        .collect();
    match addresses.is_empty() {
        true => Err(wrong("the address cannot be resolved".to_owned())),
        false => Ok(addresses),
    }
}

/// The text of an error without its number.
fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let plain = text.split(" (os error").next().unwrap_or_default();
    let mut letters = plain.chars();
    letters.next().map_or(text.clone(), |first| first.to_lowercase().chain(letters).collect())
}

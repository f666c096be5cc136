//! Signals and control messages, over their own connection.

use super::{at_once, failed, until};
use crate::transport::Result;
use loggia_model::Error;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::TcpStream;

/// A control message is preceded by its length; this value marks a signal.
const NUMBER: u32 = u32::MAX;

/// One end of the connection.
pub(super) struct Control {
    stream: TcpStream,
    /// An incomplete message.
    partial: Vec<u8>,
    numbers: VecDeque<f64>,
    controls: VecDeque<Vec<u8>>,
}

impl Control {
    pub(super) fn new(stream: TcpStream) -> Self {
        let (numbers, controls) = (VecDeque::new(), VecDeque::new());
        Control { stream, partial: Vec::new(), numbers, controls }
    }

    pub(super) fn signal(&mut self, number: f64) -> Result<()> {
        let mut frame = [0; 12];
        frame[..4].copy_from_slice(&NUMBER.to_le_bytes());
        frame[4..].copy_from_slice(&number.to_le_bytes());
        self.write(&frame)
    }

    pub(super) fn send_control(&mut self, message: &[u8]) -> Result<()> {
        let length = u32::try_from(message.len()).ok().filter(|length| *length < NUMBER);
        let length = length.ok_or_else(|| {
            Error::new(
                "a control message is longer than 4 GiB",
                "transport tcp",
                "measure less at once",
            )
        })?;
        self.write(&[&length.to_le_bytes(), message].concat())
    }

    /// Waits for a number, spinning.
    pub(super) fn await_signal(&mut self) -> Result<f64> {
        until(|| {
            if self.numbers.is_empty() {
                self.read_available().map_err(|error| failed(&error))?;
            }
            Ok(self.numbers.pop_front())
        })
    }

    /// Waits for a control message, sleeping in the kernel.
    pub(super) fn recv_control(&mut self) -> Result<Vec<u8>> {
        let mut receive = || {
            self.stream.set_nonblocking(false)?;
            while self.controls.is_empty() {
                self.read_available()?;
            }
            self.stream.set_nonblocking(true)
        };
        receive().map_err(|error| failed(&error))?;
        Ok(self.controls.pop_front().unwrap_or_default())
    }

    /// Writes all bytes. Reads while the socket is full, because the other rank may write as well.
    fn write(&mut self, mut bytes: &[u8]) -> Result<()> {
        let mut write_part = || {
            match at_once((&self.stream).write(bytes))? {
                Some(taken) => bytes = &bytes[taken..],
                None => self.read_available()?,
            }
            Ok(bytes.is_empty().then_some(()))
        };
        until(|| write_part().map_err(|error| failed(&error)))
    }

    /// Reads the available bytes once, and sorts complete messages and numbers.
    fn read_available(&mut self) -> io::Result<()> {
        let mut chunk = [0; 1 << 12];
        let Some(read) = at_once((&self.stream).read(&mut chunk))? else { return Ok(()) };
        self.partial.extend_from_slice(&chunk[..read]);
        let mut rest = self.partial.as_slice();
        while let Some((head, body)) = rest.split_first_chunk() {
            match u32::from_le_bytes(*head) {
                NUMBER => {
                    let Some((number, after)) = body.split_first_chunk() else { break };
                    self.numbers.push_back(f64::from_le_bytes(*number));
                    rest = after;
                }
                length => {
                    let Some((message, after)) = body.split_at_checked(length as usize) else {
                        break;
                    };
                    self.controls.push_back(message.to_vec());
                    rest = after;
                }
            }
        }
        let whole = self.partial.len() - rest.len();
        self.partial.drain(..whole);
        Ok(())
    }
}

//! Completion of requests.

use super::list::{Entry, Packed};
use crate::varint;

numbered! {
    /// Calls that complete requests.
    pub enum Completion {
        Wait,
        Waitall,
        Waitany,
        Waitsome,
        Test,
        Testall,
        Testany,
        Testsome,
    }
}

/// The message matched by a wildcard receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchedMessage {
    /// Sender, in the receive's communicator.
    pub source: u32,
    pub tag: u32,
    pub bytes: u64,
}

/// A completed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompletedRequest {
    pub request: u32,
    /// The matched message of a wildcard receive, or of a receive that was cancelled too late.
    pub met: Option<MatchedMessage>,
}

/// Completed requests.
pub type CompletedRequests<'a> = Packed<'a, CompletedRequest>;

/// Encoding: the request times two, plus 1 if a matched message follows.
impl Entry for CompletedRequest {
    fn put(&self, out: &mut Vec<u8>) {
        varint::put(out, u64::from(self.request) << 1 | u64::from(self.met.is_some()));
        if let Some(MatchedMessage { source, tag, bytes }) = self.met {
            varint::put(out, u64::from(source));
            varint::put(out, u64::from(tag));
            varint::put(out, bytes);
        }
    }

    #[inline]
    fn take(bytes: &[u8], at: &mut usize) -> Option<Self> {
        let number = varint::take(bytes, at)?;
        let request = u32::try_from(number >> 1).ok()?;
        let mut next = || varint::take(bytes, at);
        let met = match number & 1 {
            0 => None,
            _ => Some(MatchedMessage {
                source: u32::try_from(next()?).ok()?,
                tag: u32::try_from(next()?).ok()?,
                bytes: next()?,
            }),
        };
        Some(CompletedRequest { request, met })
    }
}

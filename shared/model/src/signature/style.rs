//! Send modes: MPI's modes, blocking or not, or a primitive of another library.

use super::{Curve, Parameter};
use crate::units::{Bytes, Micros, MicrosPerByte};
use serde::{Deserialize, Serialize};

/// MPI's send modes (Al-Tawil & Moritz 2001, Table 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The library may buffer the message.
    Standard,
    /// Completes only after the receive has started.
    Synchronous,
    /// Into a buffer attached by the program.
    Buffered,
    /// Requires a posted receive.
    Ready,
}

/// The name of a send mode: an MPI send without `MPI_`, in small letters (`send`, `isend`, `ssend`,
/// `issend`, `bsend`, `ibsend`, `rsend`, `irsend`), or another library's primitive (`psend`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct StyleName(pub String);

impl StyleName {
    /// The mode, and whether it blocks; none unless it is one of MPI's eight sends.
    pub fn mpi(&self) -> Option<(Mode, bool)> {
        let (name, blocking) = match self.0.strip_prefix('i') {
            Some(rest) => (rest, false),
            None => (self.0.as_str(), true),
        };
        let mode = match name {
            "send" => Mode::Standard,
            "ssend" => Mode::Synchronous,
            "bsend" => Mode::Buffered,
            "rsend" => Mode::Ready,
            _ => return None,
        };
        Some((mode, blocking))
    }

    /// As text: "standard, non-blocking".
    pub fn words(&self) -> String {
        let Some((mode, blocking)) = self.mpi() else { return "library primitive".to_owned() };
        let mode = match mode {
            Mode::Standard => "standard",
            Mode::Synchronous => "synchronous",
            Mode::Buffered => "buffered",
            Mode::Ready => "ready",
        };
        format!("{mode}, {}", if blocking { "blocking" } else { "non-blocking" })
    }
}

/// The parameters of one send mode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Style {
    /// Name of the send mode.
    pub name: StyleName,
    /// The routines that were timed, such as "MPI_Send / MPI_Recv".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routines: Option<String>,
    /// o_s(m): time on the sender's processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub send_overhead: Option<Curve>,
    /// o_r(m): time on the receiver's processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recv_overhead: Option<Curve>,
    /// t_s of Hockney's line: the end-to-end time of an empty message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startup: Option<Parameter<Micros>>,
    /// t_b of Hockney's line: the time per byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_byte: Option<Parameter<MicrosPerByte>>,
    /// S of this send mode, if it differs from the tier's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eager_limit: Option<Parameter<Bytes>>,
}

impl Style {
    /// A send mode without parameters.
    pub fn unknown(name: &str) -> Self {
        Style {
            name: StyleName(name.to_owned()),
            routines: None,
            send_overhead: None,
            recv_overhead: None,
            startup: None,
            per_byte: None,
            eager_limit: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mpi_sends_have_a_mode() {
        let mpi = |name: &str| StyleName(name.to_owned()).mpi();
        assert_eq!(mpi("issend"), Some((Mode::Synchronous, false)));
        assert_eq!(mpi("bsend"), Some((Mode::Buffered, true)));
        assert_eq!(mpi("psend"), None);
        assert_eq!(mpi("xy_send"), None);
    }
}

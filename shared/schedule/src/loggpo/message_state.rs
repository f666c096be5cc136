//! State of one message between its steps.

use super::cost_table::CostIndex;
use super::id::Id;

/// State of a message, kept at its send; for a receive, its partner and costs.
#[derive(Clone, Copy)]
pub(super) struct Message<T> {
    /// The matched receive, or the matched send.
    pub(super) partner: Id,
    /// Arrival of the request of a handshake; later, arrival of the last byte.
    pub(super) arrival: T,
    /// Whether the last byte has arrived.
    pub(super) is_whole: bool,
    /// Whether the sender waits for an acknowledgement of an eager message.
    pub(super) acknowledged: bool,
    /// Index of the costs, once they have been looked up.
    pub(super) cost_index: CostIndex,
}

const NO_PARTNER: Id = Id::MAX;
pub(super) const UNKNOWN_COSTS: CostIndex = CostIndex::MAX;

impl<T: Default> Default for Message<T> {
    fn default() -> Self {
        let (is_whole, acknowledged) = (false, false);
        Message {
            partner: NO_PARTNER,
            arrival: T::default(),
            is_whole,
            acknowledged,
            cost_index: UNKNOWN_COSTS,
        }
    }
}

impl<T> Message<T> {
    /// The matched operation.
    pub(super) fn partner(&self) -> Option<Id> {
        (self.partner != NO_PARTNER).then_some(self.partner)
    }
}

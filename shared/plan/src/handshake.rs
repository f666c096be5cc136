//! The handshake of messages above S, known or assumed.

use loggia_model::signature::{Signature, Tier, Transfer, TransferFrom};
use loggia_model::units::Bytes;

/// S, and the handshake of messages above S, if known.
pub(super) fn handshake(tier: &Tier) -> Option<(Bytes, Option<Transfer>)> {
    let progress = tier.progress.as_ref()?;
    let limit = progress.eager_limit.as_ref()?.value?;
    let above = progress.transfer_at(Bytes(limit.0.saturating_add(1)));
    Some((limit, above.filter(|how| matches!(how, Transfer::Rta | Transfer::Rat))))
}

/// Sets the handshake of messages above S if it is unknown; returns whether it was unknown.
pub(super) fn set_handshake(tier: &mut Tier, transfer: Transfer) -> bool {
    let Some((limit, None)) = handshake(tier) else { return false };
    let own = &mut tier.progress.get_or_insert_default().transfer;
    own.retain(|known| known.from <= limit);
    own.push(TransferFrom { from: Bytes(limit.0.saturating_add(1)), transfer });
    true
}

/// Assumes that the sender pushes messages above S, if the handshake is unknown; returns a warning.
pub(super) fn assume_sender_pushes(signature: &mut Signature, tier: &str) -> Option<String> {
    let tier = signature.tiers.iter_mut().find(|known| known.name == tier)?;
    set_handshake(tier, Transfer::Rat)
        .then(|| "the transfer above S is unknown; assumed RAT, the sender pushes".to_owned())
}

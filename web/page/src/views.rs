//! The views, a file and a folder each: component, drawing and texts.

pub(crate) mod collectives;
pub(crate) mod compare;
pub(crate) mod figures;
pub(crate) mod lessons;
pub(crate) mod message;
pub(crate) mod overlap;
pub(crate) mod plan;
pub(crate) mod protocols;
pub(crate) mod replay;
pub(crate) mod signature;
pub(crate) mod simulate;

use crate::state::{Action, Page};
use yew::{Callback, Properties};

/// Properties of every view.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) page: Page,
    pub(crate) on_action: Callback<Action>,
}

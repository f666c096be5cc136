//! A signature, parameters set by hand, tier and send mode.

use super::values::assumption;
use clap::Args;
use loggia_model::signature::Defaults;

#[derive(Args)]
pub(crate) struct SignatureArgs {
    /// A built-in name, a file, a link, or - for standard input
    pub(crate) sig: String,
    #[command(flatten)]
    pub(crate) assume: Assume,
}

#[derive(Args)]
pub(crate) struct Assume {
    /// Set a parameter: [tier.][style.]symbol=value, or =none
    ///
    /// Symbols: L, g, G, R_N, EEL, o_s, o_r, t_s, t_b, S, O_control (O'), O_i, O_c, progress, transfer.
    /// An overhead is a time or a list of points: o_s=16:30us,10KB:130us.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assumption)]
    pub(crate) set: Vec<(String, String)>,
}

#[derive(Args)]
pub(crate) struct RouteArgs {
    /// Set the tier, such as network or intra-hypernode [default: the signature's first]
    #[arg(long)]
    pub(crate) tier: Option<String>,
    /// Set the send mode: send, isend, ssend, issend, … [default: the tier's first]
    #[arg(long)]
    pub(crate) style: Option<String>,
}

impl RouteArgs {
    /// The tier and send mode that `--set` refers to.
    pub(crate) fn defaults(&self) -> Defaults<'_> {
        Defaults { tier: self.tier.as_deref(), style: self.style.as_deref() }
    }
}

//! Choices of transfer and progress.

use super::words as text;
use crate::fields::chips::{Chip, Chips, choice};
use crate::fields::route::chip;
use crate::state::Action;
use loggia_model::model::exchange::MessageProtocol;
use loggia_model::model::overlap::Overlap;
use loggia_model::signature::ProgressKind;
use loggia_model::units::Bytes;
use yew::{Callback, Html, html};

pub(super) fn choices(found: &Overlap, bytes: Bytes, on_action: &Callback<Action>) -> Html {
    html! { <>{ protocols(found.protocol, bytes, on_action) }{ progress(found.progress, on_action) }</> }
}

fn protocols(chosen: MessageProtocol, bytes: Bytes, on_action: &Callback<Action>) -> Html {
    let all = [
        (MessageProtocol::Eager, "eager", text::EAGER),
        (MessageProtocol::Rat, "RAT", text::RAT),
        (MessageProtocol::Rta, "RTA", text::RTA),
    ];
    // An empty message is always eager.
    let is_possible =
        |protocol: MessageProtocol| protocol == MessageProtocol::Eager || bytes > Bytes(0);
    let chips: Vec<Chip> = all
        .iter()
        .map(|(protocol, label, hint)| Chip {
            is_possible: is_possible(*protocol),
            ..chip(label, label, hint, *protocol == chosen)
        })
        .collect();
    let is_eager = chosen == MessageProtocol::Eager;
    let on_choose = on_action.reform(move |label: String| select_protocol(&label, bytes, is_eager));
    html! { <Chips name="transfer" legend={text::TRANSFER} {chips} {on_choose} /> }
}

/// Sets eager limit and transfer so that this message uses the protocol.
fn select_protocol(label: &str, bytes: Bytes, is_eager: bool) -> Action {
    let limit = |bytes: u64| ("S".to_owned(), bytes.to_string());
    if label == "eager" {
        return Action::SetAll(vec![limit(bytes.0)]);
    }
    let limit = is_eager.then(|| limit(bytes.0.saturating_sub(1)));
    let transfer = ("transfer".to_owned(), label.to_ascii_lowercase());
    Action::SetAll(limit.into_iter().chain([transfer]).collect())
}

fn progress(chosen: ProgressKind, on_action: &Callback<Action>) -> Html {
    let all = [
        (ProgressKind::Dependent, text::DEPENDENT),
        (ProgressKind::Independent, text::INDEPENDENT),
    ];
    let chip = |(kind, hint): (ProgressKind, &str)| {
        chip(kind.symbol(), kind.symbol(), hint, kind == chosen)
    };
    let chips: Vec<Chip> = all.into_iter().map(chip).collect();
    choice("progress", text::PROGRESS, chips, on_action, |kind| Action::Set("progress", kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Page;
    use loggia_model::model::loggpo::{assumptions, protocol};

    #[test]
    fn a_message_uses_the_chosen_protocol() {
        let page = Page::new(None);
        let assumed = assumptions(&page.route().unwrap());
        let mut page = page.after(Action::SetAll(
            assumed.into_iter().map(|assumed| (assumed.symbol.to_owned(), assumed.value)).collect(),
        ));
        for bytes in [Bytes(1), Bytes(1024), Bytes(1 << 20)] {
            for (label, expected) in [
                ("RTA", MessageProtocol::Rta),
                ("RAT", MessageProtocol::Rat),
                ("eager", MessageProtocol::Eager),
            ] {
                let is_eager =
                    protocol(&page.route().unwrap(), bytes) == Some(MessageProtocol::Eager);
                page = page.after(select_protocol(label, bytes, is_eager));
                assert_eq!(page.problem, None);
                assert_eq!(
                    protocol(&page.route().unwrap(), bytes),
                    Some(expected),
                    "{label} {bytes:?}"
                );
            }
        }
    }
}

//! The frame of a plot: title, explanation, data.

use crate::machines::Machine;
use crate::notices::reason;
use loggia_model::Error;
use loggia_model::model::Route;
use yew::{Html, Properties, html};

/// What a picture is of. It is drawn anew only when this changes.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct PlotInputs {
    pub(crate) machine: Machine,
    pub(crate) tier: String,
    pub(crate) style: Option<String>,
}

impl PlotInputs {
    pub(super) fn route(&self) -> Result<Route<'_>, Error> {
        Route::of(&self.machine, Some(&self.tier), self.style.as_deref())
    }

    /// The path of the tier in what `show` prints.
    pub(super) fn path(&self) -> String {
        let place = self.machine.tiers.iter().position(|tier| tier.name == self.tier);
        format!("show.tiers[{}]", place.unwrap_or_default())
    }
}

/// A picture, what it shows, and its data.
pub(super) fn picture(title: &'static str, shows: Html, drawn: Html, data: Html) -> Html {
    html! {
        <section class="picture">
            <h3>{ title }</h3>
            <p class="aside">{ shows }</p>
            { drawn }
            <details class="data">
                <summary>{ crate::tables::words::DATA }</summary>
                <div class="scroll" role="group" tabindex="0" aria-label={crate::text::TABLE}>{ data }</div>
            </details>
        </section>
    }
}

/// Why there is none.
pub(super) fn missing(title: &'static str, why: &Error) -> Html {
    html! {
        <section class="picture">
            <h3>{ title }</h3>
            { reason(why) }
        </section>
    }
}

//! The frame of a plot: title, explanation, data.

use crate::machines::Machine;
use crate::notices::reason;
use crate::tables::scroll::Scroll;
use loggia_model::Error;
use loggia_model::model::Route;
use yew::{Html, Properties, html};

/// All that a plot depends on.
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

    /// Path of the tier in the JSON of `show`.
    pub(super) fn path(&self) -> String {
        let place = self.machine.tiers.iter().position(|tier| tier.name == self.tier);
        format!("show.tiers[{}]", place.unwrap_or_default())
    }
}

/// A plot with explanation and data.
pub(super) fn picture(title: &'static str, shows: Html, drawn: Html, data: Html) -> Html {
    html! {
        <section class="picture">
            <h3>{ title }</h3>
            <p class="aside">{ shows }</p>
            { drawn }
            <details class="data">
                <summary>{ crate::tables::words::DATA }</summary>
                <Scroll>{ data }</Scroll>
            </details>
        </section>
    }
}

/// The reason why there is no plot.
pub(super) fn missing(title: &'static str, why: &Error) -> Html {
    html! {
        <section class="picture">
            <h3>{ title }</h3>
            { reason(why) }
        </section>
    }
}

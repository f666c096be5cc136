//! TODO(helper)

use super::later::Props;
use yew::{Html, component, html};

#[component]
pub(crate) fn Plan(props: &Props) -> Html {
    let _ = props;
    html! {}
}

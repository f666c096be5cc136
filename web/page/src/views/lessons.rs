//! The view Lessons: the list of lessons and, above any view, the open step of one.

mod answer;
mod axis;
mod class;
mod list;
mod memory;
mod question;
mod reveal;
mod step;
mod teach;
pub(crate) mod words;
mod worker;

pub(crate) use question::hidden_view;

use super::Props;
use list::List;
use loggia_link::state::View;
use memory::use_memory;
use step::Step;
use yew::{Html, component, html};

#[component]
pub(crate) fn Lessons(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let memory = use_memory();
    match (&page.inputs.lesson, page.view) {
        (Some(_), _) => {
            html! { <Step page={page.clone()} on_action={on_action.clone()} {memory} /> }
        }
        (None, View::Lessons) => {
            html! { <List page={page.clone()} on_action={on_action.clone()} {memory} /> }
        }
        (None, _) => html! {},
    }
}

//! Loads views as separate modules when first opened, so that the page starts sooner.

use crate::loaded::{loaded, use_loaded};
use crate::state::{Action, Page};
use crate::views::Props;
use crate::views::collectives::Collectives;
use crate::views::compare::Compare;
use crate::views::figures::{self, Figures};
use crate::views::lessons::{Lessons, hidden_view};
use crate::views::overlap::Overlap;
use crate::views::plan::Plan;
use crate::views::protocols::Protocols;
use crate::views::replay::Replay;
use crate::views::signature::Signature;
use crate::views::simulate::Simulate;
use loggia_link::state::View;
use std::future::Future;
use std::pin::Pin;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::{Callback, Html, Properties, component, html};

/// Views that share much code are in one module: code shared by two modules is one more file to
/// load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Module {
    /// Protocols and Overlap; comparisons of models and machines in Message.
    Messages,
    Collectives,
    /// Simulate, Replay and Plan.
    Programs,
    /// Compare, Signature and Figures.
    Machines,
    Lessons,
}

/// The parts that a module can show.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    View,
    /// The figure of a paper, above its view.
    Figure,
    /// The list of lessons, or a step of one above its view.
    Lesson,
    /// The question, while answers are hidden.
    Question,
}

type Show = fn(Props, Content) -> Html;
type Loading = Pin<Box<dyn Future<Output = Result<Show, SplitLoaderError>>>>;

/// The bundler moves code that only this function uses into the module.
#[wasm_split(messages, fallible)]
fn messages() -> Result<Show, SplitLoaderError> {
    Ok(|props, _| match props.page.view {
        View::Overlap => html! { <Overlap ..props /> },
        _ => html! { <Protocols ..props /> },
    })
}

#[wasm_split(collectives, fallible)]
fn collectives() -> Result<Show, SplitLoaderError> {
    Ok(|props, _| html! { <Collectives ..props /> })
}

#[wasm_split(programs, fallible)]
fn programs() -> Result<Show, SplitLoaderError> {
    Ok(|props, _| match props.page.view {
        View::Plan => html! { <Plan ..props /> },
        View::Replay => html! { <Replay ..props /> },
        _ => html! { <Simulate ..props /> },
    })
}

#[wasm_split(machines, fallible)]
fn machines() -> Result<Show, SplitLoaderError> {
    Ok(|props, shown| match (shown, props.page.view) {
        (Content::Figure, _) => figures::caption(&props.page, &props.on_action).unwrap_or_default(),
        (_, View::Compare) => html! { <Compare ..props /> },
        (_, View::Figures) => html! { <Figures ..props /> },
        _ => html! { <Signature ..props /> },
    })
}

#[wasm_split(lessons, fallible)]
fn lessons() -> Result<Show, SplitLoaderError> {
    Ok(|props, shown| match shown {
        Content::Question => hidden_view(&props.page),
        _ => html! { <Lessons ..props /> },
    })
}

fn load(module: Module) -> Loading {
    match module {
        Module::Messages => Box::pin(messages()),
        Module::Collectives => Box::pin(collectives()),
        Module::Programs => Box::pin(programs()),
        Module::Machines => Box::pin(machines()),
        Module::Lessons => Box::pin(lessons()),
    }
}

fn module(shown: Content, view: View) -> Module {
    match (shown, view) {
        (Content::Figure, _) => Module::Machines,
        (Content::Lesson | Content::Question, _) | (_, View::Lessons) => Module::Lessons,
        (_, View::Message | View::Protocols | View::Overlap) => Module::Messages,
        (_, View::Collectives) => Module::Collectives,
        (_, View::Simulate | View::Replay | View::Plan) => Module::Programs,
        (_, View::Compare | View::Signature | View::Figures) => Module::Machines,
    }
}

/// The open view, below the figure of a paper if one is shown.
#[component]
pub(crate) fn Lazy(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let show = |shown: Content| {
        let (page, on_action) = (page.clone(), on_action.clone());
        let module = module(shown, page.view);
        // The key makes each module a component of its own, which loads it.
        html! { <Loaded key={format!("{module:?} {shown:?}")} {module} {page} {on_action} {shown} /> }
    };
    let figure = page.inputs.figure.is_some().then(|| show(Content::Figure));
    html! { <>{ for figure }{ show(Content::View) }</> }
}

/// The list of lessons, or the open step of one above its view.
#[component]
pub(crate) fn Lesson(props: &Props) -> Html {
    let (page, on_action) = (props.page.clone(), props.on_action.clone());
    html! { <Loaded module={Module::Lessons} {page} {on_action} shown={Content::Lesson} /> }
}

/// The question, while answers are hidden.
#[component]
pub(crate) fn Question(props: &Props) -> Html {
    let (page, on_action) = (props.page.clone(), props.on_action.clone());
    html! { <Loaded module={Module::Lessons} {page} {on_action} shown={Content::Question} /> }
}

#[derive(Properties, PartialEq)]
struct LoadedProps {
    module: Module,
    page: Page,
    on_action: Callback<Action>,
    shown: Content,
}

/// The content of a module, once it is loaded.
#[component]
fn Loaded(props: &LoadedProps) -> Html {
    let &LoadedProps { module, ref page, ref on_action, shown } = props;
    loaded(use_loaded(move || load(module)), |show| {
        show(Props { page: page.clone(), on_action: on_action.clone() }, shown)
    })
}

//! Buttons that save a picture.

use super::{Data, ExportRequest, FORMS, save, words as text};
use crate::browser;
use yew::platform::spawn_local;
use yew::{
    AttrValue, Html, MouseEvent, NodeRef, Properties, component, html, use_node_ref, use_state_eq,
};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) title: AttrValue,
    /// The element that contains the picture.
    pub(crate) area: NodeRef,
    pub(crate) data: Data,
}

/// Several pictures and texts exported as one picture.
#[derive(Properties, PartialEq)]
pub(crate) struct WholeProps {
    pub(crate) title: AttrValue,
    pub(crate) data: Data,
    #[prop_or_default]
    pub(crate) class: Option<&'static str>,
    pub(crate) children: Html,
}

#[component]
pub(crate) fn Whole(props: &WholeProps) -> Html {
    let area = use_node_ref();
    let WholeProps { title, data, class, children } = props;
    html! {
        <>
            <div class={*class} ref={area.clone()}>{ children.clone() }</div>
            <Export {title} {area} data={data.clone()} />
        </>
    }
}

#[component]
pub(crate) fn Export(props: &Props) -> Html {
    let is_refused = use_state_eq(|| false);
    let on_click = {
        let (title, area, data) = (props.title.clone(), props.area.clone(), props.data.clone());
        let is_refused = is_refused.clone();
        move |event: MouseEvent| {
            let Some(form) = browser::nearest(&event, "data-form") else { return };
            let (title, area, data) = (title.to_string(), area.clone(), data.clone());
            let is_refused = is_refused.clone();
            spawn_local(async move {
                is_refused.set(!save(ExportRequest { title, area, data, form }).await);
            });
        }
    };
    let form = |form: &'static str| {
        html! { <button type="button" data-form={form}>{ form }</button> }
    };
    html! {
        <div class="export" role="group" aria-label={text::KEEP} onclick={on_click}>
            { for FORMS.into_iter().map(form) }
            { is_refused.then(|| html! { <small role="alert">{ text::NOT_SAVED }</small> }) }
        </div>
    }
}

//! The page's entry: a placeholder until the views are written.

use yew::{Html, component, html};

#[component]
fn App() -> Html {
    html! {
        <main>
            <h1>{ "Loggia" }</h1>
        </main>
    }
}

fn main() {
    yew::Renderer::<App>::new().render();
}

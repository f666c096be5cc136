//! Loggia's page: what will this message pattern cost on that machine?
//!
//! | file | question |
//! |---|---|
//! | [`state`] | what does the page hold, and how does it change (pure) |
//! | [`machines`] | which machines can be chosen |
//! | [`open`] | what does a file, a drop or a paste ask for |
//! | [`link`] | how do state and address bar follow each other |
//! | [`draw`] | what stands where in a picture (pure) |
//! | [`views`] | what is on the page |
//! | [`text`] | in which words |
//! | [`browser`] | the browser: nothing else calls its interfaces |

mod browser;
mod draw;
mod link;
mod machines;
mod open;
mod state;
mod text;
mod views;

fn main() {
    yew::Renderer::<views::app::App>::new().render();
}

//! Loggia's page: what will this message pattern cost on that machine?
//!
//! | file | question |
//! |---|---|
//! | [`state`] | what does the page hold, and how does it change (pure) |
//! | [`machines`] | which machines can be chosen |
//! | [`open`] | what does a file, a drop or a paste ask for |
//! | [`link`] | how do state and address bar follow each other |
//! | [`sharing`] | what leaves the page: pictures, data, text, files |
//! | [`draw`] | what stands where in a picture (pure) |
//! | [`views`] | what is on the page |
//! | [`text`] | in which words |
//! | [`browser`] | the browser: nothing else calls its interfaces |

mod app;
mod browser;
mod colours;
mod comparison;
mod draw;
mod fields;
mod link;
mod loaded;
mod machines;
mod memo;
mod notices;
mod plots;
mod runs;
mod sharing;
mod state;
mod tables;
mod text;
mod views;
mod worker;

use app::{App, Props};
use yew::Renderer;
use yew::platform::spawn_local;

fn main() {
    spawn_local(async {
        let first = link::first().await;
        Renderer::<App>::with_props(Props { first }).render();
    });
}

//! Loggia's page: what will this message pattern cost on that machine?
//!
//! Each module uses only those below it.
//!
//! | module | holds |
//! |---|---|
//! | [`app`] | the page around the views: header, tabs, machines, parameters, dropped files |
//! | [`views`] | a folder for each view: its component, its drawings and its words |
//! | [`runs`] | a simulated run, as Simulate and Replay show it |
//! | [`plots`] | plots and space-time diagrams |
//! | [`sharing`] | pictures, their data, Markdown, QR codes |
//! | [`fields`] | fields in which readers set inputs |
//! | [`comparison`] | comparison of several machines |
//! | [`tables`], [`notices`] | tables, quantities, formulas; errors and warnings |
//! | [`address_bar`] | synchronises state and address bar |
//! | [`state`] | the state of the page, and its changes (pure) |
//! | [`draw`] | geometry of pictures (pure) |
//! | [`request_queue`], [`loaded`], [`memo`] | requests to the worker; modules loaded on demand; parts drawn again only when they change |
//! | [`machines`], [`text`], [`colours`] | built-in machines; texts of the whole page; its colours |
//! | [`browser`] | access to the browser's interfaces, used by no other module |

mod address_bar;
mod app;
mod browser;
mod colours;
mod comparison;
mod draw;
mod fields;
mod loaded;
mod machines;
mod memo;
mod notices;
mod plots;
mod request_queue;
mod runs;
mod sharing;
mod state;
mod tables;
mod text;
mod views;

use app::{App, Props};
use yew::Renderer;
use yew::platform::spawn_local;

fn main() {
    spawn_local(async {
        let first = address_bar::opening_action().await;
        Renderer::<App>::with_props(Props { first }).render();
    });
}

//! Signatures of other machines: parameters in a table, plots on common axes.

mod listing;

use super::words;
use crate::comparison::{ComparedMachine, all, chooser, panel, refused};
use crate::draw::figure::Figure;
use crate::plots::plot::Plot;
use crate::tables::rich;
use crate::views::Props;
use crate::views::signature::figure::comparison::{MachineSeries, bytes, depths, overheads};
use listing::listing;
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::timeline::Lane;
use std::rc::Rc;
use yew::{Html, Properties, component, html, use_memo};

pub(super) fn other_machines(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let inside = || {
        let shown = all(page);
        let routes = shown.iter().map(|one| (one, one.route(&page.inputs)));
        let (mut known, mut failed) = (Vec::new(), Vec::new());
        for (one, route) in routes {
            match route {
                Ok(route) => known.push((one, route)),
                Err(why) => failed.push((one, why)),
            }
        }
        html! {
            <>
                { chooser(page, on_action) }
                { listing(&known).unwrap_or_default() }
                <Pictures shown={shown.clone()} tier={page.inputs.tier.clone()} style={page.inputs.style.clone()} />
                { refused(failed.iter().map(|(one, why): &(&ComparedMachine, Error)| (*one, why))).unwrap_or_default() }
            </>
        }
    };
    panel(page, on_action, inside)
}

/// All that the plots depend on.
#[derive(Properties, PartialEq)]
struct PlotInputs {
    shown: Vec<ComparedMachine>,
    tier: Option<String>,
    style: Option<String>,
}

/// Titles of the plots.
const TITLES: [&str; 4] = [words::SEND, words::RECV, words::DEPTHS, words::PER_BYTE];

#[component]
fn Pictures(drawn: &PlotInputs) -> Html {
    let key = (drawn.shown.clone(), drawn.tier.clone(), drawn.style.clone());
    let figures = use_memo(key, |(shown, tier, style)| {
        let (tier, style) = (tier.as_deref(), style.as_deref());
        let mut all: Vec<MachineSeries> = Vec::new();
        for one in shown {
            if let Ok(route) = Route::near(&one.machine, tier, style) {
                all.push(MachineSeries { route, ink: one.ink, label: one.short() });
            }
        }
        let both = [Lane::Sender, Lane::Receiver].map(|side| overheads(&all, side));
        both.into_iter()
            .chain([depths(&all), bytes(&all)])
            .map(|f| f.map(Rc::new))
            .collect::<Vec<_>>()
    });
    let picture = |(title, figure): (&'static str, &Option<Rc<Figure>>)| {
        let shown = match figure {
            Some(figure) => html! { <Plot {title} figure={figure.clone()} /> },
            None => html! { <p class="aside">{ words::OF_NONE }</p> },
        };
        html! { <section class="picture"><h3>{ rich::formula(title) }</h3>{ shown }</section> }
    };
    html! {
        <div class="pictures">{ for TITLES.into_iter().zip(&*figures).map(picture) }</div>
    }
}

//! The view Figures: all figures of the papers, or the open one.

mod bars;
mod gallery;
mod panels;
mod value;
pub(crate) mod words;

use self::words as text;
use super::Props;
use crate::notices::reason;
use crate::state::{Action, Page};
use crate::tables::rich;
use gallery::gallery;
use loggia_link::figures::{self, Figure, FigureContent, PAPERS};
use loggia_link::state::View;
use panels::Panels;
use yew::{Callback, Html, component, html};

#[component]
pub(crate) fn Figures(props: &Props) -> Html {
    let Some(name) = &props.page.inputs.figure else { return gallery() };
    match figures::named(name) {
        Err(why) => html! { <section class="panel" id="figures">{ reason(&why) }</section> },
        Ok(figure) => match figure.shown {
            FigureContent::Panels { panels, .. } => html! {
                <section class="panel paper-figure" id="figures" aria-labelledby="figures-title">
                    { description(figure, &props.on_action) }
                    <Panels page={props.page.clone()} on_action={props.on_action.clone()} {panels} />
                </section>
            },
            // Other views show the figure themselves.
            _ => gallery(),
        },
    }
}

/// The figure that another view shows, with the paper's conclusion.
pub(crate) fn caption(page: &Page, on_action: &Callback<Action>) -> Option<Html> {
    let figure = figures::named(page.inputs.figure.as_ref()?).ok()?;
    let FigureContent::View { view, .. } = figure.shown else { return None };
    (page.view == view && view != View::Figures).then(|| {
        html! {
            <section class="panel whole paper-figure" id="figures" aria-labelledby="figures-title">
                { description(figure, on_action) }
            </section>
        }
    })
}

/// Title, conclusion, and links.
fn description(figure: &'static Figure, on_action: &Callback<Action>) -> Html {
    let paper = figures::paper_of(figure);
    let leave = on_action.reform(|_| Action::SetInput("figure", text::NONE.to_owned()));
    html! {
        <>
            <nav class="around" aria-label={text::TITLE}>
                { neighbour_link(-1, figure, text::PREVIOUS) }
                <a href={figures::LIST}>{ text::ALL }</a>
                { neighbour_link(1, figure, text::NEXT) }
                <button type="button" onclick={leave}>{ text::LEAVE }</button>
            </nav>
            <p class="aside">
                { for paper.map(|paper| html! { <>{ paper.authors }{ ", " }<cite>{ paper.title }</cite>{ ", " }</> }) }
                { text::figure(figure.number) }
            </p>
            <h2 id="figures-title">{ figure.title }</h2>
            <p class="concluded"><b>{ text::CONCLUDED }</b>{ rich::formula(figure.concluded) }</p>
        </>
    }
}

/// Link to the previous or next figure that can be shown.
fn neighbour_link(step: isize, figure: &Figure, words: &'static str) -> Option<Html> {
    let all: Vec<&Figure> = PAPERS
        .into_iter()
        .flat_map(|paper| paper.figures)
        .filter(|figure| !matches!(figure.shown, FigureContent::Not(_)))
        .collect();
    let here = all.iter().position(|one| one.name == figure.name)?;
    let there = all.get(here.checked_add_signed(step)?)?;
    Some(html! {
        <a href={there.fragment()} title={there.title}>{ words }</a>
    })
}

//! Links to all figures.

use super::words as text;
use crate::tables::rich;
use loggia_link::figures::{Figure, FigureContent, PAPERS, Paper};
use yew::{Html, html};

pub(super) fn gallery() -> Html {
    html! {
        <section class="panel paper-figure" id="figures" aria-labelledby="figures-title">
            <h2 id="figures-title">{ text::TITLE }</h2>
            <p class="asked">{ text::ABOUT }</p>
            <div class="papers">{ for PAPERS.into_iter().map(paper) }</div>
        </section>
    }
}

fn paper(paper: &'static Paper) -> Html {
    html! {
        <section key={paper.authors}>
            <h3>{ paper.authors }</h3>
            <p class="aside"><cite>{ paper.title }</cite></p>
            <p>{ rich::formula(paper.about) }</p>
            <ul class="figures">{ for paper.figures.iter().map(figure) }</ul>
        </section>
    }
}

fn figure(figure: &'static Figure) -> Html {
    let number = html! { <span class="number">{ text::figure(figure.number) }</span> };
    let title = match figure.shown {
        FigureContent::Not(why) => html! {
            <span class="lacking">{ figure.title }<small>{ text::NOT_DRAWN }{ ": " }{ why }</small></span>
        },
        _ => html! { <a href={figure.fragment()}>{ figure.title }</a> },
    };
    html! { <li key={figure.name}>{ number }{ title }</li> }
}

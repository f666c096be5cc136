//! The papers' figures, drawn from the papers' tables, with their conclusions.
//!
//! A figure has a name (`hwang-3`). Some figures are panels of lines or bars that [`Panel`]
//! computes; some are drawn by another view of the page. Figures without data in tables are listed
//! with the reason why they are not drawn.
//!
//! ```
//! use loggia_link::figures::{self, FigureContent};
//! let figure = figures::named("hwang-3")?;
//! let FigureContent::Panels { machines, panels } = figure.shown else { panic!("drawn here") };
//! assert_eq!(machines, ["ibm-sp2", "cray-t3d", "intel-paragon"]);
//! assert_eq!(panels[3].title, "Scatter");
//! # Ok::<(), loggia_model::Error>(())
//! ```

mod al_tawil;
mod bell;
mod chen;
mod hwang;
mod panel;
mod tourino;

pub use panel::{Bar, Drawn, Line, Over, Panel, PanelUnit, Part, Quantity};

use crate::error::StateError;
use crate::view::View;
use loggia_model::Error;

/// A paper and its figures.
#[derive(Debug)]
pub struct Paper {
    pub authors: &'static str,
    pub title: &'static str,
    /// A summary in one sentence.
    pub about: &'static str,
    pub figures: &'static [Figure],
}

/// A figure of a paper.
#[derive(Debug)]
pub struct Figure {
    /// Name in links and commands.
    pub name: &'static str,
    /// Number in the paper.
    pub number: &'static str,
    pub title: &'static str,
    /// The paper's conclusion, and differences to its tables.
    pub concluded: &'static str,
    pub shown: FigureContent,
}

/// How a figure is shown.
#[derive(Clone, Copy, Debug)]
pub enum FigureContent {
    /// Panels for these machines.
    Panels {
        machines: &'static [&'static str],
        /// The panels, in the paper's order.
        panels: &'static [Panel],
    },
    /// Another view.
    View {
        /// Built-in machines, the selected machine first; empty for the open machine.
        machines: &'static [&'static str],
        view: View,
        /// Inputs and parameters of the view, in groups.
        set: &'static [&'static [(&'static str, &'static str)]],
    },
    /// Not shown, with the reason.
    Not(&'static str),
}

/// The papers, in their order of appearance.
pub static PAPERS: [&Paper; 5] =
    [&al_tawil::PAPER, &hwang::PAPER, &chen::PAPER, &bell::PAPER, &tourino::PAPER];

/// The URL fragment of the list of figures.
pub const LIST: &str = "#figures";
/// The URL fragment of a figure, without its name.
pub const FRAGMENT: &str = "#figure=";

pub fn named(name: &str) -> Result<&'static Figure, Error> {
    let all = || PAPERS.into_iter().flat_map(|paper| paper.figures);
    all()
        .find(|figure| figure.name == name)
        .ok_or_else(|| Error::unknown("figure", name, "figure", all().map(|figure| figure.name)))
}

/// The paper of a figure.
pub fn paper_of(figure: &Figure) -> Option<&'static Paper> {
    PAPERS.into_iter().find(|paper| paper.figures.iter().any(|other| other.name == figure.name))
}

/// Figures are compared by name.
impl PartialEq for Figure {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Figure {
    /// The URL fragment of the figure.
    pub fn fragment(&self) -> String {
        format!("{FRAGMENT}{}", self.name)
    }

    /// The error for a figure that is not shown.
    pub fn not_drawn(&self, reason: &str) -> Error {
        StateError::NotDrawn { figure: self.name.to_owned(), why: reason.to_owned() }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::State;
    use loggia_model::{Signature, library};
    use std::collections::BTreeSet;

    fn all() -> impl Iterator<Item = &'static Figure> {
        PAPERS.into_iter().flat_map(|paper| paper.figures)
    }

    #[test]
    fn names_are_unique_and_every_figure_opens_or_gives_a_reason() {
        let mut names: Vec<&str> = all().map(|figure| figure.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        for figure in all() {
            match figure.shown {
                FigureContent::Not(reason) => {
                    let error = State::of_figure(figure, None).unwrap_err();
                    assert!(error.message.contains(reason), "{}: {error}", figure.name);
                }
                _ => {
                    let state = State::of_figure(figure, None)
                        .unwrap_or_else(|e| panic!("{}: {e}", figure.name));
                    assert_eq!(state.inputs.figure.as_deref(), Some(figure.name));
                    assert!(!state.signatures.is_empty(), "{}", figure.name);
                }
            }
        }
        assert!(named("hwang-9").unwrap_err().help.to_string().contains("hwang-3"));
    }

    #[test]
    fn every_line_and_bar_of_every_panel_has_numbers_and_its_own_label() {
        for figure in all() {
            let FigureContent::Panels { machines, panels } = figure.shown else { continue };
            let machines: Vec<Signature> =
                machines.iter().map(|name| library::load(name).unwrap()).collect();
            let machines: Vec<&Signature> = machines.iter().collect();
            for panel in panels {
                let drawn = panel.draw(&machines, 8.0);
                let context = format!("{} {}", figure.name, panel.title);
                assert!(!drawn.lines.is_empty() || !drawn.bars.is_empty(), "{context}");
                for line in &drawn.lines {
                    let count = line.points.iter().filter(|(_, y)| y.is_some()).count();
                    assert!(count >= 2, "{context}: {}", line.label);
                }
                assert!(drawn.bars.iter().all(|bar| bar.total().is_some()), "{context}");
                let labels: Vec<&str> =
                    drawn.lines.iter().map(|line| line.label.as_str()).collect();
                let distinct: BTreeSet<&str> = labels.iter().copied().collect();
                assert_eq!(distinct.len(), labels.len(), "{context}: {labels:?}");
            }
        }
    }

    #[test]
    fn a_figure_without_machines_keeps_the_open_machine() {
        let open = library::load("myrinet-gm").unwrap();
        let open = Signature { name: "mine".into(), ..open };
        let state = State::of_figure(named("bell-6").unwrap(), Some(open.clone())).unwrap();
        assert_eq!(state.signatures, std::slice::from_ref(&open));
        let state = State::of_figure(named("hwang-1").unwrap(), Some(open)).unwrap();
        assert_eq!(state.signatures.len(), 3);
    }
}

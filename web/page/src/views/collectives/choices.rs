//! Choices of operation and algorithm.

use super::{Question, words};
use crate::draw::algorithms;
use crate::fields::chips::{Chip, choice};
use crate::fields::route::{self, chip};
use crate::state::{Action, Page};
use crate::text;
use loggia_model::measured::Basis;
use loggia_model::model::MEASURED;
use loggia_model::model::composition::OWN_FORM;
use loggia_model::model::{Model, Route};
use loggia_model::signature::Operation;
use loggia_model::units::words::time;
use loggia_simulate::request::{self, BEST, Ranked};
use yew::{Callback, Html};

/// Whether algorithms have closed forms here; they need LogGP.
fn has_algorithms(page: &Page) -> bool {
    page.route().is_ok_and(|route: Route| Model::LogGp.is_possible(&route))
}

/// All operations; disabled if nothing is known about them.
pub(super) fn operations(page: &Page, chosen: Operation, on_action: &Callback<Action>) -> Html {
    let by_algorithm = has_algorithms(page);
    let op = |op: Operation| {
        let has_form = page.machine.collective(op).is_some();
        let hint = match has_form {
            true => text::operation(op).to_owned(),
            false => words::no_form(text::operation(op)),
        };
        let is_possible = has_form || by_algorithm;
        Chip { is_possible, ..chip(op.name(), op.name(), &hint, op == chosen) }
    };
    route::operations(Operation::ALL.into_iter().map(op).collect(), on_action)
}

/// Methods: measured, closed form, compositions, algorithms, the fastest. Disabled ones have a
/// reason.
pub(super) fn methods(
    question: &Question,
    ranking: Option<&[Ranked]>,
    on_action: &Callback<Action>,
) -> Html {
    let chip_of = |name: &'static str| {
        let known = ranking.unwrap_or_default();
        let entry = known.iter().find(|ranked| ranked.name == name);
        let hint = match entry {
            Some(ranked) => words::method_time(ranked.from, &time(ranked.time_us)),
            None => words::NOT_HERE.to_owned(),
        };
        let has_form =
            name == OWN_FORM && question.machine.collective(question.collective.op).is_some();
        let is_possible =
            ranking.is_none() || entry.is_some() || question.method == name || has_form;
        Chip { is_possible, ..chip(name, algorithms::name(name), &hint, question.method == name) }
    };
    let best = chip(BEST, algorithms::name(BEST), words::BEST_HINT, question.method == BEST);
    let measured = question.machine.source_of_table(question.collective.op);
    let measured = measured.map(|_| {
        let is_chosen = question.method == MEASURED;
        chip(MEASURED, algorithms::name(MEASURED), text::of_basis(Basis::Measured), is_chosen)
    });
    let methods = request::methods(question.collective.op).into_iter().map(chip_of);
    let chips: Vec<Chip> = measured.into_iter().chain(methods).chain([best]).collect();
    choice("algorithm", words::HOW, chips, on_action, |name| Action::SetInput("algorithm", name))
}

//! Ranks per node of a plan: a value of the sketch, with its field above the form.

use super::edit::{EditorInputs, SketchEdit};
use crate::fields::ranks_per_node::RanksPerNode;
use crate::state::Action;
use loggia_plan::sketch::edit::Field;
use yew::{Callback, Html, Properties, component, html, use_effect_with, use_state};

/// Its name in a sketch.
pub(super) const NAME: &str = "ranks_per_node";

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) text: String,
    pub(super) known: Option<EditorInputs>,
    pub(super) on_put: Callback<SketchEdit>,
    pub(super) on_action: Callback<Action>,
}

/// While the outline belongs to an earlier text, a new number waits for the current outline.
#[component]
pub(super) fn RanksPerNodeField(props: &Props) -> Html {
    let Props { text, known, on_put, on_action } = props;
    let pending = use_state(|| None::<u32>);
    let program = known.as_ref().map(|known| &known.outline.program);
    let field = program.and_then(|all| all.fields.iter().find(|field| field.name == NAME));
    let value = field.map_or(Some(1), |Field { value, .. }| value.trim().parse().ok());
    {
        let is_current = known.as_ref().is_some_and(|known| known.is_current);
        let (program, field) = (program.cloned(), field.cloned());
        let (text, on_put, on_action) = (text.clone(), on_put.clone(), on_action.clone());
        let setter = pending.setter();
        use_effect_with((is_current, *pending), move |(is_current, pending)| {
            let (true, Some(each)) = (*is_current, *pending) else { return };
            setter.set(None);
            let (what, new) = (NAME.to_owned(), each.to_string());
            match (field, program) {
                (Some(field), _) => on_put.emit(SketchEdit { what, at: field.at, new }),
                (None, Some(program)) => {
                    on_action.emit(Action::Sketch(what, program.with(&text, NAME, &new)));
                }
                (None, None) => {}
            }
        });
    }
    let is_possible = program.is_some_and(|all| field.is_some() || all.end.is_some());
    let on_set = {
        let pending = pending.setter();
        Callback::from(move |each| pending.set(Some(each)))
    };
    html! { <RanksPerNode {value} {is_possible} {on_set} /> }
}

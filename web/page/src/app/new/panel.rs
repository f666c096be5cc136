//! The fields of a new machine.

use super::{Props, words};
use crate::browser;
use crate::notices::reason;
use crate::state::Action;
use crate::tables::rich;
use crate::text;
use loggia_model::signature::short_name;
use loggia_model::{Error, Signature};
use yew::{
    Html, InputEvent, SubmitEvent, UseStateHandle, component, html, use_effect_with, use_node_ref,
    use_state, use_state_eq,
};

/// The typed texts: name, source, and each parameter.
#[derive(Clone, Debug, Default, PartialEq)]
struct Typed {
    title: String,
    source: String,
    values: [String; words::PARAMETERS.len()],
}

impl Typed {
    fn machine(&self) -> Result<Signature, Error> {
        let symbols = words::PARAMETERS.into_iter().map(|(symbol, _, _)| symbol);
        let values = self.values.iter().map(|value| value.trim());
        let parameters = symbols.zip(values).filter(|(_, value)| !value.is_empty());
        Signature::assumed(&short_name(&self.title), &self.title, &self.source, parameters)
    }
}

/// The field that must not be empty.
const NAME: &str = "new-name";

#[component]
pub(super) fn Panel(props: &Props) -> Html {
    let (dialog, typed) = (use_node_ref(), use_state_eq(Typed::default));
    let problem = use_state(|| None::<Error>);
    {
        let dialog = dialog.clone();
        use_effect_with((), move |()| browser::show_above(&dialog));
    }
    let on_submit = {
        let (props, typed, problem) = (props.clone(), typed.clone(), problem.clone());
        move |event: SubmitEvent| {
            event.prevent_default();
            match typed.machine() {
                Ok(machine) => {
                    props.on_action.emit(Action::AddMachine(Ok(Box::new(machine))));
                    props.on_close.emit(());
                }
                Err(error) => problem.set(Some(error)),
            }
        }
    };
    let title = |typed: &mut Typed, text| typed.title = text;
    let source = |typed: &mut Typed, text| typed.source = text;
    html! {
        <dialog class="keys making" ref={dialog} aria-labelledby="new-title" onclose={props.on_close.reform(|_| ())}>
            <header>
                <h2 id="new-title">{ words::TITLE }</h2>
                <button type="button" onclick={props.on_close.reform(|_| ())}>{ text::CLOSE }</button>
            </header>
            <p class="aside">{ words::EXPLAINED }</p>
            <form onsubmit={on_submit}>
                <div class="names">
                    { field(NAME, html! { words::NAME }, words::NAME_HINT, &typed, &typed.title, title) }
                    { field("new-source", html! { words::SOURCE }, words::SOURCE_HINT, &typed, &typed.source, source) }
                    { for (0..words::PARAMETERS.len()).map(|place| parameter(place, &typed)) }
                </div>
                <div role="alert">{ problem.as_ref().map(reason) }</div>
                <button type="submit">{ words::MAKE }</button>
            </form>
        </dialog>
    }
}

fn parameter(place: usize, typed: &UseStateHandle<Typed>) -> Html {
    let (symbol, what, example) = words::PARAMETERS[place];
    let label = html! { <>{ rich::symbol(symbol) }{ ": " }{ what }</> };
    let value = &typed.values[place];
    field(&format!("new-{symbol}"), label, example, typed, value, move |typed, text| {
        typed.values[place] = text;
    })
}

fn field(
    id: &str,
    label: Html,
    example: &'static str,
    typed: &UseStateHandle<Typed>,
    value: &str,
    put: impl Fn(&mut Typed, String) + 'static,
) -> Html {
    let typed = typed.clone();
    let on_input = move |event: InputEvent| {
        let mut now = (*typed).clone();
        put(&mut now, browser::input_value(&event));
        typed.set(now);
    };
    html! {
        <>
            <label for={id.to_owned()}>{ label }</label>
            <input
                id={id.to_owned()}
                class="field"
                type="text"
                autocomplete="off"
                value={value.to_owned()}
                placeholder={example}
                required={id == NAME}
                oninput={on_input}
            />
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_fields_stay_unknown() {
        let mut typed = Typed { title: "The next cluster".to_owned(), ..Typed::default() };
        assert!(typed.machine().unwrap_err().message.contains("no parameter"));
        typed.values[0] = " 2us ".to_owned();
        typed.values[1] = "300ns".to_owned();
        let machine = typed.machine().unwrap();
        assert_eq!(
            (machine.name.as_str(), machine.title.as_str()),
            ("the-next-cluster", "The next cluster")
        );
        assert!(machine.tiers[0].gap.is_none() && machine.tiers[0].styles.len() == 1);
    }

    #[test]
    fn every_example_can_be_typed() {
        for (place, (symbol, _, example)) in words::PARAMETERS.into_iter().enumerate() {
            let mut typed = Typed { title: "x".to_owned(), ..Typed::default() };
            typed.values[place] = example.to_owned();
            assert!(typed.machine().is_ok(), "{symbol}");
        }
    }
}

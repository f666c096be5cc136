//! Text that stays in its field as typed until the field loses the focus or the value changes
//! elsewhere. Text with an error stays even then.

use crate::browser;
use loggia_model::Error;
use yew::{Callback, FocusEvent, InputEvent, UseStateHandle, hook, use_effect_with, use_state};

pub(crate) struct Typed {
    text: UseStateHandle<Option<String>>,
    /// The error in the text.
    pub(crate) problem: Option<Error>,
    pub(crate) on_type: Callback<InputEvent>,
    pub(crate) on_leave: Callback<FocusEvent>,
}

impl Typed {
    /// The text of the field: as typed, or else of the value.
    pub(crate) fn shown(&self, value: impl FnOnce() -> String) -> String {
        (*self.text).clone().unwrap_or_else(value)
    }
}

/// The state of a field with this value; each text that can be parsed sets the value.
#[hook]
pub(crate) fn use_typed<T, P>(value: Option<T>, parse: P, on_set: Callback<T>) -> Typed
where
    T: PartialEq + 'static,
    P: Fn(&str) -> Result<T, Error> + Clone + 'static,
{
    let text = use_state(|| None::<String>);
    {
        let (text, parse) = (text.clone(), parse.clone());
        use_effect_with(value, move |value| {
            if text.as_deref().is_some_and(|text| parse(text).ok() != *value) {
                text.set(None);
            }
        });
    }
    let problem = text.as_deref().and_then(|text| parse(text).err());
    let on_type = {
        let text = text.clone();
        Callback::from(move |event: InputEvent| {
            let typed = browser::input_value(&event);
            if let Ok(value) = parse(&typed) {
                on_set.emit(value);
            }
            text.set(Some(typed));
        })
    };
    let on_leave = {
        let (text, fits) = (text.clone(), problem.is_none());
        Callback::from(move |_| {
            if fits {
                text.set(None);
            }
        })
    };
    Typed { text, problem, on_type, on_leave }
}

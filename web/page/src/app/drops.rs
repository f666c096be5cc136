//! What a reader drops, pastes or picks reaches the page here.

use super::open::{self, Asked};
use crate::browser::{self, Brought, Files};
use crate::state::Action;
use std::rc::Rc;
use yew::platform::spawn_local;
use yew::{
    Callback, Reducible, UseReducerHandle, hook, use_callback, use_effect_with, use_reducer,
};

/// The files that are being imported.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Importing(pub(crate) Option<Files>);

/// What happens to them.
pub(crate) enum Change {
    /// More come.
    More(Files),
    /// These remain; none where the import has ended.
    Only(Option<Files>),
}

impl Reducible for Importing {
    type Action = Change;

    fn reduce(self: Rc<Self>, change: Change) -> Rc<Self> {
        let files = match change {
            Change::Only(files) => files,
            Change::More(Files(more)) => {
                let before = self.0.iter().flat_map(|Files(before)| before.clone());
                Some(Files(before.chain(more).collect()))
            }
        };
        Rc::new(Importing(files))
    }
}

/// Files and texts that are dropped, pasted or picked: what to call with them, and those that are
/// imported.
#[hook]
pub(crate) fn use_bringing(
    on_action: &Callback<Action>,
) -> (Callback<Vec<Brought>>, UseReducerHandle<Importing>) {
    let importing = use_reducer(Importing::default);
    let on_bring = use_callback(
        (on_action.clone(), importing.dispatcher()),
        |brought, (on_action, importing)| {
            let (on_action, importing) = (on_action.clone(), importing.clone());
            spawn_local(async move {
                for asked in open::all(brought).await {
                    match asked {
                        Asked::Action(action) => on_action.emit(action),
                        Asked::Import(files) => importing.dispatch(Change::More(files)),
                    }
                }
            });
        },
    );
    {
        let on_bring = on_bring.clone();
        use_effect_with((), move |()| {
            let listener = browser::on_bring(move |brought| on_bring.emit(brought));
            move || drop(listener)
        });
    }
    (on_bring, importing)
}

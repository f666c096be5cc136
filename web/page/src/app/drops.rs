//! Files that a reader drops, pastes or picks.

use super::importing::words;
use super::open::{self, FileRequest};
use crate::browser::{self, Dropped, Files};
use crate::state::Action;
use loggia_model::Error;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::platform::spawn_local;
use yew::{
    Callback, Reducible, UseReducerHandle, hook, use_callback, use_effect_with, use_reducer,
};

/// Files in the import dialog.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ImportFiles(pub(crate) Option<Files>);

/// A change of the files in the import dialog.
pub(crate) enum ImportChange {
    /// Adds files.
    More(Files),
    /// Keeps only these files; `None` ends the import.
    Only(Option<Files>),
}

impl Reducible for ImportFiles {
    type Action = ImportChange;

    fn reduce(self: Rc<Self>, change: ImportChange) -> Rc<Self> {
        let files = match change {
            ImportChange::Only(files) => files,
            ImportChange::More(Files(more)) => {
                let before = self.0.iter().flat_map(|Files(before)| before.clone());
                Some(Files(before.chain(more).collect()))
            }
        };
        Rc::new(ImportFiles(files))
    }
}

type Recognise = fn(Vec<Dropped>) -> Pin<Box<dyn Future<Output = Vec<FileRequest>>>>;

/// Recognises the kinds of files; loaded when the first file arrives.
#[wasm_split(importing, fallible)]
fn recogniser() -> Result<Recognise, SplitLoaderError> {
    Ok(|dropped| Box::pin(open::requests(dropped)))
}

/// Handles dropped, pasted and picked files: returns the callback for them, and the files of the
/// import.
#[hook]
pub(crate) fn use_drops(
    on_action: &Callback<Action>,
) -> (Callback<Vec<Dropped>>, UseReducerHandle<ImportFiles>) {
    let importing = use_reducer(ImportFiles::default);
    let on_drop = use_callback(
        (on_action.clone(), importing.dispatcher()),
        |dropped, (on_action, importing)| {
            let (on_action, importing) = (on_action.clone(), importing.clone());
            spawn_local(async move {
                let Ok(recognised) = recogniser().await else {
                    let why = Error::new(words::NOT_LOADED, "", words::NOT_LOADED_HELP);
                    return on_action.emit(Action::AddMachine(Err(why)));
                };
                for request in recognised(dropped).await {
                    match request {
                        FileRequest::Action(action) => on_action.emit(action),
                        FileRequest::Import(files) => {
                            // An error of an earlier file is over.
                            on_action.emit(Action::Dismiss);
                            importing.dispatch(ImportChange::More(files));
                        }
                    }
                }
            });
        },
    );
    {
        let on_drop = on_drop.clone();
        use_effect_with((), move |()| {
            let listener = browser::on_drop(move |dropped| on_drop.emit(dropped));
            move || drop(listener)
        });
    }
    (on_drop, importing)
}

//! `campanile model`: what models are known, which are here, how they come here, and what
//! is in them.

mod convert;
mod inspect;

use crate::cli::{ModelAction, ModelArguments};
use campanile_model_store::{ModelKind, Source, Store, StoreError};
use campanile_terminal::models::{Display, fetch};
use campanile_terminal::{console, say};
use std::process::ExitCode;

/// Runs one action.
pub fn run(arguments: &ModelArguments) -> anyhow::Result<ExitCode> {
    let store = Store::open(arguments.store.clone())?;
    match &arguments.action {
        ModelAction::Fetch { name, from } => {
            let source = from.clone().map_or(Source::Any, Source::Path);
            let model = fetch(&store, name, &source)?;
            say!("{} is in `{}`", model.name, model.folder.display());
        }
        ModelAction::Convert(arguments) => return convert::run(arguments, &store),
        ModelAction::Inspect(arguments) => return inspect::run(arguments, &store),
        ModelAction::List => list(&store),
        ModelAction::Verify { name } => {
            let model = store.find(name)?;
            let mut display = Display::default();
            model.verify(&mut |progress| display.show(progress))?;
            display.clear();
            say!("{name}: {} checked", console::count(model.files.len(), "file"));
        }
        ModelAction::Remove { name } => {
            let bytes = store.remove(name)?;
            say!("{name} removed, {} freed", console::bytes(bytes));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list(store: &Store) {
    for state in store.list() {
        let model = state.model;
        let kind = match model.kind {
            ModelKind::Encoder => "encoder",
            ModelKind::Language => "language model",
        };
        let size = console::bytes(model.bytes());
        let place = match state.installed {
            Ok(installed) => format!("in `{}`", installed.folder.display()),
            Err(StoreError::NotInstalled { .. }) => {
                format!("not here: `campanile model fetch {}`", model.name)
            }
            Err(error) => format!("damaged: {error}"),
        };
        say!("{:<24}{kind:<16}{size:>9}  {:<12}{place}", model.name, model.licence);
    }
}

//! `campanile model`: what models are known, which are here, how they come here, and what
//! is in them.

mod convert;
mod inspect;
use std::process::ExitCode;

use campanile_model_store::{InstalledModel, ModelKind, Progress, Source, Store, StoreError};
use indicatif::ProgressBar;

use crate::cli::{ModelAction, ModelArguments};
use crate::console::{self, say, tell};

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

/// The model from the store, fetched first where it is not there.
///
/// # Errors
/// Where no source gives it, or what is in the store is damaged (the message says how to mend it).
pub fn find_or_fetch(store: &Store, name: &str) -> anyhow::Result<InstalledModel> {
    match store.find(name) {
        Ok(model) => Ok(model),
        Err(StoreError::NotInstalled { .. }) => {
            let bytes = console::bytes(store.model(name)?.bytes());
            tell!("The model {name} ({bytes}) is not here yet: fetching it, this once.");
            fetch(store, name, &Source::Any)
        }
        Err(error) => Err(error.into()),
    }
}

fn fetch(store: &Store, name: &str, source: &Source) -> anyhow::Result<InstalledModel> {
    let mut display = Display::default();
    let model = store.fetch(name, source, &mut |progress| display.show(progress));
    display.clear();
    Ok(model?)
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

/// Shows a fetch as it goes: lines for events, a bar for bytes.
#[derive(Default)]
struct Display {
    bar: Option<(String, ProgressBar)>,
}

impl Display {
    fn show(&mut self, progress: Progress<'_>) {
        match progress {
            Progress::Waiting { lock } => {
                self.line(&format!(
                    "another process is fetching it; waiting for {}",
                    lock.display()
                ));
            }
            Progress::Trying { source, from } => self.line(&format!("trying {source}: {from}")),
            Progress::Received { file, bytes, total_bytes } => {
                self.advance("Fetching", file, bytes, total_bytes);
            }
            Progress::Checking { file, bytes, total_bytes } => {
                self.advance("Checking", file, bytes, total_bytes);
            }
            Progress::Resuming { file, reason, bytes } => {
                let here = console::bytes(bytes);
                self.line(&format!("{file} broke off ({reason}); going on after {here}"));
            }
            Progress::Failed { source, reason } => self.line(&format!("{source}: {reason}")),
        }
    }

    fn advance(&mut self, label: &'static str, file: &str, bytes: u64, total_bytes: u64) {
        let key = format!("{label} {file}");
        if self.bar.as_ref().is_none_or(|(shown, _)| *shown != key) {
            self.clear();
            self.bar = Some((key, console::bytes_bar(total_bytes, label)));
        }
        if let Some((_, bar)) = &self.bar {
            bar.set_position(bytes);
        }
    }

    fn line(&mut self, text: &str) {
        self.clear();
        tell!("  {text}");
    }

    fn clear(&mut self) {
        if let Some((_, bar)) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

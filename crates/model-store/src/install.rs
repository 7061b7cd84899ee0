//! Fills a model's folder from the first source that can, and tells what it is doing.

use std::collections::BTreeMap;
use std::path::Path;

use crate::catalogue::{Model, ModelFile};
use crate::error::{FailedSource, StoreError};
use crate::installed::Stamp;
use crate::part::{Part, sha256_of_file};
use crate::source::{Failure, Provider, Settings, Source, SourceKind};
use tracing::{info, warn};

/// One model's installation, under the model's lock.
pub(crate) struct Installation<'a> {
    pub(crate) model: &'static Model,
    /// The folder that the files go into.
    pub(crate) folder: &'a Path,
    /// A folder of our own for what a source needs meanwhile.
    pub(crate) scratch: &'a Path,
    pub(crate) settings: &'a Settings,
}

impl Installation<'_> {
    /// Brings every file that is not here sound, then writes the stamp.
    pub(crate) fn run(&self, source: &Source, report: &mut Report<'_>) -> Result<(), StoreError> {
        let (mut origins, mut wanted) = self.standing(report)?;
        let mut failed = Vec::new();
        for kind in source.kinds() {
            // The first source that has a file brings it; what the next one brings is only what is still missing.
            if wanted.is_empty() {
                break;
            }
            match self.fill(*kind, source, &mut wanted, &mut origins, report) {
                Ok(()) => {}
                Err(Failure::Store(error)) => return Err(error),
                Err(Failure::Source(reason)) => {
                    warn!(model = self.model.name, source = ?kind, reason, "a source failed");
                    report(Progress::Failed { source: *kind, reason: &reason });
                    failed.push(FailedSource { source: *kind, reason });
                }
            }
        }
        if !wanted.is_empty() {
            return Err(StoreError::Unfetched { model: self.model, failed });
        }
        Stamp::new(self.model, |name| origins[name].clone()).write(self.folder)
    }

    /// The files that are here and sound, each with where it came from, and the
    /// files still wanted.
    fn standing(
        &self,
        report: &mut Report<'_>,
    ) -> Result<(BTreeMap<&'static str, String>, Vec<ModelFile>), StoreError> {
        // A stamp that cannot be read costs the files' origins, and the files themselves are hashed anyway.
        let stamp = Stamp::read(self.folder, self.model).ok();
        let mut origins = BTreeMap::new();
        let mut wanted = Vec::new();
        for file in self.model.files {
            if self.is_sound(file, report)? {
                let origin = stamp
                    .as_ref()
                    .and_then(|stamp| stamp.source_of(file.name))
                    .unwrap_or("found in place");
                origins.insert(file.name, origin.to_owned());
            } else {
                wanted.push(*file);
            }
        }
        Ok((origins, wanted))
    }

    fn is_sound(&self, file: &ModelFile, report: &mut Report<'_>) -> Result<bool, StoreError> {
        let path = self.folder.join(file.name);
        // A file that is absent or cannot be looked at is to be fetched; if it
        // cannot be replaced either, that error will say so.
        if !path.metadata().is_ok_and(|found| found.len() == file.bytes) {
            return Ok(false);
        }
        let found = sha256_of_file(&path, |bytes| {
            report(Progress::Checking { file: file.name, bytes, total_bytes: file.bytes });
        })?;
        Ok(found == file.sha256)
    }

    /// Brings the `wanted` files from one source; those it could give are taken
    /// off the list even when it fails at a later one.
    fn fill(
        &self,
        kind: SourceKind,
        source: &Source,
        wanted: &mut Vec<ModelFile>,
        origins: &mut BTreeMap<&'static str, String>,
        report: &mut Report<'_>,
    ) -> Result<(), Failure> {
        let mut provider =
            self.settings.provider(kind, source, self.model, self.scratch, report)?;
        while let Some(file) = wanted.first().copied() {
            self.bring(provider.as_mut(), file, report)?;
            info!(
                model = self.model.name,
                file = file.name,
                origin = provider.origin(),
                "a file is here"
            );
            origins.insert(file.name, provider.origin());
            // At once and not at the end: a file that is sound stays, whatever happens to the next.
            wanted.remove(0);
        }
        Ok(())
    }

    fn bring(
        &self,
        provider: &mut dyn Provider,
        file: ModelFile,
        report: &mut Report<'_>,
    ) -> Result<(), Failure> {
        let part = Part::new(self.folder, file);
        let resumed = provider.resumes() && part.bytes()? > 0;
        provider.provide(&part, report)?;
        match part.seal(report) {
            // The bytes left by an earlier attempt may have been the bad ones:
            // once more, from the start.
            Err(Failure::Source(_)) if resumed => {
                let part = Part::new(self.folder, file);
                provider.provide(&part, report)?;
                part.seal(report)
            }
            sealed => sealed,
        }
    }
}

/// One piece of news from [`Store::fetch`](crate::Store::fetch).
///
/// [`Progress::Received`] and [`Progress::Checking`] come many times a second; a
/// display that costs time should limit itself.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// Another process is filling the same model's folder; this one waits.
    Waiting {
        /// The lock both want.
        lock: &'a Path,
    },
    /// A source is about to be tried.
    Trying {
        /// Which one.
        source: SourceKind,
        /// Its address: a path, an URL or a command.
        from: &'a str,
    },
    /// Bytes of a file have arrived.
    Received {
        /// The file's name.
        file: &'a str,
        /// Bytes of it here by now, those of an earlier attempt included.
        bytes: u64,
        /// Its whole length in bytes.
        total_bytes: u64,
    },
    /// A file's hash is being computed.
    Checking {
        /// The file's name.
        file: &'a str,
        /// Bytes hashed by now.
        bytes: u64,
        /// Its whole length in bytes.
        total_bytes: u64,
    },
    /// A download broke off and is taken up again where it stopped.
    Resuming {
        /// The file's name.
        file: &'a str,
        /// Why it broke off.
        reason: &'a str,
        /// Bytes already here.
        bytes: u64,
    },
    /// A source could not give the model; the next one, if any, follows.
    Failed {
        /// Which one.
        source: SourceKind,
        /// Why.
        reason: &'a str,
    },
}

/// The receiver of the news.
pub(crate) type Report<'r> = dyn FnMut(Progress<'_>) + 'r;

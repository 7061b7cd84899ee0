//! A build as a person at a terminal sees it: bars, remarks, and faults of documents.

use std::path::PathBuf;

use anyhow::Context as _;
use campanile_build::{Observer, Progress, Stage};
use campanile_ingest::{Finding, Severity};
use indicatif::ProgressBar;

use crate::console::{self, tell};

/// Shows a build in the terminal.
pub struct Watching {
    /// The least severe findings that are shown.
    pub from: Severity,
}

/// The program that reads one file for a build: this one.
///
/// # Errors
/// Where the system does not say where it lies.
pub fn this_program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find this program's own file")
}

impl Observer for Watching {
    fn finding(&self, finding: &Finding) {
        match finding.severity() {
            Severity::Failure => tell!("not read: {finding}"),
            Severity::Warning if self.from <= Severity::Warning => tell!("warning: {finding}"),
            _ => {}
        }
    }

    fn remark(&self, line: &str) {
        tell!("{line}");
    }

    fn begin(&self, stage: &Stage<'_>) -> Box<dyn Progress> {
        let Stage { name, total, pieces, is_slow } = *stage;
        Box::new(Bar(match total {
            None => console::spinner(name),
            Some(total) if is_slow => console::rate_bar(total, name, pieces),
            Some(total) => console::counting_bar(total, name, pieces),
        }))
    }
}

/// A bar that goes away when its stage ends.
struct Bar(ProgressBar);

impl Progress for Bar {
    fn advance(&self, pieces: usize) {
        self.0.inc(pieces as u64);
    }

    fn now(&self, what: &str) {
        self.0.set_message(what.to_owned());
        self.0.tick();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

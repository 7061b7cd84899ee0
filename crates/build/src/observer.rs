//! News of a build for somebody who waits for it.

use campanile_ingest::Finding;

/// Is told what a build does while it does it. Each method does nothing unless it is written.
pub trait Observer: Sync {
    /// Takes all findings about the documents, in the order of the documents' paths, once these are read.
    fn findings(&self, _findings: &[&Finding]) {}

    /// Takes a line for a person to read: a device that was chosen, or a file that could not be kept for the next build.
    /// The site is the same with and without it.
    fn remark(&self, _line: &str) {}

    /// Takes the beginning of a stage. The stage ends when the value that is returned is dropped.
    fn begin(&self, _stage: &Stage<'_>) -> Box<dyn Progress> {
        Box::new(Silent)
    }
}

/// A stage of a build that takes a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage<'a> {
    /// The work, for example `Reading`.
    pub name: &'static str,
    /// The number of pieces of work, where that is known.
    pub total: Option<usize>,
    /// The name of the pieces, for example `files`.
    pub pieces: &'a str,
    /// `true` if a piece takes so long that the number in a second is worth telling.
    pub is_slow: bool,
}

impl<'a> Stage<'a> {
    /// A stage in one piece, which takes seconds.
    pub(crate) fn whole(name: &'static str) -> Self {
        Self { name, total: None, pieces: "", is_slow: false }
    }

    /// A stage of `total` pieces of work.
    pub(crate) fn counted(name: &'static str, total: usize, pieces: &'a str) -> Self {
        Self { name, total: Some(total), pieces, is_slow: false }
    }
}

/// Is told how far a stage has come. Threads share it.
pub trait Progress: Sync {
    /// Takes how many more pieces of work are done.
    fn advance(&self, _pieces: usize) {}

    /// Takes what is being done right now.
    fn now(&self, _what: &str) {}
}

/// An observer that nobody looks through.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

impl Progress for Silent {}

//! Reading each file in a process of its own, within limits.
//!
//! The parsers of foreign formats are other people's, and their input is anybody's. A fault that
//! Rust can catch is caught where it happens; an endless loop, a stack that overflows and memory
//! without end cannot be. So a build reads each file in a child process that has so many seconds
//! and so much memory, and a file that needs more is reported like any other that cannot be read.
//!
//! The child is the same program, started with a hidden command that calls [`serve`]; it gets one
//! [`Request`] as JSON on its standard input and answers with one line of JSON. A child costs a few
//! milliseconds, which is little beside embedding what it read.

mod child;
mod parent;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Finding, IngestOptions, Reading};

pub use child::serve;
pub use parent::Isolation;

/// A request to a child to read a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The documents' folder.
    pub root: PathBuf,
    /// The file, relative to it.
    pub path: PathBuf,
    /// The options of reading.
    pub options: IngestOptions,
    /// The most memory that the child may take, in bytes.
    pub memory_bytes: u64,
}

/// The reply of a child.
#[derive(Debug, Serialize, Deserialize)]
enum Reply {
    Read(Reading),
    Failed(Finding),
}

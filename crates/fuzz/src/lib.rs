//! What must hold of every reader of foreign bytes, tried on bytes that nobody would write.
//!
//! A department's folder holds files of thirty years, of a dozen programs, cut short by mail
//! servers and renamed by people in a hurry; a website sends what it likes; a site may be hosted
//! where others can write. Each place where such bytes become values of ours is a [`Target`]. For
//! any input a target's reader has to come back, within its limits, with sound values or with an
//! error that has a name.
//!
//! The same targets run in two ways:
//!
//! - The tests run them over the corpora that are kept in this crate (`seeds/`, written by hand, and
//!   `corpora/`, found by the fuzzer) and over random text ([`check_document`] says what is checked). That is
//!   part of every test run.
//! - `cargo xtask fuzz` builds the programs in `fuzz_targets/` with coverage and the address
//!   sanitizer and lets libFuzzer look for inputs that reach new code, for ten minutes each. What
//!   came of the last run stands in `docs/reference/fuzzing.md`.
//!
//! Office files are zip files, whose checksums no mutation survives. The targets `office_parts` and
//! `workbook_parts` take the parts as text, each behind a line `@@ name`, and zip them on the way.
//!
//! A panic inside a parser of somebody else's is caught by `campanile-ingest` and becomes
//! [`ReaderFailed`](campanile_ingest::IngestError::ReaderFailed); a panic of our own code is a
//! finding even where it would be caught.
//!
//! ```
//! use campanile_fuzz::Target;
//!
//! // A row wider than its header, a quote that never ends: read or refused, and nothing else.
//! Target::Csv.run(b"course,ects\nCS 101,6,\"");
//! ```

mod adapter;
mod corpus;
mod packages;
mod panics;
mod sound;
mod target;

pub use corpus::{Corpus, CorpusError};
pub use panics::note_panics;
pub use sound::{check_chunks, check_document};
pub use target::Target;

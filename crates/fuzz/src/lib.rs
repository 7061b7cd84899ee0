//! The invariants of every parser of untrusted bytes, tried on bytes that nobody would write.
//!
//! A department's folder holds files of thirty years and of a dozen programs. Mail servers cut some
//! of them short, and people in a hurry rename them. A website sends what it likes. A site may be
//! hosted where others can write. Each place where such bytes become values of ours is a
//! [`Target`]. For any input, a target's parser has to come back within its limits, with sound
//! values or with an error that has a name.
//!
//! The same targets run in two ways:
//!
//! - The tests run them over random text and over the corpora in this crate: `seeds/`, written by
//!   hand, and `corpora/`, found by the fuzzer. [`check_document`] says what is checked. This is
//!   part of every test run.
//! - `cargo xtask fuzz` builds the programs in `fuzz_targets/` with coverage and the address
//!   sanitizer. libFuzzer then runs each for ten minutes and looks for inputs that reach new code.
//!   What came of the last run stands in `docs/reference/fuzzing.md`.
//!
//! Office files are zip files, whose checksums no mutation survives. So the targets `office_parts`,
//! `workbook_parts` and `book_parts` take the parts as text, each behind a line `@@ name`, and zip them on the
//! way.
//!
//! If a parser of somebody else's panics, `campanile-ingest` catches it, and it becomes
//! [`ReaderFailed`](campanile_ingest::Trouble::ReaderFailed). A panic of our own code is a
//! finding even where it would be caught.
//!
//! ```
//! use campanile_fuzz::Target;
//!
//! // A row wider than its header, a quote that never ends: read or refused, and nothing else.
//! Target::Csv.run(b"course,ects\nCS 101,6,\"");
//! ```

mod corpus;
mod models;
mod sound;
mod target;

pub use corpus::{Corpus, CorpusError};
pub use sound::{check_chunks, check_document, note_panics};
pub use target::Target;

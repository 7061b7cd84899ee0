//! Hostile text in documents and beside questions changes nothing: it is left out and reported where a reader does
//! not see it, and is plain text where a reader does.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod answers;
mod corpus;
mod files;
mod prompts;
mod reading;
#[path = "../support/mod.rs"]
mod support;
mod tokens;

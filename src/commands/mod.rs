//! One module for each job of the command.

pub mod ask;
pub mod build;
pub mod eval;
mod explain;
mod form;
pub mod lint;
pub mod model;
mod prose;
pub mod questions;
pub mod read_document;
pub mod reword;
pub mod serve;

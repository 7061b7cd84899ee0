//! One module for each job of the command.

pub mod ask;
pub mod build;
mod explain;
mod form;
pub mod lint;
pub mod model;
pub mod questions;
pub mod read_document;
pub mod serve;

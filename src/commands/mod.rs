//! One module for each job of the command.

pub mod ask;
pub mod build;
#[cfg(feature = "export")]
pub mod export;
pub mod federate;
pub mod init;
pub mod kiosk;
pub mod lint;
pub mod model;
#[cfg(feature = "parts")]
pub mod parts;
#[cfg(feature = "desk")]
pub mod questions;
pub mod serve;
pub mod settings;
pub mod watch;

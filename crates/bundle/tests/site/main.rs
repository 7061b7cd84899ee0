//! Whole sites, written to disk and read back.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod common;
mod faulty;
mod late;
mod partitions;
mod reading;
mod writing;

//! Data for tests that is no part of the checkout, and the word of a test that lacks it.
//!
//! Question sets and documents of others are too large for the repository, and not all may be handed on. Where they are at
//! hand they lie beside the checkout, in `../shared/data`. A test that needs them is skipped without them:
//!
//! ```
//! fn a_handbook_is_read() {
//!     let Some(pages) = campanile_test_data::shared("handbook/pages") else { return };
//!     assert!(pages.is_dir());
//! }
//! # a_handbook_is_read();
//! ```
//!
//! Rust's tests have no way to end as skipped while they run. So the test prints a line with its name, and `cargo xtask test` counts
//! it as skipped where nextest reports it as passed. Only the test's own name counts: see `crates/xtask/src/test/junit.rs`.
//!
//! What several tests read and takes long to make is a [`SharedFolder`].

mod effort;
mod shared_folder;

pub use effort::effort;
pub use shared_folder::SharedFolder;

use std::path::{Path, PathBuf};
use std::thread;

/// The path of a file or folder below `../shared/data`. Without it the test at hand is skipped, and returns at once.
pub fn shared(path: &str) -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path);
    if found.exists() {
        return Some(found);
    }
    skip(&format!("needs ../shared/data/{path}"));
    None
}

/// Says that the test at hand is skipped, and why. To be called on the test's own thread, which has its name.
pub fn skip(reason: &str) {
    println!("{}", line(thread::current().name(), reason));
}

/// The line that `cargo xtask test` looks for.
fn line(test: Option<&str>, reason: &str) -> String {
    format!("skipped: {}: {reason}", test.unwrap_or("a test"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_says_its_own_name() {
        let name = thread::current().name().map(str::to_owned);
        // With `--test-threads=1` by hand, all tests are on the main thread.
        let name = name.filter(|name| name != "main");
        let own = "tests::a_test_says_its_own_name";
        assert!(name.is_none_or(|name| name == own));
        assert_eq!(line(Some(own), "no data"), format!("skipped: {own}: no data"));
    }

    #[test]
    fn data_that_is_not_there_is_none() {
        assert_eq!(shared_in_silence("no/such/folder"), None);
    }

    /// [`shared`] on a thread of its own, so that the line is not about this test.
    fn shared_in_silence(path: &'static str) -> Option<PathBuf> {
        thread::spawn(move || shared(path)).join().ok().flatten()
    }
}

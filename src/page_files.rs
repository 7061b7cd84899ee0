//! The page's files, embedded by `build.rs`.

use campanile_build::Page;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The page, if this command was built with the browser's modules (`cargo xtask web` makes them).
pub fn page() -> Option<Page<'static>> {
    Page::new(FILES)
}

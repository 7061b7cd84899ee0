//! The site's own files, embedded by `build.rs`.

use sha2::{Digest, Sha256};

use crate::config::PageConfig;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The module that a site cannot do without; `cargo xtask web` makes it.
const CORE_MODULE: &str = "campanile/pkg/core/campanile_core_bg.wasm";
const SERVICE_WORKER: &str = "service-worker.js";
/// Fetched when they are asked for, not with the page: the language model's module, and the
/// licences.
const ON_DEMAND: [&str; 2] = ["campanile/pkg/gpu/", LICENCES];
/// The licences of the software in the browser's modules; a build adds those of the models.
pub const LICENCES: &str = "campanile/pkg/third-party-licences.txt";

/// Whether this command carries the browser's modules.
pub fn has_page() -> bool {
    FILES.iter().any(|(path, _)| *path == CORE_MODULE)
}

/// Whether a file of the page is fetched only when a reader asks for it.
pub fn is_on_demand(path: &str) -> bool {
    ON_DEMAND.iter().any(|start| path.starts_with(start))
}

/// Every file of the page with its path in the site; the service worker knows their names, a
/// version that changes when any of them does, and whether it isolates the page.
pub fn page_files(settings: &PageConfig) -> Vec<(&'static str, Vec<u8>)> {
    let version = version();
    let shell: Vec<&str> = FILES
        .iter()
        .map(|(path, _)| *path)
        .filter(|path| *path != SERVICE_WORKER && !is_on_demand(path))
        .collect();
    let names = serde_json::json!(shell).to_string();
    FILES
        .iter()
        .map(|(path, content)| {
            let content = if *path == SERVICE_WORKER {
                String::from_utf8_lossy(content)
                    .replace("__CAMPANILE_VERSION__", &version)
                    .replace("__CAMPANILE_FILES__", &names)
                    .replace(
                        "__CAMPANILE_ISOLATED__",
                        if settings.cross_origin_isolated { "true" } else { "false" },
                    )
                    .into_bytes()
            } else {
                content.to_vec()
            };
            (*path, content)
        })
        .collect()
}

/// The first 16 hexadecimal digits of the hash over all paths and contents.
fn version() -> String {
    let mut hash = Sha256::new();
    for (path, content) in FILES {
        hash.update(path.as_bytes());
        hash.update([0]);
        hash.update((content.len() as u64).to_le_bytes());
        hash.update(content);
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::expect_used)]
    use super::*;

    #[test]
    fn the_service_worker_is_told_all_it_asks_for() {
        for (cross_origin_isolated, told) in
            [(true, "ISOLATED = true;"), (false, "ISOLATED = false;")]
        {
            let files = page_files(&PageConfig { cross_origin_isolated });
            let (_, content) =
                files.iter().find(|(path, _)| *path == SERVICE_WORKER).expect("it is embedded");
            let text = String::from_utf8_lossy(content);
            assert!(text.contains(told), "{told}");
            assert!(!text.contains("__CAMPANILE_"), "a token is left");
        }
    }
}

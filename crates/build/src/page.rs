//! The page: the files of a site that are the same for all documents.

use sha2::{Digest, Sha256};

use crate::config::PageConfig;

/// The module that a site cannot do without.
const CORE_MODULE: &str = "campanile/pkg/core/campanile_core_bg.wasm";
const SERVICE_WORKER: &str = "service-worker.js";
/// Fetched when they are asked for, not with the page: the language model's module, and the
/// licences.
const ON_DEMAND: [&str; 2] = ["campanile/pkg/gpu/", LICENCES];
/// The licences of the software in the browser's modules; a build adds those of the models.
pub(crate) const LICENCES: &str = "campanile/pkg/third-party-licences.txt";

/// The files of a page, each with its path in the site, ordered by path. The command has them inside.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    files: &'a [(&'a str, &'a [u8])],
}

impl<'a> Page<'a> {
    /// The page of these files; `None` if the browser's core module is not among them.
    pub fn new(files: &'a [(&'a str, &'a [u8])]) -> Option<Self> {
        files.iter().any(|(path, _)| *path == CORE_MODULE).then_some(Self { files })
    }

    /// Every file with its path in the site; the service worker knows their names, a version that changes
    /// when any of them does, and whether it isolates the page.
    pub(crate) fn files(&self, settings: &PageConfig) -> Vec<(&'a str, Vec<u8>)> {
        let version = self.version();
        let shell: Vec<&str> = (self.files.iter())
            .map(|(path, _)| *path)
            .filter(|path| *path != SERVICE_WORKER && !is_on_demand(path))
            .collect();
        let names = serde_json::json!(shell).to_string();
        let isolated = if settings.cross_origin_isolated { "true" } else { "false" };
        let with_content = |&(path, content): &(&'a str, &[u8])| {
            let content = match path {
                SERVICE_WORKER => String::from_utf8_lossy(content)
                    .replace("__CAMPANILE_VERSION__", &version)
                    .replace("__CAMPANILE_FILES__", &names)
                    .replace("__CAMPANILE_ISOLATED__", isolated)
                    .into_bytes(),
                _ => content.to_vec(),
            };
            (path, content)
        };
        self.files.iter().map(with_content).collect()
    }

    /// The first 16 hexadecimal digits of the hash over all paths and contents.
    fn version(&self) -> String {
        let mut hash = Sha256::new();
        for (path, content) in self.files {
            hash.update(path.as_bytes());
            hash.update([0]);
            hash.update((content.len() as u64).to_le_bytes());
            hash.update(content);
        }
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Returns `true` if a file of the page is fetched only when a visitor asks for it.
pub(crate) fn is_on_demand(path: &str) -> bool {
    ON_DEMAND.iter().any(|start| path.starts_with(start))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::expect_used)]
    use super::*;

    const WORKER: &[u8] = include_bytes!("../../../web/service-worker.js");

    #[test]
    fn the_service_worker_is_told_all_it_asks_for() {
        let files = [(CORE_MODULE, b"module".as_slice()), (SERVICE_WORKER, WORKER)];
        let page = Page::new(&files).expect("the core module is there");
        for (cross_origin_isolated, told) in
            [(true, "ISOLATED = true;"), (false, "ISOLATED = false;")]
        {
            let files = page.files(&PageConfig { cross_origin_isolated });
            let (_, content) =
                files.iter().find(|(path, _)| *path == SERVICE_WORKER).expect("it is there");
            let text = String::from_utf8_lossy(content);
            assert!(text.contains(told), "{told}");
            assert!(!text.contains("__CAMPANILE_"), "a token is left");
        }
    }

    #[test]
    fn without_its_module_a_page_is_none() {
        assert!(Page::new(&[(SERVICE_WORKER, WORKER)]).is_none());
    }
}

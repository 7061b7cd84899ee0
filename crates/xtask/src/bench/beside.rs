//! A site beside searches over pages, in the same browser.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::browser_script;
use super::report::BesideTable;
use crate::process::Log;
use crate::setup;
use crate::workspace::Workspace;

/// The sides of a comparison, and its questions.
pub struct Beside<'a> {
    /// Ours.
    pub site: &'a Path,
    /// A page for each of its documents.
    pub pages: &'a Path,
    /// Questions with the documents that answer them, a line each.
    pub questions: &'a Path,
    /// Where the figures go.
    pub out: PathBuf,
}

impl Beside<'_> {
    /// Asks all sides, and reads what they found.
    pub fn measure(&self, workspace: &Workspace, log: &Log) -> Result<BesideTable> {
        let packages = workspace.tools().join("bench-pagefind");
        setup::install_node_packages(
            workspace,
            &setup::NodePackages {
                source: Path::new("benches/pagefind"),
                folder: &packages,
                what: "Node.js packages (pagefind, minisearch)",
                effort: "installing (about 30 MB on disk)",
                words: &["ci"],
            },
        )?;
        let mut node = browser_script(workspace, "benches/pagefind/compare.js")?;
        node.env("CAMPANILE_BENCH_PAGEFIND", &packages);
        log.run(node.args([self.site, self.pages, self.questions, &self.out]))?;
        BesideTable::read(&self.out)
    }
}

//! The page's scripts as they are served: without comments, with short names, half as long.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::Log;
use crate::setup;
use crate::workspace::Workspace;

/// Its placeholders are filled in by the command, which looks for them as they are written.
const AS_WRITTEN: &str = "service-worker.js";

/// Writes each script of `web/` into `folder`, shortened, and removes what is left of others.
/// `build.rs` takes a script from there unless the written one is newer.
pub fn shorten_all(workspace: &Workspace, folder: &Path, log: &Log) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let written = scripts(&workspace.root.join("web"))?;
    for old in scripts(folder)? {
        if !written.iter().any(|script| script.file_name() == old.file_name()) {
            fs::remove_file(&old).with_context(|| format!("cannot remove {}", old.display()))?;
        }
    }
    for script in written {
        let target = folder.join(script.file_name().unwrap_or_default());
        if is_newer(&script, &target)? {
            shorten(workspace, &script, &target, log)?;
        }
    }
    Ok(())
}

/// Shortens one module; `from` and `to` may be the same file.
pub fn shorten(workspace: &Workspace, from: &Path, to: &Path, log: &Log) -> Result<()> {
    let mut terser = workspace.program(setup::node_tool(workspace, "terser"));
    terser.args(["--module", "--ecma", "2022", "--compress", "--mangle", "--output"]);
    log.run(terser.arg(to).arg("--").arg(from))
}

fn is_newer(script: &Path, target: &Path) -> Result<bool> {
    let changed = |path: &Path| -> Result<_> { Ok(fs::metadata(path)?.modified()?) };
    Ok(!target.exists() || changed(script)? > changed(target)?)
}

fn scripts(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let path = entry?.path();
        let is_script = path.extension().is_some_and(|extension| extension == "js");
        if is_script && !path.ends_with(AS_WRITTEN) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

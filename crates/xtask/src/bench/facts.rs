//! What the benches have in common that ask one handbook for its facts: `makers` of PDFs and `generators` of sites.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::Value;

use super::Machine;
use super::report::write_section;
use crate::setup::{self, PythonPackages};
use crate::workspace::Workspace;

/// The Python of a virtual environment of its own with the packages of a list.
pub fn python(workspace: &Workspace, list: &Path, folder: &str, what: &str) -> Result<PathBuf> {
    setup::install_python_packages(
        workspace,
        &PythonPackages {
            requirements: list,
            folder: &workspace.tools().join(folder),
            what,
            effort: "installing (some 600 MB on disk, one to three minutes)",
        },
    )
}

/// Returns `true` for a fact that was found.
pub fn is_right(fact: &Value) -> bool {
    fact.as_bool() == Some(true)
}

/// The elements of a list; none if it is none.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A text of an object of the file; empty if there is none.
pub fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// Name and version, as they stand beside the figures.
pub fn versioned(value: &Value) -> String {
    format!("{} {}", text(value, "name"), text(value, "version")).trim().to_owned()
}

/// The names of the facts that were not found.
pub fn missed(facts: &Value) -> impl Iterator<Item = &str> {
    let facts = facts.as_object().into_iter().flatten();
    facts.filter(|(_, fact)| !is_right(fact)).map(|(name, _)| name.as_str())
}

/// Replaces the table of a bench in the document, below a line about the machine and what was not there.
pub fn write_table(
    workspace: &Workspace,
    bench: &str,
    machine: &Machine,
    missing: &Value,
    table: &str,
) -> Result<()> {
    let missing: Vec<&str> = list(missing).iter().filter_map(Value::as_str).collect();
    let missing = match missing.is_empty() {
        true => String::new(),
        false => format!(" Not there: {}.", missing.join(", ")),
    };
    let section =
        format!("\n`cargo xtask bench {bench}` on {}.{missing}\n\n{table}\n", machine.line());
    write_section(&workspace.root, bench, &section)
}

//! A site's tables in other search engines, asked what the site was asked.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use super::report::ExportTable;
use super::{announce, results, sample_site};
use crate::files;
use crate::process::output;
use crate::setup::{self, NodePackages, PythonPackages};
use crate::workspace::Workspace;

/// The text that `cargo xtask bench export --help` prints.
pub const HELP: &str = "\
Asks other search engines what the site is asked, from the tables of `campanile export`

Usage: cargo xtask bench export

The sample campus is exported with its 60 questions; the scripts of deploy/export load it into
LanceDB, Qdrant (without a server) and PostgreSQL with pgvector (PGlite), and ask each the same
(about 900 MB are installed the first time).

The table goes into docs/reference/performance.md, all figures into bench/export.json of the target
folder.";

const SCRIPTS: &str = "deploy/export";
const QUESTIONS: &str = "samples/questions.jsonl";

/// Exports the site, asks the engines and writes the table.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let site = sample_site(workspace)?;
    let folder = workspace.tools().join("export");
    let python = setup::install_python_packages(
        workspace,
        &PythonPackages {
            requirements: &Path::new(SCRIPTS).join("requirements.txt"),
            folder: &folder.join("python"),
            what: "LanceDB and Qdrant's client",
            effort: "installing (about 800 MB on disk, one to three minutes)",
        },
    )?;
    let packages = folder.join("node");
    setup::install_node_packages(
        workspace,
        &NodePackages {
            source: Path::new(SCRIPTS),
            folder: &packages,
            what: "PostgreSQL for Node.js (PGlite)",
            effort: "installing (about 60 MB on disk)",
            words: &["ci"],
        },
    )?;
    let machine = announce(workspace);
    let work = workspace.target.join("export");
    files::remove_folder(&work)?;
    let tables = work.join("tables");
    let mut export = workspace.program(workspace.command());
    export.arg("export").arg(site).arg("--output").arg(&tables).args(["--questions", QUESTIONS]);
    workspace.log("bench-export")?.run(&mut export)?;

    let mut rows: Vec<Value> = Vec::new();
    for (script, place) in [("to_lancedb.py", "lancedb"), ("to_qdrant.py", "qdrant")] {
        let mut ask = workspace.program(&python);
        ask.arg(Path::new(SCRIPTS).join(script)).arg(&tables).arg(work.join(place));
        rows.push(serde_json::from_str(&output(ask.arg("--compare"))?)?);
    }
    // Node.js looks for packages from where a script lies.
    for name in ["to_postgres.mjs", "postgres.sql"] {
        files::write(&packages.join(name), files::read(&workspace.root.join(SCRIPTS).join(name))?)?;
    }
    let mut ask = workspace.program("node");
    ask.arg(packages.join("to_postgres.mjs")).arg(&tables).arg(work.join("postgres"));
    rows.push(serde_json::from_str(&output(ask.arg("--compare"))?)?);

    files::write(&results(workspace, "export.json")?, json!({ "rows": rows }).to_string())?;
    let table = ExportTable::new(rows);
    println!("{}", table.markdown()?);
    table.write_into(&workspace.root, &machine)?;
    Ok(ExitCode::SUCCESS)
}

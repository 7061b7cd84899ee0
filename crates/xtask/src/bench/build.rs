//! A build of very many documents, of which some are hostile, and the site beside searches over pages.

use std::process::ExitCode;

use anyhow::Result;

use super::beside::Beside;
use super::report::BuildTable;
use super::{announce, passage_data, results};
use crate::files;
use crate::setup;
use crate::workspace::Workspace;

/// The text that `cargo xtask bench build --help` prints.
pub const HELP: &str = "\
Builds a site of very many documents, one in a hundred hostile, and asks it beside searches over pages

Usage: cargo xtask bench build [COUNT]

COUNT documents are made (100,000 unless another number is given): a passage of ../shared/data each, as
Markdown, HTML, text or reStructuredText, and one in a hundred that nobody can read, of thirteen kinds:
cut, locked, too deep, a bomb. The build has to end, name each of those, and read all others. Then the
site stands in a browser, beside Pagefind and MiniSearch over the same documents, with 200 questions.
An hour and a half on two cores, and 3 GB on disk.

The tables go into docs/reference/performance.md, all figures into bench/build*.json of the target
folder.";

/// Makes the documents, builds the site, asks it and writes the tables.
pub fn run(workspace: &Workspace, count: u32) -> Result<ExitCode> {
    let data = passage_data(workspace)?;
    setup::everything(workspace)?;
    let machine = announce(workspace);
    let log = workspace.log("bench-build")?;
    let out = results(workspace, "build.json")?;
    let work = workspace.target.join("many-documents");
    let mut python = workspace.program("python3");
    python.arg("benches/growth/many.py").arg(workspace.command()).arg(data);
    log.run(python.arg(count.to_string()).arg(&work).arg(&out))?;
    let table = BuildTable::read(&out)?;
    println!("{}", table.markdown()?);
    table.write_into(&workspace.root, &machine)?;

    let beside = Beside {
        site: &work.join("site"),
        pages: &work.join("pages"),
        questions: &work.join("questions.jsonl"),
        out: results(workspace, "build-beside.json")?,
    };
    let table = beside.measure(workspace, &log)?;
    println!("{}", table.markdown());
    table.write_into(&workspace.root, "build-beside", &format!("bench build {count}"), &machine)?;
    files::remove_folder(&work)?;
    Ok(ExitCode::SUCCESS)
}

//! Sites of more and more passages, and what a question at each costs.

use std::process::ExitCode;

use anyhow::Result;

use super::beside::Beside;
use super::report::{GrowthTable, write_grown};
use super::{announce, passage_data, results};
use crate::setup;
use crate::workspace::Workspace;

/// The text that `cargo xtask bench growth --help` prints.
pub const HELP: &str = "\
Builds sites of more and more passages, and measures what a question at each costs

Usage: cargo xtask bench growth [COUNT...]

The passages are the texts of ../shared/data, each once: 1,000, 10,000 and 100,000 of them unless other
numbers are given. Of 40 questions it says what a visitor who has nothing yet fetches, by keywords and
by meaning, how many of the ten nearest passages are found, and the time and memory once all is there.
Then each site stands in a browser, beside Pagefind and MiniSearch over the same documents: bytes until
the first result, what 200 questions find, how long one takes, and the memory of the page.
An hour on two cores, nearly all of it for vectors, which are kept: a run that was interrupted goes on.

The tables go into docs/reference/performance.md, all figures into bench/growth*.json of the target
folder.";

/// Sizes that are measured unless others are asked for.
pub const COUNTS: [u32; 3] = [1_000, 10_000, 100_000];

/// Builds the sites, asks them and writes the table.
pub fn run(workspace: &Workspace, counts: &[u32]) -> Result<ExitCode> {
    let data = passage_data(workspace)?;
    setup::everything(workspace)?;
    let log = workspace.log("bench-growth")?;
    let build = ["build", "--release", "--locked", "--package", "campanile-retrieve"];
    log.run(workspace.cargo().args(build).args(["--example", "growth"]))?;
    let machine = announce(workspace);
    let out = results(workspace, "growth.json")?;
    let mut python = workspace.program("python3");
    python.arg("benches/growth/grow.py").arg(workspace.command());
    python.arg(workspace.target.join("release/examples/growth")).arg(data);
    let work = workspace.target.join("growth");
    python.arg(&work).arg(&out);
    log.run(python.args(counts.iter().map(u32::to_string)))?;
    let table = GrowthTable::read(&out)?;
    println!("{}", table.markdown()?);
    table.write_into(&workspace.root, &machine)?;

    let mut tables = Vec::new();
    for &count in counts {
        let beside = Beside {
            site: &work.join(format!("{count}-site")),
            pages: &work.join(format!("{count}-pages")),
            questions: &work.join(format!("{count}-questions.jsonl")),
            out: results(workspace, &format!("growth-{count}.json"))?,
        };
        let table = beside.measure(workspace, &log)?;
        println!("{}", table.markdown());
        tables.push((count, table));
    }
    write_grown(&workspace.root, &tables, &machine)?;
    Ok(ExitCode::SUCCESS)
}

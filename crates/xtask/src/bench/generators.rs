//! One handbook as a site of many generators: what is read of its sources and of its pages.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::Value;

use super::facts::{self, is_right, list, missed, versioned, write_table};
use super::{announce, results};
use crate::campanile;
use crate::files;
use crate::setup::{self, NodePackages};
use crate::workspace::Workspace;

/// The text that `cargo xtask bench generators --help` prints.
pub const HELP: &str = "\
Reads one handbook as a site of many generators, from its sources and from its pages

Usage: cargo xtask bench generators

benches/generators holds a handbook with what readers find hard: two rows of heads and a note that changes a number,
footnotes, struck values, tabs, admonitions, terms, formulas, groups of commands, parts from other files, notices with
their lists, versions beside each other. It is written in the dialect of each generator and made into a site by those that
are packages of Python and of Node.js, and by Jekyll and Asciidoctor where they are on the PATH (Debian's packages jekyll
and asciidoctor). What is read of the sources and of the pages is asked for the same twelve facts (benches/generators/facts.py),
whether anything stands twice, and whether anchors are there; then `campanile` is asked the twelve questions. About 1.2 GB are
installed the first time.

The table goes into docs/reference/performance.md, all figures into bench/generators.json of the target folder; projects and
what was read of them stay in the folder bench/generators/sites.";

/// Makes the sites, reads them and writes the table.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let list = Path::new("benches/generators/requirements.txt");
    let python =
        facts::python(workspace, list, "bench-generators", "site generators (Python packages)")?;
    let (out, folder) = (results(workspace, "generators.json")?, results(workspace, "generators")?);
    setup::install_node_packages(
        workspace,
        &NodePackages {
            source: Path::new("benches/generators"),
            folder: &folder,
            what: "site generators (Node.js)",
            effort: "installing (about 700 MB on disk)",
            words: &["install", "--no-package-lock"],
        },
    )?;
    campanile::build(workspace)?;
    campanile::fetch_models(workspace)?;
    let log = workspace.log("bench-generators")?;
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--release", "--package", "campanile-build", "--example", "passages"]);
    log.run(&mut cargo)?;
    let machine = announce(workspace);
    let mut make = workspace.program("python3");
    make.arg("benches/generators/run.py").arg(&folder);
    make.arg(workspace.target.join("release/examples/passages"));
    make.arg(workspace.target.join("release/campanile"));
    log.run(make.arg(&python).arg(&out))?;
    let figures: Value = files::read_json(&out)?;
    let table = markdown(&figures)?;
    println!("{table}");
    write_table(workspace, "generators", &machine, &figures["missing"], &table)?;
    Ok(ExitCode::SUCCESS)
}

/// What is read of a generator's site.
const SIDES: [&str; 2] = ["source", "built"];

/// For terminal and document: a row a generator, and what is not right.
fn markdown(figures: &Value) -> Result<String> {
    let mut made = "| made with | facts from source | from pages | answers from source | from pages | twice | strange | anchors lost |\n\
                    |---|---|---|---|---|---|---|---|\n"
        .to_owned();
    let mut wrong = String::new();
    let generators = list(&figures["generators"]);
    let mut sums = [0_usize; COUNTS];
    for generator in generators {
        let counts = counts(generator)?;
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
        let cells: Vec<String> = counts.iter().map(ToString::to_string).collect();
        let _ = writeln!(made, "| {} | {} |", versioned(generator), cells.join(" | "));
        wrong += &what_is_wrong(generator);
    }
    let count = generators.len().max(1) as f64;
    let means: Vec<String> = sums.iter().map(|sum| format!("{:.2}", *sum as f64 / count)).collect();
    let _ = writeln!(made, "| **in the mean** | {} |", means.join(" | "));
    if !wrong.is_empty() {
        let _ = write!(made, "\nWhat is not right:\n\n{wrong}");
    }
    Ok(made)
}

/// The figures of a row.
const COUNTS: usize = 7;

fn counts(generator: &Value) -> Result<[usize; COUNTS]> {
    let right = |side: &str, what: &str| {
        let facts = generator[side][what].as_object();
        let facts = facts.with_context(|| format!("a generator has no `{side}.{what}`"))?;
        anyhow::Ok(facts.values().filter(|fact| is_right(fact)).count())
    };
    let all = |what: &str| SIDES.iter().map(|side| list(&generator[*side][what]).len()).sum();
    Ok([
        right("source", "facts")?,
        right("built", "facts")?,
        right("source", "answers")?,
        right("built", "answers")?,
        all("twice"),
        all("strange"),
        all("lost"),
    ])
}

/// A line for each side of a generator on which something is not right.
fn what_is_wrong(generator: &Value) -> String {
    let mut lines = String::new();
    for side in SIDES {
        let found = &generator[side];
        let mut told: Vec<String> = Vec::new();
        told.extend(missed(&found["facts"]).map(|fact| format!("not read: {fact}")));
        told.extend(missed(&found["answers"]).map(|fact| format!("not answered: {fact}")));
        for what in ["twice", "strange", "lost"] {
            let words = list(&found[what]).iter().filter_map(Value::as_str);
            told.extend(words.map(|words| format!("{what}: {words}")));
        }
        if !told.is_empty() {
            let from = if side == "built" { "pages" } else { side };
            let _ = writeln!(
                lines,
                "- {}, {from}: {}",
                facts::text(generator, "name"),
                told.join("; ")
            );
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_a_generator_and_what_is_not_right() -> Result<()> {
        let side = |is_read: bool, twice: &[&str]| {
            json!({ "facts": { "a fee": is_read, "a date": true }, "answers": { "a fee": is_read, "a date": true },
                    "twice": twice, "gone": [], "strange": [], "lost": [] })
        };
        let mut figures = json!({ "generators": [
            { "name": "Press", "version": "1.2", "source": side(true, &[]), "built": side(false, &["A boat."]) },
            { "name": "Quill", "version": "3", "source": side(true, &[]), "built": side(true, &[]) },
        ] });
        let made = markdown(&figures)?;
        for line in [
            "| Press 1.2 | 2 | 1 | 2 | 1 | 1 | 0 | 0 |",
            "| **in the mean** | 2.00 | 1.50 | 2.00 | 1.50 | 0.50 | 0.00 | 0.00 |",
            "- Press, pages: not read: a fee; not answered: a fee; twice: A boat.",
        ] {
            assert!(made.contains(line), "{line}\n{made}");
        }
        assert!(!made.contains("- Quill"), "{made}");
        figures["generators"][0]["built"] = Value::Null;
        let error = markdown(&figures).err().map(|error| error.to_string());
        assert!(error.is_some_and(|text| text.contains("no `built.facts`")));
        Ok(())
    }
}

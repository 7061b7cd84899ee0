//! One handbook as a PDF of many makers: what of it our reader finds, beside other readers.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::Value;

use super::facts::{self, is_right, list, missed, text, versioned, write_table};
use super::{announce, results};
use crate::files;
use crate::setup::{self, NodePackages};
use crate::workspace::Workspace;

/// The text that `cargo xtask bench makers --help` prints.
pub const HELP: &str = "\
Reads one handbook as a PDF of many makers, beside other readers

Usage: cargo xtask bench makers

benches/makers/handbook.json holds a handbook with what readers find hard: two rows of heads, tables without rules and
over two pages, marks of notes on numbers, struck values, columns, notes in the margin, running heads. It is made into a
PDF by makers that are packages of Python and of Node.js, by Chromium, and by those programs that are on the PATH:
LaTeX, pandoc, groff, Asciidoctor, Apache FOP, LibreOffice, wkhtmltopdf, Ghostscript and Tesseract (Debian's packages
texlive-latex-recommended, texlive-plain-generic, texlive-xetex, texlive-luatex, lmodern, pandoc, groff,
ruby-asciidoctor-pdf, fop, libreoffice-writer-nogui, wkhtmltopdf, ghostscript, poppler-utils, tesseract-ocr). A maker that
is not there is left out and named. What each reader prints is asked for the same facts by the same rules
(benches/makers/facts.py). About 1.4 GB are installed the first time; OpenDataLoader and FOP need Java.

The table goes into docs/reference/performance.md, all figures into bench/makers.json of the target folder; files and
what was read from them stay in the folder bench/makers.";

/// Makes the files, reads them and writes the table.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let python = |list: &str, what| {
        let requirements = format!("benches/makers/requirements-{list}.txt");
        facts::python(workspace, Path::new(&requirements), &format!("bench-{list}"), what)
    };
    let makers = python("makers", "makers of PDF files (Python)")?;
    let readers = python("readers", "readers of PDF files")?;
    let node = workspace.tools().join("bench-makers-node");
    setup::install_node_packages(
        workspace,
        &NodePackages {
            source: Path::new("benches/makers"),
            folder: &node,
            what: "makers of PDF files (Node.js)",
            effort: "installing (about 170 MB on disk)",
            words: &["ci"],
        },
    )?;
    let log = workspace.log("bench-makers")?;
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--release", "--package", "campanile-ingest", "--example", "lines"]);
    log.run(&mut cargo)?;
    let machine = announce(workspace);
    let (out, folder) = (results(workspace, "makers.json")?, results(workspace, "makers")?);
    let mut make = workspace.program(&makers);
    make.arg("benches/makers/make.py").args([&folder, &node]);
    log.run(make.arg(setup::browser::provide(workspace)?.chromium))?;
    let mut read = workspace.program("python3");
    read.arg("benches/makers/run.py").arg(&folder);
    read.arg(workspace.target.join("release/examples/lines"));
    log.run(read.arg(&readers).arg(&out))?;
    let table = MakersTable::read(&out)?;
    println!("{}", table.markdown()?);
    write_table(workspace, "makers", &machine, &table.0["missing"], &table.markdown()?)?;
    Ok(ExitCode::SUCCESS)
}

/// What `benches/makers/run.py` found: what each reader read in each maker's file.
struct MakersTable(Value);

/// What one reader found in some files.
#[derive(Default)]
struct Found {
    facts: usize,
    facts_asked: usize,
    rows: u64,
    rows_asked: u64,
    seconds: Vec<f64>,
}

impl Found {
    /// Adds what was found in one file.
    fn add(&mut self, answer: &Value) -> Result<()> {
        let facts = answer["facts"].as_object().context("a file has no `facts`")?;
        let number =
            |name: &str| answer[name].as_u64().with_context(|| format!("a file has no `{name}`"));
        self.facts_asked += facts.len();
        self.facts += facts.values().filter(|fact| is_right(fact)).count();
        self.rows += number("rows_right")?;
        self.rows_asked += number("rows")?;
        self.seconds.push(answer["seconds"].as_f64().context("a file has no `seconds`")?);
        Ok(())
    }

    /// The share of the facts and that of the rows.
    fn shares(&self) -> String {
        let share = |part: f64, whole: f64| 100.0 * part / whole.max(1.0);
        let facts = share(self.facts as f64, self.facts_asked as f64);
        format!("{facts:.1} %, rows {:.1} %", share(self.rows as f64, self.rows_asked as f64))
    }

    /// The median time of a file.
    fn time(&self) -> String {
        let mut seconds = self.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        let median = seconds.get(seconds.len() / 2).copied().unwrap_or_default();
        format!("{median:.2} s")
    }
}

impl MakersTable {
    fn read(path: &Path) -> Result<Self> {
        Ok(Self(files::read_json(path)?))
    }

    /// For terminal and document: a row a maker, a column a reader, and what ours misses.
    fn markdown(&self) -> Result<String> {
        let (makers, readers) = (list(&self.0["makers"]), list(&self.0["readers"]));
        let heads: Vec<String> = readers.iter().map(versioned).collect();
        let mut made =
            format!("| made with | {} |\n|---|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
        let mut sums: Vec<Found> = readers.iter().map(|_| Found::default()).collect();
        for maker in makers {
            let _ = write!(made, "| {} |", versioned(maker));
            for (reader, sum) in readers.iter().zip(&mut sums) {
                let answer = &self.0["answers"][text(maker, "name")][text(reader, "name")];
                let mut found = Found::default();
                found.add(answer)?;
                sum.add(answer)?;
                let rows = (found.rows, found.rows_asked);
                let _ = write!(made, " {}, rows {} of {} |", found.facts, rows.0, rows.1);
            }
            made.push('\n');
        }
        for (name, cell) in
            [("**all**", Found::shares as fn(&Found) -> String), ("a file, median", Found::time)]
        {
            let cells: Vec<String> = sums.iter().map(cell).collect();
            let _ = writeln!(made, "| {name} | {} |", cells.join(" | "));
        }
        made.push_str("\nWhat ours misses:\n\n");
        for maker in makers {
            let ours = readers.first().context("nothing was read")?;
            let facts = &self.0["answers"][text(maker, "name")][text(ours, "name")]["facts"];
            let missed: Vec<&str> = missed(facts).collect();
            if !missed.is_empty() {
                let _ = writeln!(made, "- {}: {}", text(maker, "name"), missed.join("; "));
            }
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(is_read: bool, rows: u64) -> Value {
        let facts = serde_json::json!({ "a heading is a line": true, "a note is read": is_read });
        serde_json::json!({ "facts": facts, "rows_right": rows, "rows": 8, "seconds": 0.25 })
    }

    #[test]
    fn a_row_a_maker_and_what_ours_misses() -> Result<()> {
        let mut figures = serde_json::json!({
            "makers": [{ "name": "Printer", "version": "1.2" }, { "name": "Press", "version": "3" }],
            "readers": [{ "name": "ours", "version": "" }, { "name": "Other", "version": "4.5" }],
            "answers": {
                "Printer": { "ours": answer(false, 8), "Other": answer(true, 4) },
                "Press": { "ours": answer(true, 7), "Other": answer(false, 6) } },
        });
        let made = MakersTable(figures.clone()).markdown()?;
        for line in [
            "| made with | ours | Other 4.5 |",
            "| Printer 1.2 | 1, rows 8 of 8 | 2, rows 4 of 8 |",
            "| **all** | 75.0 %, rows 93.8 % | 75.0 %, rows 62.5 % |",
            "| a file, median | 0.25 s | 0.25 s |",
            "- Printer: a note is read",
        ] {
            assert!(made.contains(line), "{line}\n{made}");
        }
        assert!(!made.contains("- Press"), "{made}");
        figures["answers"]["Press"]["Other"] = Value::Null;
        let error = MakersTable(figures).markdown().err().map(|error| error.to_string());
        assert!(error.as_deref().is_some_and(|text| text.contains("no `facts`")), "{error:?}");
        Ok(())
    }
}

//! The retrieval of this version on public question sets, beside its parts.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};

use crate::workspace::Workspace;
use crate::{campanile, files};

/// The text that `cargo xtask evaluate --help` prints.
pub const HELP: &str = "\
Measures retrieval on public question sets and on the sample campus

Usage: cargo xtask evaluate

SQuAD 2.0 (the questions that have an answer), SciFact and Cranfield are read from ../shared/data; each of
their documents becomes a file. Sites and records are kept in the cache folder: a second run reads what the
first one asked. The report goes to the target folder, its Markdown to docs/reference/retrieval.md.";

/// The sets: name, layout for `campanile eval import`, where it lies in the data, further options.
const SETS: [(&str, &str, &str, &[&str]); 3] = [
    ("squad", "squad", "squad_dev/dev-v2.0.rebuilt.json", &[]),
    ("scifact", "scifact", "scifact_beir/scifact.zip", &["--split", "validation"]),
    ("cranfield", "cranfield", "cranfield/data/cran", &[]),
];

/// Stands below the page's title.
const NOTE: &str = "
`cargo xtask evaluate` writes this page from SQuAD 2.0, SciFact, Cranfield and the sample campus; the cases, whose
texts belong to their sets, are in the HTML report alone.";

/// The experiment. A hundred passages are asked for, since recall is told up to there, and no answers: retrieval alone
/// is measured.
const EXPERIMENT: &str = r#"title = "Retrieval on four sets"
baseline = "default"
metrics = [
    "document_ndcg@10", "document_recall@10", "recall@1", "recall@5", "recall@10", "recall@25",
    "recall@50", "recall@100", "hit@5", "reciprocal_rank", "document_reciprocal_rank",
    "document_average_precision@10", "document_ndcg@100",
]

[sets.campus]
documents = "CAMPUS/campus"
questions = "CAMPUS/questions.jsonl"

[sets.squad]
documents = "squad/documents"
questions = "squad/questions.jsonl"
categories = ["answerable"]

[sets.scifact]
documents = "scifact/documents"
questions = "scifact/questions.jsonl"

[sets.cranfield]
documents = "cranfield/documents"
questions = "cranfield/questions.jsonl"

# What ships, and each of its parts by itself.
[configurations.default]
depth = 100
sources = 100
least_sources = 100
answers = "none"

[configurations.keywords]
retriever = "lexical"
depth = 100
sources = 100
least_sources = 100
answers = "none"

[configurations.meaning]
retriever = "dense"
depth = 100
sources = 100
least_sources = 100
answers = "none"

[configurations."fused by ranks"]
fusion = "reciprocal_rank"
adaptive_weights = false
synonym_weight = 0
depth = 100
sources = 100
least_sources = 100
answers = "none"

[configurations."without late interaction"]
late_weight = 0
depth = 100
sources = 100
least_sources = 100
answers = "none"

[configurations."without other words"]
synonym_weight = 0
depth = 100
sources = 100
least_sources = 100
answers = "none"

[configurations."with feedback"]
feedback = { passages = 5, terms = 10, weight = 0.2 }
depth = 100
sources = 100
least_sources = 100
answers = "none"

[configurations."before the encoder"]
semantics = "static"
depth = 100
sources = 100
least_sources = 100
answers = "none"

# 3 to 15 passages, ended at the first wide gap in the scores.
[configurations."dynamic depth"]
depth = 100
sources = 15
least_sources = 3
gap = 0.35
answers = "none"

# What is searched instead of passages; each finds the passage that it is part of.
[configurations.sentences]
granularity = "sentence"
depth = 100
sources = 100
least_sources = 100
answers = "none"

[configurations.propositions]
granularity = "proposition"
depth = 100
sources = 100
least_sources = 100
answers = "none"

[configurations."units of all sizes"]
all_granularities = true
depth = 100
sources = 100
least_sources = 100
answers = "none"

# Keywords by words as they stand, without stems, stop words and weights of titles, and MiniLM, fused with equal
# weights.
[configurations."studies guide's own"]
build.site.language = "none"
build.search.title_weight = 1.0
fusion = "reciprocal_rank"
rrf_constant = 60
adaptive_weights = false
synonym_weight = 0
depth = 100
sources = 100
least_sources = 100
answers = "none"
"#;

/// The folder of the imported sets, each with its `documents` and its `questions.jsonl`. The
/// command has to be built.
pub fn sets(workspace: &Workspace) -> Result<PathBuf> {
    let data = workspace.root.join("../shared/data");
    ensure!(data.is_dir(), "the question sets are expected in {}", data.display());
    let folder = workspace.cache.join("evaluation");
    files::make_folder(&folder)?;
    for (name, layout, path, options) in SETS {
        let to = folder.join(name);
        // Written last: without it the import did not end.
        if to.join("questions.jsonl").exists() {
            continue;
        }
        println!("evaluate importing {name}");
        let mut import = command(workspace);
        import.args(["eval", "import", layout]).arg(data.join(path)).args(options);
        finished(import.arg("--to").arg(&to))?;
    }
    Ok(folder)
}

/// Prepares the sets, asks all questions, and writes the page.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    campanile::build(workspace)?;
    campanile::fetch_models(workspace)?;
    let folder = sets(workspace)?;
    let experiment = folder.join("retrieval.toml");
    let samples = workspace.root.join("samples");
    // The samples lie in the checkout, the imported sets beside the experiment.
    let text = EXPERIMENT.replace("CAMPUS", &samples.to_string_lossy());
    files::write(&experiment, text)?;
    let report: PathBuf = workspace.target.join("evaluation");
    let mut run = command(workspace);
    run.args(["eval", "run"]).arg(&experiment);
    finished(run.arg("--work").arg(folder.join("work")).arg("--report").arg(&report))?;
    keep(&report, &workspace.root)?;
    Ok(ExitCode::SUCCESS)
}

fn command(workspace: &Workspace) -> Command {
    workspace.program(workspace.command())
}

fn finished(command: &mut Command) -> Result<()> {
    let status = command.status().context("cannot run the `campanile` command")?;
    if !status.success() {
        bail!("`campanile` ended with {status}");
    }
    Ok(())
}

/// Keeps the numbers: the texts of the worst cases belong to their sets.
fn keep(report: &Path, root: &Path) -> Result<()> {
    let text = files::read_text(&report.join("report.md"))?;
    let page = root.join("docs/reference/retrieval.md");
    files::write(&page, numbers(&text))?;
    println!("evaluate {} and {}", page.display(), report.join("report.html").display());
    Ok(())
}

fn numbers(report: &str) -> String {
    let mut lines = report.lines();
    let mut page = vec![lines.next().unwrap_or_default(), NOTE];
    let mut is_case = false;
    for line in lines {
        is_case = line.starts_with("### Worst cases") || (is_case && !line.starts_with("## "));
        if !is_case {
            // The report names the file on this machine that it ran.
            page.push(if line.starts_with("Command: ") {
                "Command: cargo xtask evaluate"
            } else {
                line
            });
        }
    }
    page.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::{NOTE, numbers};

    #[test]
    fn cases_stay_out_of_the_page() {
        let report = "# T\n\n## a\n1\n### Worst cases\nWho?\n#### x\n## b\n2\nCommand: run /here\n";
        let page = "## a\n1\n## b\n2\nCommand: cargo xtask evaluate\n";
        assert_eq!(numbers(report), format!("# T\n{NOTE}\n\n{page}"));
    }
}

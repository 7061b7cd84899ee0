//! BEIR (Thakur et al. 2021): a heterogeneous benchmark for retrieval.

use std::collections::{BTreeMap, BTreeSet};

use campanile_questions::{Category, Gold, Question, read_lines};
use serde::Deserialize;

use super::documents::{DocumentContent, ImportedDocument, Paths, on_one_line};
use super::{ImportError, ImportedSet, SetFiles};

const LAYOUT: &str = "BEIR";
/// The split that published figures are for.
const USUAL_SPLIT: &str = "test";

#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "_id")]
    id: String,
    #[serde(default)]
    title: String,
    text: String,
}

/// Grades by document, by question: both by their names in the set.
pub(super) type Judgments = BTreeMap<String, BTreeMap<String, u32>>;

/// Reads a BEIR set. Without a `split`, that is `test` where the set has it, else its only one.
/// Questions without a judgment above 0 in that split are left out, as everybody does who publishes
/// figures for these sets.
///
/// # Errors
/// Where a file is missing or not as it should be, and where the split is not there.
pub fn beir(files: &SetFiles, split: Option<&str>) -> Result<ImportedSet, ImportError> {
    if files.named("corpus.jsonl").is_none() && files.named("corpus_train.csv").is_some() {
        return Err(ImportError::MissingFile {
            layout: LAYOUT,
            expected: "corpus.jsonl",
            found: format!(
                "{}\n  way out: this is SciFact's own layout: `campanile eval import scifact`",
                files.found()
            ),
        });
    }
    let (qrels, others) = (qrels_of(files, split)?, qrels_files(files).len() - 1);
    let judgments = judgments(&qrels, &files.text(&qrels)?)?;
    let corpus = entries(files, files.need(LAYOUT, "corpus.jsonl")?)?;
    let queries = entries(files, files.need(LAYOUT, "queries.jsonl")?)?;

    let mut set = ImportedSet { is_benchmark: true, ..ImportedSet::default() };
    let mut paths = Paths::default();
    let mut path_of = BTreeMap::new();
    for entry in corpus {
        let path = format!("{}.html", paths.take(&[&entry.id]));
        let paragraphs = entry.text.split("\n\n").map(str::to_owned).collect();
        let content = DocumentContent::Page { title: entry.title, paragraphs };
        set.documents.push(ImportedDocument { path: path.clone(), content });
        path_of.insert(entry.id, path);
    }
    let mut unjudged = 0;
    let mut strays = BTreeSet::new();
    for query in queries {
        let mut question = Question::new(&query.id, on_one_line(&query.text), Category::Answerable);
        for (document, grade) in judgments.get(&query.id).into_iter().flatten() {
            match path_of.get(document) {
                Some(path) => {
                    question.gold.push(Gold { grade: *grade, ..Gold::document(path) });
                }
                None => drop(strays.insert(document.as_str())),
            }
        }
        if question.gold.is_empty() { unjudged += 1 } else { set.questions.push(question) }
    }
    set.remark(unjudged, "questions have no judgment in this split and are left out");
    set.remark(strays.len(), "documents are judged and not in the corpus");
    set.remark(others, "other splits are there: see `--split`");
    Ok(set)
}

/// The judgments' file of a split.
fn qrels_of(files: &SetFiles, split: Option<&str>) -> Result<String, ImportError> {
    let known = qrels_files(files);
    let split = match (split, known.as_slice()) {
        (_, []) => {
            return Err(ImportError::MissingFile {
                layout: LAYOUT,
                expected: "qrels/NAME.tsv",
                found: files.found(),
            });
        }
        (Some(split), _) => split,
        (None, [(only, _)]) => only,
        (None, _) => USUAL_SPLIT,
    };
    let file = known.iter().find(|(name, _)| *name == split);
    file.map(|(_, file)| (*file).to_owned()).ok_or_else(|| ImportError::split(split, &known))
}

/// Name and file of each split.
fn qrels_files(files: &SetFiles) -> Vec<(&str, &str)> {
    let qrels = |file| {
        let (folder, name) = str::rsplit_once(file, '/')?;
        let is_qrels = folder.rsplit('/').next() == Some("qrels");
        is_qrels.then(|| name.strip_suffix(".tsv")).flatten().map(|split| (split, file))
    };
    files.names().filter_map(qrels).collect()
}

/// Lines of `question <tab> document <tab> grade`, after a header.
fn judgments(file: &str, text: &str) -> Result<Judgments, ImportError> {
    let mut judgments = Judgments::new();
    for (line, content) in (1..).zip(text.lines()) {
        let cells: Vec<&str> = content.split('\t').map(str::trim).collect();
        let is_header = line == 1 && cells.last().is_some_and(|cell| cell.parse::<i64>().is_err());
        if is_header || content.trim().is_empty() {
            continue;
        }
        let grade = match cells.as_slice() {
            [_, _, grade] => grade.parse::<i64>().ok(),
            _ => None,
        };
        let (Some(grade), [question, document, ..]) = (grade, cells.as_slice()) else {
            let expected =
                "a question, a document and a whole number are expected, with tabs between";
            return Err(ImportError::content(file, Some(line), expected));
        };
        if let Some(grade) = u32::try_from(grade).ok().filter(|grade| *grade > 0) {
            let of_question = judgments.entry((*question).to_owned()).or_default();
            of_question.insert((*document).to_owned(), grade);
        }
    }
    Ok(judgments)
}

fn entries(files: &SetFiles, name: &str) -> Result<Vec<Entry>, ImportError> {
    read_lines(&files.text(name)?, |line, error| {
        let reason = format!("an object with `_id` and `text` is expected: {error}");
        ImportError::content(name, Some(line), reason)
    })
}

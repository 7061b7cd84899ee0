//! The Cranfield collection (Cleverdon 1967): 1,400 abstracts on aerodynamics, 225 questions.

use std::collections::BTreeMap;

use campanile_questions::{Category, Gold, Question};

use super::documents::{DocumentContent, ImportedDocument, on_one_line};
use super::{ImportError, ImportedSet, SetFiles};

const LAYOUT: &str = "Cranfield";

/// Reads Cranfield as it is passed on: `cran.all.1400`, `cran.qry` and `cranqrel`.
///
/// The judgments count questions by their place in `cran.qry`, from 1, whatever number stands there.
/// Their codes run from 1, a complete answer, to 4, of minimum interest; grades here run the other
/// way, 4 to 1. Judgments with another code (-1) are of documents that are not relevant.
///
/// # Errors
/// Where a file is missing or not as it should be.
pub fn cranfield(files: &SetFiles) -> Result<ImportedSet, ImportError> {
    let mut set = ImportedSet { is_benchmark: true, ..ImportedSet::default() };
    let mut path_of = BTreeMap::new();
    let mut empty = 0;
    for record in records(files, "cran.all.1400")? {
        let [title, text] = ["T", "W"].map(|field| record.field(field));
        if title.is_empty() && text.is_empty() {
            empty += 1;
            continue;
        }
        // The text begins with the title once more.
        let text = text.strip_prefix(&title).unwrap_or(&text).trim().to_owned();
        let path = format!("{:04}.html", record.number);
        path_of.insert(record.number, path.clone());
        let content = DocumentContent::Page { title, paragraphs: vec![text] };
        set.documents.push(ImportedDocument { path, content });
    }
    let (judgments, strays) = judgments(files, &path_of)?;
    for (place, record) in (1..).zip(records(files, "cran.qry")?) {
        let mut question =
            Question::new(format!("cran{place}"), record.field("W"), Category::Answerable);
        let graded = judgments.get(&place).into_iter().flatten();
        question.gold =
            graded.map(|(path, grade)| Gold { grade: *grade, ..Gold::document(path) }).collect();
        set.questions.push(question);
    }
    set.remark(empty, "documents have no text and are left out");
    set.remark(strays, "judgments are of documents without text and are left out");
    Ok(set)
}

/// Grades by document, by question.
type Judgments = BTreeMap<usize, BTreeMap<String, u32>>;

fn judgments(
    files: &SetFiles,
    path_of: &BTreeMap<usize, String>,
) -> Result<(Judgments, usize), ImportError> {
    let name = files.need(LAYOUT, "cranqrel")?;
    let mut judgments = Judgments::new();
    let mut strays = 0;
    for (line, content) in (1..).zip(files.text(name)?.lines()) {
        if content.trim().is_empty() {
            continue;
        }
        let numbers: Option<Vec<i64>> =
            content.split_whitespace().map(|cell| cell.parse().ok()).collect();
        let Some([question, document, code]) = numbers.as_deref() else {
            let expected = "a question, a document and a code are expected, as in `1 184 2`";
            return Err(ImportError::content(name, Some(line), expected));
        };
        let grade = match code {
            1 => 4,
            2 => 3,
            3 => 2,
            4 => 1,
            _ => continue,
        };
        let number = |value: &i64| usize::try_from(*value).unwrap_or_default();
        match path_of.get(&number(document)) {
            Some(path) => {
                let of_question = judgments.entry(number(question)).or_default();
                // A pair that is judged twice counts by its better code.
                let best = of_question.entry(path.clone()).or_default();
                *best = grade.max(*best);
            }
            None => strays += 1,
        }
    }
    Ok((judgments, strays))
}

/// The part of a file between one `.I` and the next.
struct Record {
    number: usize,
    /// Lines by the letter of their field.
    fields: BTreeMap<String, Vec<String>>,
}

impl Record {
    /// A field's lines as one.
    fn field(&self, letter: &str) -> String {
        on_one_line(&self.fields.get(letter).map(|lines| lines.join(" ")).unwrap_or_default())
    }
}

fn records(files: &SetFiles, file: &'static str) -> Result<Vec<Record>, ImportError> {
    let name = files.need(LAYOUT, file)?;
    let mut records: Vec<Record> = Vec::new();
    let mut field = String::new();
    for (line, content) in (1..).zip(files.text(name)?.lines()) {
        if let Some(number) = content.strip_prefix(".I ") {
            let number = number.trim().parse().map_err(|_| {
                ImportError::content(name, Some(line), "a number is expected after `.I`")
            })?;
            records.push(Record { number, fields: BTreeMap::new() });
            field.clear();
        } else if let Some(letter) = mark(content) {
            field = letter.to_owned();
        } else if let (Some(record), false) = (records.last_mut(), field.is_empty()) {
            record.fields.entry(field.clone()).or_default().push(content.to_owned());
        }
    }
    match records.is_empty() {
        true => {
            Err(ImportError::content(name, None, "records that begin with `.I 1` are expected"))
        }
        false => Ok(records),
    }
}

/// The letter of a line such as `.W` that begins a field.
fn mark(line: &str) -> Option<&str> {
    let letter = line.trim_end().strip_prefix('.')?;
    matches!(letter, "T" | "A" | "B" | "W").then_some(letter)
}

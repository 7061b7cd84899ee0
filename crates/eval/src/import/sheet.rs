//! Question sets that people type: a sheet of a spreadsheet program, or two files aligned by line.

use std::collections::BTreeMap;

use campanile_questions::{Category, LineProblem, Question, QuestionKind, nearest_of, question_of};
use serde_json::{Map, Value, json};

use super::documents::{DocumentContent, ImportedDocument};
use super::{ImportError, ImportedSet, SetFiles};

/// The columns that are known, and other names that they go by.
const COLUMNS: [(&str, &[&str]); 16] = [
    ("id", &["number", "no"]),
    ("question", &["query"]),
    ("answer", &["answers", "gold_answer"]),
    ("document", &["file", "source"]),
    ("link", &["url", "address"]),
    ("passage", &["evidence", "gold_passage"]),
    ("grade", &["relevance"]),
    ("category", &[]),
    ("type", &["kind"]),
    ("reason", &["note", "remark"]),
    ("date", &[]),
    ("programme", &["program", "degree_programme", "degree_program"]),
    ("department", &[]),
    ("faculty", &[]),
    ("batch", &[]),
    ("courses", &["course"]),
];

/// Reads a sheet with a header row, separated by commas, semicolons or tabs: whichever its header
/// holds most of. Several answers (or courses) of a cell are separated by `;`. Rows with the same
/// `id` are one question with several passages; without an `id`, questions are named by their row.
/// A row with an answer, a document or a link needs no category: it is answerable.
///
/// # Errors
/// A column that is not known, with the nearest name; the first row that is no question; `file`
/// names the sheet in the message.
pub fn csv(file: &str, text: &str) -> Result<ImportedSet, ImportError> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .flexible(true)
        .from_reader(text.as_bytes());
    let unreadable = |error: csv::Error| ImportError::of_csv(file, &error);
    let columns = columns(file, reader.headers().map_err(unreadable)?)?;
    let mut rows: Vec<(usize, Map<String, Value>)> = Vec::new();
    let mut place_of: BTreeMap<String, usize> = BTreeMap::new();
    for record in reader.records() {
        let record = record.map_err(unreadable)?;
        let place = record.position().map_or(0, csv::Position::line);
        let line = usize::try_from(place).unwrap_or_default();
        let filled = |(column, cell): (&&'static str, &str)| {
            let cell = cell.trim();
            (!cell.is_empty()).then(|| (*column, cell.to_owned()))
        };
        let cells: BTreeMap<&str, String> =
            columns.iter().zip(record.iter()).filter_map(filled).collect();
        if cells.is_empty() {
            continue;
        }
        // Through the JSON of a question set's line, so that a sheet is checked by the same rules and messages.
        let row = object(&cells, rows.len() + 1);
        let id = row.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        match place_of.get(&id).and_then(|place| rows.get_mut(*place)) {
            Some((_, earlier)) => merge(earlier, row),
            None => {
                place_of.insert(id, rows.len());
                rows.push((line, row));
            }
        }
    }
    let mut set = ImportedSet::default();
    for (line, row) in rows {
        let question = question_of(&Value::Object(row).to_string())
            .map_err(|problem| ImportError::Row { file: file.to_owned(), line, problem })?;
        set.questions.push(question);
    }
    match set.questions.is_empty() {
        true => Err(ImportError::content(
            file,
            None,
            "a header row and a row for each question are expected",
        )),
        false => Ok(set),
    }
}

/// Returns the character that separates the names of the header.
fn delimiter(text: &str) -> u8 {
    let header = text.lines().next().unwrap_or_default();
    let of = |delimiter: &u8| header.bytes().filter(|byte| byte == delimiter).count();
    // The first of those that are equally frequent is the comma.
    [b'\t', b';', b','].into_iter().max_by_key(of).unwrap_or(b',')
}

/// The known column of each name of the header.
fn columns(file: &str, header: &csv::StringRecord) -> Result<Vec<&'static str>, ImportError> {
    let column = |name: &str| {
        let key = name.trim().to_lowercase().replace([' ', '-'], "_");
        let is_named = |(column, others): &&(&'static str, &[&str])| {
            *column == key || others.contains(&key.as_str())
        };
        COLUMNS.iter().find(is_named).map(|(column, _)| *column).ok_or_else(|| {
            let known: Vec<&str> = COLUMNS.iter().map(|(column, _)| *column).collect();
            let names = COLUMNS.iter().flat_map(|(column, others)| others.iter().chain([column]));
            let problem = LineProblem::Unknown {
                field: name.trim().to_owned(),
                nearest: nearest_of(names.copied(), &key),
                known,
            };
            ImportError::Row { file: file.to_owned(), line: 1, problem }
        })
    };
    header.iter().map(column).collect()
}

/// A row as the object of a question set's line.
fn object(cells: &BTreeMap<&str, String>, row: usize) -> Map<String, Value> {
    let mut object = Map::new();
    let cell = |name: &str| cells.get(name).cloned();
    object.insert("id".to_owned(), cell("id").unwrap_or_else(|| format!("row{row}")).into());
    for name in ["question", "type", "reason", "date"] {
        if let Some(cell) = cell(name) {
            object.insert(name.to_owned(), cell.into());
        }
    }
    let has_evidence = ["answer", "document", "link"].iter().any(|name| cells.contains_key(name));
    let category = cell("category").map(|category| category.to_lowercase());
    if let Some(category) = category.or_else(|| has_evidence.then(|| "answerable".to_owned())) {
        object.insert("category".to_owned(), category.into());
    }
    if let Some(answers) = cell("answer") {
        object.insert("answers".to_owned(), several(&answers).into());
    }
    let mut gold = Map::new();
    for name in ["document", "link", "passage"] {
        if let Some(cell) = cell(name) {
            gold.insert(name.to_owned(), cell.into());
        }
    }
    if let Some(grade) = cell("grade") {
        let number = grade.parse::<u32>().map_or_else(|_| Value::from(grade), Value::from);
        gold.insert("grade".to_owned(), number);
    }
    if !gold.is_empty() {
        object.insert("gold".to_owned(), json!([gold]));
    }
    let mut profile = Map::new();
    for name in ["programme", "department", "faculty", "batch"] {
        if let Some(cell) = cell(name) {
            profile.insert(name.to_owned(), cell.into());
        }
    }
    if let Some(courses) = cell("courses") {
        profile.insert("courses".to_owned(), several(&courses).into());
    }
    if !profile.is_empty() {
        object.insert("profile".to_owned(), profile.into());
    }
    object
}

/// Adds another row of the same question: more gold, and answers that are not there yet.
fn merge(question: &mut Map<String, Value>, row: Map<String, Value>) {
    for (name, value) in row {
        match (question.get_mut(&name), value) {
            (Some(Value::Array(here)), Value::Array(more)) => {
                for item in more {
                    if !here.contains(&item) {
                        here.push(item);
                    }
                }
            }
            (Some(_), _) => {}
            (None, value) => drop(question.insert(name, value)),
        }
    }
}

const LAYOUT: &str = "university-facts";
/// Folders where that system keeps what it fetched.
const DOCUMENT_FOLDERS: [&str; 2] = ["Scraped data/", "Scraped_pdf_file/"];

/// Reads `questions.txt` and `reference_answers.txt`, several answers of a line separated by `;`, and
/// the documents in `Scraped data/` and `Scraped_pdf_file/` where they are. The set does not say in
/// which document an answer stands, so there is no gold.
///
/// # Errors
/// Where a file is missing, or the two have different numbers of lines.
pub fn cmu(files: &SetFiles) -> Result<ImportedSet, ImportError> {
    let answers_file = files.need(LAYOUT, "reference_answers.txt")?;
    let questions = files.text(files.need(LAYOUT, "questions.txt")?)?;
    let answers = files.text(answers_file)?;
    let (questions, answers) = (trimmed_lines(&questions), trimmed_lines(&answers));
    if questions.len() != answers.len() {
        let (asked, answered) = (questions.len(), answers.len());
        let reason = format!("{asked} lines are expected, one for each question, found {answered}");
        return Err(ImportError::content(answers_file, None, reason));
    }
    let mut set = ImportedSet::default();
    for (number, (question, answer)) in (1..).zip(questions.iter().zip(&answers)) {
        let mut asked = Question::new(format!("cmu{number:03}"), *question, Category::Answerable);
        asked.kind = Some(QuestionKind::Factual);
        asked.answers = several(answer);
        set.questions.push(asked);
    }
    for name in files.names() {
        if let Some(path) = DOCUMENT_FOLDERS.iter().find_map(|folder| below(name, folder)) {
            let content = files.bytes(name)?;
            if !content.trim_ascii().is_empty() {
                let content = DocumentContent::File(content);
                set.documents.push(ImportedDocument { path, content });
            }
        }
    }
    Ok(set)
}

/// Answers as people write them into one cell: `Three; 3`.
pub(super) fn several(answers: &str) -> Vec<String> {
    answers
        .split(';')
        .map(str::trim)
        .filter(|answer| !answer.is_empty())
        .map(str::to_owned)
        .collect()
}

fn trimmed_lines(text: &str) -> Vec<&str> {
    text.trim_end().lines().map(str::trim).collect()
}

/// The path of a file from one of the folders of documents on; one without an ending is a text.
fn below(name: &str, folder: &str) -> Option<String> {
    let start = name.find(folder).filter(|start| *start == 0 || name[..*start].ends_with('/'))?;
    let path = &name[start..];
    let has_ending = path.rsplit('/').next().is_some_and(|file| file.contains('.'));
    Some(if has_ending { path.to_owned() } else { format!("{path}.txt") })
}

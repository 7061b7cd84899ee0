//! The university-facts system's layout: questions and answers in two files, aligned by line.

use campanile_questions::{Category, Question, QuestionKind};

use super::document::{DocumentContent, ImportedDocument};
use super::{ImportError, ImportedSet, SetFiles};

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
    let (questions, answers) = (lines(&questions), lines(&answers));
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

fn lines(text: &str) -> Vec<&str> {
    text.trim_end().lines().map(str::trim).collect()
}

/// The path of a file from one of the folders of documents on; one without an ending is a text.
fn below(name: &str, folder: &str) -> Option<String> {
    let start = name.find(folder).filter(|start| *start == 0 || name[..*start].ends_with('/'))?;
    let path = &name[start..];
    let has_ending = path.rsplit('/').next().is_some_and(|file| file.contains('.'));
    Some(if has_ending { path.to_owned() } else { format!("{path}.txt") })
}

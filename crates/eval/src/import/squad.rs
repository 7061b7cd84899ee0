//! SQuAD 1.1 (Rajpurkar et al. 2016) and 2.0 (Rajpurkar, Jia and Liang 2018).

use campanile_questions::{Category, Gold, Question, QuestionKind};
use campanile_text::{Span, sentences};
use serde::Deserialize;

use super::documents::{DocumentContent, ImportedDocument, Paths, on_one_line};
use super::{ImportError, ImportedSet};

#[derive(Deserialize)]
struct Set {
    data: Vec<Article>,
}

#[derive(Deserialize)]
struct Article {
    title: String,
    paragraphs: Vec<Paragraph>,
}

#[derive(Deserialize)]
struct Paragraph {
    context: String,
    qas: Vec<Asked>,
}

#[derive(Deserialize)]
struct Asked {
    id: String,
    question: String,
    #[serde(default)]
    answers: Vec<Answer>,
    #[serde(default)]
    is_impossible: bool,
}

#[derive(Deserialize)]
struct Answer {
    text: String,
    /// In characters (code points) of the context.
    answer_start: usize,
}

/// Reads a SQuAD file, 1.1 or 2.0. Each paragraph is a document of its own; gold is the sentence (or
/// the sentences) that hold an answer where `answer_start` says it stands. Each sentence that one of
/// the annotators points at is gold.
///
/// # Errors
/// Where the JSON is none, or not laid out as SQuAD is; `file` names it in the message.
pub fn squad(file: &str, json: &str) -> Result<ImportedSet, ImportError> {
    let mut reader = serde_json::Deserializer::from_str(json);
    let set: Set = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        ImportError::content(file, None, format!("`{}`: {}", error.path(), error.inner()))
    })?;
    let mut imported = ImportedSet { is_benchmark: true, ..ImportedSet::default() };
    let mut paths = Paths::default();
    let mut astray = 0;
    for article in &set.data {
        let title = article.title.replace('_', " ");
        for (number, paragraph) in (1..).zip(&article.paragraphs) {
            let path = format!("{}.html", paths.take(&[&title, &format!("p{number:03}")]));
            for asked in &paragraph.qas {
                imported.questions.push(question(asked, &path, &paragraph.context, &mut astray));
            }
            let content = DocumentContent::Page {
                title: title.clone(),
                paragraphs: vec![paragraph.context.clone()],
            };
            imported.documents.push(ImportedDocument { path, content });
        }
    }
    imported.remark(astray, "answers do not stand where the set says: they are no gold passage");
    Ok(imported)
}

fn question(asked: &Asked, path: &str, context: &str, astray: &mut usize) -> Question {
    let category = if asked.is_impossible { Category::Unanswerable } else { Category::Answerable };
    let mut question = Question::new(&asked.id, on_one_line(&asked.question), category);
    if asked.is_impossible {
        // What stands in `answers` there is plausible and wrong.
        return question;
    }
    question.kind = Some(QuestionKind::Factual);
    for answer in &asked.answers {
        if !question.answers.contains(&answer.text) {
            question.answers.push(answer.text.clone());
        }
        match passage(context, answer) {
            Some(passage) => {
                let gold = Gold::passage(path, passage);
                if !question.gold.contains(&gold) {
                    question.gold.push(gold);
                }
            }
            None => *astray += 1,
        }
    }
    if question.gold.is_empty() {
        question.gold.push(Gold::document(path));
    }
    question
}

/// The sentences that an answer stands in, on one line.
fn passage(context: &str, answer: &Answer) -> Option<String> {
    let (start, _) = context.char_indices().nth(answer.answer_start)?;
    let end = start + answer.text.len();
    if context.get(start..end)? != answer.text {
        return None;
    }
    let touches = |span: &Span| (span.start as usize) < end && start < span.end as usize;
    let held = sentences(context).into_iter().filter(touches).reduce(Span::joined)?;
    held.slice(context).map(on_one_line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_of_an_answer_is_found_by_characters() {
        let context = "Ödön Lechner lived in Pest. He built the  museum. It opened in 1896.";
        let cases = [
            ("museum", 42, Some("He built the museum.")),
            ("Pest. He", 22, Some("Ödön Lechner lived in Pest. He built the museum.")),
            ("museum", 41, None),
            ("museum", 400, None),
        ];
        for (text, answer_start, expected) in cases {
            let answer = Answer { text: text.to_owned(), answer_start };
            assert_eq!(passage(context, &answer).as_deref(), expected, "{text} at {answer_start}");
        }
    }
}

//! Judgements of visitors, and questions that a kiosk could not answer: a department's next questions.
//!
//! The page saves such a file (`web/judgements.js`), and `campanile serve --kiosk --log` writes one.

use std::collections::BTreeMap;

use campanile_questions::{AskerProfile, Category, Gold, Question, folded};
use serde::Deserialize;

use super::{ImportError, ImportedSet};

/// One line: a question, its answer, and what the visitor said of it.
#[derive(Debug, Deserialize)]
struct Judgement {
    question: String,
    /// None where nobody said: a question that was not answered.
    right: Option<bool>,
    /// The kind of answer: "direct", "refusal" and so on.
    kind: String,
    /// The words that were quoted.
    answer: Option<String>,
    /// The document that they stand in.
    document: Option<String>,
    /// The day, as in "2026-11-26".
    at: Option<String>,
}

/// The judgements of one question.
#[derive(Debug, Default)]
struct Said {
    question: String,
    right: usize,
    wrong: usize,
    unanswered: usize,
    /// The last one that was called right.
    answer: Option<Gold>,
    was_refused: bool,
    last: Option<String>,
}

/// Reads a file of judgements, one JSON object a line. The same question is one, however often and in whatever case it
/// was asked. None of it was looked at by the department: each question comes out as not reviewed, with what was said
/// of it as its reason.
///
/// # Errors
/// The first line that is none; `file` names it in the message.
pub fn visitors(file: &str, text: &str) -> Result<ImportedSet, ImportError> {
    let mut all: BTreeMap<String, Said> = BTreeMap::new();
    let mut order = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let read: Judgement = serde_json::from_str(line)
            .map_err(|error| ImportError::content(file, Some(number + 1), error.to_string()))?;
        let key = folded(&read.question);
        if !all.contains_key(&key) {
            order.push(key.clone());
        }
        all.entry(key).or_default().add(read);
    }
    if order.is_empty() {
        return Err(ImportError::content(file, None, "a line for each answer is expected"));
    }
    let mut set = ImportedSet::default();
    let said = order.iter().filter_map(|key| all.remove(key));
    set.questions = said.enumerate().map(|(place, said)| said.question(place + 1)).collect();
    let open = set.questions.iter().filter(|question| question.gold.is_empty()).count();
    set.remark(open, "of them have no passage yet: look for it, or say that there is none");
    Ok(set)
}

impl Said {
    fn add(&mut self, read: Judgement) {
        match read.right {
            Some(true) => self.right += 1,
            Some(false) => self.wrong += 1,
            None => self.unanswered += 1,
        }
        if read.right == Some(true) {
            self.was_refused = read.kind == "refusal";
            self.answer = read.answer.map(|answer| Gold {
                document: read.document,
                link: None,
                passage: Some(answer),
                grade: 1,
            });
        }
        self.last = read.at.or(self.last.take());
        self.question = read.question;
    }

    fn question(self, number: usize) -> Question {
        let counts =
            [(self.right, "right"), (self.wrong, "wrong"), (self.unanswered, "not answered")];
        let said: Vec<String> = (counts.iter())
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} times {word}"))
            .collect();
        // Where visitors disagree a person has to look.
        let is_agreed = self.wrong == 0 && self.unanswered == 0;
        let gold: Vec<Gold> = self.answer.filter(|_| is_agreed).into_iter().collect();
        Question {
            id: format!("v{number:03}"),
            question: self.question,
            category: match self.was_refused && is_agreed {
                true => Category::Unanswerable,
                false => Category::Answerable,
            },
            kind: None,
            answers: Vec::new(),
            gold,
            reason: Some(format!("visitors said: {}", said.join(", "))),
            profile: AskerProfile::default(),
            date: self.last.and_then(|day| day.parse().ok()),
            reviewed: false,
        }
    }
}

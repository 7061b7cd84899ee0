use std::fmt;

use campanile_corpus::metadata::{Date, Profile};
use serde::{Deserialize, Serialize};

use crate::read::{one_or_many, text_or_number};

/// One question with what is known of its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// A name that is unique in its set.
    pub id: String,
    /// The question, as a student would type it.
    pub question: String,
    /// The category: do the documents answer it.
    pub category: Category,
    /// The kind, by what it takes to answer it; `None` where the set does not say.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<QuestionKind>,
    /// Short gold answers; any of them will do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
    /// The places where the answer stands; empty where it does not, or where the set does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gold: Vec<Gold>,
    /// Why there is no one answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who asks: documents that are not for them are no evidence.
    #[serde(default, skip_serializing_if = "AskerProfile::is_empty")]
    pub profile: AskerProfile,
    /// The day on which the question is asked; "until when can I register?" hangs on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// `true` if a person has looked at it; `false` for a proposal that nobody has read yet.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub reviewed: bool,
}

/// The category of a question: do the documents answer it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// They do.
    Answerable,
    /// They do, in more than one way.
    Ambiguous,
    /// They do not.
    Unanswerable,
}

/// The kind of a question, by what it takes to answer it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionKind {
    /// One fact: a date, a sum, a name.
    Factual,
    /// Several sentences: what something is, how something is done.
    Descriptive,
    /// Two things held against each other.
    Comparative,
    /// A step beyond what is written.
    Inferential,
    /// Several passages that are needed together.
    MultiHop,
}

/// A place where an answer stands: a document, by path or by address, and in it a passage if one is named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gold {
    /// The document's path among the documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The document's public address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// A sentence of its plain text, or a table row as its cells joined by ` | `; without one, the
    /// whole document is gold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<String>,
    /// The grade, by how well it answers: 0 not at all, 1 it does, more where a set grades.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub grade: u32,
}

/// The facts known of who asks; a field that is missing is not told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AskerProfile {
    /// The degree programme.
    #[serde(
        alias = "program",
        alias = "degree_programme",
        alias = "degree_program",
        skip_serializing_if = "Option::is_none"
    )]
    pub programme: Option<String>,
    /// The department.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub department: Option<String>,
    /// The faculty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faculty: Option<String>,
    /// The year in which they began, or its name.
    #[serde(deserialize_with = "text_or_number", skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// The courses that they take or have taken.
    #[serde(
        alias = "course",
        deserialize_with = "one_or_many",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub courses: Vec<String>,
}

impl Question {
    /// A question with nothing known of its answer yet.
    pub fn new(id: impl Into<String>, question: impl Into<String>, category: Category) -> Self {
        Self {
            id: id.into(),
            question: question.into(),
            category,
            kind: None,
            answers: Vec::new(),
            gold: Vec::new(),
            reason: None,
            profile: AskerProfile::default(),
            date: None,
            reviewed: true,
        }
    }

    /// Who asks, and when, as documents are matched with it.
    pub fn asker(&self) -> Profile {
        let AskerProfile { programme, department, faculty, batch, courses } = self.profile.clone();
        let date = self.date;
        Profile { programme, department, faculty, batch, courses, date, ..Profile::default() }
    }
}

impl Gold {
    /// A whole document, by its path.
    pub fn document(path: impl Into<String>) -> Self {
        Self { document: Some(path.into()), link: None, passage: None, grade: one() }
    }

    /// A passage of a document.
    pub fn passage(path: impl Into<String>, passage: impl Into<String>) -> Self {
        Self { passage: Some(passage.into()), ..Self::document(path) }
    }

    /// Returns `true` if it is of the document with this path and this public address: the path decides where
    /// the gold names one, else the address.
    pub fn is_of(&self, path: &str, link: Option<&str>) -> bool {
        match (&self.document, &self.link) {
            (Some(document), _) => document == path,
            (None, gold) => gold.is_some() && gold.as_deref() == link,
        }
    }
}

impl AskerProfile {
    /// Returns `true` if nothing is told.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Category {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Answerable, Self::Ambiguous, Self::Unanswerable];

    /// As it is written in a set.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answerable => "answerable",
            Self::Ambiguous => "ambiguous",
            Self::Unanswerable => "unanswerable",
        }
    }
}

impl QuestionKind {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Factual, Self::Descriptive, Self::Comparative, Self::Inferential, Self::MultiHop];

    /// As it is written in a set.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Factual => "factual",
            Self::Descriptive => "descriptive",
            Self::Comparative => "comparative",
            Self::Inferential => "inferential",
            Self::MultiHop => "multi-hop",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl fmt::Display for QuestionKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A text with every run of white space as one space.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text as it is compared without regard to case and white space: lower case, on one line.
pub fn folded(text: &str) -> String {
    on_one_line(text).to_lowercase()
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
const fn is_one(grade: &u32) -> bool {
    *grade == 1
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
const fn is_yes(value: &bool) -> bool {
    *value
}

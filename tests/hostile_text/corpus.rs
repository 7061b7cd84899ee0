//! The corpus of hostile texts, and the harmless documents and questions that they stand in or beside.

use serde::Deserialize;

use crate::files;

const ATTACKS: &str = include_str!("attacks.toml");

/// The format of an attack that stands beside a question.
const QUESTION: &str = "question";

/// One hostile text, and what must be true of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// What it tries.
    pub name: String,
    /// The kind of document it stands in, by its ending; or `question`.
    pub format: String,
    /// The hostile text, in the markup of its format; in a question `{question}` is the harmless one.
    #[serde(default)]
    text: String,
    /// How often it is said.
    #[serde(default = "once")]
    times: usize,
    /// What follows it,
    #[serde(default)]
    after: String,
    /// so many times.
    #[serde(default = "once")]
    times_after: usize,
    /// The title, where that is hostile: `{title}` is the harmless one.
    title: Option<String>,
    /// The whole document, where its frame is hostile: with `{title}` and `{fact}`.
    document: Option<String>,
    /// Whether it may bury the fact of its own document, which nobody can keep an author from.
    #[serde(default)]
    pub buries: bool,
    /// What the site, or a prompt, may not hold.
    #[serde(default)]
    pub absent: Vec<String>,
    /// What stays, as the plain text that it is.
    #[serde(default)]
    pub present: Vec<String>,
    /// What is said to the keeper of the documents.
    #[serde(default)]
    pub reported: Vec<String>,
}

fn once() -> usize {
    1
}

#[derive(Deserialize)]
struct Corpus {
    attack: Vec<Attack>,
}

/// All attacks, in their order, each with a fact of its own.
pub fn corpus() -> Vec<(Attack, Control)> {
    let Corpus { attack } = toml::from_str(ATTACKS).unwrap();
    attack.into_iter().enumerate().map(|(number, attack)| (attack, Control::new(number))).collect()
}

impl Attack {
    /// Whether it stands beside a question rather than in a document.
    pub fn is_in_question(&self) -> bool {
        self.format == QUESTION
    }

    /// The hostile text itself.
    pub fn payload(&self) -> String {
        self.text.repeat(self.times) + &self.after.repeat(self.times_after)
    }

    /// The question with the attack beside it.
    pub fn question(&self, control: &Control) -> String {
        self.payload().replace("{question}", &control.question)
    }

    /// The name of the document, which is the same with and without the attack.
    pub fn path(&self) -> String {
        match self.is_in_question() {
            true => format!("{}.md", self.name),
            false => format!("{}.{}", self.name, self.format),
        }
    }

    /// The document with the attack in it.
    pub fn hostile(&self, control: &Control) -> Vec<u8> {
        let title = self.title.as_deref().unwrap_or("{title}").replace("{title}", &control.title);
        match &self.document {
            Some(document) => {
                document.replace("{title}", &title).replace("{fact}", &control.fact).into_bytes()
            }
            None => files::made(&self.format, &title, &control.fact, &self.payload()),
        }
    }

    /// The document without it.
    pub fn harmless(&self, control: &Control) -> Vec<u8> {
        let format = if self.is_in_question() { "md" } else { &self.format };
        files::made(format, &control.title, &control.fact, "")
    }
}

/// A fact that only one document holds, and the question for it.
#[derive(Debug, Clone)]
pub struct Control {
    /// What the document is called.
    pub title: String,
    /// Its one sentence.
    pub fact: String,
    /// What is asked.
    pub question: String,
}

const BEGINNINGS: [&str; 10] =
    ["Alder", "Birch", "Cedar", "Dun", "Elm", "Fern", "Glen", "Hazel", "Iron", "Juniper"];
const ENDS: [&str; 13] = [
    "brook", "croft", "dale", "field", "gate", "haven", "leigh", "mere", "nook", "ridge", "stow",
    "ton", "wick",
];
const THINGS: [&str; 7] =
    ["bicycles", "lockers", "microscopes", "umbrellas", "telescopes", "canoes", "pianos"];

impl Control {
    fn new(number: usize) -> Self {
        let place = format!("{}{}", BEGINNINGS[number % 10], ENDS[number / 10]);
        let thing = THINGS[number % 7];
        let count = 11 + number;
        Self {
            title: format!("{place} House"),
            fact: format!("{place} House lends {count} {thing} to students of the university."),
            question: format!("How many {thing} does {place} House lend to students?"),
        }
    }
}

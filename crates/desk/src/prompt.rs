//! The passages of a site that there is to ask about, what a model is told about each, and what is read from its reply.

use std::path::Path;

use anyhow::Context as _;
use campanile_bundle::{Bundle, DirectoryFetch, DocumentId};
use campanile_questions::{SourcePassage, passages_of};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A change of the words below makes other replies: it is part of what a kept reply is known by.
pub const VERSION: u32 = 1;

const SYSTEM: &str = "You prepare the questions that students ask at a university's help desk. You are given one \
    passage of the university's documents. Write questions that this passage answers, in the everyday words of a \
    student who has not read it, and a short answer to each. Answer only with what the passage states; copy amounts, \
    dates, names and addresses exactly. Do not write questions about the document itself, such as what the passage is \
    about. If the passage answers nothing that a student would ask, write no questions. Reply with JSON alone: \
    {\"questions\": [{\"question\": \"…?\", \"answer\": \"…\"}]}";

const EXAMPLE_PASSAGE: &str = "Student services > Lost cards\n\nA lost card is replaced by the Card Office in Hill House \
    within two working days. The first replacement is free, each later one costs 12 pounds.";

const EXAMPLE_REPLY: &str = "{\"questions\": [{\"question\": \"I can't find my student card, where do I get a new \
    one?\", \"answer\": \"The Card Office in Hill House replaces a lost card within two working days.\"}, {\"question\": \
    \"Do I have to pay if I lose my card a second time?\", \"answer\": \"Yes, each replacement after the first costs 12 \
    pounds.\"}]}";

/// A message of a conversation, as the OpenAI protocol has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Message {
    /// `system`, `user` or `assistant`.
    pub role: &'static str,
    /// Its text.
    pub content: String,
}

/// A question with its answer, as a model wrote them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
}

/// The conversation in which a model is asked for at most `count` questions about a passage.
pub fn messages(passage: &SourcePassage, count: usize) -> Vec<Message> {
    let user = |place: &str, count: usize| format!("Write at most {count} questions.\n\n{place}");
    let asked = format!("{}\n\n{}", passage.place(), passage.text.trim());
    vec![
        Message { role: "system", content: SYSTEM.to_owned() },
        Message { role: "user", content: user(EXAMPLE_PASSAGE, 2) },
        Message { role: "assistant", content: EXAMPLE_REPLY.to_owned() },
        Message { role: "user", content: user(&asked, count) },
    ]
}

/// The form of a reply as a JSON schema; a service that knows how keeps its model to it.
pub fn schema(count: usize) -> Value {
    // A model that repeats itself ends at the limit and not at the end of its context.
    let text = json!({ "type": "string", "maxLength": 400 });
    json!({
        "type": "object",
        "properties": { "questions": {
            "type": "array",
            "maxItems": count,
            "items": {
                "type": "object",
                "properties": { "question": text, "answer": text },
                "required": ["question", "answer"],
                "additionalProperties": false,
            },
        } },
        "required": ["questions"],
        "additionalProperties": false,
    })
}

/// The pairs in a reply: its JSON, alone or in a fence or with words around it; `None` where there is none.
pub fn pairs(reply: &str) -> Option<Vec<Pair>> {
    #[derive(Deserialize)]
    struct Reply {
        questions: Vec<Pair>,
    }
    // Small models greet, explain, and fence their JSON; what stands between the outermost brackets is what was asked for.
    let (start, end) = (reply.find(['{', '['])?, reply.rfind(['}', ']'])?);
    let text = reply.get(start..=end)?;
    serde_json::from_str::<Reply>(text)
        .map(|reply| reply.questions)
        .or_else(|_| serde_json::from_str(text))
        .ok()
}

/// A passage with fewer words than this answers nothing that its neighbours do not.
// Each would cost a call of a model, and most of what comes back is about the document and not about its matter.
const LEAST_WORDS: usize = 8;

/// A passage that can be asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedPassage {
    /// The same as long as document, headings and text are: a reply to it stays valid so long.
    pub id: String,
    /// The passage.
    pub passage: SourcePassage,
}

/// A passage as `campanile questions export` writes it.
#[derive(Debug, Serialize)]
pub struct ExportedPassage<'a> {
    /// Its name, which the reply has to carry.
    pub id: &'a str,
    /// The document's path.
    pub document: &'a str,
    /// The title and the headings, on one line.
    pub place: String,
    /// Its text.
    pub text: &'a str,
    /// The conversation that a model is sent: messages as the OpenAI protocol has them.
    pub messages: Vec<Message>,
}

impl NamedPassage {
    fn new(passage: SourcePassage) -> Self {
        let place = passage.headings.join("\n");
        let parts = [passage.document.as_str(), &passage.title, &place, &passage.text].join("\0");
        // Eight bytes: of a million passages two share a name with a chance below one in ten million.
        let digest = Sha256::digest(parts.as_bytes());
        let id = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Self { id, passage }
    }

    /// As it is exported, asked for `count` questions.
    pub fn exported(&self, count: usize) -> ExportedPassage<'_> {
        ExportedPassage {
            id: &self.id,
            document: &self.passage.document,
            place: self.passage.place(),
            text: &self.passage.text,
            messages: messages(&self.passage, count),
        }
    }
}

/// The passages of a site that have enough words, in their order.
///
/// # Errors
/// Where the site cannot be read.
pub async fn of_site(site: &Path) -> anyhow::Result<Vec<NamedPassage>> {
    let bundle = Bundle::open(DirectoryFetch::new(site))
        .await
        .with_context(|| format!("cannot open the site `{}`", site.display()))?;
    let head = bundle.documents_head().await?;
    let mut passages = Vec::new();
    for document in 0..head.document_count() {
        let record = bundle.document(DocumentId(document)).await?;
        let own = passages_of(&record).into_iter();
        let has_words = |it: &SourcePassage| it.text.split_whitespace().count() >= LEAST_WORDS;
        passages.extend(own.filter(has_words).map(NamedPassage::new));
    }
    Ok(passages)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn a_reply_is_read_with_what_models_put_around_it() {
        let one = r#"{"questions": [{"question": "When?", "answer": "Now."}]}"#;
        let list = r#"[{"question": "When?", "answer": "Now."}]"#;
        for (reply, count) in [
            (one.to_owned(), Some(1)),
            (list.to_owned(), Some(1)),
            (format!("Sure!\n```json\n{one}\n```\nAnything else?"), Some(1)),
            (r#"{"questions": []}"#.to_owned(), Some(0)),
            ("I cannot.".to_owned(), None),
            (r#"{"questions": [{"question": "When?", "ans"#.to_owned(), None),
            ("} {".to_owned(), None),
        ] {
            assert_eq!(pairs(&reply).map(|pairs| pairs.len()), count, "{reply}");
        }
        assert_eq!(pairs(EXAMPLE_REPLY).unwrap().len(), 2);
    }
}

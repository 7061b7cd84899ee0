//! What a model is told about a passage, and what is read from its reply.

use campanile_questions::SourcePassage;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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
    /// What it says.
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
    let (start, end) = (reply.find(['{', '['])?, reply.rfind(['}', ']'])?);
    let text = reply.get(start..=end)?;
    serde_json::from_str::<Reply>(text)
        .map(|reply| reply.questions)
        .or_else(|_| serde_json::from_str(text))
        .ok()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::{EXAMPLE_REPLY, pairs};

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

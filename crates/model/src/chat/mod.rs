//! Conversations, and the template by which a model wants them written.

mod date;
mod template;

use serde::{Deserialize, Serialize};

pub use date::ChatDate;
pub use template::ChatTemplate;
pub(crate) use template::EdgeTokens;

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The instructions.
    System,
    /// The reader, with the evidence.
    User,
    /// The model.
    Assistant,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who says it.
    pub role: Role,
    /// The text.
    pub content: String,
}

impl ChatMessage {
    /// A message.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into() }
    }

    /// The instructions, turns of (what the user said, what the model replied) that have been, and
    /// what the user says now.
    pub fn conversation<'a>(
        system: &str,
        turns: impl IntoIterator<Item = (&'a str, &'a str)>,
        user: &str,
    ) -> Vec<Self> {
        let mut messages = vec![Self::new(Role::System, system)];
        for (said, replied) in turns {
            messages.push(Self::new(Role::User, said));
            messages.push(Self::new(Role::Assistant, replied));
        }
        messages.push(Self::new(Role::User, user));
        messages
    }

    /// The message without any of the texts `unwanted`, nor any that appear once others are gone.
    pub(crate) fn without(&self, unwanted: &[String]) -> Self {
        let mut content = self.content.clone();
        let present = |content: &str| {
            let found = unwanted.iter().find(|text| content.contains(text.as_str()));
            found.cloned()
        };
        while let Some(text) = present(&content) {
            content = content.replace(&text, "");
        }
        Self { role: self.role, content }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChatMessage, Role};

    #[test]
    fn control_tokens_are_taken_out_even_where_they_are_nested() {
        let unwanted = ["<|end|>".to_owned(), "<|start|>".to_owned()];
        let message = ChatMessage::new(Role::User, "a<|st<|end|>art|>b<|end|>");
        assert_eq!(message.without(&unwanted).content, "ab");
    }
}

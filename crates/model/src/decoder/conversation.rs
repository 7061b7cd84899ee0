//! Conversations as tokens.

use super::Decoder;
use crate::chat::{ChatMessage, ChatTemplate, EdgeTokens, Role};
use crate::error::ModelError;

impl Decoder {
    /// The tokens of a conversation, ready for the model's reply.
    ///
    /// Whatever looks like a control token inside of a message is taken out first: a document
    /// that is quoted there cannot end the message or speak for somebody else.
    ///
    /// # Errors
    /// [`ModelError::ChatTemplate`] where the template cannot be filled in.
    pub fn chat_tokens(
        &self,
        template: &ChatTemplate,
        messages: &[ChatMessage],
    ) -> Result<Vec<u32>, ModelError> {
        let special = self.tokenizer.special_texts();
        let cleaned: Vec<ChatMessage> =
            messages.iter().map(|message| message.without(&special)).collect();
        let text = |id: Option<&u32>| {
            id.and_then(|&id| self.tokenizer.special_text(id)).map(str::to_owned)
        };
        let edges = EdgeTokens {
            begin: text(self.config.bos_token_id.as_ref()),
            end: text(self.config.end_tokens().first()),
        };
        self.tokenizer.encode(&template.render_between(&cleaned, &edges)?)
    }

    /// The tokens with which every conversation begins that begins with `messages`, for
    /// [`Decoder::prepare`]: usually the instructions, computed before a question is asked.
    ///
    /// Templates may refuse a conversation without a question, so two different questions are
    /// asked and what the two have in common is taken.
    ///
    /// # Errors
    /// As [`Decoder::chat_tokens`].
    pub fn chat_prefix_tokens(
        &self,
        template: &ChatTemplate,
        messages: &[ChatMessage],
    ) -> Result<Vec<u32>, ModelError> {
        let with = |question: &str| {
            let mut all = messages.to_vec();
            all.push(ChatMessage::new(Role::User, question));
            self.chat_tokens(template, &all)
        };
        let (mut tokens, other) = (with("1")?, with("A")?);
        let common = tokens.iter().zip(&other).take_while(|(a, b)| a == b).count();
        tokens.truncate(common);
        Ok(tokens)
    }
}

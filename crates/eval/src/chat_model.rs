use std::cell::RefCell;
use std::fmt;
use std::ops::ControlFlow;

use campanile_answer::ProsePrompt;
use campanile_model::{ChatMessage, ChatTemplate, Decoder, GenerateOptions, ModelError, Role};
use futures_lite::future::block_on;

use crate::answers::{Complete, Form, Perplexity};

/// A verdict takes fewer tokens.
const VERDICT_TOKENS: usize = 160;

/// A language model that follows instructions, as the page has it: it writes prose about passages, says
/// how likely an answer is, and judges.
///
/// It always takes the likeliest token, so the same prompt gives the same text.
pub struct ChatModel {
    decoder: RefCell<Decoder>,
    template: ChatTemplate,
}

impl ChatModel {
    /// A decoder and the way in which it wants conversations written.
    pub fn new(decoder: Decoder, template: ChatTemplate) -> Self {
        Self { decoder: RefCell::new(decoder), template }
    }

    /// The model's reply to a prompt, at most `max_tokens` long.
    ///
    /// # Errors
    /// Where the prompt does not fit into the model.
    pub fn write(&self, prompt: &ProsePrompt, max_tokens: usize) -> Result<String, ModelError> {
        let tokens = self.tokens(&messages(prompt))?;
        let options = GenerateOptions::greedy(max_tokens);
        let mut decoder = self.decoder.borrow_mut();
        let reply = block_on(decoder.generate(&tokens, &options, |_| ControlFlow::Continue(())))?;
        Ok(reply.text.trim().to_owned())
    }

    /// How little the model expects a text as its reply to a prompt; `None` of a text without tokens.
    ///
    /// # Errors
    /// Where prompt and text do not fit into the model.
    pub fn perplexity(
        &self,
        prompt: &ProsePrompt,
        text: &str,
    ) -> Result<Option<Perplexity>, ModelError> {
        let before = self.tokens(&messages(prompt))?;
        let mut decoder = self.decoder.borrow_mut();
        let text = decoder.tokenizer().encode(text)?;
        let logs = block_on(decoder.log_probabilities(&before, &text))?;
        Ok(Perplexity::new(&logs))
    }

    fn tokens(&self, messages: &[ChatMessage]) -> Result<Vec<u32>, ModelError> {
        self.decoder.borrow().chat_tokens(&self.template, messages)
    }
}

impl Complete for ChatModel {
    type Error = ModelError;

    fn complete(&self, prompt: &str, form: Form<'_>) -> Result<String, ModelError> {
        let mut tokens = self.tokens(&[ChatMessage::new(Role::User, prompt)])?;
        let mut decoder = self.decoder.borrow_mut();
        tokens.extend(decoder.tokenizer().encode(form.begin)?);
        let mut reply = form.begin.to_owned();
        let options = GenerateOptions::greedy(VERDICT_TOKENS);
        block_on(decoder.generate(&tokens, &options, |piece| {
            reply.push_str(piece);
            match piece.contains(form.end) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }))?;
        // A piece may hold more than the end.
        if let Some((whole, _)) = reply.split_once(form.end) {
            reply = format!("{whole}{}", form.end);
        }
        Ok(reply)
    }
}

impl fmt::Debug for ChatModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ChatModel").finish_non_exhaustive()
    }
}

fn messages(prompt: &ProsePrompt) -> Vec<ChatMessage> {
    vec![
        ChatMessage::new(Role::System, prompt.system.as_str()),
        ChatMessage::new(Role::User, prompt.user.as_str()),
    ]
}

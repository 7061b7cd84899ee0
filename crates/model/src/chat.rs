//! Conversations, and the template by which a model wants them written.

use minijinja::Environment;
use serde::{Deserialize, Serialize};

use crate::error::ModelError;

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
    /// What is said.
    pub content: String,
}

impl ChatMessage {
    /// A message.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into() }
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

/// The most steps that a template may take: it comes from a model's file and is not to be trusted
/// with our time.
const TEMPLATE_STEPS: u64 = 100_000;

const TEMPLATE_NAME: &str = "chat_template";

/// A model's chat template, in the Jinja language.
#[derive(Clone, Debug)]
pub struct ChatTemplate {
    environment: Environment<'static>,
}

impl ChatTemplate {
    /// Reads the source of a template.
    ///
    /// # Errors
    /// [`ModelError::ChatTemplate`] where it is damaged or uses what is not known here.
    pub fn new(source: &str) -> Result<Self, ModelError> {
        let mut environment = Environment::new();
        // As templates are read where they are written.
        environment.set_trim_blocks(true);
        environment.set_lstrip_blocks(true);
        environment.set_fuel(Some(TEMPLATE_STEPS));
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.add_function("raise_exception", |message: String| {
            let kind = minijinja::ErrorKind::InvalidOperation;
            Err::<String, _>(minijinja::Error::new(kind, message))
        });
        environment
            .add_template_owned(TEMPLATE_NAME, source.to_owned())
            .map_err(ModelError::chat_template)?;
        Ok(Self { environment })
    }

    /// Writes a conversation, up to the place where the model's reply begins.
    ///
    /// # Errors
    /// [`ModelError::ChatTemplate`] where the template refuses it.
    pub fn render(&self, messages: &[ChatMessage]) -> Result<String, ModelError> {
        #[derive(Serialize)]
        struct Context<'a> {
            messages: &'a [ChatMessage],
            add_generation_prompt: bool,
        }
        self.environment
            .get_template(TEMPLATE_NAME)
            .and_then(|template| template.render(Context { messages, add_generation_prompt: true }))
            .map_err(ModelError::chat_template)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::{ChatMessage, ChatTemplate, Role};

    #[test]
    fn control_tokens_are_taken_out_even_where_they_are_nested() {
        let unwanted = ["<|end|>".to_owned(), "<|start|>".to_owned()];
        let message = ChatMessage::new(Role::User, "a<|st<|end|>art|>b<|end|>");
        assert_eq!(message.without(&unwanted).content, "ab");
    }

    #[test]
    fn a_template_that_does_not_end_is_stopped() {
        let endless =
            "{% for a in range(10000) %}{% for b in range(10000) %}{{ a }}{% endfor %}{% endfor %}";
        let error = ChatTemplate::new(endless).unwrap().render(&[]).unwrap_err();
        assert!(error.to_string().contains("fuel"), "{error}");
    }

    #[test]
    fn a_damaged_template_is_refused() {
        assert!(ChatTemplate::new("{% for %}").is_err());
    }

    #[test]
    fn nothing_is_escaped() {
        let template = ChatTemplate::new("{{ messages[0]['content'] }}").unwrap();
        let message = ChatMessage::new(Role::User, "<a href=\"x\"> & 'y'");
        assert_eq!(template.render(&[message]).unwrap(), "<a href=\"x\"> & 'y'");
    }
}

//! A language model behind an address that speaks the OpenAI protocol: llama.cpp's server, Ollama, vLLM and many more.

use std::thread;
use std::time::Duration;

use campanile_http::{CertificatesError, Client, Failure, FailureKind, Options, Timeouts};
use serde::Deserialize;
use serde_json::json;
use thiserror::Error;

use crate::prompt::{Message, schema};

/// Until a connection stands.
const CONNECT: Duration = Duration::from_secs(10);
/// A busy or failing service is asked so often.
const ATTEMPTS: u32 = 4;
/// The pause before the second attempt; it doubles with each.
const PAUSE: Duration = Duration::from_millis(500);
/// No reply is longer than this many bytes.
const LONGEST_REPLY: u64 = 4_000_000;
/// A question with its answer takes fewer tokens.
const TOKENS_A_PAIR: usize = 120;

/// A model behind an address, and the way to ask it.
#[derive(Debug)]
pub struct Service {
    client: Client,
    address: String,
    model: String,
    key: Option<String>,
    seconds: u64,
}

/// Why a model did not reply.
#[derive(Debug, Error)]
pub enum ServiceError {
    /// The address is none.
    #[error(
        "the address `{0}` does not begin with http:// or https://\n  way out: `--address http://127.0.0.1:8080/v1` \
         is llama.cpp's server on this machine, port 11434 Ollama"
    )]
    Address(String),
    /// Certificates that the environment names cannot be read.
    #[error(transparent)]
    Certificates(#[from] CertificatesError),
    /// Nothing listens there, or the two cannot talk.
    #[error(
        "`{address}` cannot be reached: {failure}\n  way out: start the model's server, or correct `--address`; the \
         same command goes on where this one stopped"
    )]
    Unreachable {
        /// The address.
        address: String,
        /// As the connection says it.
        failure: Failure,
    },
    /// It took too long.
    #[error(
        "`{address}` has not replied within {seconds} s\n  way out: `--timeout {}`, or a smaller model; the same \
         command goes on where this one stopped",
        seconds * 4
    )]
    Slow {
        /// The address.
        address: String,
        /// The time that it had.
        seconds: u64,
    },
    /// It refuses.
    #[error("`{address}` answers {status}: {message}\n  way out: {}", hint(*status))]
    Refused {
        /// The address.
        address: String,
        /// The HTTP status.
        status: u16,
        /// Its words about it.
        message: String,
    },
    /// The reply is not the protocol's.
    #[error(
        "`{address}` speaks no OpenAI protocol: {reason}\n  way out: most servers have it under an address that ends \
         in /v1"
    )]
    Protocol {
        /// The address.
        address: String,
        /// The fault in it.
        reason: String,
    },
}

fn hint(status: u16) -> &'static str {
    match status {
        401 | 403 => "put the key into the environment variable CAMPANILE_API_KEY",
        404 => "`--model` names a model that the server has, and `--address` ends in /v1",
        429 => "wait, or ask less at once; the same command goes on where this one stopped",
        _ => "the server's own log says more; the same command goes on where this one stopped",
    }
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Content,
}

#[derive(Deserialize)]
struct Content {
    content: Option<String>,
}

impl Service {
    /// A model at an address such as `http://127.0.0.1:8080/v1`, which has `seconds` for each reply.
    ///
    /// # Errors
    /// [`ServiceError::Address`] and [`ServiceError::Certificates`].
    pub fn new(
        address: &str,
        model: &str,
        key: Option<String>,
        seconds: u64,
    ) -> Result<Self, ServiceError> {
        let address = address.trim_end_matches('/').to_owned();
        if !address.starts_with("https://") && !address.starts_with("http://") {
            return Err(ServiceError::Address(address));
        }
        let timeouts = Timeouts {
            connect: Some(CONNECT),
            whole: Some(Duration::from_secs(seconds)),
            ..Timeouts::default()
        };
        let client = Client::new(Options { timeouts, ..Options::default() })?;
        Ok(Self { client, address, model: model.to_owned(), key, seconds })
    }

    /// The reply to a conversation that asks for at most `count` questions.
    ///
    /// # Errors
    /// [`ServiceError`], after some attempts where it may pass.
    pub fn reply(&self, messages: &[Message], count: usize) -> Result<String, ServiceError> {
        let mut pause = PAUSE;
        let mut attempt = 1;
        loop {
            match self.attempt(messages, count) {
                Err(error) if attempt < ATTEMPTS && error.may_pass() => {
                    thread::sleep(pause);
                    pause *= 2;
                    attempt += 1;
                }
                reply => return reply,
            }
        }
    }

    fn attempt(&self, messages: &[Message], count: usize) -> Result<String, ServiceError> {
        let body = json!({
            "model": self.model,
            "messages": messages,
            "temperature": 0,
            "seed": 1,
            "max_tokens": TOKENS_A_PAIR * count + TOKENS_A_PAIR,
            "response_format": {
                "type": "json_schema",
                "json_schema": { "name": "questions", "strict": true, "schema": schema(count) },
            },
        });
        let authorization = self.key.as_ref().map(|key| format!("Bearer {key}"));
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(authorization.as_deref().map(|value| ("authorization", value)));
        let url = format!("{}/chat/completions", self.address);
        let mut response = self
            .client
            .post(&url, &headers, &body.to_string())
            .map_err(|failure| self.broken(failure))?;
        let status = response.status().as_u16();
        let text = response
            .body_mut()
            .with_config()
            .limit(LONGEST_REPLY)
            .read_to_string()
            .map_err(|error| self.broken(error.into()))?;
        let address = self.address.clone();
        if status != 200 {
            return Err(ServiceError::Refused { address, status, message: message(&text) });
        }
        let wrong = |reason: String| ServiceError::Protocol { address, reason };
        let completion: Completion = match serde_json::from_str(&text) {
            Ok(completion) => completion,
            Err(error) => return Err(wrong(error.to_string())),
        };
        let choice = completion.choices.into_iter().next();
        choice
            .and_then(|choice| choice.message.content)
            .ok_or_else(|| wrong("the reply holds no message".to_owned()))
    }

    fn broken(&self, failure: Failure) -> ServiceError {
        let address = self.address.clone();
        match failure.kind {
            // Waiting longer for a connection helps nobody, so that its timeout is no slow model but one out of reach.
            FailureKind::Timeout => ServiceError::Slow { address, seconds: self.seconds },
            _ => ServiceError::Unreachable { address, failure },
        }
    }
}

impl ServiceError {
    /// Returns `true` if another attempt may do better.
    fn may_pass(&self) -> bool {
        match self {
            Self::Refused { status, .. } => *status == 429 || *status >= 500,
            // A server that is only starting is there in a moment.
            Self::Unreachable { failure, .. } => {
                failure.is_passing() || failure.kind == FailureKind::Unreachable
            }
            Self::Address(_)
            | Self::Certificates(_)
            | Self::Slow { .. }
            | Self::Protocol { .. } => false,
        }
    }
}

/// The message in an error's body, on one line.
fn message(body: &str) -> String {
    const MOST: usize = 300;
    let of_json = serde_json::from_str::<serde_json::Value>(body).ok().and_then(|body| {
        let error = body.get("error")?;
        Some(error.get("message").unwrap_or(error).as_str()?.to_owned())
    });
    let text = of_json.unwrap_or_else(|| body.to_owned());
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MOST).collect()
}

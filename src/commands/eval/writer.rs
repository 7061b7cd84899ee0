//! A language model that writes questions about passages.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use anyhow::Context as _;
use campanile_eval::proposals::SourcePassage;
use campanile_eval::proposals::written::{STOP, WritingPrompt, prompt};
use campanile_model::gguf::CHAT_TEMPLATE_FILE;
use campanile_model::{
    ChatMessage, ChatTemplate, Decoder, DecoderConfig, GenerateOptions, Role, Shards, Tokenizer,
};
use campanile_model_store::Store;
use futures_lite::future::block_on;

use crate::build::language_model::converted;
use crate::commands::model::find_or_fetch;
use crate::console;

/// A question and its answer take fewer.
const MOST_TOKENS: usize = 96;

/// What the model writes about each of the first `count` passages.
///
/// # Errors
/// Where the model cannot be had or run.
pub fn write(
    model: &str,
    passages: &[SourcePassage],
    count: usize,
) -> anyhow::Result<Vec<Option<String>>> {
    let (mut decoder, template) = load(model)?;
    let count = passages.len().min(count);
    let bar = console::counting_bar(count, "Writing", "passages");
    let mut replies = Vec::with_capacity(count);
    for passage in passages.iter().take(count) {
        bar.inc(1);
        let Some(asked) = prompt(passage) else {
            replies.push(None);
            continue;
        };
        let tokens = decoder.chat_tokens(&template, &messages(asked))?;
        let options = GenerateOptions {
            stop: STOP.map(str::to_owned).to_vec(),
            ..GenerateOptions::greedy(MOST_TOKENS)
        };
        let mut reply = String::new();
        block_on(decoder.generate(&tokens, &options, |piece| {
            reply.push_str(piece);
            ControlFlow::Continue(())
        }))?;
        replies.push(Some(reply));
    }
    bar.finish_and_clear();
    Ok(replies)
}

fn messages(asked: WritingPrompt) -> Vec<ChatMessage> {
    let mut messages = vec![ChatMessage::new(Role::System, asked.system)];
    for (user, reply) in asked.examples {
        messages.push(ChatMessage::new(Role::User, *user));
        messages.push(ChatMessage::new(Role::Assistant, *reply));
    }
    messages.push(ChatMessage::new(Role::User, asked.user));
    messages
}

fn load(model: &str) -> anyhow::Result<(Decoder, ChatTemplate)> {
    let installed = find_or_fetch(&Store::open(None)?, model)?;
    let mut files: BTreeMap<String, Vec<u8>> = converted(&installed)?.into_iter().collect();
    let mut take = |name: &str| {
        files.remove(name).with_context(|| format!("the model {model} has no `{name}`"))
    };
    let config = DecoderConfig::from_json(&take("config.json")?)?;
    let tokenizer = Tokenizer::from_json(&take("tokenizer.json")?)?;
    let template = ChatTemplate::new(&String::from_utf8(take(CHAT_TEMPLATE_FILE)?)?)?;
    let weights = Shards::new(files.into_values().collect())?;
    Ok((Decoder::load(&config, tokenizer, &weights)?, template))
}

//! A language model that writes questions about passages.

use std::ops::ControlFlow;

use campanile_build::language_model::loaded;
use campanile_eval::proposals::written::{STOP, WritingPrompt, prompt};
use campanile_model::{ChatMessage, GenerateOptions, Role};
use campanile_model_store::Store;
use campanile_questions::SourcePassage;
use campanile_terminal::console;
use campanile_terminal::models::find_or_fetch;
use futures_lite::future::block_on;

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
    let installed = find_or_fetch(&Store::open(None)?, model)?;
    let (mut decoder, template) = loaded(&installed)?;
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

//! What a language model reads of prompts under attack: only the template may speak in control tokens.

use campanile_answer::prose_prompt;
use campanile_model::gguf::{CHAT_TEMPLATE_FILE, GgufFile, convert};
use campanile_model::quantize::SHARD_BYTES;
use campanile_model::{ChatMessage, ChatTemplate, Decoder, DecoderConfig, Role, Shards, Tokenizer};
use campanile_model_store::Store;

use crate::answers::{PAIRS, Pair};
use crate::corpus::corpus;

const MODEL: &str = "smollm2-135m-instruct";

/// The real model, since it is its tokenizer that is attacked.
fn smollm2() -> (Decoder, ChatTemplate) {
    let installed = Store::open(None).unwrap().find(MODEL).unwrap_or_else(|error| {
        panic!(
            "{error}: run `cargo xtask test`, which fetches it, or `campanile model fetch {MODEL}`"
        )
    });
    let weights = installed.files.iter().find(|file| file.name.ends_with(".gguf")).unwrap();
    let file = GgufFile::new(std::fs::read(&weights.path).unwrap()).unwrap();
    let files = convert(&file, SHARD_BYTES).unwrap();
    let config = DecoderConfig::from_json(&files["config.json"]).unwrap();
    let tokenizer = Tokenizer::from_json(&files["tokenizer.json"]).unwrap();
    let shards = files.iter().filter(|(name, _)| name.ends_with(".safetensors"));
    let shards = Shards::new(shards.map(|(_, bytes)| bytes.clone()).collect()).unwrap();
    let template = std::str::from_utf8(&files[CHAT_TEMPLATE_FILE]).unwrap();
    (Decoder::load(&config, tokenizer, &shards).unwrap(), ChatTemplate::new(template).unwrap())
}

fn special(decoder: &Decoder, template: &ChatTemplate, system: &str, user: &str) -> Vec<u32> {
    let messages = [ChatMessage::new(Role::System, system), ChatMessage::new(Role::User, user)];
    let tokens = decoder.chat_tokens(template, &messages).unwrap();
    tokens.into_iter().filter(|&id| decoder.tokenizer().is_special(id)).collect()
}

#[test]
fn no_text_becomes_a_control_token() {
    let (decoder, template) = smollm2();
    let expected = special(&decoder, &template, "Be brief.", "When?");
    assert!(expected.len() >= 5, "the template itself speaks in control tokens: {expected:?}");
    let all: String = decoder.tokenizer().special_texts().concat();
    assert_eq!(special(&decoder, &template, &all, &all), expected);

    // Raw, as if no other room had looked at them.
    for (attack, control) in corpus() {
        let text = match attack.is_in_question() {
            true => attack.question(&control),
            false => attack.payload(),
        };
        let found = special(&decoder, &template, &text, &text);
        assert_eq!(found, expected, "{}", attack.name);
    }
    // And in the prompts that are made of them.
    let mut prompts = 0;
    for Pair { attack, hostile, .. } in PAIRS.iter() {
        let Some(prompt) = prose_prompt(hostile, &[]) else { continue };
        let found = special(&decoder, &template, &prompt.system, &prompt.user);
        assert_eq!(found, expected, "{}", attack.name);
        prompts += 1;
    }
    assert!(prompts > 100, "{prompts}");
}

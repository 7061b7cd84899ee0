//! Settings that hold, and mistakes in them.

#![expect(clippy::expect_used)]
use std::path::Path;

use super::read::{parse, template, worked_examples};
use super::*;

fn parsed(text: &str) -> Result<Config, String> {
    parse(Path::new("campanile.toml"), text).map_err(|error| error.to_string())
}

#[test]
fn everything_is_optional() {
    assert_eq!(parsed(""), Ok(Config::default()));
}

#[test]
fn devices_are_named() {
    let cases = [
        ("", DeviceChoice::Cpu),
        ("[encoder]\ndevice = \"cpu\"", DeviceChoice::Cpu),
        ("[encoder]\ndevice = \"gpu\"", DeviceChoice::Gpu),
        ("[encoder]\ndevice = \"auto\"", DeviceChoice::Auto),
    ];
    for (text, expected) in cases {
        assert_eq!(parsed(text).map(|config| config.encoder.device), Ok(expected), "{text}");
    }
}

#[test]
fn mistakes_are_named_with_line_and_way_out() {
    let cases = [
        ("[site]\ntitel = \"A\"", ["2", "titel", "did you mean `title`"]),
        ("[search]\npool = 0", ["search.pool", "0", "between 1 and 500"]),
        ("[search]\nfusion = 'sum'", ["fusion", "sum", "standard_scores"]),
        ("[search]\n\nbm25_b = 3", ["search.bm25_b", "3", "between 0 and 1"]),
        ("[search]\ntitle_weight = 0.3", ["search.title_weight", "is 0.3,", "steps of 0.25"]),
        ("[search]\nheadings_weight = -1", ["search.headings_weight", "-1", "between 0"]),
        ("[site]\nlanguage = \"xx\"", ["2", "language", "xx"]),
        ("[search]\ndense = \"hnws\"", ["2", "dense", "hnws"]),
        ("[chunks\n", ["1", "chunks", "configuration.md"]),
        ("[chunks]\nstrategy = \"fixd\"", ["unknown chunking strategy", "fixd", "fixed"]),
        ("[chunks.fixed]\ncharacters = 0", ["`fixed`", "`characters` is 0", "16 or more"]),
        ("[search]\ngranularity = \"sentence\"", ["granularity", "parts", "sentence"]),
        ("[quality.noise]\nsymbol = true", ["2", "symbol", "did you mean `symbols`"]),
        ("[propositions]\nwriter = \"model\"", ["propositions.writer", "chunks.parts", "hint"]),
        ("[propositions]\nwriter = \"me\"", ["2", "me", "rules"]),
        ("[documents]\nmax_inflated_mb = 0", ["max_inflated_mb", "0", "greater than 0"]),
        ("[search]\nphrasings = 9", ["search.phrasings", "9", "between 0 and 5"]),
        ("[search]\nphrasings = 2", ["search.phrasings", "[prose]", "smollm2-135m"]),
        ("[search]\nhypothetical = true", ["search.hypothetical", "[prose]", "model ="]),
        ("[prose]\nwords = 5", ["prose.words", "5", "between 20 and 4000"]),
        ("[prose]\norder = \"best\"", ["2", "best", "edges"]),
        ("[search]\nleast_sources = 6", ["search.least_sources", "6", "between 0 and 5"]),
        ("[search]\nfloor_cosine = 2", ["search.floor_cosine", "2", "between -1 and 1"]),
        ("[ranking]\nband_percent = 101", ["ranking.band_percent", "101", "0 and 100"]),
        ("[chunks]\nmax_tokens = 7", ["chunks.max_tokens", "7", "between 32 and 512"]),
        ("[encoder]\ndevice = \"tpu\"", ["2", "tpu", "expected one of `cpu`, `gpu`, `auto`"]),
    ];
    for (text, expected) in cases {
        let message = parsed(text).expect_err(text);
        for part in expected {
            assert!(message.contains(part), "{text:?}: {message} lacks {part:?}");
        }
    }
}

#[test]
fn examples_that_cannot_be_used_say_why() {
    let folder = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
    let path = folder.path().join("examples.jsonl");
    assert!(worked_examples(&path).is_err(), "there is no such file");
    let line = r#"{"question": "Q?", "passage": "P.", "answer": "A."}"#;
    let many = format!("{line}\n").repeat(41);
    let cases = [
        (format!("\u{feff}{line}\r\n\n{line}"), Ok(2)),
        (String::new(), Err("there is no example")),
        (format!("{line}\n{{}}"), Err("line 2: missing field `question`")),
        (line.replace("Q?", " "), Err("line 1: its `question` is empty")),
        (line.replace("answer", "reply"), Err("line 1: unknown field `reply`")),
        (many, Err("41 examples, and 40 are the most")),
    ];
    for (text, expected) in cases {
        assert!(std::fs::write(&path, &text).is_ok());
        let read = worked_examples(&path).map(|examples| examples.len());
        match expected {
            Ok(count) => assert_eq!(read, Ok(count), "{text}"),
            Err(reason) => {
                assert!(read.as_ref().is_err_and(|it| it.contains(reason)), "{read:?}")
            }
        }
    }
}

#[test]
fn a_template_that_cannot_be_used_says_why() {
    let folder = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
    let path = folder.path().join("prompt.txt");
    assert!(template(&path).is_err(), "there is no such file");
    let cases = [
        ("\u{feff}Answer.\r\n---\r\n{passages}\r\n{question}\r\n", None),
        ("Answer.\n---\n{passage}\n{question}\n", Some("line 3: there is no `{passage}`")),
        ("Answer {question}", Some("two or three parts")),
    ];
    for (text, reason) in cases {
        assert!(std::fs::write(&path, text).is_ok());
        let read = template(&path);
        match reason {
            None => assert_eq!(read, Ok("Answer.\n---\n{passages}\n{question}\n".to_owned())),
            Some(reason) => {
                assert!(read.as_ref().is_err_and(|it| it.contains(reason)), "{read:?}")
            }
        }
    }
}

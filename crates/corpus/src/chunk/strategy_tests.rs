//! Properties that hold for every strategy, and what each is named for.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::collection::vec;
use proptest::prelude::*;

use super::tests::{COUNTERS, Counter, any_block, document, prose};
use super::*;
use crate::{Document, indexed_text};

/// Texts are as similar as the share of their words that they have in common.
struct Shared;

impl SentenceSimilarity for Shared {
    fn similarities(
        &self,
        texts: &[&str],
        pairs: &[(usize, usize)],
    ) -> Result<Vec<f32>, Box<dyn std::error::Error + Send + Sync>> {
        let words = |text: &str| -> std::collections::BTreeSet<String> {
            text.split_whitespace().map(str::to_lowercase).collect()
        };
        let similarity = |(left, right): &(usize, usize)| {
            let (left, right) = (words(texts[*left]), words(texts[*right]));
            let both = left.intersection(&right).count() as f32;
            both / left.union(&right).count().max(1) as f32
        };
        Ok(pairs.iter().map(similarity).collect())
    }
}

struct Wrong(Vec<f32>);

impl SentenceSimilarity for Wrong {
    fn similarities(
        &self,
        texts: &[&str],
        _: &[(usize, usize)],
    ) -> Result<Vec<f32>, Box<dyn std::error::Error + Send + Sync>> {
        if texts.len() == 2 {
            return Err("the model is gone".into());
        }
        Ok(self.0.clone())
    }
}

fn texts(document: &Document, strategy: &ChunkStrategy) -> Vec<String> {
    let chunks = chunk_by(document, &Counter::WordPieces, strategy, Some(&Shared)).unwrap();
    chunks.iter().map(|chunk| chunk.span.slice(&document.text).unwrap().to_owned()).collect()
}

#[test]
fn names_options_and_serialised_forms_agree() {
    for name in ChunkStrategy::NAMES {
        let strategy: ChunkStrategy = name.parse().unwrap();
        assert_eq!(strategy.name(), name);
        strategy.check().unwrap();
        let json = serde_json::json!({ "strategy": name });
        assert_eq!(serde_json::from_value::<ChunkStrategy>(json).unwrap(), strategy);
        let written = serde_json::to_value(&strategy).unwrap();
        assert_eq!(serde_json::from_value::<ChunkStrategy>(written).unwrap(), strategy);
    }
    let message = "wordwise".parse::<ChunkStrategy>().unwrap_err().to_string();
    assert!(message.contains("unknown chunking strategy `wordwise`: use `structure`, `recursive`"));
    let stray = serde_json::json!({ "strategy": "fixed", "tokens": 3 });
    assert!(serde_json::from_value::<ChunkStrategy>(stray).is_err());
}

#[test]
fn options_that_make_no_sense_are_named() {
    let cases = [
        (
            ChunkStrategy::Fixed(FixedOptions { characters: 100, overlap: 90 }),
            "chunking by `fixed`: `overlap` is 90; give at most 50 (half of `characters`)",
        ),
        (
            ChunkStrategy::Recursive(RecursiveOptions { characters: 1, overlap: 0 }),
            "chunking by `recursive`: `characters` is 1; give 16 or more",
        ),
        (
            ChunkStrategy::Tokens(TokenOptions { min_tokens: 500, ..TokenOptions::default() }),
            "chunking by `tokens`: `min_tokens` is 500; give at most 400 (`max_tokens`)",
        ),
        (
            ChunkStrategy::Semantic(SemanticOptions { percentile: 101, ..Default::default() }),
            "chunking by `semantic`: `percentile` is 101; give at most 100 (all of them)",
        ),
        (
            ChunkStrategy::Structure(ChunkOptions { target_words: 0, ..Default::default() }),
            "chunking by `structure`: `target_words` is 0; give 1 or more",
        ),
    ];
    let document = document("T", &[("H", vec![prose(3, 5)])]);
    for (strategy, expected) in cases {
        let error = chunk_by(&document, &Counter::Words, &strategy, None).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn an_encoder_that_is_missing_or_wrong_is_an_error() {
    let strategy = ChunkStrategy::Semantic(SemanticOptions::default());
    let cut = |count, similarity: Option<&dyn SentenceSimilarity>| {
        let document = document("T", &[("", vec![prose(count, 5)])]);
        chunk_by(&document, &Counter::Words, &strategy, similarity).map_err(|e| e.to_string())
    };
    let wrong = |values: &[f32]| Wrong(values.to_vec());
    assert!(cut(3, None).unwrap_err().contains("no encoder was given"));
    assert!(cut(2, Some(&wrong(&[]))).unwrap_err().contains("could not be compared"));
    assert!(cut(3, Some(&wrong(&[0.1]))).unwrap_err().contains("expected 2 similarities"));
    let message = cut(3, Some(&wrong(&[0.1, f32::NAN]))).unwrap_err();
    assert!(message.contains("the similarity of sentences 1 and 2 is NaN"), "{message}");
    assert_eq!(cut(1, Some(&wrong(&[]))).unwrap().len(), 1, "nothing to compare");
}

#[test]
fn recursive_splitting_takes_the_coarsest_separator_that_does() {
    let options = RecursiveOptions { characters: 40, overlap: 20 };
    let strategy = ChunkStrategy::Recursive(options);
    let blocks =
        ["One short line.", "Two short lines.", "Here is a sentence. And one more of them."];
    let document = document("T", &[("Head", blocks.map(str::to_owned).to_vec())]);
    let expected = [
        "Head",
        "One short line.\nTwo short lines.",
        "Here is a sentence.",
        "Here is a sentence. And one more of them.",
    ];
    // 41 characters: the last line is cut, and the repeated sentence then leaves no room.
    let found = texts(&document, &strategy);
    assert_eq!(found[..3], expected[..3]);
    assert_eq!(found[3], "And one more of them.");
}

#[test]
fn token_windows_end_at_sentences_and_overlap() {
    let options = TokenOptions { min_tokens: 40, max_tokens: 60, overlap_tokens: 12 };
    let document = document("T", &[("H", vec![prose(30, 10)])]);
    let chunks =
        chunk_by(&document, &Counter::Words, &ChunkStrategy::Tokens(options), None).unwrap();
    assert!(chunks.len() > 4);
    for pair in chunks.windows(2) {
        let text = pair[0].span.slice(&document.text).unwrap();
        let words = text.split_whitespace().count();
        assert!((40..=60).contains(&words) && text.ends_with("end."), "{words}: {text}");
        let repeated = pair[0].span.end - pair[1].span.start;
        let repeated = Span::new(pair[1].span.start, pair[1].span.start + repeated);
        assert_eq!(repeated.slice(&document.text).unwrap().split_whitespace().count(), 12);
    }
}

const FEES: &str = "The fee is due in May and the fee is paid by card.";
const ROOMS: &str = "Our library has many quiet rooms for groups who study.";

#[test]
fn semantic_boundaries_lie_where_the_subject_changes() {
    let blocks = vec![[FEES; 6].join(" "), [ROOMS; 6].join(" ")];
    let document = document("T", &[("", blocks)]);
    for buffer_sentences in 0..3 {
        let options =
            SemanticOptions { percentile: 90, buffer_sentences, ..SemanticOptions::default() };
        let found = texts(&document, &ChunkStrategy::Semantic(options));
        assert_eq!(found, [[FEES; 6].join(" "), [ROOMS; 6].join(" ")], "{buffer_sentences}");
    }
}

#[test]
fn a_semantic_boundary_does_not_part_headings_from_what_they_head() {
    let sections =
        [("Money", vec![[FEES; 6].join(" ")]), ("What it costs", vec![[ROOMS; 6].join(" ")])];
    let document = document("T", &sections);
    // The gaps around both headings are alike.
    let options =
        SemanticOptions { percentile: 70, buffer_sentences: 0, ..SemanticOptions::default() };
    let found = texts(&document, &ChunkStrategy::Semantic(options));
    let expected = [
        format!("Money\n\n{}", [FEES; 6].join(" ")),
        format!("What it costs\n\n{}", [ROOMS; 6].join(" ")),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_chunk_that_is_too_long_is_not_cut_behind_a_heading() {
    let sections: Vec<_> =
        ["One", "Two", "Three", "Four"].map(|name| (name, vec![[FEES; 3].join(" ")])).into();
    let document = document("T", &sections);
    for max_words in 10..120 {
        let options =
            SemanticOptions { percentile: 100, min_words: 5, max_words, ..Default::default() };
        for text in texts(&document, &ChunkStrategy::Semantic(options)) {
            let last = text.split_whitespace().next_back();
            assert_eq!(last, Some("card."), "{max_words}: {text}");
        }
    }
}

#[test]
fn a_heading_belongs_to_the_section_that_it_heads() {
    let sections = [("First", vec![prose(2, 6)]), ("Second", vec![prose(2, 6)])];
    let document = document("T", &sections);
    let strategy = ChunkStrategy::Fixed(FixedOptions { characters: 16, overlap: 0 });
    let chunks = chunk_by(&document, &Counter::Words, &strategy, None).unwrap();
    for chunk in &chunks {
        let second = document.text.find("Second").unwrap() as u32;
        assert_eq!(chunk.section, u32::from(chunk.span.start >= second));
    }
}

/// Checks what must hold of the chunks of any document by any strategy.
fn check(document: &Document, counter: Counter, strategy: &ChunkStrategy) -> Result<(), String> {
    let chunks =
        chunk_by(document, &counter, strategy, Some(&Shared)).map_err(|e| e.to_string())?;
    let mut covered = vec![false; document.text.len()];
    let mut previous = Span::default();
    for (index, chunk) in chunks.iter().enumerate() {
        let text = chunk.span.slice(&document.text).ok_or("a span splits a character")?;
        let is_known = (chunk.section as usize) < document.sections.len();
        if chunk.index as usize != index || !is_known || chunk.span.start < previous.start {
            return Err(format!("misplaced: {chunk:?}"));
        }
        if text.trim() != text || text.is_empty() {
            return Err(format!("untrimmed or empty: {text:?}"));
        }
        let (tokens, limit) = match strategy {
            ChunkStrategy::Structure(ChunkOptions { max_tokens, .. })
            | ChunkStrategy::Semantic(SemanticOptions { max_tokens, .. }) => {
                (counter.count(indexed_text(document, chunk).as_str()), *max_tokens)
            }
            ChunkStrategy::Tokens(options) => (counter.count(text), options.max_tokens),
            ChunkStrategy::Fixed(options) => (text.chars().count(), options.characters),
            ChunkStrategy::Recursive(options) => (text.chars().count(), options.characters),
        };
        if tokens > limit {
            return Err(format!("{tokens} of {limit} in {text:?}"));
        }
        covered[chunk.span.range()].fill(true);
        previous = chunk.span;
    }
    for section in &document.sections {
        let body = section.span.slice(&document.text).unwrap_or_default();
        for (offset, character) in body.char_indices() {
            let place = section.span.start as usize + offset;
            if character.is_alphanumeric() && !covered[place] {
                return Err(format!("{character:?} at {place} lost of {body:?}"));
            }
        }
    }
    Ok(())
}

fn any_strategy() -> impl Strategy<Value = ChunkStrategy> {
    let fixed = (16_usize..600, 0_usize..50).prop_map(|(characters, share)| {
        ChunkStrategy::Fixed(FixedOptions { characters, overlap: characters * share / 100 })
    });
    let recursive = (16_usize..600, 0_usize..50).prop_map(|(characters, share)| {
        let overlap = characters * share / 100;
        ChunkStrategy::Recursive(RecursiveOptions { characters, overlap })
    });
    let tokens =
        (32_usize..400, 0_usize..100, 0_usize..50).prop_map(|(max_tokens, least, share)| {
            ChunkStrategy::Tokens(TokenOptions {
                min_tokens: max_tokens * least / 100,
                max_tokens,
                overlap_tokens: max_tokens * share / 100,
            })
        });
    let semantic = (0_u8..=100, 0_usize..3, 0_usize..50, 170_usize..400).prop_map(
        |(percentile, buffer_sentences, min_words, max_tokens)| {
            ChunkStrategy::Semantic(SemanticOptions {
                percentile,
                buffer_sentences,
                min_words,
                max_words: 100,
                max_tokens,
            })
        },
    );
    let structure = (170_usize..400, 1_usize..200, 0_usize..3).prop_map(
        |(max_tokens, target_words, overlap_sentences)| {
            ChunkStrategy::Structure(ChunkOptions { max_tokens, target_words, overlap_sentences })
        },
    );
    prop_oneof![fixed, recursive, tokens, semantic, structure]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn chunks_of_any_strategy_are_exact_and_complete(
        title in "\\PC{0,60}",
        sections in vec(("\\PC{0,30}", vec(any_block(), 0..12)), 0..4),
        counter in prop::sample::select(&COUNTERS[..]),
        strategy in any_strategy(),
    ) {
        let sections: Vec<_> = sections
            .iter()
            .map(|(heading, blocks)| (heading.as_str(), blocks.clone()))
            .collect();
        let document = document(&title, &sections);
        prop_assert_eq!(check(&document, counter, &strategy), Ok(()));
    }
}

#![expect(clippy::panic, reason = "a failed case is named")]

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{ChunkOptions, TokenCounter, chunk};
use crate::{Block, BlockKind, Document, Section, Span, indexed_text};

/// Ways to count tokens, from one a word to one a byte.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counter {
    Words,
    WordPieces,
    Characters,
    Bytes,
}

impl TokenCounter for Counter {
    fn count(&self, text: &str) -> usize {
        let words = text.split_whitespace();
        match self {
            Self::Words => words.count(),
            Self::WordPieces => words.map(|word| word.len().div_ceil(4)).sum::<usize>() + 2,
            Self::Characters => text.chars().count() + 2,
            Self::Bytes => text.len(),
        }
    }
}

pub(super) const COUNTERS: [Counter; 4] =
    [Counter::Words, Counter::WordPieces, Counter::Characters, Counter::Bytes];

/// A document of sections with a heading and blocks each.
pub(super) fn document(title: &str, sections: &[(&str, Vec<String>)]) -> Document {
    let mut document = Document { title: title.to_owned(), ..Document::default() };
    for (heading, blocks) in sections {
        document.text.push_str(heading);
        document.text.push_str("\n\n");
        let start = document.text.len();
        let mut found = Vec::new();
        for (index, block) in blocks.iter().enumerate() {
            if index > 0 {
                document.text.push('\n');
            }
            let begin = document.text.len();
            document.text.push_str(block);
            found.push(Block {
                kind: BlockKind::Paragraph,
                span: Span::from_range(begin..document.text.len()),
            });
        }
        document.sections.push(Section {
            heading: (*heading).to_owned(),
            level: 1,
            path: vec![(*heading).to_owned()],
            is_question: false,
            anchor: None,
            span: Span::from_range(start..document.text.len()),
            blocks: found,
        });
        document.text.push_str("\n\n");
    }
    document
}

fn texts(document: &Document, options: &ChunkOptions) -> Vec<String> {
    chunk(document, &Counter::WordPieces, options)
        .iter()
        .filter_map(|chunk| chunk.span.slice(&document.text))
        .map(str::to_owned)
        .collect()
}

/// `count` sentences of `words` words each.
pub(super) fn prose(count: usize, words: usize) -> String {
    let sentence = |number| format!("Sentence{number} {}end.", "word ".repeat(words - 2));
    (0..count).map(sentence).collect::<Vec<_>>().join(" ")
}

fn words_in(texts: &[String]) -> Vec<usize> {
    texts.iter().map(|text| text.split_whitespace().count()).collect()
}

#[test]
fn blocks_are_gathered_up_to_the_target_and_kept_whole() {
    let items: Vec<_> = (0..20).map(|_| prose(1, 30)).collect();
    let document = document("T", &[("H", items.clone())]);
    let found = texts(&document, &ChunkOptions::default());
    assert_eq!(words_in(&found), [150, 150, 150, 150]);
    for text in &found {
        assert!(text.lines().all(|line| items.iter().any(|item| item == line)));
    }
}

#[test]
fn a_long_block_is_cut_between_sentences() {
    let document = document("T", &[("H", vec![prose(30, 20)])]);
    let found = texts(&document, &ChunkOptions::default());
    assert_eq!(words_in(&found), [160, 160, 160, 120]);
    assert!(found.iter().all(|text| text.starts_with("Sentence") && text.ends_with("end.")));
}

#[test]
fn a_short_rest_joins_the_chunk_before_it_or_is_evened_out() {
    let joined = document("T", &[("H", vec![prose(8, 20), prose(1, 12)])]);
    assert_eq!(words_in(&texts(&joined, &ChunkOptions::default())), [172]);

    let tight = ChunkOptions { max_tokens: 185, ..ChunkOptions::default() };
    let evened = document("T", &[("H", vec![prose(8, 20), prose(1, 12)])]);
    assert_eq!(words_in(&texts(&evened, &tight)), [80, 92]);
}

#[test]
fn a_few_words_before_a_long_block_take_sentences_of_it() {
    let document = document("T", &[("H", vec![prose(1, 10), prose(8, 20), prose(8, 20)])]);
    let tight = ChunkOptions { max_tokens: 190, ..ChunkOptions::default() };
    let found = words_in(&texts(&document, &tight));
    assert!(found.iter().all(|words| *words >= 40), "{found:?}");
}

#[test]
fn a_line_that_introduces_stands_beside_what_it_introduces() {
    let blocks = vec![prose(7, 20), "You must bring:".to_owned(), prose(3, 20), prose(3, 20)];
    let document = document("T", &[("H", blocks)]);
    let found = texts(&document, &ChunkOptions::default());
    assert!(found[1].starts_with("You must bring:\nSentence0"), "{found:?}");
}

#[test]
fn monsters_are_cut_and_nothing_is_lost() {
    let monsters = [
        ("a sentence without end", "word ".repeat(5_000)),
        ("a word without end", "x".repeat(10_000)),
        ("wide characters", "語".repeat(5_000)),
        ("words and a monster", format!("Small words. {} Then more.", "ä".repeat(3_000))),
    ];
    for (name, text) in monsters {
        let text = text.trim().to_owned();
        let document = document("T", &[("H", vec!["Before.".into(), text, "After.".into()])]);
        for counter in COUNTERS {
            check(&document, counter, &ChunkOptions::default())
                .unwrap_or_else(|error| panic!("{name}, {counter:?}: {error}"));
        }
    }
}

#[test]
fn chunks_overlap_by_whole_sentences_where_asked() {
    let document = document("T", &[("H", vec![prose(30, 20)]), ("I", vec![prose(9, 20)])]);
    let options =
        ChunkOptions { overlap_sentences: 1, target_words: 100, ..ChunkOptions::default() };
    let found = texts(&document, &options);
    assert!(found[1].starts_with("Sentence4") && found[0].contains("Sentence4"));
    let first_of_second = found.iter().filter(|text| text.starts_with("Sentence0")).count();
    assert_eq!(first_of_second, 2, "no overlap across sections");
}

#[test]
fn a_document_without_headings_or_blocks_is_chunked_too() {
    let text = prose(20, 20);
    let document = Document {
        sections: vec![Section { span: Span::from_range(0..text.len()), ..Section::default() }],
        text,
        ..Document::default()
    };
    assert_eq!(chunk(&document, &Counter::WordPieces, &ChunkOptions::default()).len(), 3);
    assert!(chunk(&Document::default(), &Counter::Words, &ChunkOptions::default()).is_empty());
}

#[test]
fn a_limit_below_the_context_loses_nothing() {
    let document = document("A title of five words", &[("H", vec![prose(20, 20)])]);
    let options = ChunkOptions { max_tokens: 3, ..ChunkOptions::default() };
    assert_eq!(words_in(&texts(&document, &options)), [160, 160, 80]);
}

/// The counter's work must grow with the text, not with its square.
#[test]
fn each_byte_is_counted_a_few_times_at_most() {
    struct Metered(Cell<usize>);
    impl TokenCounter for Metered {
        fn count(&self, text: &str) -> usize {
            self.0.set(self.0.get() + text.len());
            Counter::WordPieces.count(text)
        }
    }
    let shapes = [
        ("paragraphs", vec![prose(4, 25); 15_000]),
        ("one paragraph", vec![prose(50_000, 20)]),
        ("one sentence", vec![prose(1, 2_000_000)]),
        ("one word", vec!["x".repeat(10_000_000)]),
        ("tiny items", vec!["an item".to_owned(); 1_000_000]),
    ];
    for (name, blocks) in shapes {
        let document = document("T", &[("H", blocks)]);
        let counter = Metered(Cell::new(0));
        let chunks = chunk(&document, &counter, &ChunkOptions::default());
        let times = counter.0.get() / document.text.len();
        assert!(times <= 16, "{name}: each byte counted {times} times, {} chunks", chunks.len());
    }
}

/// Checks what must hold of the chunks of any document, without overlap.
fn check(document: &Document, counter: Counter, options: &ChunkOptions) -> Result<(), String> {
    let chunks = chunk(document, &counter, options);
    let mut ends = vec![0; document.sections.len()];
    let mut bodies = vec![String::new(); document.sections.len()];
    for (index, chunk) in chunks.iter().enumerate() {
        let number = chunk.section as usize;
        let section = &document.sections[number];
        let text = chunk.span.slice(&document.text).ok_or("a span splits a character")?;
        if chunk.index as usize != index || !section.span.contains(chunk.span) {
            return Err(format!("misplaced: {chunk:?} in {:?}", section.span));
        }
        if chunk.span.start < ends[number] || text.trim() != text || text.is_empty() {
            return Err(format!("overlapping or untrimmed: {chunk:?}"));
        }
        let tokens = counter.count(indexed_text(document, chunk).as_str());
        if tokens > options.max_tokens {
            return Err(format!("{tokens} tokens in {text:?}"));
        }
        ends[number] = chunk.span.end;
        bodies[number].push_str(text);
    }
    for (section, covered) in document.sections.iter().zip(&bodies) {
        let solid = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let body = section.span.slice(&document.text).unwrap_or_default();
        if solid(body) != solid(covered) {
            return Err(format!("words of {body:?} lost"));
        }
    }
    Ok(())
}

pub(super) fn any_block() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => "[a-z]{1,12}[.,:!?]?",
        1 => "\\PC{1,8}",
        1 => "[A-Z][a-zé]{1,8}\\.",
        1 => "[a-z語]{100,400}",
    ];
    vec(word, 1..80).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn chunks_are_exact_complete_and_within_limits(
        title in "\\PC{0,60}",
        sections in vec(("\\PC{0,30}", vec(any_block(), 0..12)), 0..4),
        counter in prop::sample::select(&COUNTERS[..]),
        max_tokens in 170_usize..400,
        target_words in 1_usize..200,
    ) {
        let sections: Vec<_> = sections
            .iter()
            .map(|(heading, blocks)| (heading.as_str(), blocks.clone()))
            .collect();
        let document = document(&title, &sections);
        let options = ChunkOptions { max_tokens, target_words, overlap_sentences: 0 };
        prop_assert_eq!(check(&document, counter, &options), Ok(()));
    }

    #[test]
    fn overlapping_chunks_keep_within_limits(
        blocks in vec(any_block(), 1..12),
        overlap_sentences in 1_usize..4,
    ) {
        let document = document("T", &[("H", blocks)]);
        let options = ChunkOptions { overlap_sentences, ..ChunkOptions::default() };
        for chunk in chunk(&document, &Counter::WordPieces, &options) {
            prop_assert!(document.sections[0].span.contains(chunk.span));
            let text = indexed_text(&document, &chunk).text;
            prop_assert!(Counter::WordPieces.count(&text) <= options.max_tokens);
        }
    }
}

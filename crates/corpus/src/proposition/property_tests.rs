//! Properties that hold for the propositions of any document.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use campanile_text::Language::{self, English, German};
use proptest::prelude::*;

use super::tests::of;
use super::{Proposer, PropositionWriter, Rule, SentenceInContext, WriterError, propositions};
use crate::samples::{Words, any_document};
use crate::{ChunkStrategy, FixedOptions, chunk_by};

/// Digits, and words with a sign that only addresses have, compared as they stand.
fn signs(text: &str) -> BTreeSet<String> {
    text.split_whitespace()
        .filter(|word| {
            word.contains(char::is_numeric) || word.contains('@') || word.contains("://")
        })
        .flat_map(|word| word.split(|c: char| !c.is_alphanumeric() && !"@.:/-%?=_".contains(c)))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned())
        .filter(|word| {
            word.contains(char::is_numeric) || word.contains('@') || word.contains("://")
        })
        .collect()
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Puts words of the document in any order.
struct Babbler<'a>(&'a [(usize, usize)]);

impl PropositionWriter for Babbler<'_> {
    fn write(&self, asked: &SentenceInContext<'_>) -> Result<Vec<String>, WriterError> {
        let mut words: Vec<&str> = asked.sentence.split_whitespace().collect();
        words.extend(asked.context.split_whitespace().take(3));
        for (one, other) in self.0 {
            let length = words.len();
            words.swap(one % length, other % length);
        }
        words.truncate(self.0.first().map_or(words.len(), |(one, _)| *one));
        Ok(words.chunks(9).map(|words| words.join(" ")).collect())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn whatever_a_model_writes_facts_are_kept(
        document in any_document(),
        swaps in proptest::collection::vec((0_usize..40, 0_usize..40), 0..4),
    ) {
        for chunk in chunk_by(&document, &Words, &ChunkStrategy::default(), None).unwrap() {
            let written = Proposer::new(English).written(&document, &chunk, &Babbler(&swaps)).unwrap();
            let mut end = 0;
            for found in &written.propositions {
                prop_assert!(chunk.span.contains(found.source) && found.parent == chunk.index);
                prop_assert!(found.source.start >= end, "in the order of the text");
                end = found.source.start;
            }
            let said: BTreeSet<String> =
                written.propositions.iter().flat_map(|found| signs(&found.text)).collect();
            for by_rules in propositions(&document, &chunk, English) {
                let source = by_rules.source.slice(&document.text).unwrap();
                prop_assert!(signs(source).is_subset(&said), "{source:?} {written:?}");
            }
        }
    }

    #[test]
    fn no_fact_is_lost_or_added(
        document in any_document(),
        language in prop::sample::select(&[English, German, Language::None][..]),
        fixed in any::<bool>(),
    ) {
        let strategy = if fixed {
            ChunkStrategy::Fixed(FixedOptions { characters: 60, overlap: 10 })
        } else {
            ChunkStrategy::default()
        };
        for chunk in chunk_by(&document, &Words, &strategy, None).unwrap() {
            for found in propositions(&document, &chunk, language) {
                prop_assert!(chunk.span.contains(found.source) && found.parent == chunk.index);
                let source = found.source.slice(&document.text).unwrap();
                let stem = found.stem.map(|stem| stem.slice(&document.text).unwrap());
                let section = &document.sections[found.section as usize];
                let mut known = signs(source);
                prop_assert!(known.is_subset(&signs(&found.text)), "{source:?} {found:?}");
                let surroundings = [stem.unwrap_or_default(), &document.title];
                known.extend(surroundings.into_iter().flat_map(signs));
                known.extend(section.path.iter().flat_map(|heading| signs(heading)));
                prop_assert!(signs(&found.text).is_subset(&known), "{known:?} {found:?}");
                if !found.rules.contains(&Rule::Reference) {
                    prop_assert!(words(source).is_subset(&words(&found.text)), "{found:?}");
                }
            }
        }
    }

    #[test]
    fn every_word_is_in_some_proposition(document in any_document()) {
        let found = of(English, &document);
        let mut covered = vec![false; document.text.len()];
        for proposition in &found {
            covered[proposition.source.range()].fill(true);
            if let Some(stem) = proposition.stem {
                covered[stem.range()].fill(true);
            }
        }
        for section in &document.sections {
            for block in &section.blocks {
                let text = block.span.slice(&document.text).unwrap();
                let lost: String = text
                    .char_indices()
                    .filter(|(at, c)| c.is_alphanumeric() && !covered[block.span.start as usize + at])
                    .map(|(_, c)| c)
                    .collect();
                // Marks and the words that join: "a)", "and", "which". Or it was said before.
                let is_repeated = found.iter().any(|p| words(text).is_subset(&words(&p.text)));
                prop_assert!(lost.len() <= text.len() / 2 || is_repeated, "{lost:?} of {text:?}");
            }
        }
    }
}

//! Properties that the answer metrics have, whatever the texts are.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/word_vectors.rs"]
mod word_vectors;

use campanile_eval::answers::{
    FaithfulnessOptions, InverseDocumentFrequency, Perplexity, Stemming, TokenVector, TokenWeights,
    agreement, answer_completeness, bert_score, citations, claim_supported_faithfulness,
    context_utilisation, corpus_bleu, cosine, exact_match, faithfulness, meteor, normalise, rouge,
    sentence_bleu, sentence_similarity, token_overlap, word_scores,
};
use campanile_text::{Language, fold, is_stop_word};
use proptest::prelude::*;
use word_vectors::WordVectors;

/// Words from few letters, so that texts have some in common; and any text at all.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "([a-c]{1,3}[ .,;]{1,2}){0,8}",
        "((the|a|Peru|May|12|3\\.5|CS101|Öl|\\[1\\]|and|3 May 2024)[ .;-]){0,8}",
        any::<String>(),
    ]
}

fn pieces() -> impl Strategy<Value = Vec<TokenVector>> {
    let piece = (0_u32..5, prop::collection::vec(-1.0_f32..1.0, 3));
    prop::collection::vec(piece.prop_map(|(token, vector)| TokenVector { token, vector }), 0..6)
}

const SLACK: f64 = 1e-9;

fn is_share(value: f64) -> bool {
    (-SLACK..=1.0 + SLACK).contains(&value)
}

proptest! {
    #[test]
    fn word_metrics_are_shares(answer in text(), golds in prop::collection::vec(text(), 0..4)) {
        for (name, score) in word_scores(&answer, &golds) {
            prop_assert!(is_share(score), "{name}: {score}");
        }
        let all = golds.iter().map(|_| (answer.as_str(), &golds[..]));
        prop_assert!(is_share(corpus_bleu(all)));
    }

    #[test]
    fn a_text_is_whole_beside_itself(text in text()) {
        prop_assert!(exact_match(&text, &[&text]));
        prop_assert!((token_overlap(&text, &[&text]).f1 - 1.0).abs() < SLACK);
        let bleu = sentence_bleu(&text, &[&text]);
        prop_assert!(bleu.abs() < SLACK || (bleu - 1.0).abs() < SLACK, "{bleu}");
        let rouge = rouge(&text, &[&text], Stemming::Porter);
        let f1 = rouge.rouge_1.f1;
        prop_assert!(f1.abs() < SLACK || (f1 - 1.0).abs() < SLACK);
        prop_assert_eq!(rouge.rouge_l, rouge.rouge_1);
        // METEOR never gives the whole: one chunk costs something.
        let meteor = meteor(&text, &[&text]);
        prop_assert!(meteor.abs() < SLACK || (0.5 - SLACK..1.0).contains(&meteor), "{meteor}");
    }

    #[test]
    fn precision_one_way_is_recall_the_other(a in text(), b in text()) {
        let (there, back) = (token_overlap(&a, &[&b]), token_overlap(&b, &[&a]));
        prop_assert!((there.f1 - back.f1).abs() < SLACK);
        prop_assert!((there.precision - back.recall).abs() < SLACK);
        let stemming = Stemming::Porter;
        let (there, back) = (rouge(&a, &[&b], stemming), rouge(&b, &[&a], stemming));
        for (there, back) in [
            (there.rouge_1, back.rouge_1),
            (there.rouge_2, back.rouge_2),
            (there.rouge_l, back.rouge_l),
        ] {
            prop_assert!((there.f1 - back.f1).abs() < SLACK);
            prop_assert!((there.precision - back.recall).abs() < SLACK);
        }
    }

    #[test]
    fn another_gold_answer_never_costs(
        answer in text(),
        golds in prop::collection::vec(text(), 1..4),
    ) {
        let (first, all) = (&golds[..1], &golds[..]);
        // Gold answers without words are passed over where there are others.
        if !normalise(&golds[0]).is_empty() {
            prop_assert!(token_overlap(&answer, first).f1 <= token_overlap(&answer, all).f1 + SLACK);
            prop_assert!(!exact_match(&answer, first) || exact_match(&answer, all));
        }
        prop_assert!(meteor(&answer, first) <= meteor(&answer, all) + SLACK);
        let longest = |golds| rouge(&answer, golds, Stemming::Off).rouge_l.f1;
        prop_assert!(longest(first) <= longest(all) + SLACK);
    }

    #[test]
    fn bert_score_is_bounded_and_turns_with_its_texts(a in pieces(), b in pieces()) {
        let frequencies = InverseDocumentFrequency::new([&a[..], &b[..]]);
        for weights in [TokenWeights::Equal, TokenWeights::Rare(&frequencies)] {
            let (there, back) = (bert_score(&a, &b, weights), bert_score(&b, &a, weights));
            prop_assert!((there.precision - back.recall).abs() < SLACK);
            prop_assert!(there.precision.abs() <= 1.0 + SLACK && there.recall.abs() <= 1.0 + SLACK);
            let same = bert_score(&a, &a, weights);
            let has_length = |piece: &TokenVector| piece.vector.iter().any(|value| *value != 0.0);
            if !a.is_empty() && a.iter().all(has_length) {
                prop_assert!((same.f1 - 1.0).abs() < 1e-6, "{same:?}");
            }
        }
    }

    #[test]
    fn cosines_are_symmetric(
        a in prop::collection::vec(-9.0_f32..9.0, 4),
        b in prop::collection::vec(-9.0_f32..9.0, 4),
    ) {
        let found = cosine(&a, &b);
        prop_assert!((-1.0..=1.0).contains(&found));
        prop_assert!((found - cosine(&b, &a)).abs() < SLACK);
    }

    #[test]
    fn perplexity_is_at_least_one(logs in prop::collection::vec(-20.0_f64..=0.0, 1..20)) {
        let found = Perplexity::new(&logs).unwrap();
        prop_assert!(found.perplexity() >= 1.0 && found.mean_negative_log_likelihood >= 0.0);
    }

    #[test]
    fn support_is_a_share_and_a_quotation_has_it_all(
        answer in text(),
        passages in prop::collection::vec(text(), 0..4),
    ) {
        let options = FaithfulnessOptions::default();
        let ours = faithfulness(&answer, &passages, &WordVectors, &options).unwrap();
        prop_assert!(ours.score().is_none_or(is_share));
        let theirs = claim_supported_faithfulness(&answer, &passages, &WordVectors).unwrap();
        prop_assert!(is_share(theirs.score()) && theirs.supported <= theirs.claims);
        let own = faithfulness(&answer, &[&answer], &WordVectors, &options).unwrap();
        for claim in own.claims {
            // A claim of stop words alone is not looked for; one without letters has no words.
            let mut words = claim.text.split(|letter: char| !letter.is_alphanumeric());
            let is_telling = |word: &str| !is_stop_word(Language::English, &fold(word));
            let says_something = words.any(|word| !word.is_empty() && is_telling(word));
            let is_plain = claim.text.is_ascii() && !answer.contains('[');
            let expected = says_something && is_plain;
            prop_assert!(!expected || claim.support.is_supported(), "{claim:?}");
        }
    }

    #[test]
    fn the_hybrid_systems_scores_keep_their_bounds(
        question in text(),
        answer in text(),
        passages in prop::collection::vec(text(), 0..4),
    ) {
        let utilisation = context_utilisation(&answer, &passages, &WordVectors).unwrap();
        prop_assert!((-0.5..=1.0).contains(&utilisation));
        let completeness = answer_completeness(&question, &answer, &WordVectors).unwrap();
        prop_assert!((-0.3..=1.0 + SLACK).contains(&completeness));
        let similarity = sentence_similarity(&answer, &passages, &WordVectors).unwrap();
        prop_assert_eq!(similarity.is_none(), passages.is_empty());
    }

    #[test]
    fn a_gold_answer_agrees_with_itself(gold in text()) {
        for language in [Language::English, Language::German, Language::None] {
            let found = agreement(&gold, &[&gold], false, language);
            prop_assert_eq!(found.is_some(), !normalise(&gold).is_empty());
        }
    }

    #[test]
    fn citations_are_shares(
        cited in prop::collection::vec(0_usize..8, 0..6),
        grades in prop::collection::vec(0_u32..3, 0..6),
    ) {
        let found = citations(&cited, &grades);
        prop_assert!(found.precision.is_none_or(is_share) && found.recall.is_none_or(is_share));
        let all: Vec<usize> = (0..grades.len()).collect();
        prop_assert!(citations(&all, &grades).recall.is_none_or(|recall| (recall - 1.0).abs() < SLACK));
    }
}

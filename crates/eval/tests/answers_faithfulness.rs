//! Cases where the hybrid system's faithfulness misleads and ours does not, and where ours does.
//!
//! The encoder is a stand-in that knows nothing but words. What it shows is not special to it: a
//! few words are never like a long passage, whatever the encoder.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/word_vectors.rs"]
mod word_vectors;

use campanile_eval::answers::{
    Faithfulness, FaithfulnessOptions, Support, TokenWeights, bert_score_of,
    claim_supported_faithfulness, faithfulness, sentence_similarity,
};
use campanile_text::Language;
use word_vectors::WordVectors;

/// About two hundred words, as a passage of a handbook has them.
const PASSAGE: &str = "The old observatory stands on the hill behind the botanical garden. \
    It was built from 1887 to 1889 with money that a merchant had left to the university. \
    The merchant, Clara Weiss, wanted students of every faculty to see the stars once in their lives. \
    Its tower is 29.5 m high, and the dome turns on iron wheels that still run on their first rails. \
    Guided tours begin at 20:15 on the first Friday of every month and take about an hour. \
    Places are few, so students register at the desk of the physics department by the \
    Wednesday before. \
    The library of the observatory holds the journals of its first directors; it opens at 8:00. \
    The reading room beside it opens at 10:00 and closes when the last reader leaves. \
    In winter the dome is closed, since snow on the wheels has damaged them more than once. \
    Whoever wants to use the small telescope needs a card, which the department gives out after a \
    short course of three evenings. The course costs 12 euros and is held by doctoral students.";

fn ours(answer: &str) -> Faithfulness {
    faithfulness(answer, &[PASSAGE], &WordVectors, &FaithfulnessOptions::default()).unwrap()
}

fn theirs(answer: &str) -> f64 {
    claim_supported_faithfulness(answer, &[PASSAGE], &WordVectors).unwrap().score()
}

#[track_caller]
fn is(score: Option<f64>, expected: f64) {
    assert!(score.is_some_and(|score| (score - expected).abs() < 1e-12), "{score:?}");
}

#[test]
fn short_right_answers_are_faithful() {
    for answer in
        ["1887 to 1889", "Clara Weiss", "29.5 m", "12 euros", "at 20:15", "by the Wednesday"]
    {
        assert!(theirs(answer).abs() < 1e-12, "{answer}");
        is(ours(answer).score(), 1.0);
        assert_eq!(ours(answer).claims[0].support, Support::Verbatim, "{answer}");
    }
}

#[test]
fn a_number_or_a_name_that_is_not_there_is_found_out() {
    let cases: [(&str, &[&str]); 5] = [
        ("1887 to 1898", &["1898"]),
        ("Clara Schwarz", &["Clara", "Schwarz"]),
        ("30 m", &["30"]),
        ("The course costs 15 euros and is held by doctoral students.", &["15"]),
        ("Guided tours begin on May 3", &["May 3"]),
    ];
    for (answer, missing) in cases {
        let found = ours(answer);
        is(found.score(), 0.0);
        let facts = match &found.claims[0].support {
            Support::FactsMissing { facts } => facts.as_slice(),
            _ => &[],
        };
        assert!(!facts.is_empty(), "{answer}: {found:?}");
        assert!(facts.iter().all(|fact| missing.contains(&fact.as_str())), "{answer}: {facts:?}");
    }
}

#[test]
fn a_number_of_another_sentence_does_not_help() {
    // The passage has both numbers, so theirs would be content with either once the texts are
    // similar; the sentence on the library has one.
    let passage = "The library opens at 8:00. The desk opens at 10:00 for guests who come early.";
    let wrong = "The library opens at 10:00.";
    let whole = claim_supported_faithfulness(wrong, &[passage], &WordVectors).unwrap();
    assert!((whole.score() - 1.0).abs() < 1e-12);
    let found =
        faithfulness(wrong, &[passage], &WordVectors, &FaithfulnessOptions::default()).unwrap();
    assert_eq!(found.claims[0].support, Support::FactsMissing { facts: vec!["10:00".to_owned()] });
}

#[test]
fn claims_in_other_words_are_supported_by_a_window() {
    let answer = "The observatory stands behind the garden on the hill [1]. \
        Tours take an hour; dogs are welcome.";
    let found = ours(answer);
    let supported: Vec<bool> =
        found.claims.iter().map(|claim| claim.support.is_supported()).collect();
    assert_eq!(supported, [true, false, false], "{found:?}");
    is(found.score(), 1.0 / 3.0);
}

#[test]
fn german_nouns_are_no_names() {
    let passage = "Die Bibliotheken der Universität öffnen um 8.30 Uhr.";
    let german = FaithfulnessOptions { language: Language::German, ..Default::default() };
    let answer = "Die Bibliothek der Universität öffnet um 8.30 Uhr.";
    let found = faithfulness(answer, &[passage], &WordVectors, &german).unwrap();
    assert!(matches!(found.claims[0].support, Support::Similar { .. }), "{found:?}");
}

#[test]
fn nothing_claimed_and_nothing_shown() {
    assert_eq!(ours("").score(), None);
    assert_eq!(ours("[1] …").score(), None);
    let options = FaithfulnessOptions::default();
    let without = faithfulness("It is old.", &[""; 0], &WordVectors, &options).unwrap();
    assert_eq!(without.claims[0].support, Support::Unlike { cosine: 0.0 });
    // Stop words alone stand in every text and support nothing.
    is(ours("It is.").score(), 0.0);
}

#[test]
fn what_ours_does_not_see() {
    let options = FaithfulnessOptions::default();
    let support = |answer: &str, passage: &str| {
        let found = faithfulness(answer, &[passage], &WordVectors, &options).unwrap();
        found.claims[0].support.clone()
    };
    // What stands around a quotation.
    let passage = "It is not true that the fee is refundable.";
    assert_eq!(support("The fee is refundable.", passage), Support::Verbatim);
    // Negation.
    let passage = "The fee for the course is not refundable.";
    assert!(support("The fee is refundable for the course.", passage).is_supported());
    // A number that a neighbouring sentence has, where both together are nearer than either.
    let passage = "The library opens at 8:00. The desk opens at 10:00.";
    assert!(support("The library opens at 10:00.", passage).is_supported());
}

#[test]
fn similarity_to_the_nearest_gold_answer() {
    let golds = ["the dome is closed", "closed"];
    let found = sentence_similarity("closed", &golds, &WordVectors).unwrap().unwrap();
    assert!((found - 1.0).abs() < 1e-12);
    let found = bert_score_of("closed dome", &golds, &WordVectors, TokenWeights::Equal).unwrap();
    assert!((found.precision - 1.0).abs() < 1e-12 && (found.recall - 0.5).abs() < 1e-12);
    let none = bert_score_of("closed", &[""; 0], &WordVectors, TokenWeights::Equal).unwrap();
    assert!(none.f1.abs() < 1e-12);
}

/// A question set of others: answers of a few words that stand in their passage, and passages beside
/// it that lack them.
#[test]
fn answers_of_a_published_set() {
    let Some(file) = campanile_test_data::shared("squad_dev/dev-v1.1.rebuilt.json") else { return };
    let bytes = std::fs::read(file).unwrap();
    let set: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let options = FaithfulnessOptions::default();
    let (mut answers, mut our_sum, mut their_sum, mut others, mut other_sum) =
        (0, 0.0, 0.0, 0, 0.0);
    for article in set["data"].as_array().unwrap() {
        let paragraphs = article["paragraphs"].as_array().unwrap();
        let passages: Vec<&str> =
            paragraphs.iter().map(|one| one["context"].as_str().unwrap()).collect();
        for (paragraph, pair) in paragraphs.iter().zip(passages.windows(2)).step_by(4) {
            let answer = paragraph["qas"][0]["answers"][0]["text"].as_str().unwrap();
            let score = |passage: &str| {
                let found = faithfulness(answer, &[passage], &WordVectors, &options).unwrap();
                found.score().unwrap()
            };
            answers += 1;
            our_sum += score(pair[0]);
            their_sum +=
                claim_supported_faithfulness(answer, &pair[..1], &WordVectors).unwrap().score();
            if !pair[1].contains(answer) {
                others += 1;
                other_sum += score(pair[1]);
            }
        }
    }
    let (ours, theirs) = (our_sum / f64::from(answers), their_sum / f64::from(answers));
    let beside = other_sum / f64::from(others);
    println!("{answers} answers: ours {ours:.3}, theirs {theirs:.3}; {others} beside: {beside:.3}");
    assert!(answers > 400 && others > 400);
    assert!(ours > 0.99 && theirs < 0.02 && beside < 0.03);
}

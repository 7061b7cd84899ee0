//! The answer metrics against other implementations: `scripts/make_answers.py` says which.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::convert::Infallible;

use campanile_eval::answers::{
    Embed, InverseDocumentFrequency, Overlap, Perplexity, Rouge, Stemming, TokenVector,
    TokenWeights, answer_completeness, bert_score, claim_supported_faithfulness,
    context_utilisation, corpus_bleu, exact_match, meteor, normalise, rouge, sentence_bleu,
    token_overlap, word_scores,
};
use serde::Deserialize;

const FIXTURE: &str = include_str!("fixtures/answers.json");
/// The largest difference to a reference.
const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Fixture {
    pairs: Vec<Pair>,
    corpora: Vec<Corpus>,
    bert_scores: Vec<BertScore>,
    perplexities: Vec<KnownPerplexity>,
    hybrid: Vec<Hybrid>,
}

#[derive(Deserialize)]
struct Pair {
    answer: String,
    golds: Vec<String>,
    normalised: String,
    squad: Squad,
    bleu: Option<f64>,
    rouge: Option<KnownRouge>,
    rouge_stemmed: Option<KnownRouge>,
    meteor: Option<f64>,
}

#[derive(Deserialize)]
struct Squad {
    exact: u8,
    f1: f64,
    precision: f64,
    recall: f64,
}

/// Precision, recall, F1.
#[derive(Deserialize)]
struct KnownRouge {
    rouge1: [f64; 3],
    rouge2: [f64; 3],
    #[serde(rename = "rougeL")]
    rouge_l: [f64; 3],
}

#[derive(Deserialize)]
struct Corpus {
    pairs: Vec<usize>,
    bleu: f64,
}

#[derive(Deserialize)]
struct BertScore {
    answer: Vec<(u32, Vec<f32>)>,
    gold: Vec<(u32, Vec<f32>)>,
    corpus: Vec<Vec<u32>>,
    plain: [f64; 3],
    rare: Option<[f64; 3]>,
}

#[derive(Deserialize)]
struct KnownPerplexity {
    log_probabilities: Vec<f64>,
    mean: f64,
    perplexity: f64,
}

#[derive(Deserialize)]
struct Hybrid {
    question: String,
    answer: String,
    passages: Vec<String>,
    vectors: BTreeMap<String, Vec<f32>>,
    supported: usize,
    claims: usize,
    utilisation: f64,
    completeness: f64,
}

fn fixture() -> Fixture {
    serde_json::from_str(FIXTURE).unwrap()
}

#[track_caller]
fn near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= TOLERANCE, "{what}: {found}, expected {expected}");
}

#[track_caller]
fn near_all(found: Overlap, expected: [f64; 3], what: &str) {
    near(found.precision, expected[0], &format!("{what}, precision"));
    near(found.recall, expected[1], &format!("{what}, recall"));
    near(found.f1, expected[2], &format!("{what}, F1"));
}

#[test]
fn squad_as_its_script_has_it() {
    let pairs = fixture().pairs;
    assert!(pairs.len() >= 200);
    for Pair { answer, golds, normalised, squad, .. } in pairs {
        let what = format!("{answer:?} / {golds:?}");
        assert_eq!(normalise(&answer), normalised, "{what}");
        assert_eq!(u8::from(exact_match(&answer, &golds)), squad.exact, "{what}");
        near_all(token_overlap(&answer, &golds), [squad.precision, squad.recall, squad.f1], &what);
    }
}

#[test]
fn bleu_as_sacrebleu_has_it() {
    let Fixture { pairs, corpora, .. } = fixture();
    let known = pairs.iter().filter_map(|pair| Some((pair, pair.bleu?)));
    assert!(known.clone().count() >= 200);
    for (Pair { answer, golds, .. }, expected) in known {
        near(sentence_bleu(answer, golds), expected, &format!("{answer:?} / {golds:?}"));
    }
    assert!(corpora.len() >= 10);
    for Corpus { pairs: numbers, bleu } in corpora {
        let chosen = numbers.iter().map(|&number| &pairs[number]);
        let found = corpus_bleu(chosen.map(|pair| (pair.answer.as_str(), &pair.golds[..])));
        near(found, bleu, &format!("{numbers:?}"));
    }
}

#[test]
fn rouge_as_rouge_score_has_it() {
    for Pair { answer, golds, rouge: plain, rouge_stemmed, .. } in fixture().pairs {
        let known = [(Stemming::Off, plain), (Stemming::Porter, rouge_stemmed)];
        for (stemming, expected) in known {
            let found = rouge(&answer, &golds, stemming);
            let what = format!("{answer:?} / {golds:?}, {stemming:?}");
            let Some(expected) = expected else {
                assert_eq!(found, Rouge::default(), "{what}");
                continue;
            };
            near_all(found.rouge_1, expected.rouge1, &what);
            near_all(found.rouge_2, expected.rouge2, &what);
            near_all(found.rouge_l, expected.rouge_l, &what);
        }
    }
}

#[test]
fn meteor_as_nltk_has_it_without_synonyms() {
    for Pair { answer, golds, meteor: expected, .. } in fixture().pairs {
        near(meteor(&answer, &golds), expected.unwrap_or(0.0), &format!("{answer:?} / {golds:?}"));
    }
}

#[test]
fn the_names_in_a_record_are_those_of_the_metrics() {
    for Pair { answer, golds, squad, bleu, rouge_stemmed, meteor, .. } in fixture().pairs {
        let scores = word_scores(&answer, &golds);
        near(scores["exact_match"], f64::from(squad.exact), "exact_match");
        near(scores["token_f1"], squad.f1, "token_f1");
        near(scores["token_precision"], squad.precision, "token_precision");
        near(scores["token_recall"], squad.recall, "token_recall");
        let rouge = rouge_stemmed.map(|rouge| (rouge.rouge1[2], rouge.rouge2[2], rouge.rouge_l[2]));
        let by_name = |name: &str| scores.get(name).copied();
        assert_eq!(by_name("bleu").is_some(), bleu.is_some());
        assert_eq!(by_name("meteor").is_some(), meteor.is_some());
        if let Some((one, two, longest)) = rouge {
            near(scores["rouge_1"], one, "rouge_1");
            near(scores["rouge_2"], two, "rouge_2");
            near(scores["rouge_l"], longest, "rouge_l");
        }
    }
}

fn pieces(known: &[(u32, Vec<f32>)]) -> Vec<TokenVector> {
    let piece =
        |(token, vector): &(u32, Vec<f32>)| TokenVector { token: *token, vector: vector.clone() };
    known.iter().map(piece).collect()
}

#[test]
fn bert_score_as_numpy_has_it() {
    let mut with_weights = 0;
    for (number, case) in fixture().bert_scores.into_iter().enumerate() {
        let (answer, gold) = (pieces(&case.answer), pieces(&case.gold));
        let found = bert_score(&answer, &gold, TokenWeights::Equal);
        near_all(found, case.plain, &format!("case {number}"));
        let Some(expected) = case.rare else { continue };
        with_weights += 1;
        let bare = |token: &u32| TokenVector { token: *token, vector: Vec::new() };
        let corpus: Vec<Vec<TokenVector>> =
            case.corpus.iter().map(|text| text.iter().map(bare).collect()).collect();
        let frequencies = InverseDocumentFrequency::new(corpus.iter().map(Vec::as_slice));
        let found = bert_score(&answer, &gold, TokenWeights::Rare(&frequencies));
        near_all(found, expected, &format!("case {number}, weighted"));
    }
    assert!(with_weights >= 15, "{with_weights}");
}

#[test]
fn perplexity_as_numpy_has_it() {
    for known in fixture().perplexities {
        let found = Perplexity::new(&known.log_probabilities).unwrap();
        assert_eq!(found.tokens, known.log_probabilities.len());
        near(found.mean_negative_log_likelihood, known.mean, "mean");
        near(found.perplexity() / known.perplexity, 1.0, "perplexity, relative");
    }
}

/// Knows a few texts; asked for any other, the test fails.
struct Known(BTreeMap<String, Vec<f32>>);

impl Embed for Known {
    type Error = Infallible;

    fn sentences(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Infallible> {
        Ok(texts.iter().map(|text| self.0.get(*text).unwrap().clone()).collect())
    }

    fn tokens(&self, _text: &str) -> Result<Vec<TokenVector>, Infallible> {
        Ok(Vec::new())
    }
}

#[test]
fn the_hybrid_systems_metrics_as_its_report_defines_them() {
    let mut supported = 0;
    for case in fixture().hybrid {
        let Hybrid { question, answer, passages, vectors, .. } = case;
        let embed = Known(vectors);
        let claims = claim_supported_faithfulness(&answer, &passages, &embed).unwrap();
        assert_eq!((claims.supported, claims.claims), (case.supported, case.claims), "{answer}");
        supported += claims.supported;
        let utilisation = context_utilisation(&answer, &passages, &embed).unwrap();
        near(utilisation, case.utilisation, &format!("{answer}, utilisation"));
        let completeness = answer_completeness(&question, &answer, &embed).unwrap();
        near(completeness, case.completeness, &format!("{answer}, completeness"));
    }
    assert!(supported >= 10, "{supported}");
}

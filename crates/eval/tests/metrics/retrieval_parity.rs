use std::collections::{BTreeMap, BTreeSet};

use campanile_bundle::ChunkId;
use campanile_eval::retrieval::{Evidence, Judgments, Measures, score_retrieval};
use campanile_eval::{RankedPassage, Record, StageRanking};
use campanile_questions::Category;
use serde::Deserialize;

use crate::assert_close;

/// Rankings and judgments with what ranx and `trec_eval` say of them.
#[derive(Deserialize)]
struct Fixture {
    ranks: Vec<usize>,
    budgets: Vec<u32>,
    columns: Vec<String>,
    trec_eval_without_evidence: BTreeMap<String, f64>,
    questions: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    /// Chunk, document, link, tokens.
    passages: Vec<(ChunkId, String, Option<String>, u32)>,
    /// Grade, chunks, document, link.
    evidence: Vec<(u32, BTreeSet<ChunkId>, String, Option<String>)>,
    rejected: BTreeSet<ChunkId>,
    /// In the order of the columns; empty where nothing is relevant.
    expected: Vec<Option<f64>>,
}

impl Case {
    fn passages(&self) -> Vec<RankedPassage> {
        let passage = |(chunk, document, link, tokens): &(ChunkId, String, Option<String>, u32)| {
            RankedPassage {
                chunk: *chunk,
                document: document.clone(),
                link: link.clone(),
                score: 0.0,
                tokens: *tokens,
                grade: 0,
                text: None,
            }
        };
        self.passages.iter().map(passage).collect()
    }

    fn judgments(&self) -> Judgments {
        let evidence = self.evidence.iter().cloned();
        Judgments {
            evidence: evidence
                .map(|(grade, chunks, document, link)| Evidence { grade, chunks, document, link })
                .collect(),
            rejected: self.rejected.clone(),
        }
    }

    fn scored(&self, stages: Vec<StageRanking>, measures: &Measures) -> Record {
        let mut record = Record {
            id: "q".to_owned(),
            question: "?".to_owned(),
            category: Category::Answerable,
            kind: None,
            gold_answers: Vec::new(),
            stages,
            prompt: None,
            answer: None,
            scores: BTreeMap::new(),
            lost: None,
            verdict: None,
            milliseconds: BTreeMap::new(),
        };
        score_retrieval(&mut record, &self.judgments(), measures).unwrap();
        record
    }
}

impl Fixture {
    fn read() -> Self {
        serde_json::from_str(include_str!("../fixtures/retrieval.json")).unwrap()
    }

    fn measures(&self) -> Measures {
        Measures {
            ranks: self.ranks.clone(),
            token_budgets: self.budgets.clone(),
            ..Measures::default()
        }
    }

    /// The mean of a column over the questions that have it.
    fn mean(&self, column: &str) -> f64 {
        let place = self.columns.iter().position(|name| name == column).unwrap();
        let values: Vec<f64> =
            self.questions.iter().filter_map(|case| *case.expected.get(place)?).collect();
        values.iter().sum::<f64>() / values.len() as f64
    }
}

fn stage(name: &str, passages: Vec<RankedPassage>) -> StageRanking {
    StageRanking { stage: name.to_owned(), passages }
}

#[test]
fn every_score_is_that_of_ranx_and_trec_eval() {
    let fixture = Fixture::read();
    assert!(fixture.questions.len() >= 200 && fixture.columns.len() > 100);
    let mut compared = 0;
    for (number, case) in fixture.questions.iter().enumerate() {
        let record = case.scored(vec![stage("shown", case.passages())], &fixture.measures());
        let expected: BTreeMap<&str, f64> = fixture
            .columns
            .iter()
            .zip(&case.expected)
            .filter_map(|(name, value)| Some((name.as_str(), (*value)?)))
            .collect();
        assert!(record.scores.keys().eq(expected.keys()), "question {number}: the same metrics");
        for (name, value) in expected {
            assert_close(record.scores[name], value, 1e-8, &format!("question {number}, {name}"));
            compared += 1;
        }
    }
    println!("{compared} scores of {} questions", fixture.questions.len());
}

#[test]
fn a_question_without_evidence_has_no_scores_where_trec_eval_prints_0() {
    let fixture = Fixture::read();
    assert!(fixture.trec_eval_without_evidence.values().all(|&value| value == 0.0));
    let without: Vec<&Case> =
        fixture.questions.iter().filter(|case| case.evidence.is_empty()).collect();
    assert!(without.len() >= 10);
    for case in without {
        let record = case.scored(vec![stage("shown", case.passages())], &fixture.measures());
        assert!(record.scores.is_empty());
    }
}

#[test]
fn the_studies_guide_variant_is_average_precision_by_recall_and_flatters() {
    let fixture = Fixture::read();
    for case in fixture.questions.iter().filter(|case| !case.evidence.is_empty()) {
        let record = case.scored(vec![stage("shown", case.passages())], &fixture.measures());
        for k in &fixture.ranks {
            let score = |metric: &str| record.scores[&format!("{metric}@{k}")];
            let product = score("average_precision_of_found") * score("recall");
            assert_close(score("average_precision"), product, 1e-12, "the identity");
        }
    }
    // The same rankings: nearly three times the figure.
    assert_close(fixture.mean("average_precision@10"), 0.111_958, 1e-6, "MAP@10");
    assert_close(fixture.mean("average_precision_of_found@10"), 0.318_226, 1e-6, "its variant");
}

#[test]
fn every_stage_is_scored_and_every_passage_graded() {
    let fixture = Fixture::read();
    for case in fixture.questions.iter().filter(|case| !case.evidence.is_empty()) {
        let (passages, mut reversed) = (case.passages(), case.passages());
        reversed.reverse();
        let alone = case.scored(vec![stage("shown", passages.clone())], &fixture.measures());
        let stages = vec![stage("lexical", passages), stage("shown", reversed.clone())];
        let both = case.scored(stages, &fixture.measures());
        let shown = case.scored(vec![stage("shown", reversed)], &fixture.measures());
        let mut expected = shown.scores.clone();
        // Of an earlier stage the first ten places are measured, and no budget.
        let of_earlier = |name: &str| {
            let at = name.split_once('@').map(|(_, at)| at.parse::<usize>());
            at.is_none_or(|depth| depth.is_ok_and(|depth| depth <= 10))
        };
        let earlier = alone.scores.iter().filter(|(name, _)| of_earlier(name));
        expected.extend(earlier.map(|(name, value)| (format!("lexical/{name}"), *value)));
        assert_eq!(both.scores, expected);
        let judgments = case.judgments();
        for passage in both.stages.iter().flat_map(|stage| &stage.passages) {
            assert_eq!(passage.grade, judgments.grade(passage.chunk).unwrap_or(0));
        }
    }
}

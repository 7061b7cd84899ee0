//! Scores of a record: by its words and rankings, by vectors, by a judge; and the stage that lost a right answer.

use std::collections::BTreeSet;

use campanile_answer::READ_PASSAGES;
use campanile_bundle::ChunkId;
use campanile_questions::{Category, Question};
use campanile_text::Language;

use crate::answers::{
    Embed, Exhibit, FaithfulnessOptions, Judge, JudgeError, TokenWeights, answer_completeness,
    bert_score_of, citations, claim_supported_faithfulness, context_utilisation, faithfulness,
    sentence_similarity, word_scores,
};
use crate::experiment::{Loss, Record, StageRanking, shown};
use crate::judge::is_correct;
use crate::retrieval::{GradeError, Judgments, Measures, score_retrieval};

/// Computes all that needs no model: grades, the scores of retrieval and answer, and where a right
/// answer was lost.
///
/// `correct` is a score beside the words' own: 1 where the answer is a gold answer, states its value, or
/// is text of a gold passage; it is absent where the set names neither. `refused` is 1 for a refusal.
///
/// # Errors
/// A grade that no metric takes.
pub fn score(
    record: &mut Record,
    question: &Question,
    judgments: &Judgments,
    limits: &Limits,
    measures: &Measures,
    language: Language,
) -> Result<(), GradeError> {
    score_retrieval(record, judgments, measures)?;
    let Some(answer) = record.answer.clone() else {
        record.lost = attribute(record, judgments, limits, None);
        return Ok(());
    };
    // The empty answer is a refusal to the metrics of SQuAD, which know that it is right where nothing answers.
    let text = if answer.refused { "" } else { answer.text.as_str() };
    if question.category == Category::Unanswerable || !question.answers.is_empty() {
        record.scores.extend(word_scores(text, &question.answers));
    }
    record.scores.insert("refused".to_owned(), f64::from(u8::from(answer.refused)));
    let shown = shown(&record.stages);
    if question.category != Category::Unanswerable && !question.gold.is_empty() {
        let grades: Vec<u32> = shown.iter().map(|passage| passage.grade).collect();
        let score = citations(&answer.cited, &grades);
        let named = [("citation_precision", score.precision), ("citation_recall", score.recall)];
        for (name, value) in named {
            record.scores.extend(value.map(|value| (name.to_owned(), value)));
        }
    }
    let mut cited = answer.cited.iter().filter_map(|place| shown.get(*place));
    // Where the set names no document, any will do.
    let from_gold = question.gold.is_empty()
        || cited.any(|passage| {
            let link = passage.link.as_deref();
            question.gold.iter().any(|gold| gold.is_of(&passage.document, link))
        });
    let given = (!answer.refused).then_some(text);
    let correct = is_correct(question, given, from_gold, language);
    let value = correct.map(|correct| f64::from(u8::from(correct)));
    record.scores.extend(value.map(|value| ("correct".to_owned(), value)));
    record.lost = attribute(record, judgments, limits, correct);
    Ok(())
}

/// Facts about a search beside its rankings, as far as losses are concerned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// The passages in which the answer was looked for: places in the list of what was shown, from 0.
    pub read: BTreeSet<usize>,
    /// The number of passages that are shown.
    pub shown: usize,
    /// Chunks that a search found and a filter left out.
    pub left_out: BTreeSet<ChunkId>,
}

/// Says which stage lost a right answer; `None` where it was not lost.
///
/// The passage that answers is followed from stage to stage, and the first one that no longer has it is
/// named. What is said of one question is a fact about it; counted over a set it says where work
/// would pay.
///
/// - [`Parsing`](Loss::Parsing): no chunk of the index holds any of the gold passages.
/// - [`Retrieval`](Loss::Retrieval): chunks do, and no search put one forward.
/// - [`Filter`](Loss::Filter): a search did, and a filter left it out.
/// - [`Ranking`](Loss::Ranking): it is in the last ranking, below what is shown.
/// - [`Cut`](Loss::Cut): it is among the best, and outside of what was read.
/// - [`Refusal`](Loss::Refusal): it was read, and the question was refused; or the question has no
///   answer and was given one.
/// - [`Reading`](Loss::Reading): it was read, and the answer is another.
///
/// `correct` is whether the answer is right; without an answer, or where nobody can tell (`None`), only
/// the retrieval is followed.
/// A question whose set names no gold passage cannot be followed: it is lost in reading, or in a
/// refusal.
pub fn attribute(
    record: &Record,
    judgments: &Judgments,
    limits: &Limits,
    correct: Option<bool>,
) -> Option<Loss> {
    let refused = record.answer.as_ref().map(|answer| answer.refused);
    if record.category == Category::Unanswerable {
        return (refused == Some(false)).then_some(Loss::Refusal);
    }
    if correct == Some(true) && refused == Some(false) {
        return None;
    }
    let gold: BTreeSet<ChunkId> = judgments
        .evidence
        .iter()
        .filter(|gold| gold.grade > 0)
        .flat_map(|gold| &gold.chunks)
        .copied()
        .collect();
    let lost_on_the_way = match judgments.evidence.iter().any(|gold| gold.grade > 0) {
        true => followed(&record.stages, &gold, limits),
        false => None,
    };
    lost_on_the_way.or(match refused {
        None => None,
        Some(true) => Some(Loss::Refusal),
        Some(false) => (correct == Some(false)).then_some(Loss::Reading),
    })
}

/// The stage that lost the last of the gold chunks on their way to the reader.
fn followed(stages: &[StageRanking], gold: &BTreeSet<ChunkId>, limits: &Limits) -> Option<Loss> {
    if gold.is_empty() {
        return Some(Loss::Parsing);
    }
    let (shown, searched) = stages.split_last()?;
    let is_gold = |stage: &StageRanking, place: usize| {
        stage.passages.get(place).is_some_and(|passage| gold.contains(&passage.chunk))
    };
    let best_place =
        |stage: &StageRanking| (0..stage.passages.len()).find(|&place| is_gold(stage, place));
    if limits.read.iter().any(|&place| is_gold(shown, place)) {
        return None;
    }
    if searched.iter().chain([shown]).all(|stage| best_place(stage).is_none()) {
        let filtered = !gold.is_disjoint(&limits.left_out);
        return Some(if filtered { Loss::Filter } else { Loss::Retrieval });
    }
    let last_search = searched.last().unwrap_or(shown);
    let among_the_best = best_place(shown).is_some()
        || best_place(last_search).is_some_and(|place| place < limits.shown);
    Some(if among_the_best { Loss::Cut } else { Loss::Ranking })
}

/// Computes the scores of an answer that need an encoder, under the names `similarity`, `bert_score`,
/// `faithfulness`, and for comparison with a published system `claim_supported_faithfulness`,
/// `context_utilisation` and `answer_completeness`.
///
/// The context is what the answer was looked for in: the first shown passages. A refusal has none of
/// these scores, since it claims nothing; the first two need gold answers.
///
/// # Errors
/// Where a text cannot be embedded.
pub fn score_by_vectors<E: Embed>(
    record: &mut Record,
    embed: &E,
    language: Language,
) -> Result<(), E::Error> {
    let Some(answer) = record.answer.as_ref().filter(|answer| !answer.refused) else {
        return Ok(());
    };
    let shown = shown(&record.stages);
    let context: Vec<&str> =
        shown.iter().take(READ_PASSAGES).filter_map(|passage| passage.text.as_deref()).collect();
    let options = FaithfulnessOptions { language, ..FaithfulnessOptions::default() };
    let golds = &record.gold_answers;
    let text = answer.text.as_str();
    let mut scores = vec![
        ("similarity", sentence_similarity(text, golds, embed)?),
        ("faithfulness", faithfulness(text, &context, embed, &options)?.score()),
        (
            "claim_supported_faithfulness",
            Some(claim_supported_faithfulness(text, &context, embed)?.score()),
        ),
        ("context_utilisation", Some(context_utilisation(text, &context, embed)?)),
        ("answer_completeness", Some(answer_completeness(&record.question, text, embed)?)),
    ];
    if !golds.is_empty() {
        let overlap = bert_score_of(text, golds, embed, TokenWeights::Equal)?;
        scores.push(("bert_score", Some(overlap.f1)));
    }
    let known = scores.into_iter().filter_map(|(name, score)| Some((name.to_owned(), score?)));
    record.scores.extend(known);
    Ok(())
}

/// Asks a judge for its opinion of an answer, and writes it down: its verdict with the reason, and as
/// scores `judge_correct` and `judge_score`. A record without an answer has nothing to judge.
///
/// # Errors
/// Where the judge gives no verdict.
pub fn consult(record: &mut Record, judge: &dyn Judge) -> Result<(), JudgeError> {
    let Some(answer) = &record.answer else { return Ok(()) };
    let shown = shown(&record.stages);
    let context: Vec<&str> = shown.iter().filter_map(|passage| passage.text.as_deref()).collect();
    let gold: Vec<&str> = record.gold_answers.iter().map(String::as_str).collect();
    let verdict = judge.judge(&Exhibit {
        question: &record.question,
        gold: &gold,
        answer: if answer.refused { "" } else { &answer.text },
        context: &context,
    })?;
    record.scores.insert("judge_correct".to_owned(), f64::from(u8::from(verdict.correct)));
    record.scores.insert("judge_score".to_owned(), verdict.score);
    record.verdict = Some(verdict);
    Ok(())
}

/// As [`consult`], of a judge that may not keep to the form, as small language models do not: a reply that
/// is no verdict gives no score but `judge_no_verdict`, which is 1 then and else 0.
///
/// # Errors
/// Where the judge fails otherwise.
pub fn consult_patiently(record: &mut Record, judge: &dyn Judge) -> Result<(), JudgeError> {
    let without = match consult(record, judge) {
        Ok(()) => 0.0,
        Err(JudgeError::NoVerdict { .. }) => 1.0,
        Err(error) => return Err(error),
    };
    if record.answer.is_some() {
        record.scores.insert("judge_no_verdict".to_owned(), without);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::experiment::{RankedPassage, RecordedAnswer};
    use crate::retrieval::Evidence;

    use super::*;

    fn stage(name: &str, chunks: &[u32]) -> StageRanking {
        let passage = |&chunk| RankedPassage {
            chunk: ChunkId(chunk),
            document: "a.md".to_owned(),
            link: None,
            score: 1.0,
            tokens: 9,
            grade: 0,
            text: None,
        };
        StageRanking { stage: name.to_owned(), passages: chunks.iter().map(passage).collect() }
    }

    #[test]
    fn the_first_stage_without_it_is_named() {
        use Category::{Answerable, Unanswerable};
        use Loss::{Cut, Filter, Parsing, Ranking, Reading, Refusal, Retrieval};
        // Category, gold chunks, lexical, fused, shown, refused, correct → loss. Two are shown, one is read.
        type Case = (
            Category,
            Option<&'static [u32]>,
            [&'static [u32]; 3],
            Option<bool>,
            Option<bool>,
            Option<Loss>,
        );
        let cases: [Case; 14] = [
            (Answerable, Some(&[]), [&[1], &[1], &[1]], Some(false), Some(false), Some(Parsing)),
            (Answerable, Some(&[7]), [&[1], &[1], &[1]], Some(true), Some(false), Some(Retrieval)),
            (Answerable, Some(&[9]), [&[1], &[1], &[1]], Some(true), Some(false), Some(Filter)),
            (Answerable, Some(&[7]), [&[1, 2, 7], &[1, 2, 7], &[1, 2]], None, None, Some(Ranking)),
            (Answerable, Some(&[7]), [&[7], &[1, 7], &[1]], Some(false), Some(false), Some(Cut)),
            (Answerable, Some(&[7]), [&[7], &[1, 7], &[1, 7]], Some(false), Some(false), Some(Cut)),
            (Answerable, Some(&[7]), [&[7], &[7], &[7]], Some(false), Some(false), Some(Reading)),
            (Answerable, Some(&[7]), [&[7], &[7], &[7]], Some(true), Some(false), Some(Refusal)),
            (Answerable, Some(&[7]), [&[7], &[7], &[7]], None, None, None),
            (Answerable, Some(&[7]), [&[1], &[1], &[1]], Some(false), Some(true), None),
            (Answerable, None, [&[1], &[1], &[1]], Some(false), Some(false), Some(Reading)),
            (Unanswerable, None, [&[1], &[1], &[1]], Some(false), Some(false), Some(Refusal)),
            (Answerable, Some(&[7]), [&[7], &[7], &[7]], Some(false), None, None),
            (Answerable, Some(&[7]), [&[1], &[1], &[1]], Some(false), None, Some(Retrieval)),
        ];
        let limits = Limits { read: [0].into(), shown: 2, left_out: [ChunkId(9)].into() };
        for (number, (category, gold, stages, refused, correct, expected)) in
            cases.into_iter().enumerate()
        {
            let [lexical, fused, shown] = stages;
            let record = Record {
                id: "q".to_owned(),
                question: "When?".to_owned(),
                category,
                kind: None,
                gold_answers: Vec::new(),
                stages: vec![
                    stage("lexical", lexical),
                    stage("fused", fused),
                    stage("shown", shown),
                ],
                prompt: None,
                answer: refused.map(|refused| RecordedAnswer {
                    refused,
                    text: String::new(),
                    confidence: 0.5,
                    cited: Vec::new(),
                }),
                scores: Default::default(),
                lost: None,
                verdict: None,
                milliseconds: Default::default(),
            };
            let evidence = gold.map(|chunks| Evidence {
                grade: 1,
                chunks: chunks.iter().copied().map(ChunkId).collect(),
                document: "a.md".to_owned(),
                link: None,
            });
            let judgments =
                Judgments { evidence: evidence.into_iter().collect(), ..Judgments::default() };
            let lost = attribute(&record, &judgments, &limits, correct);
            assert_eq!(lost, expected, "case {number}");
        }
    }
}

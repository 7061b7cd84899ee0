use std::collections::BTreeSet;

use campanile_questions::Category;

use crate::record::{Loss, Record, StageRanking};
use crate::retrieval::Judgments;

/// Facts about a search beside its rankings, as far as losses are concerned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// The passages in which the answer was looked for: places in the list of what was shown, from 0.
    pub read: BTreeSet<usize>,
    /// The number of passages that are shown.
    pub shown: usize,
    /// Chunks that a search found and a filter left out.
    pub left_out: BTreeSet<u32>,
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
    let gold: BTreeSet<u32> = judgments
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
fn followed(stages: &[StageRanking], gold: &BTreeSet<u32>, limits: &Limits) -> Option<Loss> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{RankedPassage, RecordedAnswer};
    use crate::retrieval::Evidence;

    fn stage(name: &str, chunks: &[u32]) -> StageRanking {
        let passage = |&chunk| RankedPassage {
            chunk,
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
        let limits = Limits { read: [0].into(), shown: 2, left_out: [9].into() };
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
                chunks: chunks.iter().copied().collect(),
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

use std::collections::BTreeSet;

use campanile_bundle::ChunkId;
use campanile_eval::RankedPassage;
use campanile_eval::retrieval::{
    Evidence, Gain, GradeError, GradedRanking, Judgments, bpref, judged_share, within_tokens,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::assert_close;

/// Grades of a ranking, and those of all relevant items.
fn rankings() -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    let grades = || vec(prop_oneof![2 => Just(0), 1 => 1..4_u32], 0..25);
    (grades(), vec(1..4_u32, 0..6), any::<prop::sample::Index>()).prop_map(
        |(ranked, missing, order)| {
            let mut relevant: Vec<u32> = ranked.iter().copied().chain(missing).collect();
            let middle = order.index(relevant.len() + 1);
            relevant.rotate_left(middle);
            (ranked, relevant)
        },
    )
}

fn scores(ranking: &GradedRanking, k: usize) -> [f64; 8] {
    [
        ranking.hit(k),
        ranking.recall(k),
        ranking.precision(k),
        ranking.reciprocal_rank(),
        ranking.average_precision(k),
        ranking.average_precision_of_found(k),
        ranking.ndcg(k, Gain::Linear),
        ranking.ndcg(k, Gain::Exponential),
    ]
}

proptest! {
    #[test]
    fn scores_lie_within_0_and_1_and_only_what_is_relevant_counts((ranked, relevant) in rankings(), k in 0..30_usize) {
        match GradedRanking::new(&ranked, &relevant) {
            Ok(ranking) => {
                for score in scores(&ranking, k) {
                    prop_assert!((0.0..=1.0 + 1e-12).contains(&score), "{score}");
                }
                let mut appended = ranked.clone();
                appended.extend([0; 7]);
                let appended = GradedRanking::new(&appended, &relevant).unwrap();
                prop_assert_eq!(scores(&ranking, k), scores(&appended, k));
                let judged_as_0: Vec<u32> = relevant.iter().copied().chain([0, 0]).collect();
                prop_assert_eq!(&ranking, &GradedRanking::new(&ranked, &judged_as_0).unwrap());
            }
            Err(error) => {
                prop_assert_eq!(error, GradeError::NothingRelevant);
                prop_assert!(relevant.iter().all(|&grade| grade == 0));
            }
        }
    }

    #[test]
    fn recall_hit_and_average_precision_grow_with_k((ranked, relevant) in rankings()) {
        let Ok(ranking) = GradedRanking::new(&ranked, &relevant) else { return Ok(()) };
        for k in 0..30 {
            prop_assert!(ranking.recall(k) <= ranking.recall(k + 1));
            prop_assert!(ranking.hit(k) <= ranking.hit(k + 1));
            prop_assert!(ranking.average_precision(k) <= ranking.average_precision(k + 1));
        }
    }

    #[test]
    fn the_best_order_scores_1_and_a_better_order_never_less((ranked, relevant) in rankings(), place in 0..24_usize, k in 1..30_usize) {
        let Ok(ranking) = GradedRanking::new(&ranked, &relevant) else { return Ok(()) };
        let mut ideal: Vec<u32> = relevant.clone();
        ideal.sort_unstable_by(|left, right| right.cmp(left));
        let best = GradedRanking::new(&ideal, &relevant).unwrap();
        for gain in [Gain::Linear, Gain::Exponential] {
            prop_assert!((best.ndcg(k, gain) - 1.0).abs() < 1e-12);
        }
        let mut swapped = ranked.clone();
        if matches!((ranked.get(place), ranked.get(place + 1)), (Some(upper), Some(lower)) if upper < lower) {
            swapped.swap(place, place + 1);
        }
        let swapped = GradedRanking::new(&swapped, &relevant).unwrap();
        for metric in [GradedRanking::recall, GradedRanking::average_precision] {
            prop_assert!(metric(&swapped, k) >= metric(&ranking, k) - 1e-12);
        }
        prop_assert!(swapped.ndcg(k, Gain::Linear) >= ranking.ndcg(k, Gain::Linear) - 1e-12);
        prop_assert!(swapped.reciprocal_rank() >= ranking.reciprocal_rank());
    }

    #[test]
    fn what_is_not_judged_changes_no_preference(judged in vec(prop::option::of(0..3_u32), 0..25), extra in 0..5_usize) {
        let count = |wanted: fn(u32) -> bool| judged.iter().flatten().filter(|&&grade| wanted(grade)).count();
        let (relevant, rejected) = (count(|grade| grade > 0) + extra, count(|grade| grade == 0) + extra);
        let condensed: Vec<Option<u32>> = judged.iter().copied().filter(Option::is_some).collect();
        prop_assert_eq!(bpref(&judged, relevant, rejected), bpref(&condensed, relevant, rejected));
        prop_assert_eq!(bpref(&judged, relevant, rejected).is_none(), relevant == 0);
        if let Some(share) = judged_share(&condensed, 10) {
            prop_assert!((share - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_larger_budget_never_shows_less(lengths in vec(0..300_u32, 0..20), budget in 0..2_000_u32) {
        let passages: Vec<RankedPassage> = lengths.iter().map(|&tokens| passage(tokens)).collect();
        let fitting = within_tokens(&passages, budget);
        prop_assert!(fitting.iter().map(|passage| passage.tokens).sum::<u32>() <= budget);
        prop_assert_eq!(fitting, &passages[..fitting.len()]);
        prop_assert!(within_tokens(&passages, budget + 1).len() >= fitting.len());
        if let Some(next) = passages.get(fitting.len()) {
            prop_assert!(fitting.iter().map(|passage| passage.tokens).sum::<u32>() + next.tokens > budget);
        }
    }
}

fn passage(tokens: u32) -> RankedPassage {
    RankedPassage {
        chunk: ChunkId(tokens),
        document: "guide.md".to_owned(),
        link: None,
        score: 0.0,
        tokens,
        grade: 0,
        text: None,
    }
}

#[test]
fn grades_that_make_no_ranking_are_named() {
    let cases = [
        (vec![0, 0], vec![0], GradeError::NothingRelevant),
        (vec![], vec![], GradeError::NothingRelevant),
        (
            vec![1, 0, 1],
            vec![1, 2],
            GradeError::MoreFoundThanRelevant { grade: 1, found: 2, relevant: 1 },
        ),
        (vec![33], vec![33], GradeError::TooHigh(33)),
    ];
    for (ranked, relevant, expected) in cases {
        assert_eq!(GradedRanking::new(&ranked, &relevant), Err(expected));
    }
}

#[test]
fn worked_example() {
    // Ranks 2 (grade 1) and 4 (grade 3) of five are relevant; one of grade 2 was not found.
    let ranking = GradedRanking::new(&[0, 1, 0, 3, 0], &[1, 2, 3]).unwrap();
    let log2 = |value: f64| value.log2();
    assert_close(ranking.precision(5), 0.4, 1e-12, "P@5");
    assert_close(ranking.precision(10), 0.2, 1e-12, "P@10: places that were not filled count");
    assert_close(ranking.reciprocal_rank(), 0.5, 1e-12, "RR");
    assert_close(ranking.average_precision(5), (0.5 + 0.5) / 3.0, 1e-12, "AP@5");
    let ideal = 3.0 + 2.0 / log2(3.0) + 1.0 / log2(4.0);
    let linear = (1.0 / log2(3.0) + 3.0 / log2(5.0)) / ideal;
    assert_close(ranking.ndcg(5, Gain::Linear), linear, 1e-12, "nDCG@5");
    let ideal = 7.0 + 3.0 / log2(3.0) + 1.0 / log2(4.0);
    let exponential = (1.0 / log2(3.0) + 7.0 / log2(5.0)) / ideal;
    assert_close(ranking.ndcg(5, Gain::Exponential), exponential, 1e-12, "nDCG@5, exponential");
}

#[test]
fn a_chunk_has_the_best_grade_of_what_it_holds() {
    let evidence = |grade, chunks: &[u32]| Evidence {
        grade,
        chunks: chunks.iter().copied().map(ChunkId).collect(),
        document: "guide.md".to_owned(),
        link: None,
    };
    let judgments = Judgments {
        evidence: vec![
            evidence(1, &[4, 5]),
            evidence(3, &[5]),
            evidence(0, &[6]),
            evidence(2, &[]),
        ],
        rejected: BTreeSet::from([5, 7].map(ChunkId)),
    };
    let grades: Vec<Option<u32>> = (4..9).map(|chunk| judgments.grade(ChunkId(chunk))).collect();
    assert_eq!(grades, [Some(1), Some(3), None, Some(0), None]);
}

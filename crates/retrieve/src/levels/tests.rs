use campanile_bundle::{LevelMethod, RankingConfig};
use proptest::prelude::*;

use super::{Candidate, Streamed, balance, order, part};

const DEPARTMENT: Option<f64> = Some(100.0);
const UNIVERSITY: Option<f64> = Some(20.0);
const COURSE: Option<f64> = None;

#[test]
fn points_decide_where_relevance_does_not() {
    use LevelMethod::{Bands, Off, Points};
    type Case<'a> = (&'a str, LevelMethod, &'a [(Option<f64>, f64)], &'a [usize]);
    // The mean is 0 and the best 10, so that a height is a tenth of the score.
    let near = [(UNIVERSITY, 10.0), (DEPARTMENT, 9.6), (UNIVERSITY, -19.6)];
    let far = [(UNIVERSITY, 10.0), (DEPARTMENT, 7.0), (DEPARTMENT, 1.0), (UNIVERSITY, -18.0)];
    let bridge = [(UNIVERSITY, 10.0), (UNIVERSITY, 9.7), (DEPARTMENT, 9.4), (UNIVERSITY, -29.1)];
    let course = [(UNIVERSITY, 10.0), (COURSE, 9.8), (DEPARTMENT, 9.6), (UNIVERSITY, -29.4)];
    let cases: [Case<'_>; 9] = [
        ("off leaves all as it was", Off, &near, &[0, 1, 2]),
        ("near ties go by points", Bands, &near, &[1, 0, 2]),
        ("what is more relevant stays before", Bands, &far, &[0, 1, 2, 3]),
        ("a band is as wide as from its first", Bands, &bridge, &[0, 1, 2, 3]),
        ("course material keeps its place", Bands, &course, &[2, 1, 0, 3]),
        ("equal points keep their order", Bands, &[(UNIVERSITY, 1.0), (UNIVERSITY, 1.0)], &[0, 1]),
        ("equal scores go by points", Bands, &[(UNIVERSITY, 1.0), (DEPARTMENT, 1.0)], &[1, 0]),
        (
            "the advisor's order takes all that is relevant, and nothing else",
            Points,
            &far,
            &[1, 0, 2, 3],
        ),
        ("nothing has no order", Points, &[], &[]),
    ];
    for (name, method, candidates, expected) in cases {
        let candidates: Vec<Candidate> = candidates
            .iter()
            .map(|(points, score)| Candidate { points: *points, score: *score })
            .collect();
        let ranking = RankingConfig {
            levels: method,
            band_percent: 5,
            relevance_percent: 50,
            ..RankingConfig::default()
        };
        assert_eq!(order(&candidates, &ranking), expected, "{name}");
    }
}

fn any_candidate() -> impl Strategy<Value = Candidate> {
    let points = prop::option::of(prop::sample::select(vec![100.0, 50.0, 20.0]));
    (points, -3.0f64..3.0).prop_map(|(points, score)| Candidate { points, score })
}

proptest! {
    #[test]
    fn nothing_is_lost_and_course_material_stays(
        candidates in prop::collection::vec(any_candidate(), 0..20),
        method in prop::sample::select(vec![LevelMethod::Off, LevelMethod::Bands, LevelMethod::Points]),
        percent in 0u32..=100,
    ) {
        let ranking = RankingConfig {
            levels: method, band_percent: percent, relevance_percent: percent, ..RankingConfig::default()
        };
        let order = order(&candidates, &ranking);
        let mut places = order.clone();
        places.sort_unstable();
        prop_assert_eq!(places, (0..candidates.len()).collect::<Vec<_>>());
        for (slot, place) in order.iter().enumerate() {
            prop_assert!(candidates[slot].points.is_some() || slot == *place);
        }
    }

    #[test]
    fn the_scale_of_relevance_does_not_matter(
        candidates in prop::collection::vec(any_candidate(), 0..20),
    ) {
        let scaled: Vec<Candidate> =
            candidates.iter().map(|it| Candidate { score: it.score * 8.0, ..*it }).collect();
        let ranking = RankingConfig { band_percent: 17, ..RankingConfig::default() };
        prop_assert_eq!(order(&candidates, &ranking), order(&scaled, &ranking));
    }
}

/// `a` is course material, `n` is not; capitals are relevant.
fn streamed(letters: &str) -> Vec<Streamed> {
    let candidate = |letter: char| Streamed {
        is_academic: letter.eq_ignore_ascii_case(&'a'),
        is_relevant: letter.is_ascii_uppercase(),
    };
    letters.chars().map(candidate).collect()
}

#[test]
fn shares_are_filled_with_what_is_relevant() {
    // Candidates, shares of both streams, how many are shown, which these are.
    type Case<'a> = (&'a str, (u32, u32), usize, &'a [usize]);
    let cases: [Case<'_>; 9] = [
        ("NNNAA", (0, 0), 3, &[0, 1, 2]),
        ("NNNAA", (30, 0), 3, &[0, 1, 3]),
        ("NNNaA", (30, 0), 3, &[0, 1, 4]),
        ("NNNaa", (30, 0), 3, &[0, 1, 2]),
        ("NNNAA", (50, 50), 4, &[0, 1, 3, 4]),
        ("AAANN", (0, 40), 3, &[0, 3, 4]),
        ("NNNNN", (50, 50), 3, &[0, 1, 2]),
        ("NANAN", (100, 100), 2, &[0, 1]),
        ("NA", (50, 50), 10, &[0, 1]),
    ];
    for (letters, (academic_percent, non_academic_percent), limit, expected) in cases {
        let shares =
            RankingConfig { academic_percent, non_academic_percent, ..RankingConfig::default() };
        let order = balance(&streamed(letters), &shares, limit);
        let shown: Vec<usize> = order.iter().copied().take(limit).collect();
        assert_eq!(shown, expected, "{letters} {shares:?}");
    }
}

proptest! {
    #[test]
    fn no_candidate_of_a_stream_is_lost(letters in "[aAnN]{0,20}", academic in 0u32..=100, other in 0u32..=100, limit in 0usize..12) {
        let shares = RankingConfig {
                academic_percent: academic,
                non_academic_percent: other,
                ..RankingConfig::default()
            };
        let candidates = streamed(&letters);
        let order = balance(&candidates, &shares, limit);
        let mut places = order.clone();
        places.sort_unstable();
        prop_assert_eq!(places, (0..candidates.len()).collect::<Vec<_>>());
        // Without shares the order stays, and with one stream too.
        let one = letters.to_ascii_lowercase().chars().collect::<std::collections::BTreeSet<_>>().len() < 2;
        if one || academic + other == 0 {
            prop_assert!(order.is_sorted());
        }
        // Where all is relevant, each share is there, or all of its stream is.
        let shown = limit.min(candidates.len());
        if candidates.iter().all(|it| it.is_relevant) && academic + other <= 80 && shown >= 10 {
            for (stream, percent) in [(true, academic), (false, other)] {
                let has = order.iter().take(shown).filter(|it| candidates[**it].is_academic == stream).count();
                let all = candidates.iter().filter(|it| it.is_academic == stream).count();
                prop_assert!(has >= part(shown, percent).min(all));
            }
        }
    }
}

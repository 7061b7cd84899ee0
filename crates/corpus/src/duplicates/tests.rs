#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use super::features::{HASHES, Signer, jaccard, shingles};
use super::*;

fn groups(texts: &[&str]) -> Vec<(usize, Vec<usize>)> {
    let candidates: Vec<_> = texts
        .iter()
        .map(|text| Candidate { text, subject: "", path: "a.md", date: None, is_replaced: false })
        .collect();
    let found = duplicates(&candidates, &DuplicateOptions::default());
    found.iter().map(|g| (g.kept, g.folded.iter().map(|folded| folded.index).collect())).collect()
}

const RULE: &str = "All students of the department must hand in the signed form at the \
    examination office by 15 May 2025 and must keep a copy of CS 101 work for three years. Late \
    forms are not taken, and the office can be reached on Monday at exams@x.edu for questions.";

/// Words, what is put for them, and whether the two texts are duplicates still.
const CHANGES: &[(&str, &str, bool)] = &[
    ("must hand", "MUST hand", true),
    ("the signed form", "the signed form,", true),
    ("for questions.", "for questions", true),
    ("Late forms", "Late forms,", true),
    ("CS 101 work", "CS 101 Work", false),
    ("the office can", "Ms Li can", false),
    ("15 May", "16 May", false),
    ("May 2025", "June 2025", false),
    ("2025", "2026", false),
    ("CS 101", "CS 102", false),
    ("three years", "two years", false),
    ("are not taken", "are gladly taken", false),
    ("Monday", "Friday", false),
    ("exams@x.edu", "exam@x.edu", false),
];

#[test]
fn numbers_and_negations_protect() {
    for (from, to, expected) in CHANGES {
        let other = RULE.replace(from, to);
        assert_ne!(other, RULE, "{from}");
        let expected = if *expected { vec![(0, vec![1])] } else { Vec::new() };
        assert_eq!(groups(&[RULE, &other]), expected, "{from} → {to}");
    }
}

#[test]
fn other_texts_stay_apart() {
    let cases: &[(&str, &[&str])] = &[
        ("none", &[]),
        ("one", &[RULE]),
        ("too short", &["See the handbook.", "See the handbook."]),
        ("half", &[RULE, RULE.split(". ").next().unwrap()]),
    ];
    for (name, texts) in cases {
        assert_eq!(groups(texts), [], "{name}");
    }
}

#[test]
fn texts_about_something_else_stay_apart() {
    let of =
        |subject| Candidate { text: RULE, subject, path: "a.md", date: None, is_replaced: false };
    let groups = |left, right| duplicates(&[of(left), of(right)], &DuplicateOptions::default());
    assert_eq!(groups("Mid year > Plans", "Plans (mid year)").len(), 1);
    assert_eq!(groups("Mid year > Plans", "End of year > Plans"), []);
}

#[test]
fn the_newest_then_the_shortest_path_then_the_first_is_kept() {
    let of = |places: &[(&'static str, Option<&'static str>)]| {
        let candidates: Vec<_> = places
            .iter()
            .map(|(path, date)| Candidate {
                text: RULE,
                subject: "",
                path,
                date: *date,
                is_replaced: false,
            })
            .collect();
        duplicates(&candidates, &DuplicateOptions::default())[0].kept
    };
    assert_eq!(of(&[("a.md", Some("2024-01-01")), ("long/a.md", Some("2025-01-01"))]), 1);
    assert_eq!(of(&[("a.md", None), ("long/a.md", Some("2020-01-01"))]), 1);
    assert_eq!(of(&[("long/a.md", None), ("a.md", None)]), 1);
    assert_eq!(of(&[("a.md", None), ("b.md", None)]), 0);
}

#[test]
fn what_no_newer_edition_replaces_is_kept_before_the_newest() {
    let of =
        |path, date, is_replaced| Candidate { text: RULE, subject: "", path, date, is_replaced };
    let texts = [
        of("1.0/a.md", Some("2026-01-01"), true),
        of("1.1/a.md", None, true),
        of("2.0/folder/a.md", Some("2020-01-01"), false),
    ];
    let groups = duplicates(&texts, &DuplicateOptions::default());
    assert_eq!(groups.iter().map(|group| group.kept).collect::<Vec<_>>(), [2]);
}

#[test]
fn signatures_estimate_similarity_as_well_as_is_said() {
    // Sets of 200 with a known overlap; the mean error over many is far below one text's.
    let signer = Signer::new(7);
    for percent in [20_u64, 50, 80, 95] {
        let mut squared = 0.0;
        let mut exact = 0.0;
        for trial in 0..40_u64 {
            let set = |from: u64| (from..from + 200).map(|n| stir(n + trial * 10_000)).collect();
            let (left, right): (Vec<u64>, Vec<u64>) = (set(0), set(200 - 2 * percent));
            let sorted = |mut set: Vec<u64>| {
                set.sort_unstable();
                set
            };
            let (left, right) = (sorted(left), sorted(right));
            exact = jaccard(&left, &right);
            let (left, right) = (signer.signature(&left), signer.signature(&right));
            let same = left.iter().zip(&right).filter(|(left, right)| left == right).count();
            squared += (same as f64 / HASHES as f64 - exact).powi(2);
        }
        let error = (squared / 40.0_f64).sqrt();
        let expected = (exact * (1.0 - exact) / HASHES as f64).sqrt();
        assert!(error < expected * 1.5 && expected <= 0.0443, "{error} at {exact}");
    }
}

fn stir(value: u64) -> u64 {
    super::features::stirred(value)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn bands_miss_no_duplicate(
        words in proptest::collection::vec("[a-f]{1,4}", 12..80),
        changes in proptest::collection::vec((0_usize..80, "[a-f]{1,4}"), 0..3),
        copies in 1_usize..4,
    ) {
        let mut texts = vec![words.join(" ")];
        for copy in 0..copies {
            let mut words = words.clone();
            for (place, word) in changes.iter().skip(copy) {
                let place = place % words.len();
                words[place] = word.clone();
            }
            texts.push(words.join(" "));
        }
        let options = DuplicateOptions::default();
        let candidates: Vec<_> =
            texts.iter().map(|text| Candidate { text, subject: "", path: "p", date: None, is_replaced: false }).collect();
        let found = duplicates(&candidates, &options);
        let similarity = |left: usize, right: usize| {
            let set = |index: usize| shingles(&texts[index], options.shingle_words);
            jaccard(&set(left), &set(right))
        };
        let folded: Vec<usize> =
            found.iter().flat_map(|group| group.folded.iter().map(|folded| folded.index)).collect();
        for group in &found {
            prop_assert!(!folded.contains(&group.kept));
            for folded in &group.folded {
                prop_assert_eq!(folded.similarity, similarity(group.kept, folded.index));
                prop_assert!(folded.similarity >= 0.9);
            }
        }
        let kept: Vec<usize> = (0..texts.len()).filter(|index| !folded.contains(index)).collect();
        for (place, left) in kept.iter().enumerate() {
            for right in kept.iter().skip(place + 1) {
                // `dec` and `feb` are months, and texts of different ones are never folded.
                let is_other = protected(&texts[*left]) != protected(&texts[*right]);
                let is_unlike = is_other || similarity(*left, *right) < 0.9;
                prop_assert!(is_unlike, "{left} and {right} are both kept");
            }
        }
    }

    #[test]
    fn shingles_are_a_sorted_set(text in "\\PC{0,80}", count in 0_usize..6) {
        let found = shingles(&text, count);
        prop_assert!(found.is_sorted() && found.windows(2).all(|pair| pair[0] != pair[1]));
        prop_assert_eq!(jaccard(&found, &found), if found.is_empty() { 0.0 } else { 1.0 });
    }
}

use std::collections::BTreeMap;

use campanile_index::sort_short;
use campanile_text::Analyzer;
use serde::{Deserialize, Serialize};

/// The settings by which words of the best passages are added to a question.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Feedback {
    /// So many of the best passages are taken to be relevant.
    pub passages: usize,
    /// So many of their terms are added.
    pub terms: usize,
    /// The weight of the best of them beside a word of the question.
    pub weight: f32,
}

/// The terms that best tell a question's best passages from all others, with a weight of at most
/// [`Feedback::weight`] each: pseudo-relevance feedback by relevance models (Lavrenko and Croft, SIGIR 2001) as
/// RM3 uses them.
///
/// `passages` has the passages' texts with their scores, `asked` the question's terms, which are not
/// added again, and `rarity` gives the inverse document frequency of a term. A term's worth is the sum over
/// the passages of its share of the passage's terms, weighed by the passage's share of the scores,
/// times its rarity. Ties go by the alphabet.
pub fn feedback_terms(
    passages: &[(&str, f32)],
    asked: &[String],
    settings: &Feedback,
    analyzer: &Analyzer,
    rarity: impl Fn(&str) -> f32,
) -> Vec<(String, f32)> {
    let total: f32 = passages.iter().map(|(_, score)| score.max(0.0)).sum();
    let mut worth: BTreeMap<String, f32> = BTreeMap::new();
    for (text, score) in passages.iter().take(settings.passages) {
        let tokens = analyzer.analyze(text);
        let share = if total > 0.0 { score.max(0.0) / total } else { 0.0 };
        let count = tokens.len().max(1) as f32;
        for token in tokens {
            *worth.entry(token.term).or_default() += share / count;
        }
    }
    let mut found: Vec<(String, f32)> = worth
        .into_iter()
        .filter(|(term, _)| !asked.contains(term) && !term.chars().any(char::is_numeric))
        .map(|(term, share)| {
            let rare = rarity(&term);
            (term, share * rare)
        })
        .filter(|(_, worth)| *worth > 0.0)
        .collect();
    // Terms come in the order of the alphabet, and equals keep it.
    sort_short(&mut found, |left, right| right.1.total_cmp(&left.1));
    found.truncate(settings.terms);
    let most = found.first().map_or(1.0, |(_, worth)| *worth);
    for (_, worth) in &mut found {
        *worth *= settings.weight / most;
    }
    found
}

#[cfg(test)]
mod tests {
    use campanile_text::{Analyzer, Language};

    use super::{Feedback, feedback_terms};

    #[test]
    fn what_the_best_passages_share_is_added() {
        let analyzer = Analyzer::new(Language::English);
        let passages = [
            ("The library opens at eight; borrowing needs a card.", 3.0),
            ("Borrowing from the library: bring your card.", 2.0),
            ("The canteen opens at noon on 12 May.", 1.0),
        ];
        let settings = Feedback { passages: 2, terms: 2, weight: 0.5 };
        let asked = ["librari".to_owned()];
        let found = feedback_terms(&passages, &asked, &settings, &analyzer, |_| 1.0);
        let terms: Vec<&str> = found.iter().map(|(term, _)| term.as_str()).collect();
        assert_eq!(terms, ["borrow", "card"]);
        assert!((found[0].1 - 0.5).abs() < 1e-6 && found[1].1 <= 0.5);
        // What stands in every chunk tells nothing.
        let found = feedback_terms(&passages, &asked, &settings, &analyzer, |term| {
            if term == "borrow" { 0.0 } else { 1.0 }
        });
        assert!(found.iter().all(|(term, _)| term != "borrow"));
        assert!(feedback_terms(&[], &asked, &settings, &analyzer, |_| 1.0).is_empty());
    }
}

use std::collections::BTreeMap;
use std::fmt;

use campanile_answer::AnswerKind;
use campanile_questions::Category;
use serde::Serialize;

use crate::judge::Outcome;

/// The outcomes of a question set, summed up.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Questions by category.
    pub questions: BTreeMap<Category, usize>,
    /// Answerable and ambiguous questions with a gold passage among the first k sources, by k; those
    /// without gold are left out.
    pub passage_hit: BTreeMap<usize, Share>,
    /// The same with any passage of a gold document.
    pub document_hit: BTreeMap<usize, Share>,
    /// Mean reciprocal rank of the first gold passage, 0 where it was not found; `None` where no
    /// question has gold.
    pub passage_mrr: Option<f64>,
    /// Answerable questions whose answer is right, of those with a gold answer or passage.
    pub correct: Share,
    /// Unanswerable questions that were refused.
    pub refused: Share,
    /// Answerable questions that were refused.
    pub wrongly_refused: Share,
    /// Median milliseconds for a reply.
    pub median_ms: f64,
}

/// A count out of a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Share {
    /// The number of those that count.
    pub count: usize,
    /// Out of how many.
    pub total: usize,
}

impl fmt::Display for Share {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, total } = self;
        match total {
            0 => write!(formatter, "none asked"),
            _ => write!(formatter, "{:.3}  ({count} of {total})", *count as f64 / *total as f64),
        }
    }
}

impl Report {
    /// Sums up the outcomes.
    pub fn new(outcomes: &[Outcome]) -> Self {
        let mut questions = BTreeMap::new();
        for outcome in outcomes {
            *questions.entry(outcome.category).or_insert(0) += 1;
        }
        let with_gold =
            |outcome: &&Outcome| outcome.has_gold && outcome.category != Category::Unanswerable;
        let answerable = |outcome: &&Outcome| outcome.category == Category::Answerable;
        let judged = |outcome: &&Outcome| answerable(outcome) && outcome.correct.is_some();
        let unanswerable = |outcome: &&Outcome| outcome.category == Category::Unanswerable;
        let refused = |outcome: &&Outcome| outcome.kind == AnswerKind::Refusal;
        let hit = |rank: fn(&Outcome) -> Option<usize>| {
            [1, 3, 5]
                .into_iter()
                .map(|k| {
                    let found = |outcome: &&Outcome| rank(outcome).is_some_and(|rank| rank <= k);
                    (k, share(outcomes, &with_gold, &found))
                })
                .collect()
        };
        let gold: Vec<&Outcome> = outcomes.iter().filter(with_gold).collect();
        let reciprocal: f64 = gold
            .iter()
            .filter_map(|outcome| outcome.passage_rank)
            .map(|rank| 1.0 / rank as f64)
            .sum();
        Self {
            questions,
            passage_hit: hit(|outcome| outcome.passage_rank),
            document_hit: hit(|outcome| outcome.document_rank),
            passage_mrr: (!gold.is_empty()).then(|| reciprocal / gold.len() as f64),
            correct: share(outcomes, &judged, &|outcome| outcome.correct == Some(true)),
            refused: share(outcomes, &unanswerable, &refused),
            wrongly_refused: share(outcomes, &answerable, &refused),
            median_ms: median(outcomes.iter().map(|outcome| outcome.milliseconds).collect()),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (category, number) in &self.questions {
            let name = format!("{category:?}").to_lowercase();
            writeln!(formatter, "{:<36}{number}", format!("{name} questions"))?;
        }
        for (k, share) in &self.passage_hit {
            writeln!(formatter, "{:<36}{share}", format!("gold passage in the first {k}"))?;
        }
        for (k, share) in &self.document_hit {
            writeln!(formatter, "{:<36}{share}", format!("gold document in the first {k}"))?;
        }
        if let Some(mean) = self.passage_mrr {
            writeln!(formatter, "{:<36}{mean:.3}", "mean reciprocal rank (passage)")?;
        }
        writeln!(formatter, "{:<36}{}", "answer right (answerable)", self.correct)?;
        writeln!(formatter, "{:<36}{}", "refused (unanswerable)", self.refused)?;
        writeln!(formatter, "{:<36}{}", "refused (answerable)", self.wrongly_refused)?;
        write!(formatter, "{:<36}{:.1} ms", "median time a question", self.median_ms)
    }
}

fn share(
    outcomes: &[Outcome],
    among: &dyn Fn(&&Outcome) -> bool,
    holds: &dyn Fn(&&Outcome) -> bool,
) -> Share {
    let among: Vec<&Outcome> = outcomes.iter().filter(among).collect();
    Share { count: among.iter().filter(|outcome| holds(outcome)).count(), total: among.len() }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match (values.len() % 2, values.get(middle), middle.checked_sub(1).and_then(|i| values.get(i)))
    {
        (1, Some(value), _) => *value,
        (0, Some(upper), Some(lower)) => f64::midpoint(*upper, *lower),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(
        category: Category,
        kind: AnswerKind,
        rank: Option<usize>,
        correct: Option<bool>,
    ) -> Outcome {
        Outcome {
            id: String::new(),
            category,
            has_gold: category != Category::Unanswerable,
            kind,
            passage_rank: rank,
            document_rank: rank,
            correct,
            chunks: Vec::new(),
            answer: String::new(),
            milliseconds: rank.unwrap_or(9) as f64,
        }
    }

    #[test]
    fn worked_example() {
        let outcomes = [
            outcome(Category::Answerable, AnswerKind::Direct, Some(1), Some(true)),
            outcome(Category::Answerable, AnswerKind::Direct, Some(4), Some(false)),
            outcome(Category::Answerable, AnswerKind::Refusal, None, Some(false)),
            outcome(Category::Ambiguous, AnswerKind::Direct, Some(2), Some(false)),
            outcome(Category::Unanswerable, AnswerKind::Refusal, None, Some(true)),
        ];
        let report = Report::new(&outcomes);
        assert_eq!(report.passage_hit[&1], Share { count: 1, total: 4 });
        assert_eq!(report.passage_hit[&3], Share { count: 2, total: 4 });
        assert_eq!(report.passage_hit[&5], Share { count: 3, total: 4 });
        assert_eq!(report.passage_mrr, Some((1.0 + 0.25 + 0.5) / 4.0));
        assert_eq!(report.correct, Share { count: 1, total: 3 });
        assert_eq!(report.refused, Share { count: 1, total: 1 });
        assert_eq!(report.wrongly_refused, Share { count: 1, total: 3 });
        assert!((report.median_ms - 4.0).abs() < 1e-12);
    }

    #[test]
    fn what_nobody_can_tell_is_no_miss() {
        let found = outcome(Category::Answerable, AnswerKind::Direct, Some(1), Some(true));
        let unknown = outcome(Category::Answerable, AnswerKind::Direct, None, None);
        let unknown = Outcome { has_gold: false, ..unknown };
        let report = Report::new(&[found, unknown.clone()]);
        assert_eq!(report.passage_hit[&5], Share { count: 1, total: 1 });
        assert_eq!(report.document_hit[&5], Share { count: 1, total: 1 });
        assert_eq!(report.passage_mrr, Some(1.0));
        assert_eq!(report.correct, Share { count: 1, total: 1 });
        assert_eq!(report.wrongly_refused.total, 2);
        let nothing = Report::new(&[unknown]);
        assert_eq!((nothing.passage_mrr, nothing.correct.total), (None, 0));
        assert!(!nothing.to_string().contains("reciprocal rank"));
    }

    #[test]
    fn medians() {
        assert!((median(vec![3.0, 1.0]) - 2.0).abs() < 1e-12);
        assert!((median(vec![5.0, 1.0, 3.0]) - 3.0).abs() < 1e-12);
        assert!(median(Vec::new()).abs() < 1e-12);
    }
}

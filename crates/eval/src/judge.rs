//! Replies of a site held against the gold answers and passages of a question set, and the outcomes summed up.
//!
//! The one place that decides whether an answer is right, for `campanile eval SITE QUESTIONS` and for experiments.

use std::collections::BTreeMap;
use std::fmt;

use campanile_answer::{AnswerKind, Reply, Source};
use campanile_bundle::ChunkId;
use campanile_questions::{Category, Gold, Question, folded};
use campanile_text::Language;
use serde::Serialize;

use crate::answers::agreement;

/// The outcome of one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The question's name.
    pub id: String,
    /// The question's category: do the documents answer it.
    pub category: Category,
    /// `true` if the set says where the answer stands; without it nothing can be found or missed.
    pub has_gold: bool,
    /// The kind of answer that was given.
    pub kind: AnswerKind,
    /// 1-based rank of the first source that holds a gold passage.
    pub passage_rank: Option<usize>,
    /// 1-based rank of the first source from a gold document.
    pub document_rank: Option<usize>,
    /// `true` if the answer is right; `None` where the set names neither gold answers nor passages.
    pub correct: Option<bool>,
    /// The chunks, best first.
    pub chunks: Vec<ChunkId>,
    /// The answer's text.
    pub answer: String,
    /// Milliseconds for the whole reply.
    pub milliseconds: f64,
}

/// Compares a reply with its question.
///
/// Texts are compared without regard to case and white space; a gold table row is given as its cells
/// joined by ` | ` and found in a line that holds them all. An answer is correct when it is or states
/// a gold answer, or comes from a gold document and holds a gold answer or passage, or stands in one.
/// Where the set names no document, any will do; where it names no passage, all of the document is.
pub fn judge(question: &Question, reply: &Reply, language: Language) -> Outcome {
    let rank = |matches: &dyn Fn(&Source) -> bool| {
        reply.sources.iter().position(matches).map(|position| position + 1)
    };
    let holds_gold = |source: &Source| {
        let is_held = |gold: &Gold| gold.passage.as_ref().is_none_or(|it| holds(&source.text, it));
        question.gold.iter().any(|gold| is_gold(gold, source) && is_held(gold))
    };
    let from_gold = |source: &Source| question.gold.iter().any(|gold| is_gold(gold, source));
    let answer = (reply.answer.kind != AnswerKind::Refusal).then_some(reply.answer.text.as_str());
    let source = reply.answer.source.and_then(|number| reply.sources.get(number.checked_sub(1)?));
    let cites_gold = question.gold.is_empty() || source.is_some_and(from_gold);
    Outcome {
        id: question.id.clone(),
        category: question.category,
        has_gold: !question.gold.is_empty(),
        kind: reply.answer.kind,
        passage_rank: rank(&holds_gold),
        document_rank: rank(&from_gold),
        correct: is_correct(question, answer, cites_gold, language),
        chunks: reply.sources.iter().map(|source| source.chunk).collect(),
        answer: reply.answer.text.clone(),
        milliseconds: reply.timings_ms.get("total").copied().unwrap_or_default(),
    }
}

fn is_gold(gold: &Gold, source: &Source) -> bool {
    gold.is_of(&source.document, source.link.as_deref())
}

/// Tells if an answer is right; `answer` is `None` for a refusal.
///
/// A refusal is right where the documents do not answer the question. An answer is right where it is or
/// states a gold answer ([`agreement`]), or where it is text of a gold passage or holds one. What is
/// merely contained counts only if the answer comes `from_gold`: a document that the set names, or any
/// where it names none.
///
/// `None` where nobody can tell: a question that has an answer, without any gold answer or passage.
pub(crate) fn is_correct(
    question: &Question,
    answer: Option<&str>,
    from_gold: bool,
    language: Language,
) -> Option<bool> {
    if question.category == Category::Unanswerable {
        return Some(answer.is_none());
    }
    let passages: Vec<&str> =
        question.gold.iter().filter_map(|gold| gold.passage.as_deref()).collect();
    if question.answers.is_empty() && passages.is_empty() {
        return None;
    }
    let Some(answer) = answer else { return Some(false) };
    let words = folded(answer);
    let is_passage = |passage: &&str| holds(answer, passage) || folded(passage).contains(&words);
    Some(
        agreement(answer, &question.answers, from_gold, language).is_some()
            || (from_gold && passages.iter().any(is_passage)),
    )
}

/// Between the cells of a gold table row.
const CELL_SEPARATOR: &str = " | ";

/// Returns `true` if a text holds a gold passage: without regard to case and white space; of a table row,
/// given as its cells, in a line that holds them all.
pub(crate) fn holds(text: &str, passage: &str) -> bool {
    if !passage.contains(CELL_SEPARATOR) {
        return folded(text).contains(&folded(passage));
    }
    let cells: Vec<String> = passage.split(CELL_SEPARATOR).map(folded).collect();
    text.lines().map(folded).any(|line| cells.iter().all(|cell| line.contains(cell)))
}

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
            writeln!(formatter, "{:<36}{number}", format!("{category} questions"))?;
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
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use campanile_questions::read_questions;

    use super::*;

    #[test]
    fn cases() {
        let keys = r#""category": "answerable", "answers": ["12 euros"], "gold": [{"document": "fees.md", "passage": "Key | 12 euros"}]"#;
        let place =
            r#""category": "answerable", "answers": ["library"], "gold": [{"document": "a.md"}]"#;
        let refused = r#""category": "unanswerable""#;
        let documents = r#""category": "answerable", "gold": [{"document": "fees.md"}]"#;
        let cases = [
            (keys, Some("€12"), false, Some(true)),
            (keys, Some("A key costs 12 euros."), true, Some(true)),
            (place, Some("It is in the library."), true, Some(true)),
            (place, Some("It is in the library."), false, Some(false)),
            (place, Some("the library"), false, Some(true)),
            (keys, Some("Item: Key; Fee: 12 euros"), true, Some(true)),
            (keys, Some("A key costs 120 euros."), true, Some(false)),
            (keys, Some("A locker costs 5 euros."), true, Some(false)),
            (keys, None, true, Some(false)),
            (refused, None, false, Some(true)),
            (refused, Some("12 euros"), false, Some(false)),
            (documents, Some("12 euros"), true, None),
            (documents, None, true, None),
        ];
        for (fields, answer, from_gold, expected) in cases {
            let line = format!(r#"{{"id": "q", "question": "How much?", {fields}}}"#);
            let question = read_questions(&line).unwrap().remove(0);
            let found = is_correct(&question, answer, from_gold, Language::English);
            assert_eq!(found, expected, "{answer:?} to {fields}");
        }
    }

    #[test]
    fn passages_are_found_without_regard_to_case_and_white_space() {
        let text = "Fees\nItem: Locker; Fee: 5 euros\nItem: Key;  Fee: 12 euros\nPay at  the desk.";
        let cases = [
            ("pay at the desk.", true),
            ("Key | 12 euros", true),
            ("Locker | 12 euros", false),
            ("Locker | 5 euros | May", false),
        ];
        for (passage, expected) in cases {
            assert_eq!(holds(text, passage), expected, "{passage}");
        }
    }

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

//! Two annotators side by side.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::{Annotation, AnswerOverlap, Kappa, answer_overlap, cohen_kappa};

/// Answers that overlap less than this are listed as a disagreement.
const ALIKE_F1: f64 = 0.5;

/// The agreement of two annotators.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// Questions that both have.
    pub shared: usize,
    /// Questions that only the first has.
    pub only_first: usize,
    /// Questions that only the second has.
    pub only_second: usize,
    /// On the category, over the questions that both keep.
    pub category: Kappa,
    /// On accepting or rejecting, over the proposals that both decided about.
    pub decision: Kappa,
    /// On the answers, over the questions that both answered.
    pub answers: AnswerAgreement,
    /// The questions on which they differ, in the first's order.
    pub disagreements: Vec<Disagreement>,
}

/// The agreement of the answers: means over the questions that both answered, `None` without any.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AnswerAgreement {
    /// The number of questions that both answered.
    pub items: usize,
    /// Token F1.
    pub f1: Option<f64>,
    /// The share of the first's words that the second has too.
    pub precision: Option<f64>,
    /// The share of the second's words that the first has too.
    pub recall: Option<f64>,
    /// The share of answers that are the same.
    pub exact: Option<f64>,
}

/// A question where two annotators differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Disagreement {
    /// The question's name in the first's file.
    pub id: String,
    /// The question as the first has it.
    pub question: String,
    /// In what they differ.
    pub matter: Matter,
    /// The first annotator's view.
    pub first: String,
    /// The second annotator's view.
    pub second: String,
}

/// In what two annotators differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Matter {
    /// The decision to accept or reject a proposal.
    Decision,
    /// The category: do the documents answer the question.
    Category,
    /// The answer itself.
    Answer,
}

/// Compares two annotators' files. Questions are the same where their names are, or where one file
/// lacks the name, where their words are.
pub fn agreement(first: &[Annotation], second: &[Annotation]) -> Agreement {
    let pairs = paired(first, second);
    let mut decisions = Vec::new();
    let mut categories = Vec::new();
    let mut overlaps = Vec::new();
    let mut disagreements = Vec::new();
    for (left, right) in &pairs {
        let mut differ = |matter, first: String, second: String| {
            let (id, question) = (left.question.id.clone(), left.question.question.clone());
            disagreements.push(Disagreement { id, question, matter, first, second });
        };
        if let (Some(first), Some(second)) = (left.accepted, right.accepted) {
            decisions.push((first, second));
            if first != second {
                differ(Matter::Decision, decision(first), decision(second));
            }
        }
        if !(left.is_kept() && right.is_kept()) {
            continue;
        }
        let (first, second) = (left.question.category, right.question.category);
        categories.push((first, second));
        if first != second {
            differ(Matter::Category, first.to_string(), second.to_string());
        }
        if left.is_answered() && right.is_answered() {
            let overlap = answer_overlap(&left.question.answers, &right.question.answers);
            overlaps.push(overlap);
            if overlap.f1 < ALIKE_F1 {
                let (first, second) = (&left.question.answers, &right.question.answers);
                differ(Matter::Answer, first.join("; "), second.join("; "));
            }
        }
    }
    Agreement {
        shared: pairs.len(),
        only_first: first.len() - pairs.len(),
        only_second: second.len() - pairs.len(),
        category: cohen_kappa(&categories),
        decision: cohen_kappa(&decisions),
        answers: AnswerAgreement::of(&overlaps),
        disagreements,
    }
}

/// The questions that both have, in the first's order; each of the second's at most once.
fn paired<'a>(
    first: &'a [Annotation],
    second: &'a [Annotation],
) -> Vec<(&'a Annotation, &'a Annotation)> {
    let mut by_id: BTreeMap<&str, &Annotation> =
        second.iter().map(|annotation| (annotation.question.id.as_str(), annotation)).collect();
    let mut found: Vec<Option<&Annotation>> =
        first.iter().map(|annotation| by_id.remove(annotation.question.id.as_str())).collect();
    let mut by_words: BTreeMap<String, &Annotation> =
        by_id.into_values().map(|annotation| (words(annotation), annotation)).collect();
    for (annotation, found) in first.iter().zip(&mut found) {
        if found.is_none() {
            *found = by_words.remove(&words(annotation));
        }
    }
    first.iter().zip(found).filter_map(|(first, second)| Some((first, second?))).collect()
}

fn words(annotation: &Annotation) -> String {
    let words: Vec<&str> = annotation.question.question.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

fn decision(accepted: bool) -> String {
    if accepted { "accepted" } else { "rejected" }.to_owned()
}

impl AnswerAgreement {
    /// The means.
    pub fn of(overlaps: &[AnswerOverlap]) -> Self {
        let items = overlaps.len();
        let mean = |value: fn(&AnswerOverlap) -> f64| {
            (items > 0).then(|| overlaps.iter().map(value).sum::<f64>() / items as f64)
        };
        Self {
            items,
            f1: mean(|overlap| overlap.f1),
            precision: mean(|overlap| overlap.precision),
            recall: mean(|overlap| overlap.recall),
            exact: mean(|overlap| f64::from(u8::from(overlap.exact))),
        }
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shared, only_first, only_second, category, decision, answers, .. } = self;
        writeln!(formatter, "{:<28}{shared}", "questions of both")?;
        writeln!(formatter, "{:<28}{only_first} and {only_second}", "of one alone")?;
        writeln!(formatter, "{:<28}{}", "category", kappa(category))?;
        writeln!(formatter, "{:<28}{}", "accepted or rejected", kappa(decision))?;
        write!(formatter, "{:<28}", "answers of both")?;
        match (answers.f1, answers.exact) {
            (Some(f1), Some(exact)) => {
                let items = answers.items;
                writeln!(formatter, "token F1 {f1:.3}, the same {exact:.3} (of {items})")?;
            }
            _ => writeln!(formatter, "none")?,
        }
        for it in &self.disagreements {
            let matter = match it.matter {
                Matter::Decision => "decision",
                Matter::Category => "category",
                Matter::Answer => "answer",
            };
            writeln!(formatter, "\n{} ({matter}): {}", it.id, it.question)?;
            writeln!(formatter, "  first:  {}\n  second: {}", it.first, it.second)?;
        }
        Ok(())
    }
}

fn kappa(kappa: &Kappa) -> String {
    match (kappa.raw, kappa.kappa) {
        (Some(raw), Some(value)) => {
            format!("kappa {value:.3}, the same {raw:.3} (of {})", kappa.items)
        }
        (Some(raw), None) => format!(
            "the same {raw:.3} (of {}); kappa says nothing, as both used one label only",
            kappa.items
        ),
        _ => "none".to_owned(),
    }
}

//! Agreement between two people who worked on the same questions.
//!
//! A figure measured with a question set is worth no more than the set, and a set no more than the
//! agreement of those who made it. Two annotators' files are laid side by side
//! ([`agreement`]): Cohen's kappa for what is chosen from a few (the category; whether a proposal is
//! accepted), the overlap of words for what is written (the answers), and the list of questions
//! where they differ, which is what the annotators talk about next.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use campanile_questions::{
    Category, Decision, LineProblem, Proposal, Question, folded, question_of,
};
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use crate::answers::{exact_match, token_overlap};

/// One annotator's view of one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation {
    /// The question.
    pub question: Question,
    /// `true` if they accepted it, as it was or edited; `None` where nobody decided, and for the questions of
    /// a set, which were not up for a decision.
    pub accepted: Option<bool>,
}

/// Why an annotator's file cannot be read.
#[derive(Debug, Error)]
pub enum AnnotationError {
    /// A line is no question and no proposal.
    #[error("line {line}: {problem}")]
    Line {
        /// 1-based.
        line: usize,
        /// The problem with it.
        problem: LineProblem,
    },
    /// Two questions share a name.
    #[error("line {line}: the id `{id}` was used in line {first}")]
    Twice {
        /// 1-based.
        line: usize,
        /// The line where it was used before.
        first: usize,
        /// The name.
        id: String,
    },
    /// The file holds nothing.
    #[error("the file is empty: a question set, or a review, is expected")]
    Empty,
}

/// Reads a question set, or a review of proposals with its decisions.
///
/// # Errors
/// The first line that is neither, a name used twice, an empty file.
pub fn read_annotations(text: &str) -> Result<Vec<Annotation>, AnnotationError> {
    let mut annotations = Vec::new();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for (line, content) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if content.trim().is_empty() {
            continue;
        }
        let annotation =
            annotation(content).map_err(|problem| AnnotationError::Line { line, problem })?;
        let id = &annotation.question.id;
        if let Some(first) = lines.insert(id.clone(), line) {
            return Err(AnnotationError::Twice { line, first, id: id.clone() });
        }
        annotations.push(annotation);
    }
    if annotations.is_empty() { Err(AnnotationError::Empty) } else { Ok(annotations) }
}

/// A proposal holds its question as an object, a question as a text.
fn annotation(line: &str) -> Result<Annotation, LineProblem> {
    let value: Value =
        serde_json::from_str(line).map_err(|error| LineProblem::Syntax(error.to_string()))?;
    let is_proposal = value.get("question").is_some_and(Value::is_object);
    if !is_proposal {
        return Ok(Annotation { question: question_of(line)?, accepted: None });
    }
    let proposal: Proposal =
        serde_json::from_value(value).map_err(|error| LineProblem::Syntax(error.to_string()))?;
    let accepted = proposal.decision.map(|decision| decision != Decision::Rejected);
    Ok(Annotation { question: proposal.question, accepted })
}

impl Annotation {
    /// Returns `true` if the annotator says what the answer is: the question is in their set, or they did not
    /// reject it.
    fn is_kept(&self) -> bool {
        self.accepted != Some(false)
    }

    /// Returns `true` if they gave an answer.
    fn is_answered(&self) -> bool {
        self.is_kept()
            && self.question.category != Category::Unanswerable
            && !self.question.answers.is_empty()
    }
}

/// The agreement of two annotators on labels, and the part of it that is more than chance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Kappa {
    /// On how many items.
    pub items: usize,
    /// The share that they labelled alike, 0 to 1; `None` without items.
    pub raw: Option<f64>,
    /// Cohen's kappa, -1 to 1: 0 is what chance would give, 1 full agreement. `None` where it is not
    /// defined: without items, or where both used one and the same label throughout.
    pub kappa: Option<f64>,
}

/// Cohen's kappa (Cohen 1960) of two annotators' labels for the same items, without weights:
/// `(p_o - p_e) / (1 - p_e)`, where `p_o` is the share labelled alike and `p_e` the share that would
/// be if each had drawn labels at random with the frequencies they used.
///
/// ```
/// use campanile_eval::agreement::cohen_kappa;
///
/// let labels = [("yes", "yes"), ("yes", "no"), ("no", "no"), ("no", "no")];
/// assert_eq!(cohen_kappa(&labels).kappa, Some(0.5));
/// ```
pub fn cohen_kappa<L: Ord>(pairs: &[(L, L)]) -> Kappa {
    let items = pairs.len();
    let total = items as f64;
    if items == 0 {
        return Kappa { items, raw: None, kappa: None };
    }
    let mut used: BTreeMap<&L, (usize, usize)> = BTreeMap::new();
    for (left, right) in pairs {
        used.entry(left).or_default().0 += 1;
        used.entry(right).or_default().1 += 1;
    }
    let alike = pairs.iter().filter(|(left, right)| left == right).count();
    // In whole numbers as long as they are whole: full chance agreement is 1 exactly.
    let by_chance: usize = used.values().map(|(left, right)| left * right).sum();
    let (observed, expected) = (alike as f64 / total, by_chance as f64 / (total * total));
    let is_defined = by_chance < items * items;
    let kappa = is_defined.then(|| (observed - expected) / (1.0 - expected));
    Kappa { items, raw: Some(observed), kappa }
}

/// The overlap of two annotators' answers: of several answers, that of the two that fit best.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct AnswerOverlap {
    /// The share of the first's words that the second has too.
    pub precision: f64,
    /// The share of the second's words that the first has too.
    pub recall: f64,
    /// Their harmonic mean: the token F1 of SQuAD.
    pub f1: f64,
    /// `true` if both are the same after SQuAD's normalisation.
    pub exact: bool,
}

/// The overlap of the answers that two annotators gave to one question, each of which will do;
/// nothing at all where one of them gave none.
pub fn answer_overlap<S: AsRef<str>>(first: &[S], second: &[S]) -> AnswerOverlap {
    let overlap_with = |answer: &S| {
        let overlap = token_overlap(answer.as_ref(), second);
        AnswerOverlap {
            precision: overlap.precision,
            recall: overlap.recall,
            f1: overlap.f1,
            exact: exact_match(answer.as_ref(), second),
        }
    };
    let is_better = |one: &AnswerOverlap, other: &AnswerOverlap| {
        one.f1.total_cmp(&other.f1).then(one.exact.cmp(&other.exact))
    };
    let answers = first.iter().filter(|_| !second.is_empty());
    answers.map(overlap_with).max_by(is_better).unwrap_or_default()
}

/// Answers that overlap less than this are listed as a disagreement, and questions of one name are two.
// Half of the words: "5 euros" and "5 euros a month" (F1 0.8) are one answer in two lengths, "5 euros" and "12 euros for
// two" (0.33) are not. Of answers it decides what is listed, and no figure.
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

/// Compares two annotators' files. Questions are the same where their words are, or where their names are and at least
/// half of their words.
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
    let mut by_words: BTreeMap<String, &Annotation> = second
        .iter()
        .map(|annotation| (folded(&annotation.question.question), annotation))
        .collect();
    let mut found: Vec<Option<&Annotation>> = first
        .iter()
        .map(|annotation| by_words.remove(&folded(&annotation.question.question)))
        .collect();
    // What is left may be one question whose words somebody has edited, or two that only have one name: `q1` is in
    // every second file.
    let mut by_id: BTreeMap<&str, &Annotation> = by_words
        .into_values()
        .map(|annotation| (annotation.question.id.as_str(), annotation))
        .collect();
    for (annotation, found) in first.iter().zip(&mut found) {
        let Question { id, question, .. } = &annotation.question;
        let is_edited = |other: &&Annotation| {
            token_overlap(question, &[&other.question.question]).f1 >= ALIKE_F1
        };
        if found.is_none() && by_id.get(id.as_str()).is_some_and(is_edited) {
            *found = by_id.remove(id.as_str());
        }
    }
    first.iter().zip(found).filter_map(|(first, second)| Some((first, second?))).collect()
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
        writeln!(formatter, "{:<28}{}", "category", told_kappa(category))?;
        writeln!(formatter, "{:<28}{}", "accepted or rejected", told_kappa(decision))?;
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

fn told_kappa(kappa: &Kappa) -> String {
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

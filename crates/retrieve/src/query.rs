//! A question, made ready for the searches.

use campanile_language::{Words, questions};
use campanile_model::TokenVectors;
use campanile_text::{Analyzer, Token};

use crate::expansion::Expansion;
use crate::spelling::Correction;

/// The weight of a term that stands in for a misspelled word, beside one that was typed: a little less, for
/// the likeliest word is meant in nine cases of ten.
const STAND_IN: f32 = 0.9;

/// A question, made ready for the searches.
#[derive(Debug, Clone)]
pub struct Query {
    /// The question as it was typed, trimmed.
    pub question: String,
    /// Its distinct index terms, in the order of their first appearance; once spelling has been
    /// looked at, those that stand in for a misspelled word come last and the word's own is gone.
    pub terms: Vec<String>,
    /// Words that no text holds, and what is searched for instead.
    pub corrections: Vec<Correction>,
    /// Other forms of what it says, which the documents use as well.
    pub expansions: Vec<Expansion>,
    /// Terms that are searched beside its own, with what each weighs.
    pub added: Vec<(String, f32)>,
    /// Its embedding of length 1, once an encoder is there.
    pub vector: Option<Vec<f32>>,
    /// The encoder's vectors of its tokens, made in the same pass.
    pub tokens: Option<TokenVectors>,
}

impl Query {
    /// Analyses a question; the vector is the caller's, since embedding may come later.
    pub fn new(question: &str, analyzer: &Analyzer, vector: Option<Vec<f32>>) -> Self {
        let question = question.trim();
        let mut terms: Vec<String> = Vec::new();
        for Token { term, .. } in analyzer.analyze(question) {
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        Self {
            question: question.to_owned(),
            terms,
            corrections: Vec::new(),
            expansions: Vec::new(),
            added: Vec::new(),
            vector,
            tokens: None,
        }
    }

    /// Takes stand-ins for words that no text holds, each with the word's own term.
    pub(crate) fn correct(&mut self, found: Vec<(String, Correction)>) {
        for (unknown, correction) in found {
            self.terms.retain(|term| *term != unknown);
            for term in &correction.terms {
                if !self.terms.contains(term) {
                    self.terms.push(term.clone());
                }
            }
            self.corrections.push(correction);
        }
    }

    /// Takes other forms of what the question says; each of their terms has this weight.
    pub(crate) fn expand(&mut self, expansions: Vec<Expansion>, weight: f32) {
        for expansion in &expansions {
            for term in &expansion.terms {
                self.add(term, weight);
            }
        }
        self.expansions = expansions;
    }

    /// Adds a term that is not there yet.
    pub(crate) fn add(&mut self, term: &str, weight: f32) {
        let known = self.terms.iter().any(|known| known == term)
            || self.added.iter().any(|(known, _)| known == term);
        if !known && weight > 0.0 {
            self.added.push((term.to_owned(), weight));
        }
    }

    /// Returns the weight of a term in the search by keywords: 1, or less where it stands in for another.
    pub(crate) fn weight_of(&self, term: &String, analyzer: &Analyzer) -> f32 {
        let stands_in = self.corrections.iter().any(|correction| correction.terms.contains(term));
        // A word that stands in for another may have been typed as well.
        let typed = || analyzer.analyze(&self.question).iter().any(|token| token.term == *term);
        if stands_in && !typed() { STAND_IN } else { 1.0 }
    }

    /// The question with its corrections, for the encoder. What an abbreviation stands for is not said to it:
    /// on SciFact that cost 0.009 nDCG@10.
    pub(crate) fn respelled(&self) -> String {
        let mut text = self.question.clone();
        // From the back, so that the places in front stay what they are.
        for correction in self.corrections.iter().rev() {
            text.replace_range(correction.span.range(), &correction.instead);
        }
        text
    }
}

/// Returns `true` if a question asks about two things beside each other, so that passages about one of them
/// alone answer only half of it.
///
/// ```
/// use campanile_retrieve::compares;
///
/// assert!(compares("What is the difference between a minor and a double major?"));
/// assert!(compares("Which library is open longer, the one in Bridge House or the Heron Library?"));
/// assert!(!compares("When does the library open?"));
/// ```
pub fn compares(question: &str) -> bool {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let after = |place: usize, wanted: &dyn Fn(&str) -> bool| {
        words.iter().skip(place + 1).any(|word| wanted(word))
    };
    words.iter().enumerate().any(|(place, word)| {
        let is_half = |pair: &Words| {
            let mut pair = pair.iter();
            let second = (pair.next() == Some(word)).then(|| pair.next()).flatten();
            second.is_some_and(|second| after(place, &|word| word == second))
        };
        questions::COMPARING.contains(word)
            || questions::PAIRS.iter().any(is_half)
            || (is_comparative(word)
                && place > 0
                && after(place, &|word| questions::THAN.contains(word))
                && asks_which(&words))
    })
}

/// "longer", "more", "cheaper": an ending that also other words have, which is why the question must
/// ask for a choice as well.
fn is_comparative(word: &str) -> bool {
    questions::PLAIN_COMPARATIVES.contains(word) || (word.len() > 4 && word.ends_with("er"))
}

fn asks_which(words: &[&str]) -> bool {
    words.iter().any(|word| questions::WHICH.contains(word))
        || words.first().is_some_and(|word| word.starts_with("welch") || *word == "ist")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_told_from_other_questions() {
        let cases = [
            ("What is the difference between WEN210 and WEN220?", true),
            ("How do the two programmes differ?", true),
            ("part-time vs. full-time", true),
            ("Compare the fees of both faculties", true),
            ("Is the bachelor thesis longer than the master thesis?", true),
            ("Which canteen is open longer, Bridge House or the Weir Building?", true),
            ("Worin unterscheiden sich Bachelor und Master?", true),
            ("Was ist der Unterschied zwischen Klausur und Hausarbeit?", true),
            ("Does the rule hold for both the bachelor and the master?", true),
            ("When is the paper due?", false),
            ("Who is the teacher of WEN210?", false),
            ("How many credits do I need?", false),
            ("Where do I register?", false),
            ("", false),
        ];
        for (question, expected) in cases {
            assert_eq!(compares(question), expected, "{question}");
        }
    }
}

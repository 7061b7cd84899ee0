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
    /// As it was typed, trimmed.
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

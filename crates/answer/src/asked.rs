//! The terms of a question, and what stands for them in the documents.

use std::collections::BTreeSet;

use campanile_retrieve::Trace;
use campanile_text::Analyzer;

use crate::words::term_set;

/// A question's index terms as they were searched for: a misspelled word's are those of the word that was meant, and
/// a configured synonym counts as what it stands for.
#[derive(Debug, Clone)]
pub(crate) struct AskedTerms {
    terms: Vec<String>,
    synonyms: Vec<Synonym>,
}

#[derive(Debug, Clone)]
struct Synonym {
    /// The terms of what the question says: `LMS`.
    said: BTreeSet<String>,
    /// The terms of what the documents say: `learning management system`.
    meant: BTreeSet<String>,
}

impl AskedTerms {
    /// The terms of a question that was searched for.
    pub(crate) fn new(trace: &Trace, analyzer: &Analyzer) -> Self {
        let synonyms = trace.expansions.iter().map(|it| Synonym {
            said: term_set(&it.found, analyzer),
            meant: it.terms.iter().cloned().collect(),
        });
        Self { terms: trace.terms.clone(), synonyms: synonyms.collect() }
    }

    /// The terms of a text as it is typed.
    pub(crate) fn of_text(text: &str, analyzer: &Analyzer) -> Self {
        let mut terms = Vec::new();
        for token in analyzer.analyze(text) {
            if !terms.contains(&token.term) {
                terms.push(token.term);
            }
        }
        Self { terms, synonyms: Vec::new() }
    }

    /// The number of distinct terms.
    pub(crate) fn count(&self) -> usize {
        self.terms.len()
    }

    /// The places of the terms that a text with these terms holds, itself or by a synonym.
    pub(crate) fn held_by(&self, text: &BTreeSet<String>) -> BTreeSet<usize> {
        let meant: Vec<&Synonym> =
            self.synonyms.iter().filter(|synonym| synonym.meant.is_subset(text)).collect();
        let is_held = |term: &String| {
            text.contains(term) || meant.iter().any(|synonym| synonym.said.contains(term))
        };
        let terms = self.terms.iter().enumerate();
        terms.filter(|(_, term)| is_held(term)).map(|(place, _)| place).collect()
    }
}

#[cfg(test)]
mod tests {
    use campanile_retrieve::Expansion;
    use campanile_text::{Language, Span};

    use super::*;

    #[test]
    fn a_synonym_and_a_corrected_word_are_held_where_the_text_has_what_is_meant() {
        let analyzer = Analyzer::new(Language::English);
        let trace = Trace {
            // `adress` was typed.
            terms: ["lms", "address"].map(str::to_owned).to_vec(),
            expansions: vec![Expansion {
                span: Span::default(),
                found: "LMS".to_owned(),
                added: "learning platform".to_owned(),
                terms: ["learn", "platform"].map(str::to_owned).to_vec(),
            }],
            ..Trace::default()
        };
        let asked = AskedTerms::new(&trace, &analyzer);
        let cases = [
            ("The address of the LMS", [0, 1].as_slice()),
            ("The learning platform has a new address", &[0, 1]),
            ("The platform is new", &[]),
            ("An adress", &[]),
        ];
        for (text, expected) in cases {
            let held: Vec<usize> = asked.held_by(&term_set(text, &analyzer)).into_iter().collect();
            assert_eq!(held, expected, "{text}");
        }
    }
}

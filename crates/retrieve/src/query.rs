use campanile_text::{Analyzer, Token};

/// A question, made ready for the searches.
#[derive(Debug, Clone)]
pub struct Query {
    /// As it was typed, trimmed.
    pub question: String,
    /// Its distinct index terms, in the order of their first appearance.
    pub terms: Vec<String>,
    /// Its embedding of length 1, once an encoder is there.
    pub vector: Option<Vec<f32>>,
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
        Self { question: question.to_owned(), terms, vector }
    }
}

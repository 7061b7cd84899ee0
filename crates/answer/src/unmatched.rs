use std::collections::BTreeSet;

use campanile_text::{Analyzer, Span};

/// The words of a question that none of the texts has, as they were typed and each once. Words are compared as the
/// index has them: `deadlines` has `deadline`.
pub(crate) fn unmatched<'a>(
    question: &str,
    texts: impl IntoIterator<Item = &'a str>,
    analyzer: &Analyzer,
) -> Vec<String> {
    let held: BTreeSet<String> =
        texts.into_iter().flat_map(|text| analyzer.analyze(text)).map(|token| token.term).collect();
    let mut found: Vec<Span> = Vec::new();
    let tokens = analyzer.analyze(question);
    for token in &tokens {
        // `CS 101` is known where its parts are, or the parts where it is.
        let known =
            |span: Span| tokens.iter().any(|t| t.span.overlaps(span) && held.contains(&t.term));
        if !known(token.span) && !found.iter().any(|span| span.overlaps(token.span)) {
            found.push(token.span);
        }
    }
    let mut words: Vec<String> = Vec::new();
    for word in found.iter().filter_map(|span| span.slice(question)) {
        if !words.iter().any(|earlier| earlier.eq_ignore_ascii_case(word)) {
            words.push(word.to_owned());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use campanile_text::Language;

    use super::*;

    #[test]
    fn words_are_compared_as_the_index_has_them() {
        let analyzer = Analyzer::new(Language::English);
        let texts = ["Fees", "Library", "A locker costs 5 euros a term. CS 101 has none."];
        let cases: [(&str, &[&str]); 7] = [
            ("What do lockers cost?", &[]),
            ("What do drones cost in the library?", &["drones"]),
            ("Which fees are there for quadcopters and for Quadcopters?", &["quadcopters"]),
            ("Is CS101 free?", &["free"]),
            ("Is CS 102 dear?", &["102", "dear"]),
            ("Who?", &[]),
            ("", &[]),
        ];
        for (question, expected) in cases {
            assert_eq!(unmatched(question, texts, &analyzer), expected, "{question}");
        }
        assert_eq!(unmatched("Any locker?", [], &analyzer), ["locker"]);
    }
}

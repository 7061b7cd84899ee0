use std::collections::BTreeSet;

use campanile_text::{Analyzer, Span};

/// Words that ask rather than name what is asked for; the other ones are stop words.
const ASKING: [&str; 9] =
    ["much", "many", "often", "long", "difference", "viel", "viele", "oft", "lange"];

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
        let is_same = |other: &str| other.eq_ignore_ascii_case(word);
        if !ASKING.into_iter().any(is_same) && !words.iter().any(|earlier| is_same(earlier)) {
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
        let cases: [(&str, &[&str]); 8] = [
            ("What do lockers cost?", &[]),
            ("What do drones cost in the library?", &["drones"]),
            ("Which fees are there for quadcopters and for Quadcopters?", &["quadcopters"]),
            ("Is CS101 free?", &["free"]),
            ("Is CS 102 dear?", &["102", "dear"]),
            ("How much do drones cost, and how often?", &["drones"]),
            ("Who?", &[]),
            ("", &[]),
        ];
        for (question, expected) in cases {
            assert_eq!(unmatched(question, texts, &analyzer), expected, "{question}");
        }
        assert_eq!(unmatched("Any locker?", [], &analyzer), ["locker"]);
    }
}

//! The terms of a question, what stands for them in the documents, and which of its words no passage has.

use std::collections::BTreeSet;
use std::ops::Bound;

use campanile_language::questions;
use campanile_retrieve::Trace;
use campanile_text::{Analyzer, Language, Span, foreign_language};

use crate::reply::Source;
use crate::words::{is_one_of, term_set, terms};

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
        Self { terms: terms(text, analyzer), synonyms: Vec::new() }
    }

    /// The number of distinct terms.
    pub(crate) fn count(&self) -> usize {
        self.terms.len()
    }

    /// The same question without some terms, which do not say what it is about.
    pub(crate) fn without(&self, terms: &BTreeSet<String>) -> Self {
        let kept = self.terms.iter().filter(|term| !terms.contains(*term));
        Self { terms: kept.cloned().collect(), synonyms: self.synonyms.clone() }
    }

    /// The terms, and of each synonym in the question what it stands for.
    pub(crate) fn set(&self) -> BTreeSet<String> {
        let meant = self.synonyms.iter().flat_map(|synonym| &synonym.meant);
        self.terms.iter().chain(meant).cloned().collect()
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

/// The language in English that a question is asked in, where that is plainly another than the documents': not the one
/// that the site is set to, and not that of the passages which come nearest. A site that nobody has set up is set to
/// English, whatever its documents are in.
pub(crate) fn asked_in(
    question: &str,
    nearest: &[Source],
    language: Language,
) -> Option<&'static str> {
    let other = foreign_language(question, language)?;
    let is_theirs = |source: &Source| foreign_language(&source.text, language) == Some(other);
    (!nearest.iter().any(is_theirs)).then_some(other)
}

/// Terms of one family have so many letters in common ...
const LEAST_FAMILY_LETTERS: usize = 5;
/// ... and one has at most so many more, since stemming leaves `registr` beside `regist`: `register` and
/// `registration`, but not `intern` and `international`.
const MOST_ENDING_LETTERS: usize = 2;

/// The words of a question that none of the texts has, as they were typed and each once. Words are compared as the
/// index has them (`deadlines` has `deadline`), and with the forms that students shorten (`lab` has `laboratory`). A
/// word that was searched for in another form is not missing, nor is one at a place of `besides`.
pub(crate) fn unmatched<'a>(
    question: &str,
    texts: impl IntoIterator<Item = &'a str>,
    besides: &[Span],
    trace: &Trace,
    analyzer: &Analyzer,
) -> Vec<String> {
    let held: BTreeSet<String> =
        texts.into_iter().flat_map(|text| term_set(text, analyzer)).collect();
    // A corrected word is said to be corrected; a synonym is there where what it stands for is.
    let corrected = trace.corrections.iter().map(|it| it.span);
    let synonyms = trace.expansions.iter().filter(|it| it.terms.iter().all(|t| held.contains(t)));
    let explained = corrected.chain(synonyms.map(|it| it.span)).chain(besides.iter().copied());
    let mut found: Vec<Span> = explained.collect();
    let explained = found.len();
    let tokens = analyzer.analyze(question);
    for token in &tokens {
        // `CS 101` is known where its parts are, or the parts where it is.
        let known = |span: Span| {
            tokens.iter().any(|t| t.span.overlaps(span) && is_held(&t.term, &held, analyzer))
        };
        if !known(token.span) && !found.iter().any(|span| span.overlaps(token.span)) {
            found.push(token.span);
        }
    }
    let mut words: Vec<String> = Vec::new();
    for word in found.iter().skip(explained).filter_map(|span| span.slice(question)) {
        let lower = word.to_lowercase().replace('’', "'");
        if !is_one_of(&lower, questions::ASKING)
            && !is_one_of(&lower, questions::FILLERS)
            && !words.iter().any(|earlier| earlier.to_lowercase() == lower)
        {
            words.push(word.to_owned());
        }
    }
    words
}

/// Returns `true` if the texts have a term, one of its family, or another form of a word that is shortened.
pub(crate) fn is_held(term: &str, held: &BTreeSet<String>, analyzer: &Analyzer) -> bool {
    held.contains(term)
        || has_family(term, held)
        || other_forms(term, analyzer).any(|it| held.contains(&it))
}

/// Returns `true` if a term of the same family is among those held.
fn has_family(term: &str, held: &BTreeSet<String>) -> bool {
    let is_word = |word: &str| word.chars().all(char::is_alphabetic);
    let letters = |word: &str| word.chars().count();
    if !is_word(term) || letters(term) < LEAST_FAMILY_LETTERS {
        return false;
    }
    let from: (Bound<&str>, Bound<&str>) = (Bound::Included(term), Bound::Unbounded);
    let longer = held.range::<str, _>(from).take_while(|it| it.starts_with(term));
    let is_near = |it: &String| is_word(it) && letters(it) <= letters(term) + MOST_ENDING_LETTERS;
    let mut shorter = term.char_indices().rev().take(MOST_ENDING_LETTERS);
    longer.into_iter().any(is_near)
        || shorter.any(|(at, _)| {
            letters(&term[..at]) >= LEAST_FAMILY_LETTERS && held.contains(&term[..at])
        })
}

/// The other forms of a term that is shortened, as the index has them.
fn other_forms(term: &str, analyzer: &Analyzer) -> impl Iterator<Item = String> {
    let rows = questions::SHORTENED.iter().map(move |row| terms(row.as_str(), analyzer));
    rows.filter(move |row| row.iter().any(|form| form == term)).flatten()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use campanile_retrieve::{Correction, Expansion};
    use campanile_text::{Language, Span};

    use super::*;
    use crate::testing::source;

    #[test]
    fn a_question_in_the_language_of_the_passages_is_in_no_other() {
        let passage = |text: &str| Source { text: text.to_owned(), ..source(1, "Fristen") };
        let german =
            "Die Rückmeldung ist bis zum 15. Juli möglich, danach nur noch mit einem Antrag.";
        let english =
            "Re-registration is possible until 15 July, and with an application after that.";
        let asked = "bis wann muss ich mich für das nächste semester zurückmelden";
        let cases: [(&[&str], Option<&str>); 4] = [
            (&[english], Some("German")),
            (&[german], None),
            (&[english, german], None),
            (&[], Some("German")),
        ];
        for (texts, expected) in cases {
            let nearest: Vec<Source> = texts.iter().map(|text| passage(text)).collect();
            assert_eq!(asked_in(asked, &nearest, Language::English), expected, "{texts:?}");
        }
        assert_eq!(asked_in("When is it open?", &[passage(german)], Language::English), None);
    }

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

    /// The cases of a language's site in `unmatched.txt`: the text, the question, the words that are missing.
    fn cases(language: &str) -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
        let blocks = include_str!("unmatched.txt").split("\n--- ").skip(1);
        let blocks = blocks.filter(move |block| block.starts_with(&format!("{language}:")));
        let case = |block: &'static str| {
            let (_, rest) = block.split_once('\n').unwrap();
            let (text, questions) = rest.split_once('\n').unwrap();
            questions.lines().filter(|line| !line.is_empty()).map(move |line| {
                let (question, missing) = line.split_once(" =>").unwrap();
                (text, question, missing.split_whitespace().collect())
            })
        };
        blocks.flat_map(case).collect()
    }

    #[test]
    fn a_word_that_was_searched_for_in_another_form_is_not_missing() {
        let analyzer = Analyzer::new(Language::English);
        let span = |start, end| Span { start, end };
        let terms = |terms: &[&str]| terms.iter().map(|&term| term.to_owned()).collect();
        let trace = Trace {
            corrections: vec![Correction {
                word: "adress".to_owned(),
                instead: "address".to_owned(),
                terms: terms(&["address"]),
                span: span(4, 10),
            }],
            expansions: vec![Expansion {
                span: span(18, 21),
                found: "LMS".to_owned(),
                added: "learning platform".to_owned(),
                terms: terms(&["learn", "platform"]),
            }],
            ..Trace::default()
        };
        let question = "The adress of the LMS?";
        let cases = [("The learning platform is there.", [].as_slice()), ("None.", &["LMS"])];
        for (text, missing) in cases {
            assert_eq!(unmatched(question, [text], &[], &trace, &analyzer), missing, "{text}");
        }
    }

    #[test]
    fn words_are_missing_only_where_no_form_of_them_is_there() {
        let mut wrong = Vec::new();
        let languages = [("en", Language::English), ("de", Language::German)];
        for (code, language) in languages {
            let analyzer = Analyzer::new(language);
            let cases = cases(code);
            assert!(cases.len() >= 5, "{code}");
            for (text, question, expected) in cases {
                let found = unmatched(question, [text], &[], &Trace::default(), &analyzer);
                if found != expected {
                    wrong.push(format!("{question} {found:?} instead of {expected:?}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let analyzer = Analyzer::new(Language::English);
        assert_eq!(unmatched("Any locker?", [], &[], &Trace::default(), &analyzer), ["locker"]);
    }
}

use campanile_unicode::{Form, normalized};
use proptest::prelude::*;

use super::{Analyzer, Token};
use crate::Language;

fn terms(language: Language, text: &str) -> String {
    let tokens = Analyzer::new(language).analyze(text);
    let terms: Vec<_> = tokens.iter().map(|token| token.term.as_str()).collect();
    terms.join(" ")
}

/// Each case: its name, the text, its terms.
const ENGLISH_CASES: &[(&str, &str, &str)] = &[
    ("stop words and stems", "What are the policies for students?", "polici student"),
    ("diacritics", "Café RÉSUMÉ naïve", "cafe resum naiv"),
    ("compatibility forms", "ﬁnal ２０２４", "final 2024"),
    ("code with a space", "CS 101", "cs101 cs 101"),
    ("code with a hyphen", "CS-101", "cs101 cs 101"),
    ("code in one", "CS101", "cs101 cs 101"),
    ("code in lower case", "math2410", "math2410 math 2410"),
    ("code with a suffix", "BIO 220L", "bio220l bio 220l"),
    ("a stop word makes no code", "in 2024", "2024"),
    ("a stop word in capitals does", "IT 101", "it101 it 101"),
    ("numeric code", "15-213", "15 213"),
    ("e-mail address", "Write to Jane.Doe@cs.example.edu.", "write jane.doe@cs.example.edu"),
    ("web address", "(https://www.example.edu/apply/).", "example.edu/apply"),
    ("bare web address", "See www.example.edu/apply", "see example.edu/apply"),
    ("dotted letters", "Ph.D. and U.S. forms, e.g. this", "phd us form eg"),
    ("time", "by 5 p.m. today", "5 pm today"),
    ("abbreviation that is a stop word", "IT and it", "it"),
    ("number", "1,500.00 and 2.75", "1500 2.75"),
    ("date", "2024-05-01 or 07/13/2021", "2024 05 01 07 13 2021"),
    ("hyphen", "Part-time e-mail", "parttim part time email mail"),
    ("apostrophe", "the dean's students’ don’t", "dean student don't"),
    ("language", "C++ and C# with an A+.", "c++ c# a+"),
    ("month", "in May", "may"),
    ("negation", "not allowed", "not allow"),
    ("ordinal", "the 2nd week", "2nd week"),
    ("domain", "gsa.gov", "gsa gov"),
    ("ideographs", "東京 CS", "東 京 cs"),
    ("soft hyphen", "regu\u{ad}lation", "regul"),
    ("nothing", " -- !? ", ""),
];

const GERMAN_CASES: &[(&str, &str, &str)] = &[
    ("umlauts and stems", "Die Prüfungen für Studierende", "prufung studier"),
    ("sharp s", "Straße und STRASSE", "strass strass"),
    ("code", "Modul INF 110", "modul inf110 inf 110"),
    ("umlauts as letter and mark", "Pru\u{308}fungen", "prufung"),
    ("ways to write a plural", "die Prüfung der Prüfungen", "prufung prufung"),
    ("a compound with a hyphen", "Bachelor-Arbeit", "bachelorarbeit bachelor arbeit"),
    ("paragraph of a regulation", "§ 12 Abs. 3", "12 abs 3"),
];

#[test]
fn text_becomes_terms() {
    for (name, text, expected) in ENGLISH_CASES {
        assert_eq!(terms(Language::English, text), *expected, "{name}");
    }
    for (name, text, expected) in GERMAN_CASES {
        assert_eq!(terms(Language::German, text), *expected, "{name}");
    }
    let plain = terms(Language::None, "The policies of Łódź");
    assert_eq!(plain, "the policies of lodz");
}

#[test]
fn spans_and_positions_point_at_the_words() {
    let text = "The CS 101 exam";
    let found: Vec<_> = Analyzer::new(Language::English)
        .analyze(text)
        .into_iter()
        .map(|Token { term, span, position }| (term, span.slice(text), position))
        .collect();
    let expected = [
        ("cs101".to_owned(), Some("CS 101"), 1),
        ("cs".to_owned(), Some("CS"), 1),
        ("101".to_owned(), Some("101"), 2),
        ("exam".to_owned(), Some("exam"), 3),
    ];
    assert_eq!(found, expected);
}

#[test]
fn long_words_are_cut_and_long_texts_take_no_time() {
    for unit in ["b@.'-", "1,1", "a.b.", "www.<", "b@", "x'", "C++", "7a1,"] {
        let mut text = unit.repeat(300_000);
        text.push('z');
        assert!(!terms(Language::English, &text).is_empty(), "{unit}");
    }
    let word = terms(Language::None, &"x".repeat(10_000));
    assert_eq!(word.len(), 64);
}

proptest! {
    #[test]
    fn tokens_are_in_order_and_inside_the_text(text in "\\PC{0,60}|[a-zA-Z0-9@.,'#+: -]{0,60}") {
        for language in [Language::English, Language::German, Language::None] {
            let mut last = (0, 0);
            for token in Analyzer::new(language).analyze(&text) {
                prop_assert!(token.span.slice(&text).is_some_and(|word| !word.is_empty()));
                prop_assert!(!token.term.is_empty());
                prop_assert!(!token.term.contains(char::is_uppercase) || !token.term.is_ascii());
                prop_assert!((token.position, token.span.start) >= last);
                last = (token.position, token.span.start);
            }
        }
    }

    /// Composed, decomposed and compatibility forms of a text are one and the same to a search.
    #[test]
    fn normalisation_forms_make_no_difference(text in "[a-zà-öø-ÿĀ-žﬁﬂ０-９Ａ-Ｚ²½Å -]{0,40}") {
        for language in [Language::English, Language::German, Language::None] {
            let expected = terms(language, &text);
            for form in [Form::Nfc, Form::Nfd].map(|form| normalized(&text, form)) {
                prop_assert_eq!(terms(language, &form), expected.as_str());
            }
        }
    }

    #[test]
    fn case_makes_no_difference_to_long_words(word in "[a-z]{5,12}") {
        let upper = word.to_uppercase();
        prop_assert_eq!(terms(Language::English, &word), terms(Language::English, &upper));
    }
}

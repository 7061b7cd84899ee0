//! Properties that must hold of every text and of every source.

use campanile_grounding::{Continuation, Grounds, literals};
use campanile_text::Language;
use proptest::prelude::*;

/// Fragments that sources and answers are put together from.
const FRAGMENTS: [&str; 60] = [
    "the course",
    "may",
    "May",
    "May I",
    "4 October",
    "4 October 2024",
    "10 December",
    "December",
    "Mar",
    "March",
    "4 Marks",
    "2024-05-03",
    "03.05.2024",
    "5/3/2024",
    "10–12 December",
    "from 3 to 5 May 2025",
    "December 4-10, 2024",
    "4, 6 and 10 June",
    "vom 3. bis 5. Mai",
    "1. März",
    "1,000",
    "1.000",
    "1000",
    "3.5",
    "3,50",
    "-5",
    "007",
    "20%",
    "12",
    "123",
    "4",
    "8:30",
    "18:00",
    "10am",
    "8 a.m.",
    "3rd",
    "the 1990s",
    "9/11",
    "2024/25",
    "5 million",
    "2,5 Mio.",
    "twenty",
    "twenty-one",
    "two hundred and fifty",
    "sixth",
    "einundzwanzig",
    "zwei Millionen",
    "CS101",
    "CS 101",
    "COMP-1234",
    "15-213",
    "412-268-2000",
    "B2",
    "H2O",
    "jane.doe@example.edu",
    "jane@",
    "https://www.example.edu/a-4/b?c=5",
    "example.edu",
    "www.",
    "Straße ½ 履修",
];

/// Marks that stand between fragments, or are written letter by letter.
const MARKS: [&str; 40] = [
    " ", " ", " ", " ", ". ", ", ", "\n", "-", "–", "/", ".", ",", ":", "@", "(", ") ", "0", "1",
    "2", "3", "4", "5", "8", "0", "a", "m", "s", "t", "th", " and ", " to ", " of ", " bis ",
    "hundred", " million", "teen", " May", " Dec", "ember", "Okt",
];

fn language() -> impl Strategy<Value = Language> {
    prop::sample::select(vec![Language::English, Language::German, Language::None])
}

fn source() -> impl Strategy<Value = String> {
    let fragment = prop::sample::select(FRAGMENTS.to_vec());
    let mark = prop::sample::select(MARKS.to_vec());
    let pair = (fragment, mark).prop_map(|(fragment, mark)| format!("{fragment}{mark}"));
    prop::collection::vec(pair, 0..10).prop_map(|all| all.concat())
}

/// Pieces of any kind, as a model without sense would choose them.
fn pieces() -> impl Strategy<Value = Vec<&'static str>> {
    let all: Vec<&'static str> = FRAGMENTS.iter().chain(&MARKS).chain(&MARKS).copied().collect();
    prop::collection::vec(prop::sample::select(all), 0..120)
}

/// Returns what is written of `pieces`, those that are not allowed left out.
fn written(grounds: &Grounds, pieces: &[&str]) -> (String, usize) {
    let mut continuation = Continuation::new(grounds);
    let (mut text, mut whole) = (String::new(), 0);
    for piece in pieces {
        if continuation.allows(&text, piece) {
            text.push_str(piece);
        }
        if continuation.may_end(&text) {
            whole = text.len();
        }
    }
    (text, whole)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Up to where it may end, no text states what its sources do not.
    #[test]
    fn nothing_is_written_that_is_missing(
        language in language(),
        sources in prop::collection::vec(source(), 0..3),
        pieces in pieces(),
    ) {
        let grounds = Grounds::of(sources.iter().map(String::as_str), language);
        let (mut text, whole) = written(&grounds, &pieces);
        text.truncate(whole);
        let missing = grounds.missing(&text);
        prop_assert!(missing.is_empty(), "{missing:?} in {text:?} of {sources:?}");
    }

    /// Looking at the end alone is looking at the whole.
    #[test]
    fn what_is_settled_does_not_matter(source in source(), pieces in pieces()) {
        let grounds = Grounds::of([source.as_str()], Language::English);
        let mut continuation = Continuation::new(&grounds);
        let mut text = String::new();
        for piece in pieces {
            let fresh = Continuation::new(&grounds).allows(&text, piece);
            let allowed = continuation.allows(&text, piece);
            // A text with something missing in its settled part is never come by.
            prop_assert_eq!(allowed, fresh, "{:?} + {:?}", text, piece);
            if allowed {
                text.push_str(piece);
            }
        }
    }

    /// A source can be written again, however it is cut.
    #[test]
    fn a_source_can_be_written(
        language in language(),
        source in source(),
        cuts in prop::collection::vec(1_usize..5, 1..40),
    ) {
        let grounds = Grounds::of([source.as_str()], language);
        let source = source.split_whitespace().collect::<Vec<_>>().join(" ");
        prop_assert!(grounds.missing(&source).is_empty(), "{:?}", grounds.missing(&source));
        let mut continuation = Continuation::new(&grounds);
        let (mut start, mut cuts) = (0, cuts.iter().cycle());
        while start < source.len() {
            let rest = &source[start..];
            let count = *cuts.next().unwrap_or(&1);
            let length = rest.char_indices().nth(count).map_or(rest.len(), |(at, _)| at);
            let (text, piece) = (&source[..start], &rest[..length]);
            prop_assert!(continuation.allows(text, piece), "{text:?} + {piece:?} of {source:?}");
            start += length;
        }
        prop_assert!(continuation.may_end(&source));
    }

    /// Anything that has begun can be completed letter by letter: nobody is left without a way on.
    #[test]
    fn there_is_always_a_way_on(source in source(), pieces in pieces()) {
        let grounds = Grounds::of([source.as_str()], Language::English);
        let (mut text, _) = written(&grounds, &pieces);
        let mut continuation = Continuation::new(&grounds);
        let letters: Vec<char> =
            source.chars().chain(" 0123456789.,:-/@".chars()).chain('a'..='z').chain('A'..='Z').collect();
        for _ in 0..80 {
            if continuation.may_end(&text) {
                prop_assert!(continuation.allows(&text, " "));
                return Ok(());
            }
            let next = letters.iter().map(char::to_string).find(|one| continuation.allows(&text, one));
            prop_assert!(next.is_some(), "{text:?} of {source:?}");
            text.extend(next);
        }
    }

    /// Literals stand where they say, in their order.
    #[test]
    fn literals_have_their_places(language in language(), text in source(), any in ".{0,60}") {
        for text in [text, any] {
            let found = literals(&text, language);
            prop_assert!(found.is_sorted_by_key(|one| one.span.start));
            for one in found {
                prop_assert!(one.span.slice(&text).is_some_and(|slice| !slice.is_empty()));
            }
        }
    }
}

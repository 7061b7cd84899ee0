//! The item that a question names by its number: `What does rule 5 say?`, `Was besagt Regel 6 (a)?`
//!
//! Numbers are what a reader refers to, and nothing in them is like what they stand for: neither words nor meaning lead from
//! `rule 5` to "Telephones are switched off". So the item is looked up, in the list that the question names. Only a
//! question that asks for the item itself is answered so: `Who may waive rule 5?` asks for something else.

use std::collections::BTreeSet;

use campanile_language::answers;
use campanile_text::{Analyzer, Span, enumerator, is_next_number};

use crate::asked::is_held;
use crate::reply::Source;
use crate::table::lines;
use crate::words::{Word, term_set, words};

/// An item is shown with at most this many lines of the lists in it.
// The same as of a list behind its lead-in: one that is a passage of its own is not quoted whole.
const ITEM_LINES: usize = 9;

/// An item that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumberedItem {
    /// Index of its source.
    pub(crate) source: usize,
    /// Its place in the source's text, with its number.
    pub(crate) span: Span,
    /// `true` if no other list has an item that the question may mean as well.
    pub(crate) is_only: bool,
}

/// The item that a question asks for by its number; none where it asks for something else, or no list has such an item.
pub(crate) fn item(
    question: &str,
    sources: &[Source],
    analyzer: &Analyzer,
) -> Option<NumberedItem> {
    let reference = Reference::of(question, analyzer)?;
    let mut found: Vec<(usize, &str, NumberedItem)> = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let Some(span) = numbered(&source.text, &reference.numbers) else { continue };
        let text = span.slice(&source.text)?;
        let Some(fit) = reference.fit(source, text, analyzer) else { continue };
        let item = NumberedItem { source: index, span, is_only: true };
        // Passages overlap, and a document may stand in two places.
        if !found.iter().any(|(_, known, _)| *known == text) {
            found.push((fit, text, item));
        }
    }
    let most = found.iter().map(|(fit, ..)| *fit).max()?;
    let mut best = found.into_iter().filter(|(fit, ..)| *fit == most);
    let (_, _, item) = best.next()?;
    Some(NumberedItem { is_only: best.next().is_none(), ..item })
}

/// What a question names: `rule 6 (a)`.
#[derive(Debug, PartialEq, Eq)]
struct Reference {
    /// The terms of what is counted; none where any list may be meant (`step`, `item`).
    counted: BTreeSet<String>,
    /// The numbers from the outer list to the inner, in lower case: `6`, `a`.
    numbers: Vec<String>,
    /// The terms of the question besides these and the words that ask what an item says.
    others: BTreeSet<String>,
}

impl Reference {
    fn of(question: &str, analyzer: &Analyzer) -> Option<Self> {
        let all = words(question);
        let (noun, at) = all.windows(2).enumerate().find_map(|(at, pair)| {
            let [noun, number] = pair else { return None };
            let is_counted = noun.lower.chars().all(char::is_alphabetic)
                && !noun.is_one_of(answers::ITEM_QUESTIONS);
            (is_counted && !outer_numbers(&number.lower, noun).is_empty()).then_some((noun, at + 1))
        })?;
        let mut numbers = outer_numbers(&all.get(at)?.lower, noun);
        let mut end = at + 1;
        // `letter a`, `Buchstabe a`
        let is_named = all.get(end).is_some_and(|word| word.is_one_of(answers::LETTER_NAMES));
        end += usize::from(is_named);
        while let Some(inner) = all.get(end).filter(|word| is_inner(word, question, is_named)) {
            numbers.push(inner.lower.clone());
            end += 1;
        }
        let terms = |words: &[Word]| -> BTreeSet<String> {
            words.iter().flat_map(|word| term_set(&word.lower, analyzer)).collect()
        };
        let is_any = noun.is_one_of(answers::ITEM_NAMES);
        let counted = if is_any { BTreeSet::new() } else { terms(std::slice::from_ref(noun)) };
        let around: Vec<Word> = all
            .iter()
            .enumerate()
            .filter(|(place, word)| {
                !(at - 1..end).contains(place) && !word.is_one_of(answers::ITEM_QUESTIONS)
            })
            .map(|(_, word)| word.clone())
            .collect();
        (is_any || !counted.is_empty()).then(|| Self { counted, numbers, others: terms(&around) })
    }

    /// How well a source fits: by the words of the question that its title and headings have. `None` where it is not
    /// what the question counts, or where the question asks for more than the item.
    fn fit(&self, source: &Source, item: &str, analyzer: &Analyzer) -> Option<usize> {
        let headings: BTreeSet<String> = source
            .section
            .iter()
            .chain([&source.title])
            .flat_map(|heading| term_set(heading, analyzer))
            .collect();
        let own = term_set(item, analyzer);
        let is_headed = |term: &&String| is_held(term, &headings, analyzer);
        let is_told = |term: &String| is_headed(&term) || is_held(term, &own, analyzer);
        let fits =
            self.counted.iter().all(|term| is_headed(&term)) && self.others.iter().all(is_told);
        fits.then(|| self.others.iter().filter(is_headed).count())
    }
}

/// The numbers that a word states: `6`, `6a`. A letter or a numeral is one only behind what any list has: `item b`.
fn outer_numbers(word: &str, noun: &Word) -> Vec<String> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, letter) = word.split_at(digits);
    let is_letter = letter.len() == 1 && letter.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_counted = (1..=3).contains(&digits) && (letter.is_empty() || is_letter);
    if is_counted {
        let number = number.trim_start_matches('0');
        let parts = [number, letter].into_iter().filter(|part| !part.is_empty());
        return parts.map(str::to_owned).collect();
    }
    let is_mark = enumerator(&format!("({word})")).is_some();
    if digits == 0 && is_mark && noun.is_one_of(answers::ITEM_NAMES) {
        return vec![word.to_owned()];
    }
    Vec::new()
}

/// Returns `true` if a word behind a number is the number of a list within: `(a)`, `a)`, or named as a letter.
fn is_inner(word: &Word, question: &str, is_named: bool) -> bool {
    let is_mark = enumerator(&format!("({})", word.lower)).is_some();
    let behind = question.get(word.span.end as usize..).unwrap_or_default();
    // An `a` alone is an article.
    is_mark && (is_named || behind.starts_with(')'))
}

/// A line that begins with a number.
struct Line<'a> {
    span: Span,
    number: &'a str,
    /// The mark without its number: `.`, `()`.
    signs: String,
    /// The number of lists around its own.
    depth: usize,
}

/// The item with these numbers, the outer first, where the text has one such item and one alone.
fn numbered(text: &str, numbers: &[String]) -> Option<Span> {
    let all = numbered_lines(text);
    let mut range = 0..all.len();
    let mut span = None;
    for (depth, number) in numbers.iter().enumerate() {
        let within = all.get(range.clone())?;
        let is_meant = |line: &&Line<'_>| {
            line.number.eq_ignore_ascii_case(number) && (depth > 0 || is_in_a_list(line, &all))
        };
        // Lists within one another begin anew: the outermost is meant.
        let least = within.iter().filter(is_meant).map(|line| line.depth).min()?;
        let mut meant =
            within.iter().enumerate().filter(|(_, line)| line.depth == least && is_meant(line));
        let (place, line) = meant.next()?;
        if meant.next().is_some() {
            return None;
        }
        let behind = within.get(place + 1..)?;
        let inner = behind.iter().take_while(|next| next.depth > line.depth).count();
        let start = range.start + place + 1;
        range = start..start + inner;
        let end = all.get(range.end).map_or(text.len(), |next| next.span.start as usize);
        span = Some(item_span(text, line.span, end));
    }
    span
}

/// A number alone may be a day (`5. Oktober`): of a list there is a neighbour.
fn is_in_a_list(line: &Line<'_>, all: &[Line<'_>]) -> bool {
    all.iter().any(|other| {
        other.signs == line.signs
            && (is_next_number(line.number, other.number)
                || is_next_number(other.number, line.number))
    })
}

fn numbered_lines(text: &str) -> Vec<Line<'_>> {
    let mut found: Vec<Line<'_>> = Vec::new();
    // The last number of each list that is open, the outermost first, with its signs.
    let mut open: Vec<(&str, String)> = Vec::new();
    let mut is_behind_gap = true;
    for line in lines(text) {
        let own = line.slice(text).unwrap_or_default();
        let inner = own.trim_start();
        if inner.is_empty() {
            is_behind_gap = true;
            continue;
        }
        let mark = inner.split(' ').next().unwrap_or_default();
        let Some(number) = enumerator(mark).filter(|_| mark.len() < inner.len()) else {
            // A paragraph ends all lists; a line right below an item is its own.
            if is_behind_gap {
                open.clear();
            }
            is_behind_gap = false;
            continue;
        };
        is_behind_gap = false;
        let signs = mark.replacen(number, "", 1);
        let continued =
            open.iter().rposition(|(last, known)| *known == signs && is_next_number(last, number));
        let depth = continued.unwrap_or(open.len());
        open.truncate(depth);
        open.push((number, signs.clone()));
        let start = line.end - inner.len() as u32;
        found.push(Line { span: Span::new(start, line.end), number, signs, depth });
    }
    found
}

/// An item up to the next one: its line and those right below it.
fn item_span(text: &str, line: Span, end: usize) -> Span {
    let Some(own) = text.get(line.start as usize..end) else { return line };
    let own = own.split("\n\n").next().unwrap_or(own);
    let length: usize = own.split_inclusive('\n').take(ITEM_LINES).map(str::len).sum();
    let own = own.get(..length).unwrap_or(own).trim_end();
    Span::new(line.start, line.start + own.len() as u32)
}

#[cfg(test)]
mod tests {
    use campanile_text::{Analyzer, Language};

    use super::item;
    use crate::reply::Source;
    use crate::testing::source;

    fn sources() -> Vec<Source> {
        let of = |number: usize, place: &str, text: &str| Source {
            text: text.to_owned(),
            ..source(number, place)
        };
        vec![
            of(
                1,
                "Boathouse > Breaches",
                "Whoever breaks rule 3 pays. Whoever breaks rule 4 (b) leaves.",
            ),
            of(
                2,
                "Boathouse > Rules",
                "1. Boats are dried.\n2. Oars hang on the wall.\n3. Nobody rows alone.\n\nAt night:\n\n\
                 4. Guests:\na. wear a vest,\nb. carry a lamp,\nc. sign the book.\n5. The gate is locked.\nThe key lies at the desk.\n\nAsk at the desk.",
            ),
            of(
                3,
                "Sail loft > Rules",
                "1. Sails are folded.\n2. Knives stay outside.\n3. Shoes are taken off.",
            ),
            of(
                4,
                "Borrowing a boat",
                "1. Sign the sheet.\n2. Take the key.\n(i) from the hook\n(ii) from the desk\n3. Row.\n\n5. Oktober: closed",
            ),
        ]
    }

    #[test]
    fn an_item_is_found_by_its_number() {
        let cases = [
            (
                "What does rule 5 of the boathouse say?",
                "5. The gate is locked.\nThe key lies at the desk.",
            ),
            ("What is rule 3 of the sail loft?", "3. Shoes are taken off."),
            ("rule 4 (b)", "b. carry a lamp,"),
            ("What does rule 4(a) say?", "a. wear a vest,"),
            ("what does rule 4c say", "c. sign the book."),
            (
                "What does rule 4 say?",
                "4. Guests:\na. wear a vest,\nb. carry a lamp,\nc. sign the book.",
            ),
            ("What is step 3 of borrowing a boat?", "3. Row."),
            ("What is step 2 (ii) of borrowing a boat?", "(ii) from the desk"),
            ("Where do the oars hang by rule 2 of the boathouse?", "2. Oars hang on the wall."),
            ("Do oars hang on a wall, rule 2?", "2. Oars hang on the wall."),
            // Something else is asked, or nothing has such a number.
            ("Who may waive rule 5?", ""),
            ("What does rule 9 say?", ""),
            ("What does rule 5 of the library say?", ""),
            ("What is form 3?", ""),
            ("What is point 5 of borrowing a boat?", ""),
            ("What are the rules?", ""),
            ("What is a 3 of boathouse?", ""),
        ];
        let analyzer = Analyzer::new(Language::English);
        let sources = sources();
        for (question, expected) in cases {
            let found = item(question, &sources, &analyzer);
            let text = found.and_then(|it| it.span.slice(&sources[it.source].text));
            assert_eq!(text.unwrap_or_default(), expected, "{question}");
        }
    }

    #[test]
    fn an_item_that_two_lists_have_is_not_sure() {
        let analyzer = Analyzer::new(Language::English);
        let is_only = |question: &str| item(question, &sources(), &analyzer).map(|it| it.is_only);
        assert_eq!(is_only("What does rule 2 say?"), Some(false));
        assert_eq!(is_only("What does rule 2 of the sail loft say?"), Some(true));
    }

    #[test]
    fn german_questions_name_items_as_well() {
        let analyzer = Analyzer::new(Language::German);
        let list = Source {
            text: "1. Boote werden getrocknet.\n2. Niemand rudert allein.\n3. Gäste:\n(a) tragen Westen,\n(b) haben Licht."
                .to_owned(),
            ..source(1, "Bootshaus > Regeln")
        };
        for (question, expected) in [
            ("Was besagt Regel 2?", "2. Niemand rudert allein."),
            ("Was steht in Punkt 1?", "1. Boote werden getrocknet."),
            ("Was besagt Regel 3 Buchstabe b des Bootshauses?", "(b) haben Licht."),
        ] {
            let found = item(question, std::slice::from_ref(&list), &analyzer);
            let text = found.and_then(|it| it.span.slice(&list.text));
            assert_eq!(text.unwrap_or_default(), expected, "{question}");
        }
    }
}

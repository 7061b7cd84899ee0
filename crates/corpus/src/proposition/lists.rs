//! Lists: `a) … b) …` within a sentence, and list items with the line that introduces them.

use campanile_text::{Span, sentences};

use super::clauses::ends_open;
use super::words::Lists;
use crate::facts::bare;
use crate::{Block, BlockKind, Document};

/// A sentence that lists things behind letters or numbers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Enumeration {
    /// The words that are said of each item: "Students must:".
    pub(super) stem: Span,
    /// The items, without their marks and what joins them.
    pub(super) items: Vec<Span>,
}

/// The enumeration of a sentence, where each item surely holds with the stem alone.
pub(super) fn enumeration(sentence: &str, lists: Lists) -> Option<Enumeration> {
    let marks = marks(sentence);
    let stem = sentence.get(..marks.first()?.0)?.trim_end();
    // One mark is a reference, "see a)".
    if marks.len() < 2 || stem.split_whitespace().count() < 2 || leaves_a_choice(stem, lists) {
        return None;
    }
    if !stem.ends_with(':') && !ends_open(stem, lists) {
        return None;
    }
    let mut items = Vec::new();
    for (index, (_, start)) in marks.iter().enumerate() {
        let end = marks.get(index + 1).map_or(sentence.len(), |(next, _)| *next);
        let item = item(sentence, *start, end, lists)?;
        items.push(item);
    }
    // Behind a comma in the last item may stand what holds of all: ", before the term begins".
    let last = items.last()?.slice(sentence)?;
    (!last.contains(',')).then(|| Enumeration { stem: Span::from_range(0..stem.len()), items })
}

/// The stem with an item: "Students must" + "register", "These are needed:" + "a passport". An item
/// with a capital is set off by a colon: "We will: Email all".
pub(super) fn joined(stem: &str, item: &str, lists: Lists) -> String {
    let open = stem.trim_end_matches([':', ' ']);
    if ends_open(open, lists) && item.starts_with(char::is_lowercase) {
        format!("{open} {item}")
    } else {
        format!("{open}: {item}")
    }
}

/// Returns `true` if the words say that not all items hold: "one of the following".
fn leaves_a_choice(stem: &str, lists: Lists) -> bool {
    stem.split_whitespace().any(|word| lists.choice.contains(&bare(word).to_lowercase()))
}

/// The item between two marks; `None` where an "or" joins it to the next, or nothing is left.
fn item(sentence: &str, start: usize, end: usize, lists: Lists) -> Option<Span> {
    let own = sentence.get(start..end)?;
    let start = start + own.len() - own.trim_start().len();
    let mut item = own.trim();
    item = item.trim_end_matches([';', ',', ' ']);
    let last = |text: &str| text.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    if lists.or.contains(&last(item)) {
        return None;
    }
    if lists.and.contains(&last(item)) {
        item = item.rsplit_once(char::is_whitespace)?.0.trim_end_matches([';', ',', ' ']);
    }
    (!item.is_empty()).then(|| Span::from_range(start..start + item.len()))
}

/// The marks of one series in order: where each begins, and where it ends.
fn marks(sentence: &str) -> Vec<(usize, usize)> {
    let mut marks = Vec::new();
    let mut series: Option<fn(usize) -> String> = None;
    let mut start = 0;
    for word in sentence.split_inclusive(char::is_whitespace) {
        let label = word.trim_end().strip_suffix(')');
        let label = label.map(|label| label.strip_prefix('(').unwrap_or(label));
        // A series that is at its end expects nothing, and `()` is no mark.
        let label = label.filter(|label| !label.is_empty());
        let is_next = |series: fn(usize) -> String| label == Some(series(marks.len()).as_str());
        // `i)` begins a roman series, and is a letter only behind `h)`.
        let fitting = match series {
            Some(series) => Some(series).filter(|series| is_next(*series)),
            None => SERIES.into_iter().find(|series| is_next(*series)),
        };
        if let Some(fitting) = fitting {
            series = Some(fitting);
            marks.push((start, start + word.len()));
        }
        start += word.len();
    }
    marks
}

const SERIES: [fn(usize) -> String; 3] = [letter, number, roman];

fn letter(index: usize) -> String {
    let letter = u8::try_from(index).ok().and_then(|index| b'a'.checked_add(index));
    letter.filter(u8::is_ascii_lowercase).map(char::from).into_iter().collect()
}

fn number(index: usize) -> String {
    (index + 1).to_string()
}

fn roman(index: usize) -> String {
    const ROMAN: [&str; 8] = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii"];
    ROMAN.get(index).copied().unwrap_or_default().to_owned()
}

/// A line longer than this is not said again with every item.
// A longer line has conditions of its own that need not hold of every item, and it would drown them.
const LONGEST_STEM_WORDS: usize = 30;
/// An item further down than this has lost sight of the line.
// Each item looks back for its line: without a limit a list of a thousand takes a million looks.
const MOST_ITEMS: usize = 200;

/// The sentence with a colon that stands right before the list which an item belongs to.
///
/// `None` as well where items are joined by "or", and where one ends with a colon itself: it may
/// introduce what follows it, and how deep items are nested is not known here.
pub(super) fn introduction(
    document: &Document,
    section: u32,
    item: Span,
    lists: Lists,
) -> Option<Span> {
    let section = document.sections.get(section as usize)?;
    let blocks = &section.blocks;
    let place = blocks.partition_point(|block| block.span.start <= item.start).checked_sub(1)?;
    let text = |block: &Block| block.span.cut_from(&document.text).trim_end();
    let is_item = |block: &&Block| block.kind == BlockKind::ListItem;
    let is_open = |block: &Block| {
        let text = text(block);
        let last = bare(text.split_whitespace().next_back().unwrap_or_default()).to_lowercase();
        text.ends_with(':') || lists.or.contains(&last)
    };
    let above = blocks.get(..place)?.iter().rev().take(MOST_ITEMS + 1);
    let above = above.take_while(is_item).count();
    let first = place.checked_sub(above)?;
    let items = blocks.get(first..)?.iter().take_while(is_item).take(MOST_ITEMS + 1);
    let line = blocks.get(first.checked_sub(1)?)?;
    if above > MOST_ITEMS || line.kind != BlockKind::Paragraph || items.clone().any(is_open) {
        return None;
    }
    colon_sentence(text(line)).map(|sentence| sentence.shifted(line.span.start))
}

fn colon_sentence(text: &str) -> Option<Span> {
    let last = sentences(text).pop()?;
    let own = last.slice(text)?;
    let words = own.split_whitespace().count();
    (own.ends_with(':') && (2..=LONGEST_STEM_WORDS).contains(&words)).then_some(last)
}

#[cfg(test)]
mod tests {
    use campanile_text::Language;

    use super::{enumeration, joined};
    use crate::proposition::words::Lists;

    const CASES: &[(Language, &str, &[&str])] = &[
        (
            Language::English,
            "Students must: (a) register; (b) pay 30 Euro.",
            &["Students must register", "Students must pay 30 Euro."],
        ),
        (
            Language::English,
            "The following are needed: 1) a card, 2) a form, and 3) a pen.",
            &[
                "The following are needed: a card",
                "The following are needed: a form",
                "The following are needed: a pen.",
            ],
        ),
        (
            Language::English,
            "You are required to i) sign and ii) pay.",
            &["You are required to sign", "You are required to pay."],
        ),
        (Language::English, "Students must: (a) register; or (b) pay.", &[]),
        (Language::English, "Bring one of these: a) a card; b) a form.", &[]),
        (Language::English, "The forms a) blue and b) red.", &[]),
        (Language::English, "Students must a) sign and b) pay, before May.", &[]),
        (Language::English, "a) register; b) pay.", &[]),
        (Language::English, "Students must: (a) register.", &[]),
        (
            Language::German,
            "Erforderlich sind: a) der Antrag; b) die Gebühr von 30 Euro.",
            &["Erforderlich sind der Antrag", "Erforderlich sind die Gebühr von 30 Euro."],
        ),
    ];

    #[test]
    fn each_item_is_said_with_the_stem() {
        for (language, sentence, expected) in CASES {
            let Some(lists) = Lists::of(*language) else { continue };
            let found = enumeration(sentence, lists).map(|found| {
                let stem = found.stem.cut_from(sentence);
                let items = found.items.iter().filter_map(|item| item.slice(sentence));
                items.map(|item| joined(stem, item, lists)).collect::<Vec<_>>()
            });
            assert_eq!(found.unwrap_or_default(), *expected, "{sentence}");
        }
    }

    #[test]
    fn empty_brackets_behind_the_last_mark_are_none() {
        let sentence = "i) a ii) b iii) c iv) d v) e vi) f vii) g viii) call h () twice";
        assert_eq!(super::marks(sentence).len(), 8);
    }
}

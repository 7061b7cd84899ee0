//! Which sections of a document are entries of a FAQ.
//!
//! A department's FAQ asks what visitors ask, and an entry is given as the answer itself where its question is the
//! visitor's. A handbook asks too: "Was spricht für die Höhere Mathematik?" is the heading of two pages of prose, and
//! "Questions?" that of an address. Such a section answers its heading no more than any other does, so it must not pass
//! for an entry. What tells the two apart is the company that a question keeps: a FAQ is several of them side by side,
//! each with a short answer.

use std::collections::BTreeMap;

use campanile_language::documents;

use crate::{Document, Section, asks};

/// So many questions side by side are a FAQ ...
// "Was spricht für ...?" stands twice below a heading of the handbook of Heidelberg's students; one or two questions are
// rhetoric. Three was the least that `crates/ingest/src/faq.rs` took for a FAQ before.
const LEAST_ENTRIES: usize = 3;
/// ... and so many where the page says that it is one.
const LEAST_NAMED_ENTRIES: usize = 2;
/// Of all headings beside each other, so many of three ask.
// Of seven FAQs of `training/data/handbooks`, the one with the fewest questions has 10 among 14 headings. Pages of the
// handbook of TTS with a question among other headings have 1 among 2 to 15, and 3 among 6 or 7.
const ASKING_OF_THREE: usize = 2;
/// Half of the answers have at most so many words.
// FAQs of `training/data/handbooks` and `tests/sets/faq/choosing` have 32 to 58, the short question sections of TTS's and
// Heidelberg's handbooks 30 to 110, and 301 entries of public offices (`covid_faq_en`) 86. Question headings above prose
// in these handbooks have 130 to 430.
const USUAL_WORDS: usize = 120;
/// An answer with more words is a section, also in a FAQ.
// 95 of 100 entries of `covid_faq_en` have at most 294, 90 have at most 215.
const MOST_WORDS: usize = 300;

/// Marks the sections of a document that are entries of a FAQ, as [`Section::is_question`] has them.
///
/// A section that is marked already stays so: a table with a column of questions and one of answers is a FAQ whatever
/// its length. Every reader of a format passes through here, since what a FAQ is does not depend on how it is set.
pub fn mark_entries(document: &mut Document) {
    let outlines = outlines(document);
    let names_itself = is_faq_name(&document.title) || is_faq_name(stem(&document.path));
    let is_named = |section: &Section| {
        let above = section.path.split_last().map_or(&[][..], |(_, above)| above);
        names_itself || above.iter().any(|heading| is_faq_name(heading))
    };
    let mut entries = vec![false; outlines.len()];
    // A page of topics with two questions each is a FAQ as a whole; a part of a page may be one by itself.
    let page = outlines.iter().enumerate().filter(|(_, outline)| outline.is_leaf && outline.is_set);
    let page: Vec<usize> = page.map(|(place, _)| place).collect();
    for group in siblings(&outlines).into_values().chain([page]) {
        if is_faq(&group, &outlines) {
            group.into_iter().for_each(|place| entries[place] = true);
        }
    }
    let named = outlines.iter().zip(&document.sections).enumerate();
    let named = named.filter(|(_, (outline, section))| outline.may_be_entry() && is_named(section));
    let named: Vec<usize> = named.map(|(place, _)| place).collect();
    if named.len() >= LEAST_NAMED_ENTRIES {
        named.into_iter().for_each(|place| entries[place] = true);
    }
    for ((section, outline), is_in_faq) in document.sections.iter_mut().zip(&outlines).zip(entries)
    {
        section.is_question |= is_in_faq && outline.may_be_entry();
    }
}

/// A section, as far as its place among the others and its length go.
struct Outline {
    /// The section above it.
    parent: Option<usize>,
    level: u8,
    /// `true` if its heading asks.
    asks: bool,
    /// `true` if it has no subsections.
    is_leaf: bool,
    /// `true` if it has a heading and a text.
    is_set: bool,
    words: usize,
}

impl Outline {
    fn may_be_entry(&self) -> bool {
        self.asks && self.is_leaf && (1..=MOST_WORDS).contains(&self.words)
    }
}

fn outlines(document: &Document) -> Vec<Outline> {
    let mut above: Vec<usize> = Vec::new();
    let mut outlines: Vec<Outline> = Vec::with_capacity(document.sections.len());
    for (place, section) in document.sections.iter().enumerate() {
        while above.last().is_some_and(|&it| document.sections[it].level >= section.level) {
            above.pop();
        }
        let text = section.span.slice(&document.text).unwrap_or_default();
        // The rest of a book need not be counted.
        let words = text.split_whitespace().take(MOST_WORDS + 1).count();
        let next = document.sections.get(place + 1);
        outlines.push(Outline {
            parent: above.last().copied(),
            level: section.level,
            asks: section.level > 0 && asks(&section.heading),
            is_leaf: next.is_none_or(|next| next.level <= section.level),
            is_set: section.level > 0 && words > 0,
            words,
        });
        if section.level > 0 {
            above.push(place);
        }
    }
    outlines
}

/// The places of the sections that stand side by side.
fn siblings(outlines: &[Outline]) -> BTreeMap<(Option<usize>, u8), Vec<usize>> {
    let mut groups: BTreeMap<(Option<usize>, u8), Vec<usize>> = BTreeMap::new();
    for (place, outline) in outlines.iter().enumerate().filter(|(_, outline)| outline.level > 0) {
        groups.entry((outline.parent, outline.level)).or_default().push(place);
    }
    groups
}

/// Returns `true` if most of some sections ask and answer in short.
fn is_faq(group: &[usize], outlines: &[Outline]) -> bool {
    let entries = group.iter().map(|&place| &outlines[place]).filter(|it| it.may_be_entry());
    let mut words: Vec<usize> = entries.map(|outline| outline.words).collect();
    words.sort_unstable();
    words.len() >= LEAST_ENTRIES
        && words.len() * 3 >= group.len() * ASKING_OF_THREE
        && words[words.len() / 2] <= USUAL_WORDS
}

/// Returns `true` if a title or a heading says that its content is a FAQ.
fn is_faq_name(name: &str) -> bool {
    let words = name.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let line = format!(" {} ", words.join(" "));
    documents::FAQ_NAMES.iter().any(|phrase| line.contains(&format!(" {phrase} ")))
}

/// The name of a document's file without its ending.
fn stem(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.split_once('.').map_or(file, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use crate::samples;

    /// A case of `entries.txt`: its name, its document, the headings of its entries.
    fn cases() -> Vec<(&'static str, Document, Vec<&'static str>)> {
        let case = |block: &'static str| {
            let (name, lines) = block.split_once('\n').unwrap();
            let (mut title, mut source, mut entries) = ("Handbook", String::new(), Vec::new());
            for line in lines.lines().filter(|line| !line.is_empty()) {
                if let Some(own) = line.strip_prefix("title: ") {
                    title = own;
                } else if let Some(count) = line.strip_suffix(" words") {
                    source.push_str(&format!("{}\n", "word ".repeat(count.parse().unwrap())));
                } else {
                    let heading = line.strip_prefix('*');
                    entries.extend(heading.map(|it| it.trim_start_matches('#').trim()));
                    source.push_str(&format!("{}\n", heading.unwrap_or(line)));
                }
            }
            (name, samples::document(title, &source), entries)
        };
        include_str!("entries.txt").split("\n--- ").skip(1).map(case).collect()
    }

    #[test]
    fn a_question_is_an_entry_where_its_page_is_a_faq() {
        let cases = cases();
        let is_faq = |entries: &Vec<&str>| !entries.is_empty();
        let faqs = cases.iter().filter(|(_, _, entries)| is_faq(entries)).count();
        assert!(faqs >= 8 && cases.len() - faqs >= 8, "{faqs} of {}", cases.len());
        let mut wrong = Vec::new();
        for (name, mut document, expected) in cases {
            mark_entries(&mut document);
            let found = document.sections.iter().filter(|section| section.is_question);
            let found: Vec<&str> = found.map(|section| section.heading.as_str()).collect();
            if found != expected {
                wrong.push(format!("{name}: {found:?} instead of {expected:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn what_a_reader_knows_to_be_an_entry_stays_one() {
        let mut document = samples::document("Costs", "# Costs\n## The cost\nEUR 40.\n");
        document.sections.last_mut().unwrap().is_question = true;
        mark_entries(&mut document);
        assert!(document.sections.last().unwrap().is_question);
    }

    #[test]
    fn a_file_may_say_what_it_is() {
        for (path, expected) in [
            ("help/parking-faq.md", true),
            ("help/FAQ.html", true),
            ("faq/parking.md", false),
            ("help/faquir.md", false),
        ] {
            let source =
                "# Parking\n## Where do I park?\nBehind the hall.\n## Who may park?\nStaff.\n";
            let mut document =
                Document { path: path.to_owned(), ..samples::document("Parking", source) };
            mark_entries(&mut document);
            assert_eq!(document.sections.iter().any(|it| it.is_question), expected, "{path}");
        }
    }
}

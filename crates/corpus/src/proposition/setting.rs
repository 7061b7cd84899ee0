//! The names that a statement stands under: set in front where it lacks them, and in the place of "this course".

use std::collections::BTreeSet;

use campanile_language::{Phrases, propositions};
use campanile_text::{Analyzer, Span};

use super::Rule;
use super::block::Draft;
use super::clauses::first_word;
use super::words::Lists;
use crate::facts::{bare, course_codes, single_spaced, without_number};
use crate::unit::Part;
use crate::{BlockKind, CONTEXT_BYTES, Document, Section};

/// The names that a statement stands under: title, headings, a table's caption.
pub(super) struct Setting {
    names: Vec<Name>,
    /// All of them, for looking facts up in.
    named: String,
}

struct Name {
    text: String,
    terms: BTreeSet<String>,
}

impl Setting {
    pub(super) fn new(document: &Document, part: &Part, analyzer: &Analyzer) -> Self {
        let section = document.sections.get(part.section as usize);
        let path = section.map(|section| section.path.as_slice()).unwrap_or_default();
        let is_row = part.kind == BlockKind::TableRow;
        let table = document.table_at(part.span.start).filter(|_| is_row);
        let mut texts = vec![document.title.as_str()];
        texts.extend(path.iter().map(String::as_str));
        texts.extend(table.map(|table| table.caption.as_str()));
        let mut names: Vec<Name> = Vec::new();
        for text in &texts {
            let name = Name::new(text, analyzer);
            // "Exam rules" above "Rules of exams" is said once.
            let is_known = names.iter().any(|known| known.terms == name.terms);
            if !is_known && name.text.contains(char::is_alphanumeric) {
                names.push(name);
            }
        }
        Self { names, named: texts.join(" ") }
    }

    /// All names together.
    pub(super) fn named(&self) -> &str {
        &self.named
    }

    /// The statement behind the names that it lacks.
    pub(super) fn restored(
        &self,
        text: &str,
        analyzer: &Analyzer,
        rules: &mut Vec<Rule>,
    ) -> String {
        let text = single_spaced(text);
        let own = terms(&text, analyzer);
        let lacks = |name: &&Name| !name.terms.is_subset(&own) || name.terms.is_empty();
        let lacking: Vec<&str> =
            self.names.iter().filter(lacks).map(|name| name.text.as_str()).collect();
        let front = front(&lacking);
        if front.is_empty() {
            return text;
        }
        rules.push(Rule::Restored);
        let mark = if front.ends_with(['?', '!', ':', '.', '…']) { "" } else { ":" };
        format!("{front}{mark} {text}")
    }
}

impl Name {
    fn new(text: &str, analyzer: &Analyzer) -> Self {
        let text = single_spaced(text);
        // A heading's number says nothing that a sentence could lack.
        let bare = without_number(&text);
        Self { terms: terms(bare, analyzer), text }
    }
}

pub(super) fn terms(text: &str, analyzer: &Analyzer) -> BTreeSet<String> {
    analyzer.analyze(text).into_iter().map(|token| token.term).collect()
}

/// The names in a row, no longer than a chunk's context: those in the middle go first, then words
/// at the end of what remains.
fn front(names: &[&str]) -> String {
    let mut names = names.to_vec();
    let length = |names: &[&str]| names.iter().map(|name| name.len() + 2).sum::<usize>();
    // The middle first, as in a chunk's context: title and own heading tell most.
    while names.len() > 2 && length(&names) > CONTEXT_BYTES {
        names.remove(1);
    }
    let room = if length(&names) > CONTEXT_BYTES {
        CONTEXT_BYTES / names.len().max(1) - 2
    } else {
        CONTEXT_BYTES
    };
    let cut: Vec<&str> =
        names.iter().map(|name| beginning(name, room)).filter(|name| !name.is_empty()).collect();
    cut.join(", ")
}

/// As many whole words as fit.
fn beginning(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let fitting = text.get(..text.floor_char_boundary(bytes + 1)).unwrap_or_default();
    let end = fitting.rfind(char::is_whitespace).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

/// A name that is longer than this is no name.
// Longer headings are sentences, which do not fit where a name stood.
const LONGEST_NAME: usize = 12;
/// Within how much text before a sentence another course would be noticed.
// Some ten pages: every sentence with a reference looks, so the bound keeps long sections linear. Beyond it nothing
// is replaced.
const LOOK_BACK_BYTES: usize = 20_000;

/// The kind of thing that a reference is a reference to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Course,
    Programme,
    /// The page itself, by what it is called: "this policy" on a page named "Leave policy".
    Page,
}

/// Beginnings of sentences that refer, by what they refer to; the noun is the last word.
const REFERENCES: [(Phrases, Kind); 3] = [
    (propositions::COURSES, Kind::Course),
    (propositions::DEGREE_PROGRAMMES, Kind::Programme),
    (propositions::PAGES, Kind::Page),
];

/// The names that sentences of a section may refer to.
pub(super) struct Subjects {
    names: Vec<String>,
    section: Span,
}

impl Subjects {
    pub(super) fn new(document: &Document, section: Option<&Section>) -> Self {
        let mut names: Vec<String> = Vec::new();
        let path = section.map(|section| section.path.as_slice()).unwrap_or_default();
        for name in std::iter::once(&document.title).chain(path) {
            let name = without_number(name.trim());
            let is_known = names.iter().any(|known| known.to_lowercase() == name.to_lowercase());
            if is_a_name(name) && !is_known {
                names.push(name.to_owned());
            }
        }
        Self { names, section: section.map(|section| section.span).unwrap_or_default() }
    }

    /// Puts the name in the place of a reference that begins the draft, if exactly one name fits.
    ///
    /// `subject` is what the sentence before was about, and becomes what this one is about.
    pub(super) fn resolve(
        &self,
        text: &str,
        draft: &mut Draft,
        subject: &mut Option<String>,
        lists: Lists,
    ) {
        let found = self
            .reference(text, draft, lists)
            .or_else(|| continued(&draft.text, subject.as_deref()));
        let Some((name, rest)) = found else {
            let begins = |name: &&String| draft.text.starts_with(name.as_str());
            *subject = self.names.iter().find(begins).cloned();
            return;
        };
        draft.text = format!("{name} {rest}");
        draft.rules.push(Rule::Reference);
        *subject = Some(name);
    }

    /// The name that "This course" stands for, and what follows it.
    fn reference(&self, text: &str, draft: &Draft, lists: Lists) -> Option<(String, String)> {
        let lower = draft.text.to_lowercase();
        // Lower case has another length in a few languages, and then its places are not the text's.
        if lower.len() != draft.text.len() || draft.stem.is_some() {
            return None;
        }
        let begins =
            |words: &&str| lower.strip_prefix(words).is_some_and(|rest| rest.starts_with(' '));
        let (words, kind) = REFERENCES
            .iter()
            .find_map(|(beginnings, kind)| Some((beginnings.iter().find(begins)?, kind)))?;
        let rest = draft.text.get(words.len() + 1..)?;
        let is_subject = lists.finite.contains(&first_word(rest));
        let noun = words.split_whitespace().next_back()?;
        let mut fitting = self.names.iter().filter(|name| kind.fits(name, noun));
        let name = fitting.next()?;
        // A heading is about a part of the page only.
        if *kind == Kind::Page && Some(name) != self.names.first() {
            return None;
        }
        if !is_subject || fitting.next().is_some() || self.names_others(text, draft, name) {
            return None;
        }
        Some((name.clone(), rest.to_owned()))
    }

    /// Returns `true` if the section names another course before the draft, or is too long up to it to be
    /// looked through.
    fn names_others(&self, text: &str, draft: &Draft, name: &str) -> bool {
        let before = Span::new(self.section.start, draft.source.start);
        let known = course_codes(name);
        before.len() > LOOK_BACK_BYTES
            || course_codes(before.cut_from(text)).iter().any(|code| !known.contains(code))
    }
}

impl Kind {
    fn fits(self, name: &str, noun: &str) -> bool {
        let has = |wanted: &dyn Fn(&str) -> bool| {
            name.split_whitespace().any(|word| wanted(&bare(word).to_lowercase()))
        };
        // "Transferring into the programme" is no programme.
        let is_about = has(&|word| propositions::ABOUT.contains(word) || word.ends_with("ing"));
        match self {
            Self::Course | Self::Programme if is_about => false,
            Self::Course => course_codes(name).len() == 1 || has(&|word| word == noun),
            Self::Programme => has(&|word| propositions::PROGRAMMES.contains(word)),
            Self::Page => has(&|word| word == noun),
        }
    }
}

/// "It" after a sentence about a course, where it is said of courses.
fn continued(text: &str, subject: Option<&str>) -> Option<(String, String)> {
    let subject = subject?;
    let has_number = text
        .strip_prefix("It has ")
        .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    let begins = |start| text.strip_prefix(start).is_some_and(|rest| rest.starts_with(' '));
    let is_said = has_number || propositions::COURSE_PREDICATES.iter().any(begins);
    let rest = text.split_once(' ')?.1;
    (is_said && Kind::Course.fits(subject, "course")).then(|| (subject.to_owned(), rest.to_owned()))
}

fn is_a_name(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let ends = text.ends_with(['?', '!', ':', '.', '…']);
    let points = |word: &str| propositions::THIS.contains(&bare(word).to_lowercase());
    let points = text.split_whitespace().any(points);
    (1..=LONGEST_NAME).contains(&words) && !ends && !points && !text.contains([':', ';', '?'])
}

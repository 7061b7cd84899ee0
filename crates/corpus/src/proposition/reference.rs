//! "This course", "the module", "it": what they surely mean.

use campanile_text::Span;

use super::Rule;
use super::clause::first_word;
use super::draft::Draft;
use super::words::Lists;
use crate::facts::{bare, course_codes, without_number};
use crate::{Document, Section};

/// A name that is longer than this is no name.
const LONGEST_NAME: usize = 12;
/// Within how much text before a sentence another course would be noticed.
const LOOK_BACK_BYTES: usize = 20_000;

/// The kind of thing that a reference is a reference to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Course,
    Programme,
    /// The page itself, by what it is called: "this policy" on a page named "Leave policy".
    Page,
}

/// Beginnings of sentences that refer, by the noun that is the last word.
const REFERENCES: &[(&str, Kind)] = &[
    ("this course", Kind::Course),
    ("the course", Kind::Course),
    ("this class", Kind::Course),
    ("this module", Kind::Course),
    ("the module", Kind::Course),
    ("dieser kurs", Kind::Course),
    ("dieses modul", Kind::Course),
    ("das modul", Kind::Course),
    ("diese lehrveranstaltung", Kind::Course),
    ("die lehrveranstaltung", Kind::Course),
    ("this programme", Kind::Programme),
    ("the programme", Kind::Programme),
    ("this program", Kind::Programme),
    ("the program", Kind::Programme),
    ("this degree programme", Kind::Programme),
    ("this degree program", Kind::Programme),
    ("dieser studiengang", Kind::Programme),
    ("der studiengang", Kind::Programme),
    ("this policy", Kind::Page),
    ("this handbook", Kind::Page),
    ("this guide", Kind::Page),
    ("this page", Kind::Page),
];

/// Words that names of study programmes have.
const PROGRAMMES: &[&str] = &[
    "b.a",
    "b.sc",
    "ba",
    "bachelor",
    "bsc",
    "degree",
    "diploma",
    "m.a",
    "m.sc",
    "master",
    "masters",
    "msc",
    "ph.d",
    "phd",
    "program",
    "programme",
    "studiengang",
];

/// Words of headings that are about something rather than its name.
const ABOUT: &[&str] = &[
    "about", "after", "before", "between", "during", "from", "how", "into", "to", "what", "when",
    "why", "within", "your", "zum", "zur",
];

/// Beginnings of sentences that say of "it" what is said of courses.
const COURSE_PREDICATES: &[&str] = &[
    "It carries ",
    "It is assessed ",
    "It is graded ",
    "It is held ",
    "It is offered ",
    "It is taught ",
    "It is worth ",
    "It takes place ",
    "Es wird angeboten ",
    "Es wird benotet ",
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
        lists: &Lists,
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
    fn reference(&self, text: &str, draft: &Draft, lists: &Lists) -> Option<(String, String)> {
        let lower = draft.text.to_lowercase();
        if lower.len() != draft.text.len() || draft.stem.is_some() {
            return None;
        }
        let begins = |(words, _): &&(&str, Kind)| {
            lower.strip_prefix(words).is_some_and(|rest| rest.starts_with(' '))
        };
        let (words, kind) = REFERENCES.iter().find(begins)?;
        let rest = draft.text.get(words.len() + 1..)?;
        let is_subject = lists.finite.contains(&first_word(rest).as_str());
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
            || course_codes(before.slice(text).unwrap_or_default())
                .iter()
                .any(|code| !known.contains(code))
    }
}

impl Kind {
    fn fits(self, name: &str, noun: &str) -> bool {
        let has = |wanted: &dyn Fn(&str) -> bool| {
            name.split_whitespace().any(|word| wanted(&bare(word).to_lowercase()))
        };
        // "Transferring into the programme" is no programme.
        let is_about = has(&|word| ABOUT.contains(&word) || word.ends_with("ing"));
        match self {
            Self::Course | Self::Programme if is_about => false,
            Self::Course => course_codes(name).len() == 1 || has(&|word| word == noun),
            Self::Programme => has(&|word| PROGRAMMES.contains(&word)),
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
    let is_said = has_number || COURSE_PREDICATES.iter().any(|start| text.starts_with(start));
    let rest = text.split_once(' ')?.1;
    (is_said && Kind::Course.fits(subject, "course")).then(|| (subject.to_owned(), rest.to_owned()))
}

fn is_a_name(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let ends = text.ends_with(['?', '!', ':', '.', '…']);
    let points = text.split_whitespace().any(|word| {
        matches!(
            bare(word).to_lowercase().as_str(),
            "this" | "these" | "dieser" | "dieses" | "diese"
        )
    });
    (1..=LONGEST_NAME).contains(&words) && !ends && !points && !text.contains([':', ';', '?'])
}

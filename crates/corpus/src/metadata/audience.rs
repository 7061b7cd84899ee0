//! The part of metadata that decides who finds a document: stored once for many documents, and in plain words.

use serde::{Deserialize, Serialize};

use super::{
    Applicability, Batch, DocumentKind, HierarchyLevel, Metadata, Names, Numbers, Profile, Run,
    Validity,
};

/// The visitors of a document and the days on which it holds, without all that differs from document to document
/// otherwise: many documents share one audience, so that a site needs few of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Audience {
    metadata: Metadata,
}

/// In every format all of it: see [`beside`].
#[derive(Serialize, Deserialize)]
struct Stored {
    metadata: Metadata,
    study: Study,
}

impl Audience {
    /// The audience of a document with this metadata.
    pub fn of(metadata: &Metadata) -> Self {
        let Metadata { kind, courses, programmes, departments, faculties, .. } = metadata.clone();
        let Metadata { batches, validity, study, .. } = metadata.clone();
        let level = Some(metadata.effective_level());
        Self {
            metadata: Metadata {
                kind,
                level,
                courses,
                programmes,
                departments,
                faculties,
                batches,
                validity,
                study,
                ..Metadata::default()
            },
        }
    }

    /// Decides if a profile belongs to it: [`Metadata::applies_to`] of every document that has it.
    pub fn applies_to(&self, profile: &Profile) -> Applicability {
        self.metadata.applies_to(profile)
    }

    /// The level of the university that speaks.
    pub fn level(&self) -> HierarchyLevel {
        self.metadata.effective_level()
    }

    /// Returns `true` if its documents are course material.
    pub fn is_academic(&self) -> bool {
        matches!(self.metadata.kind, DocumentKind::Academic { .. })
    }

    /// Returns `true` if a profile can be kept from its documents at all.
    pub fn is_restricted(&self) -> bool {
        let everybody = Metadata { level: self.metadata.level, ..Metadata::default() };
        // Academic material without a course is for everybody, as everything else is.
        let without_course = Metadata { kind: DocumentKind::NonAcademic, ..self.metadata.clone() };
        without_course != everybody || !self.metadata.all_courses().is_everybody()
    }

    /// As the metadata of a document that says nothing else.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }
}

impl From<Stored> for Audience {
    fn from(Stored { metadata, study }: Stored) -> Self {
        Self { metadata: Metadata { study, ..metadata } }
    }
}

impl From<Audience> for Stored {
    fn from(Audience { metadata }: Audience) -> Self {
        Self { study: metadata.study.clone(), metadata }
    }
}

/// The students within a programme that a document is for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Study {
    /// The specialisations that it is for.
    pub specialisations: Names,
    /// The years of study that it is for.
    pub years: Numbers,
    /// The semesters of study that it is for.
    pub semesters: Numbers,
}

impl Study {
    /// Returns `true` if nobody is left out.
    pub fn is_everybody(&self) -> bool {
        *self == Self::default()
    }
}

/// The form in which [`Metadata`](super::Metadata) writes its [`Study`]: as JSON in full, and in formats
/// without names not at all. The records of a site's documents are in such a format, and older programs read
/// them; a site keeps every [`Audience`](super::Audience) whole, in a table of its own.
pub(super) mod beside {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Study;

    pub(crate) fn serialize<S: Serializer>(study: &Study, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() { study.serialize(to) } else { ().serialize(to) }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Study, D::Error> {
        if from.is_human_readable() {
            return Study::deserialize(from);
        }
        <()>::deserialize(from)?;
        Ok(Study::default())
    }
}

impl Metadata {
    /// The audience in words: "students of Water Engineering, batch 2021 and later".
    pub fn audience(&self) -> String {
        let place = self.place();
        match &self.kind {
            DocumentKind::Academic { .. } if !self.all_courses().is_everybody() => {
                let takers = taking(&self.all_courses());
                match place {
                    Some(place) => format!(
                        "students {takers}; where a student tells no courses, students {place}"
                    ),
                    None => format!("students {takers}"),
                }
            }
            _ if self.courses.is_everybody() => {
                place.map_or_else(|| "everybody".to_owned(), |place| format!("students {place}"))
            }
            _ => {
                let takers = taking(&self.courses);
                let place = place.map(|place| format!("{place} ")).unwrap_or_default();
                format!("students {place}{takers}")
            }
        }
    }

    /// Audience and validity in one sentence, without a full stop.
    pub fn describe(&self) -> String {
        match validity(&self.validity) {
            Some(validity) => format!("{}; {validity}", self.audience()),
            None => self.audience(),
        }
    }

    /// "of A or B in the department C, batch 2021"; `None` where nothing is restricted.
    fn place(&self) -> Option<String> {
        let mut parts = Vec::new();
        let programmes = listed(&self.programmes).map(|names| format!("of {names}"));
        let departments = listed(&self.departments);
        let faculties = listed(&self.faculties).map(|names| format!("the faculty {names}"));
        let unit = match (&programmes, departments, faculties) {
            (Some(_), Some(departments), _) => Some(format!("in the department {departments}")),
            // A department lies in its faculty, so that one need not be said.
            (None, Some(departments), _) => Some(format!("of {departments}")),
            (Some(_), None, Some(faculties)) => Some(format!("in {faculties}")),
            (None, None, Some(faculties)) => Some(format!("of {faculties}")),
            (_, None, None) => None,
        };
        parts.extend(programmes);
        parts.extend(unit);
        let units = parts.join(" ");
        let study = &self.study;
        let specialisation =
            listed(&study.specialisations).map(|names| format!("specialisation {names}"));
        let details: Vec<String> = [
            specialisation,
            batches(self.batches.listed()),
            counted("year", &study.years),
            counted("semester", &study.semesters),
        ]
        .into_iter()
        .flatten()
        .collect();
        match (units.is_empty(), details.is_empty()) {
            (true, true) => None,
            (true, false) => Some(format!("of {}", details.join(", "))),
            (false, true) => Some(units),
            (false, false) => Some(format!("{units}, {}", details.join(", "))),
        }
    }
}

/// "semester 5 and later"; `None` where it does not count.
fn counted(what: &str, numbers: &Numbers) -> Option<String> {
    (!numbers.is_everybody()).then(|| format!("{what} {}", either(numbers.listed())))
}

fn listed(names: &Names) -> Option<String> {
    (!names.is_everybody()).then(|| either(names.listed()))
}

fn taking(courses: &Names) -> String {
    format!("who take or have taken {}", either(courses.listed()))
}

fn batches(batches: &[Batch]) -> Option<String> {
    match batches {
        [] => None,
        [batch @ Batch::Years(Run { from, until })] if from != until && until.is_some() => {
            Some(format!("batches {batch}"))
        }
        [batch] => Some(format!("batch {batch}")),
        batches => Some(format!("batches {}", either(batches))),
    }
}

/// "valid from 2024-10-01 until 2025-03-31"; `None` where it is not limited.
pub(crate) fn validity(validity: &Validity) -> Option<String> {
    match (validity.from, validity.until) {
        (None, None) => None,
        (Some(from), None) => Some(format!("valid from {from}")),
        (None, Some(until)) => Some(format!("valid until {until}")),
        (Some(from), Some(until)) => Some(format!("valid from {from} until {until}")),
    }
}

/// `A`, `A or B`, `A, B or C`.
pub(crate) fn either<T: ToString>(names: &[T]) -> String {
    let mut names: Vec<String> = names.iter().map(ToString::to_string).collect();
    match names.pop() {
        Some(last) if !names.is_empty() => format!("{} or {last}", names.join(", ")),
        last => last.unwrap_or_default(),
    }
}

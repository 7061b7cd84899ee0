//! The part of metadata that decides who finds a document.

use serde::{Deserialize, Serialize};

use super::{Applicability, DocumentKind, HierarchyLevel, Metadata, Profile, Study};

/// Whom a document is for and when it holds, without all that differs from document to document
/// otherwise: many documents share one audience, so that a site needs few of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Audience {
    metadata: Metadata,
}

/// In every format all of it: see [`super::study::beside`].
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

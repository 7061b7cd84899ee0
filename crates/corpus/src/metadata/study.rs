//! Specialisations, years and semesters of study: the part of an audience that came later.

use serde::{Deserialize, Serialize};

use super::{Names, Numbers};

/// Whom within a programme a document is for.
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

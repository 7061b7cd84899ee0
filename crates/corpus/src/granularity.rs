use std::fmt;

use serde::{Deserialize, Serialize};

/// The size of the units that an index counts. A smaller unit knows the chunk it is part of, and finding it
/// finds that chunk.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// A [`Chunk`](crate::Chunk).
    #[default]
    Chunk,
    /// A sentence, a list item or a table row of a chunk.
    Sentence,
    /// A statement made from a chunk that can be understood alone.
    Proposition,
    /// A question that a chunk answers: the heading of a FAQ's entry, or one that was written for the chunk.
    Question,
}

impl Granularity {
    /// All of them, the largest first.
    pub const ALL: [Self; 4] = [Self::Chunk, Self::Sentence, Self::Proposition, Self::Question];

    /// As it is written in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chunk => "chunk",
            Self::Sentence => "sentence",
            Self::Proposition => "proposition",
            Self::Question => "question",
        }
    }
}

impl fmt::Display for Granularity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

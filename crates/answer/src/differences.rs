//! Says in words where levels of the university differ.

use campanile_corpus::metadata::HierarchyLevel;
use campanile_retrieve::{Conflict, Retrieval, Stated};
use serde::Serialize;

/// Two sources that state different values for the same thing, because different levels of the
/// university speak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LevelDifference {
    /// In words: "Your department's rule differs from the university's: ten points \[1\], five points
    /// \[4\]."
    pub words: String,
    /// The side that is nearer to the reader, and so usually the one that holds.
    pub nearer: LevelSide,
    /// The other side.
    pub farther: LevelSide,
}

/// One side of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LevelSide {
    /// The number of the source.
    pub source: usize,
    /// The level that speaks in it.
    pub level: HierarchyLevel,
    /// The value that it states.
    pub value: String,
    /// The sentence that states it.
    pub sentence: String,
}

pub(crate) fn differences(retrieval: &Retrieval) -> Vec<LevelDifference> {
    retrieval.conflicts.iter().filter_map(|conflict| difference(retrieval, conflict)).collect()
}

fn difference(retrieval: &Retrieval, conflict: &Conflict) -> Option<LevelDifference> {
    let nearer = side(retrieval, &conflict.nearer)?;
    let farther = side(retrieval, &conflict.farther)?;
    let whose = if conflict.is_readers { "Your" } else { "The" };
    let words = format!(
        "{whose} {}’s rule differs from the {}’s: {} [{}], {} [{}].",
        nearer.level, farther.level, nearer.value, nearer.source, farther.value, farther.source
    );
    Some(LevelDifference { words, nearer, farther })
}

fn side(retrieval: &Retrieval, stated: &Stated) -> Option<LevelSide> {
    let text = retrieval.passages.get(stated.passage)?.text();
    let cut = |span: campanile_text::Span| Some(span.slice(text)?.trim().to_owned());
    Some(LevelSide {
        source: stated.passage + 1,
        level: stated.level,
        value: cut(stated.value)?,
        sentence: cut(stated.sentence)?,
    })
}

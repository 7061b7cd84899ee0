//! A sentence with what stands out in it.

use serde::{Serialize, Serializer};

/// A sentence; the names and numbers that matter most in it are marked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sentence {
    /// In order.
    pub pieces: Vec<Piece>,
}

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Its words.
    pub text: String,
    /// The way they are set.
    pub kind: PieceKind,
}

/// The way a part of a sentence is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    /// As the rest.
    Plain,
    /// Stands out.
    Strong,
    /// The name of a metric.
    Metric,
}

impl Sentence {
    /// With plain words behind.
    pub(super) fn plain(self, text: impl Into<String>) -> Self {
        self.with(text.into(), PieceKind::Plain)
    }

    /// With words behind that stand out.
    pub(super) fn strong(self, text: impl Into<String>) -> Self {
        self.with(text.into(), PieceKind::Strong)
    }

    /// With a metric's name behind.
    pub(super) fn metric(self, name: impl Into<String>) -> Self {
        self.with(name.into(), PieceKind::Metric)
    }

    fn with(mut self, text: String, kind: PieceKind) -> Self {
        self.pieces.push(Piece { text, kind });
        self
    }

    /// The words without marks.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }
}

impl Serialize for Sentence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

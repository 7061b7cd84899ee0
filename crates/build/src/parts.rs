//! A build in parts: the texts that are embedded elsewhere, and the vectors that come back.
//!
//! All of a build is quick but for the encoder. [`collect`] gives the texts that it would embed, each once;
//! [`PartEncoder`] embeds any of them, on any machine; and a build whose plan brings the vectors
//! ([`Plan::vectors`](crate::Plan::vectors)) does the rest. A text's vector depends on the text, its role, the encoder and
//! the language alone, so it does not matter which texts are embedded together, and the site has the same bytes as one that
//! was built at once. How the values are kept on the way is another room's business (`crates/parts`).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use campanile_bundle::{Digest, EmbeddingDevice};
use campanile_corpus::metadata::Metadata;
use campanile_corpus::{Document, Granularity};
use campanile_text::Span;

use crate::documents::Documents;
use crate::embed::{self, Kind, Role, Vectors};
use crate::instant;
use crate::kept::{Key, key};
use crate::late::{self, TokenCoder};
use crate::pipeline::Machine;
use crate::units::{Indexed, Units};
use crate::{BuildError, Plan, pair_models};

/// Characters of a text that an error shows.
const SHOWN_CHARS: usize = 60;

/// The use that a build makes of a text's vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextRole {
    /// A passage: its tokens' vectors are coded too, where the settings want late interaction.
    Passage,
    /// A sentence, list item or table row of a passage.
    Sentence,
    /// A statement made from a passage.
    Proposition,
    /// A question that a passage answers.
    Question,
    /// Some words of a passage that the static encoder is learned from.
    Window,
    /// A word piece that the static encoder is learned from.
    Piece,
}

impl TextRole {
    /// All roles, with their names.
    pub const NAMES: [(Self, &'static str); 6] = [
        (Self::Passage, "passage"),
        (Self::Sentence, "sentence"),
        (Self::Proposition, "proposition"),
        (Self::Question, "question"),
        (Self::Window, "window"),
        (Self::Piece, "piece"),
    ];

    /// Its name in a table.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(role, _)| *role == self).map_or("", |(_, name)| name)
    }

    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Passage => Kind::Passage,
            Self::Sentence | Self::Proposition | Self::Question => Kind::Unit,
            Self::Window | Self::Piece => Kind::Question,
        }
    }

    fn of(granularity: Granularity) -> Self {
        match granularity {
            Granularity::Chunk => Self::Passage,
            Granularity::Sentence => Self::Sentence,
            Granularity::Proposition => Self::Proposition,
            Granularity::Question => Self::Question,
        }
    }
}

impl fmt::Display for TextRole {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for TextRole {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::NAMES.iter().find(|(_, name)| *name == text).map(|(role, _)| *role).ok_or(())
    }
}

/// A text that a build embeds.
#[derive(Debug, Clone, PartialEq)]
pub struct PartText {
    /// The use of its vector.
    pub role: TextRole,
    /// The text as the encoder reads it: with headings in front where it has some.
    pub text: String,
    /// The first place where it stands; none for a window or a word piece.
    pub place: Option<TextPlace>,
}

/// The place of a text in a document.
#[derive(Debug, Clone, PartialEq)]
pub struct TextPlace {
    /// The path of the document's file.
    pub path: String,
    /// The document's title.
    pub title: String,
    /// Headings from the top to the section that it stands in.
    pub headings: Vec<String>,
    /// Its bytes in the document's plain text. Those of a proposition or question are of what it was made from.
    pub span: Span,
    /// The metadata of its document; for a passage alone.
    pub metadata: Option<Metadata>,
}

/// The texts that a build embeds, and what else it takes from the documents' folder.
#[derive(Debug)]
pub struct Collected {
    /// Each once: passages by document, then their parts by kind, then what is learned from.
    pub texts: Vec<PartText>,
    /// Files that are published as they are: their paths in the documents' folder.
    pub originals: Vec<String>,
    /// The outcome of reading, without the documents.
    pub read: Documents,
    /// Files that could not be read.
    pub failed: usize,
    /// Things that look wrong about the documents' metadata.
    pub metadata_mistakes: usize,
}

/// Reads the documents of the plan's folder.
///
/// # Errors
/// As [`build`](crate::build).
pub fn read(plan: &Plan) -> Result<Documents, BuildError> {
    if plan.writer.is_some() {
        return Err(BuildError::ModelInParts);
    }
    crate::read(plan)
}

/// Collects the texts that a build of these documents embeds.
///
/// # Errors
/// Where a model cannot be loaded, a document cannot be cut, or a language model is to write propositions.
pub fn collect(plan: &Plan, documents: Documents) -> Result<Collected, BuildError> {
    if plan.writer.is_some() {
        return Err(BuildError::ModelInParts);
    }
    Machine::start(plan)?.collect(documents)
}

/// Names everything that a text's vector depends on but its role and the device: the encoder's files, the form that its
/// weights are given, the adapter for passages, and for token vectors the form of those and the language.
///
/// # Errors
/// Where the adapter that comes with the command is damaged.
pub fn identity(plan: &Plan) -> Result<String, BuildError> {
    let late = match plan.config.search.late_interaction {
        true => format!("{}{}", late::FORM, plan.config.site.language.code()),
        false => String::new(),
    };
    Ok(Digest::of(format!("{}{late}", embed::identity(plan)?).as_bytes()).to_string())
}

/// Returns `true` if passages are embedded with an adapter.
///
/// # Errors
/// Where the adapter that comes with the command is damaged.
pub fn has_passage_adapter(plan: &Plan) -> Result<bool, BuildError> {
    Ok(pair_models::passage_adapter(plan)?.is_some())
}

/// The SHA-256 of a text, by which its vector is found.
pub fn text_key(text: &str) -> Key {
    key(text)
}

/// The documents, and all else that a part's texts are cut from.
pub(crate) struct PartTexts<'a> {
    pub documents: &'a [Document],
    pub metadata: &'a [Metadata],
    pub chunks: &'a [Indexed],
}

impl PartTexts<'_> {
    /// The texts of passages, their parts and the windows, each once.
    pub(crate) fn of(
        &self,
        parts: &[Units],
        learned_from: Option<&instant::Texts>,
    ) -> Vec<PartText> {
        let mut texts = Vec::new();
        let mut known: BTreeSet<(Kind, Key)> = BTreeSet::new();
        let mut is_new = |role: TextRole, text: &str| known.insert((role.kind(), key(text)));
        for chunk in self.chunks {
            if is_new(TextRole::Passage, chunk.text.as_str()) {
                let metadata = self.metadata.get(chunk.document).cloned();
                let place = self.place(chunk, chunk.chunk.span, metadata);
                texts.push(part_text(TextRole::Passage, chunk.text.as_str(), place));
            }
        }
        for units in parts {
            let role = TextRole::of(units.granularity);
            let records = self.chunks.iter().zip(&units.records);
            let records = records.flat_map(|(chunk, own)| own.iter().map(move |it| (chunk, it)));
            for ((chunk, record), text) in records.zip(&units.texts) {
                if is_new(role, text.as_str()) {
                    texts.push(part_text(
                        role,
                        text.as_str(),
                        self.place(chunk, record.span, None),
                    ));
                }
            }
        }
        if let Some(drawn) = learned_from {
            let windows = drawn.windows.iter().map(|text| (TextRole::Window, text.as_str()));
            for (role, text) in windows.chain(drawn.pieces.iter().map(|it| (TextRole::Piece, it))) {
                if is_new(role, text) {
                    texts.push(part_text(role, text, None));
                }
            }
        }
        texts
    }

    fn place(&self, chunk: &Indexed, span: Span, metadata: Option<Metadata>) -> Option<TextPlace> {
        let document = self.documents.get(chunk.document)?;
        let section = document.sections.get(chunk.chunk.section as usize);
        Some(TextPlace {
            path: document.path.clone(),
            title: document.title.clone(),
            headings: section.map(|section| section.path.clone()).unwrap_or_default(),
            span,
            metadata,
        })
    }
}

fn part_text(role: TextRole, text: &str, place: Option<TextPlace>) -> PartText {
    PartText { role, text: text.to_owned(), place }
}

/// A text's vector, and the coded vectors of its tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct TextVector {
    /// A unit vector, `[hidden]`.
    pub vector: Vec<f32>,
    /// The coded token vectors of a passage, where the settings want late interaction: of one bit a number, as
    /// [`campanile_index::late::Record`] has them.
    pub tokens: Option<Vec<u8>>,
}

/// The encoder, on a machine that needs to know nothing of the documents.
pub struct PartEncoder<'a> {
    machine: Machine<'a>,
    coder: Option<TokenCoder>,
}

impl<'a> PartEncoder<'a> {
    /// Loads what a plan names: its encoder, and of its settings the device, the language and whether there is late
    /// interaction.
    ///
    /// # Errors
    /// Where the encoder cannot be loaded or the device does not start.
    pub fn start(plan: &'a Plan<'a>) -> Result<Self, BuildError> {
        let machine = Machine::start(plan)?;
        let coder = TokenCoder::load(plan, machine.embedder())?;
        Ok(Self { machine, coder })
    }

    /// The device, where it is not the processor.
    pub fn device(&self) -> Option<&EmbeddingDevice> {
        self.machine.device().about()
    }

    /// Embeds texts, one vector for each. No cache of earlier builds is read or written.
    ///
    /// # Errors
    /// Where the encoder refuses a text or the device fails.
    pub fn embed(&mut self, texts: &[(TextRole, &str)]) -> Result<Vec<TextVector>, BuildError> {
        let rows = self.machine.embed(texts, self.coder.as_ref())?.into_iter();
        let row = |(vector, record): embed::Row| TextVector {
            vector,
            tokens: record.map(|record| record.as_bytes().to_vec()),
        };
        Ok(rows.map(row).collect())
    }
}

/// Vectors that were computed elsewhere, by the texts' hashes.
#[derive(Debug, Default)]
pub struct BroughtVectors {
    device: Option<EmbeddingDevice>,
    known: BTreeMap<(Kind, Key), TextVector>,
}

impl BroughtVectors {
    /// None yet, of those that this device computed; nothing stands for the processor.
    pub fn new(device: Option<EmbeddingDevice>) -> Self {
        Self { device, ..Self::default() }
    }

    /// The device that computed them, where it was not the processor.
    pub fn device(&self) -> Option<&EmbeddingDevice> {
        self.device.as_ref()
    }

    /// Adds the vector of the text with this hash.
    pub fn add(&mut self, role: TextRole, key: Key, vector: TextVector) {
        self.known.insert((role.kind(), key), vector);
    }

    /// One vector for each text.
    pub(crate) fn of(
        &self,
        texts: &[&str],
        role: Role<'_>,
        dimension: usize,
    ) -> Result<Vectors, BuildError> {
        let mut vectors = Vectors { rows: Vec::new(), records: Vec::new(), embedded: 0 };
        let mut missing: BTreeSet<&str> = BTreeSet::new();
        let mut first = None;
        for text in texts {
            let found = self.known.get(&(role.kind(), key(text)));
            let found = found.filter(|found| found.vector.len() == dimension);
            let record = role.coder().map(|coder| coder.record_of(found?.tokens.as_deref()?));
            match (found, record) {
                (Some(found), None) => vectors.rows.push(found.vector.clone()),
                (Some(found), Some(Some(record))) => {
                    vectors.rows.push(found.vector.clone());
                    vectors.records.push(record);
                }
                _ => {
                    first.get_or_insert(*text);
                    missing.insert(*text);
                }
            }
        }
        match first {
            None => Ok(vectors),
            Some(first) => {
                let first = first.chars().take(SHOWN_CHARS).collect();
                Err(BuildError::NotBrought { count: missing.len(), first })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn roles_have_names_of_their_own() {
        for (role, name) in TextRole::NAMES {
            assert_eq!((role.name(), name.parse()), (name, Ok(role)));
        }
        assert_eq!("chunk".parse::<TextRole>(), Err(()));
    }

    #[test]
    fn a_text_without_a_vector_is_named_and_one_in_another_role_is_none() {
        let vector = |value| TextVector { vector: vec![value, 0.0], tokens: None };
        let mut brought = BroughtVectors::new(None);
        brought.add(TextRole::Sentence, key("fees"), vector(1.0));
        brought.add(TextRole::Window, key("rent"), vector(2.0));
        let found = brought.of(&["fees", "fees"], Role::Units, 2).unwrap();
        assert_eq!(found.rows, [[1.0, 0.0], [1.0, 0.0]]);
        assert_eq!(brought.of(&["rent"], Role::Questions, 2).unwrap().rows, [[2.0, 0.0]]);
        for (texts, role, dimension, count) in [
            (&["fees", "rent"][..], Role::Units, 2, 1),
            (&["fees"], Role::Questions, 2, 1),
            (&["fees"], Role::Passages { coder: None }, 2, 1),
            (&["fees"], Role::Units, 3, 1),
            (&["no", "no", "fees", "not"], Role::Units, 2, 2),
        ] {
            let error = brought.of(texts, role, dimension).err().unwrap().to_string();
            assert!(error.starts_with(&format!("{count} of the texts")), "{texts:?}: {error}");
        }
    }
}

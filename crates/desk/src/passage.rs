//! The passages of a site, each with a name of its own.

use std::path::Path;

use anyhow::Context as _;
use campanile_bundle::{Bundle, DirectoryFetch, DocumentId};
use campanile_questions::{SourcePassage, passages_of};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::prompt;

/// A passage with fewer words than this answers nothing that its neighbours do not.
const LEAST_WORDS: usize = 8;

/// A passage that can be asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedPassage {
    /// The same as long as document, headings and text are: a reply to it stays valid so long.
    pub id: String,
    /// The passage.
    pub passage: SourcePassage,
}

/// A passage as `campanile questions export` writes it.
#[derive(Debug, Serialize)]
pub struct ExportedPassage<'a> {
    /// Its name, which the reply has to carry.
    pub id: &'a str,
    /// The document's path.
    pub document: &'a str,
    /// The title and the headings, on one line.
    pub place: String,
    /// Its text.
    pub text: &'a str,
    /// What a model is sent: messages as the OpenAI protocol has them.
    pub messages: Vec<prompt::Message>,
}

impl NamedPassage {
    fn new(passage: SourcePassage) -> Self {
        let place = passage.headings.join("\n");
        let parts = [passage.document.as_str(), &passage.title, &place, &passage.text].join("\0");
        let digest = Sha256::digest(parts.as_bytes());
        let id = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Self { id, passage }
    }

    /// As it is exported, asked for `count` questions.
    pub fn exported(&self, count: usize) -> ExportedPassage<'_> {
        ExportedPassage {
            id: &self.id,
            document: &self.passage.document,
            place: self.passage.place(),
            text: &self.passage.text,
            messages: prompt::messages(&self.passage, count),
        }
    }
}

/// The passages of a site that have enough words, in their order.
///
/// # Errors
/// Where the site cannot be read.
pub async fn of_site(site: &Path) -> anyhow::Result<Vec<NamedPassage>> {
    let bundle = Bundle::open(DirectoryFetch::new(site))
        .await
        .with_context(|| format!("cannot open the site `{}`", site.display()))?;
    let head = bundle.documents_head().await?;
    let mut passages = Vec::new();
    for document in 0..head.document_count() {
        let record = bundle.document(DocumentId(document)).await?;
        let own = passages_of(&record).into_iter();
        let has_words = |it: &SourcePassage| it.text.split_whitespace().count() >= LEAST_WORDS;
        passages.extend(own.filter(has_words).map(NamedPassage::new));
    }
    Ok(passages)
}

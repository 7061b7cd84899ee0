//! Words that mean the same.

use campanile_corpus::Synonyms;

use super::Bundle;
use crate::{BundleError, Fetch};

impl<F: Fetch> Bundle<F> {
    /// The abbreviations that the documents introduce, and what their department added; none where the
    /// site has none.
    ///
    /// # Errors
    /// [`BundleError::Shard`] or [`BundleError::Content`].
    pub async fn synonyms(&self) -> Result<Synonyms, BundleError> {
        let Some(entry) = &self.manifest.synonyms else { return Ok(Synonyms::default()) };
        let bytes = self.shard(entry).await?;
        postcard::from_bytes(&bytes).map_err(|error| {
            let reason = format!("expected groups of words, found other data ({error})");
            BundleError::content(&entry.path, reason)
        })
    }
}

//! Words that mean the same.

use std::rc::Rc;

use campanile_corpus::Synonyms;

use super::Bundle;
use crate::{BundleError, Fetch};

impl<F: Fetch> Bundle<F> {
    /// The abbreviations that the documents introduce, and what their department added; none where the
    /// site has none.
    ///
    /// # Errors
    /// [`BundleError::Shard`] or [`BundleError::Content`].
    pub async fn synonyms(&self) -> Result<Rc<Synonyms>, BundleError> {
        let kept = self.kept.borrow().synonyms.clone();
        if let Some(synonyms) = kept {
            return Ok(synonyms);
        }
        let synonyms = match &self.manifest.synonyms {
            None => Synonyms::default(),
            Some(entry) => {
                let bytes = self.shard(entry).await?;
                postcard::from_bytes(&bytes).map_err(|error| {
                    let reason = format!("expected groups of words, found other data ({error})");
                    BundleError::content(&entry.path, reason)
                })?
            }
        };
        let synonyms = Rc::new(synonyms);
        self.kept.borrow_mut().synonyms = Some(Rc::clone(&synonyms));
        Ok(synonyms)
    }
}

//! Documents of one make.

use campanile_corpus::families::PageFamilies;

use super::Bundle;
use crate::{BundleError, Fetch};

impl<F: Fetch> Bundle<F> {
    /// The families of pages that the build found; none where the site has none.
    ///
    /// # Errors
    /// [`BundleError::Shard`] or [`BundleError::Content`].
    pub async fn families(&self) -> Result<PageFamilies, BundleError> {
        let Some(entry) = &self.manifest.families else { return Ok(PageFamilies::default()) };
        let bytes = self.shard(entry).await?;
        postcard::from_bytes(&bytes).map_err(|error| {
            let reason = format!("expected families of pages, found other data ({error})");
            BundleError::content(&entry.path, reason)
        })
    }
}

//! Fetching with a check, and once more.

use super::Bundle;
use crate::{BundleError, Fetch, Freshness, MANIFEST_PATH, Manifest, Problem, ShardEntry};

/// The manifest, from a cache if that has a good one.
pub(super) async fn manifest<F: Fetch>(fetch: &F) -> Result<Manifest, BundleError> {
    match manifest_once(fetch, Freshness::Cached).await {
        // Half a file in a cache reads as damage; a file that is not there will not appear.
        Err(BundleError::Manifest { .. }) => manifest_once(fetch, Freshness::Reload).await,
        result => result,
    }
}

async fn manifest_once<F: Fetch>(fetch: &F, freshness: Freshness) -> Result<Manifest, BundleError> {
    let bytes = fetch.fetch(MANIFEST_PATH, freshness).await.map_err(BundleError::NoManifest)?;
    Manifest::decode(&bytes)
}

impl<F: Fetch> Bundle<F> {
    /// A shard's bytes, checked and unpacked. One that is wrong is fetched again past all caches;
    /// the error is then about the second try, since only that one is the site's own fault.
    pub(super) async fn shard(&self, entry: &ShardEntry) -> Result<Vec<u8>, BundleError> {
        if let Ok(bytes) = self.shard_once(entry, Freshness::Cached).await {
            return Ok(bytes);
        }
        self.shard_once(entry, Freshness::Reload)
            .await
            .map_err(|problem| BundleError::Shard { path: entry.path.clone(), problem })
    }

    async fn shard_once(
        &self,
        entry: &ShardEntry,
        freshness: Freshness,
    ) -> Result<Vec<u8>, Problem> {
        entry.open(self.fetch.fetch(&entry.path, freshness).await?)
    }
}

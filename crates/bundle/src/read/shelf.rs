//! A store of what was decoded last, within a budget of memory.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Bundle;
use crate::{BundleError, Fetch, Freshness, MANIFEST_PATH, Manifest, Problem, ShardEntry};

/// Decoded shards by number; those used longest ago make room for new ones.
pub(super) struct Shelf<T: ?Sized> {
    budget_bytes: usize,
    used_bytes: usize,
    /// Counts up with every use.
    clock: u64,
    items: BTreeMap<u32, Item<T>>,
}

struct Item<T: ?Sized> {
    value: Rc<T>,
    bytes: usize,
    last_use: u64,
}

impl<T: ?Sized> Shelf<T> {
    pub(super) fn new(budget_bytes: usize) -> Self {
        Self { budget_bytes, used_bytes: 0, clock: 0, items: BTreeMap::new() }
    }

    pub(super) fn get(&mut self, number: u32) -> Option<Rc<T>> {
        self.clock += 1;
        let item = self.items.get_mut(&number)?;
        item.last_use = self.clock;
        Some(Rc::clone(&item.value))
    }

    /// Puts an item of about `bytes` bytes up. The newest always stays, however large.
    pub(super) fn put(&mut self, number: u32, value: Rc<T>, bytes: usize) {
        self.clock += 1;
        let item = Item { value, bytes, last_use: self.clock };
        self.used_bytes += bytes;
        if let Some(replaced) = self.items.insert(number, item) {
            self.used_bytes -= replaced.bytes;
        }
        while self.used_bytes > self.budget_bytes && self.items.len() > 1 {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        let oldest = self.items.iter().min_by_key(|(_, item)| item.last_use);
        let Some(number) = oldest.map(|(&number, _)| number) else {
            return;
        };
        if let Some(item) = self.items.remove(&number) {
            self.used_bytes -= item.bytes;
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_unused_makes_room() {
        let mut shelf = Shelf::new(10);
        shelf.put(1, Rc::new("one"), 4);
        shelf.put(2, Rc::new("two"), 4);
        assert!(shelf.get(1).is_some());
        shelf.put(3, Rc::new("three"), 4);
        let there: Vec<bool> = [1, 2, 3].map(|number| shelf.get(number).is_some()).to_vec();
        assert_eq!(there, [true, false, true]);
        shelf.put(3, Rc::new("again"), 5);
        assert_eq!((shelf.used_bytes, shelf.items.len()), (9, 2));
        shelf.put(4, Rc::new("huge"), 100);
        assert_eq!((shelf.used_bytes, shelf.items.len()), (100, 1));
        assert_eq!(shelf.get(4).as_deref(), Some(&"huge"));
    }
}

//! A site in memory, and ways in which fetching from it goes wrong.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use campanile_bundle::{Fetch, FetchError, Freshness, Written};

use crate::common::{files, write_site};

/// A fault that happens to a file on its way.
pub type Fault = fn(Vec<u8>, Freshness) -> Result<Vec<u8>, FetchError>;

/// A site in memory; some of its files suffer a fault.
pub struct Faulty {
    pub files: BTreeMap<String, Vec<u8>>,
    pub faults: RefCell<BTreeMap<String, Fault>>,
    /// Every fetch there was.
    pub log: RefCell<Vec<(String, Freshness)>>,
}

impl Faulty {
    pub fn new(texts: &[&str]) -> Self {
        Self::written(|site| write_site(site, texts))
    }

    /// A site as `write` writes it.
    pub fn written(write: impl FnOnce(&Path) -> Written) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("site");
        write(&site);
        Self { files: files(&site), faults: RefCell::default(), log: RefCell::default() }
    }

    /// Puts a fault on the one file whose path starts with `prefix` and, packed or not, holds
    /// `content`. Returns its path.
    pub fn fault(&self, prefix: &str, content: &str, fault: Fault) -> String {
        let holds = |bytes: &[u8]| {
            let text = miniz_oxide::inflate::decompress_to_vec(bytes).unwrap_or_default();
            [bytes, &text].iter().any(|bytes| {
                bytes.windows(content.len().max(1)).any(|part| part == content.as_bytes())
            }) || content.is_empty()
        };
        let paths: Vec<&String> = self
            .files
            .iter()
            .filter(|(path, bytes)| path.starts_with(prefix) && holds(bytes))
            .map(|(path, _)| path)
            .collect();
        let [path] = paths[..] else {
            panic!("expected one file `{prefix}…` with `{content}`, found {paths:?}");
        };
        self.faults.borrow_mut().insert(path.clone(), fault);
        path.clone()
    }

    /// Returns how `path` was fetched, in order.
    pub fn fetches(&self, path: &str) -> Vec<Freshness> {
        let log = self.log.borrow();
        log.iter().filter(|(other, _)| other == path).map(|(_, freshness)| *freshness).collect()
    }
}

impl Fetch for Faulty {
    async fn fetch(&self, path: &str, freshness: Freshness) -> Result<Vec<u8>, FetchError> {
        // Give way once, so that fetches side by side do interleave.
        futures_lite::future::yield_now().await;
        self.log.borrow_mut().push((path.to_owned(), freshness));
        let bytes = self.files.get(path).cloned().ok_or(FetchError::NotFound)?;
        let fault = self.faults.borrow().get(path).copied();
        match fault {
            Some(fault) => fault(bytes, freshness),
            None => Ok(bytes),
        }
    }
}

pub fn cut(bytes: Vec<u8>, _: Freshness) -> Result<Vec<u8>, FetchError> {
    Ok(bytes[..bytes.len() / 2].to_vec())
}

pub fn changed(mut bytes: Vec<u8>, _: Freshness) -> Result<Vec<u8>, FetchError> {
    let last = bytes.last_mut().expect("no shard is empty");
    *last ^= 1;
    Ok(bytes)
}

pub fn missing(_: Vec<u8>, _: Freshness) -> Result<Vec<u8>, FetchError> {
    Err(FetchError::NotFound)
}

pub fn offline(_: Vec<u8>, _: Freshness) -> Result<Vec<u8>, FetchError> {
    Err(FetchError::Failed { reason: "the network is down".to_owned() })
}

pub fn stale_in_cache(bytes: Vec<u8>, freshness: Freshness) -> Result<Vec<u8>, FetchError> {
    match freshness {
        Freshness::Cached => cut(bytes, freshness),
        Freshness::Reload => Ok(bytes),
    }
}

pub fn fails_once(bytes: Vec<u8>, freshness: Freshness) -> Result<Vec<u8>, FetchError> {
    match freshness {
        Freshness::Cached => offline(bytes, freshness),
        Freshness::Reload => Ok(bytes),
    }
}

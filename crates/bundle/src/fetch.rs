//! The outside world, as far as reading a bundle needs it.

use thiserror::Error;

/// The places that a fetched file may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// From any cache that has it. For the manifest's path, a cache has to ask the server first
    /// whether it still holds (`no-cache` in a browser): all other paths change with their content.
    Cached,
    /// Past every cache, replacing what they hold.
    Reload,
}

/// Why a file did not arrive.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FetchError {
    /// There is no such file.
    #[error("it is not there")]
    NotFound,
    /// It could not be read or the network is down.
    #[error("it could not be fetched ({reason})")]
    Failed {
        /// In the words of whoever tried.
        reason: String,
    },
}

/// Gets a site's files. Implementations choose where from; they need not check anything.
pub trait Fetch {
    /// The whole content of the file at `path`, relative to the site's root.
    fn fetch(
        &self,
        path: &str,
        freshness: Freshness,
    ) -> impl Future<Output = Result<Vec<u8>, FetchError>>;
}

impl<F: Fetch> Fetch for &F {
    async fn fetch(&self, path: &str, freshness: Freshness) -> Result<Vec<u8>, FetchError> {
        (**self).fetch(path, freshness).await
    }
}

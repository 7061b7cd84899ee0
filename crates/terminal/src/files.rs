//! The files of a site: in a folder on this machine, or on the web.

use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use campanile_bundle::{DirectoryFetch, Fetch, FetchError, Freshness, check_path};
use campanile_http::{CertificatesError, Client, Options, Timeouts};

/// A server that says nothing for this long is taken to have gone.
const STALLED: Duration = Duration::from_secs(12);
/// A shard on a slow line is here by then.
const WHOLE_BODY: Duration = Duration::from_secs(600);
/// More than any shard has.
const MOST_BYTES: u64 = 512 * 1024 * 1024;

/// The place of a site's files.
#[derive(Debug, Clone)]
pub enum SiteFiles {
    /// In a folder.
    Folder(DirectoryFetch),
    /// At an address.
    Web(WebFiles),
}

/// The files at an address.
#[derive(Debug, Clone)]
pub struct WebFiles {
    /// With a slash at its end.
    address: String,
    /// Without a client, each fetch tells why: a site of a campus fails alone, and one in a folder not at all.
    client: Result<Client, CertificatesError>,
}

impl SiteFiles {
    /// The site at a path, which may be an address (`https://…`).
    pub fn at(site: &Path) -> Self {
        match site.to_str().filter(|address| is_web(address)) {
            Some(address) => Self::on_web(address),
            None => Self::Folder(DirectoryFetch::new(site)),
        }
    }

    /// The site at an address, or at one that is relative to a folder.
    pub fn beside(folder: &Path, address: &str) -> Self {
        match (is_web(address), folder.to_str().filter(|folder| is_web(folder))) {
            (true, _) => Self::on_web(address),
            (false, Some(base)) => Self::on_web(&beside(base, address)),
            (false, None) => {
                // By names alone, as on the web: the folder need not be there yet.
                let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
                let at = beside(&folder.to_string_lossy(), address);
                Self::Folder(DirectoryFetch::new(at))
            }
        }
    }

    fn on_web(address: &str) -> Self {
        let timeouts = Timeouts {
            connect: Some(STALLED),
            response: Some(STALLED),
            body: Some(WHOLE_BODY),
            ..Timeouts::default()
        };
        let client = Client::new(Options { timeouts, ..Options::default() });
        Self::Web(WebFiles { address: format!("{}/", address.trim_end_matches('/')), client })
    }
}

impl WebFiles {
    fn fetch(&self, path: &str) -> Result<Vec<u8>, FetchError> {
        check_path(path).map_err(failed)?;
        let client = self.client.as_ref().map_err(failed)?;
        let url = format!("{}{path}", self.address);
        let mut response = client.get(&url, &[]).map_err(failed)?;
        match response.status().as_u16() {
            200 => {}
            404 | 410 => return Err(FetchError::NotFound),
            status => return Err(failed(format!("the server answered {status}"))),
        }
        let mut bytes = Vec::new();
        let body = response.body_mut().as_reader();
        body.take(MOST_BYTES).read_to_end(&mut bytes).map_err(failed)?;
        Ok(bytes)
    }
}

/// A folder by its address relative to another's: `..` leads out of that.
fn beside(base: &str, address: &str) -> String {
    let mut parts: Vec<&str> = base.trim_end_matches('/').split('/').collect();
    for part in address.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns `true` for what is an address rather than a path.
pub fn is_web(site: &str) -> bool {
    site.starts_with("https://") || site.starts_with("http://")
}

impl Fetch for SiteFiles {
    async fn fetch(&self, path: &str, freshness: Freshness) -> Result<Vec<u8>, FetchError> {
        match self {
            Self::Folder(folder) => folder.fetch(path, freshness).await,
            Self::Web(files) => files.fetch(path),
        }
    }
}

fn failed(reason: impl std::fmt::Display) -> FetchError {
    FetchError::Failed { reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_relative_to_the_folder_of_the_page() {
        let cases = [
            ("/srv/campus", "physics/", "/srv/campus/physics"),
            ("/srv/campus/", "../physics/", "/srv/physics"),
            ("https://example.edu/ask", "../law/", "https://example.edu/law"),
            ("https://example.edu/ask/", "./law", "https://example.edu/ask/law"),
        ];
        for (base, address, expected) in cases {
            assert_eq!(beside(base, address), expected, "{base} {address}");
        }
    }
}

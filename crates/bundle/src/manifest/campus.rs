//! The part of a manifest that makes a site a campus's: the sites of departments that it asks.

use campanile_text::Language;
use serde::{Deserialize, Serialize};

use super::damaged;
use crate::{BundleError, Choices, ShardEntry};

/// The sites that a campus's page asks, and what it knows of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct CampusEntry {
    /// The sites, in the order in which the campus lists them.
    pub sites: Vec<CampusSite>,
    /// A `Sketch` of each, as they were when the campus was made.
    pub sketches: ShardEntry,
    /// So many of them are asked a question, at the most.
    pub most_asked: u32,
}

/// A site that a campus's page asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct CampusSite {
    /// The name by which a visitor knows it.
    pub name: String,
    /// The address of its folder, with a slash at its end: whole (`https://…/`), or relative to the campus's own.
    pub address: String,
    /// The language by whose rules its texts were cut into terms.
    pub analyzer: Language,
    /// The path of the shard that its sketch came from: where the site names another, that is newer.
    pub sketch: String,
    /// What its documents tell their visitors apart by.
    #[serde(default)]
    pub choices: Choices,
}

impl CampusEntry {
    /// The most sites of a campus. A passage is named by the site's number and its own, in one number.
    pub const MOST_SITES: usize = 256;

    pub(super) fn check(&self) -> Result<(), BundleError> {
        let count = self.sites.len();
        if count == 0 || count > Self::MOST_SITES {
            let expected = format!("expected 1 to {} `sites` of a campus", Self::MOST_SITES);
            return Err(damaged(format!("{expected}, found {count}")));
        }
        if self.most_asked == 0 {
            return Err(damaged("expected a `most_asked` above 0, found 0"));
        }
        self.sites.iter().try_for_each(CampusSite::check)
    }
}

impl CampusSite {
    /// Returns `true` for an address that a page may fetch from: of the web, or within the campus's own host.
    pub fn is_address(address: &str) -> bool {
        let scheme = address.split(['/', '?', '#']).next().filter(|start| start.contains(':'));
        let is_fetched = scheme.is_none_or(|scheme| matches!(scheme, "https:" | "http:"));
        // What would end a policy, an attribute or a line.
        let is_plain = |letter: char| {
            !letter.is_control() && !letter.is_whitespace() && !"\"'<>;,\\".contains(letter)
        };
        is_fetched && address.ends_with('/') && address.chars().all(is_plain)
    }

    fn check(&self) -> Result<(), BundleError> {
        if !Self::is_address(&self.address) {
            return Err(damaged(format!(
                "expected the address of a folder on the web, with a slash at its end, found `{}`",
                self.address
            )));
        }
        Ok(())
    }
}

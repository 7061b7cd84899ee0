//! Writes the site of a campus: a page, its models, and sketches of the sites that it asks.
//!
//! It has no documents. A department's site is not copied, only pointed at, so that the department goes on publishing it by
//! itself.

use std::collections::BTreeSet;

use campanile_bundle::{CampusEntry, CampusSite, Counts, ShardEntry};
use campanile_index::Sketch;

use crate::embed::Embedder;
use crate::site::Content;
use crate::{BuildError, Plan, pair_models, site};

/// A site of the campus, and what it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// As the campus's manifest lists it.
    pub site: CampusSite,
    /// Its sketch.
    pub sketch: Sketch,
    /// The numbers of its documents and passages.
    pub counts: Counts,
}

/// The size of a campus's site, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CampusBytes {
    /// The page and the sketches.
    pub page: u64,
    /// The models, which a page fetches once for all sites.
    pub models: u64,
}

/// Writes the site of a campus with these members; `most_asked` of them are asked a question, at the most.
///
/// # Errors
/// Where a model cannot be loaded or the site cannot be written.
pub fn write_campus(
    plan: &Plan<'_>,
    members: &[Member],
    most_asked: u32,
) -> Result<CampusBytes, BuildError> {
    let embedder = Embedder::load(plan)?;
    let content = Content {
        query_adapter: pair_models::query_adapter(plan)?,
        pair_models: pair_models::chosen(plan)?,
        campus: Some(Campus { members, most_asked }),
        ..Content::default()
    };
    let written = site::write(plan, &embedder, content)
        .map_err(|error| BuildError::Site(plan.output.to_owned(), Box::new(error)))?;
    Ok(CampusBytes { page: written.index_bytes, models: written.model_bytes })
}

/// The members of a campus, as they go into its site.
#[derive(Clone, Copy)]
pub struct Campus<'a> {
    /// The sites.
    pub members: &'a [Member],
    /// So many of them are asked a question, at the most.
    pub most_asked: u32,
}

impl Campus<'_> {
    /// The sketches, in the order of the sites.
    pub fn sketches(&self) -> Vec<Sketch> {
        self.members.iter().map(|member| member.sketch.clone()).collect()
    }

    /// The manifest's part, once the sketches have a shard.
    pub fn entry(&self, sketches: ShardEntry) -> CampusEntry {
        let sites = self.members.iter().map(|member| member.site.clone()).collect();
        CampusEntry { sites, sketches, most_asked: self.most_asked }
    }

    /// The sums over all sites.
    pub fn counts(&self) -> Counts {
        self.members.iter().fold(Counts::default(), |sum, Member { counts, .. }| Counts {
            documents: sum.documents.saturating_add(counts.documents),
            chunks: sum.chunks.saturating_add(counts.chunks),
        })
    }

    /// The origins of those sites that are on the web: a page may fetch from no others.
    pub fn origins(&self) -> Vec<String> {
        let addresses = self.members.iter().map(|member| member.site.address.as_str());
        let origins = addresses.filter_map(|address| {
            let (scheme, rest) = address.split_once("://")?;
            Some(format!("{scheme}://{}", rest.split('/').next()?))
        });
        origins.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The terms of all sites: words that a question will have.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.members.iter().flat_map(|member| member.sketch.terms())
    }
}

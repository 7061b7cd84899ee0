//! One question to many sites: a campus's page asks those of its departments, each of which is built and published by
//! itself.
//!
//! A campus is a site without documents. It has the models, a list of sites, and a [sketch](campanile_index::Sketch) of
//! each. For a question,
//!
//! 1. the sketches say how probable it is of each site that it is the one to ask, and the few that together are nearly
//!    certain are opened, and asked as their own pages would ask them ([`Campus::ask`]);
//! 2. what they found is put together by the [probability](probability::Evidence) that a passage answers. The sites'
//!    own scores have no scale in common: each is of one site's words and passages.
//!
//! Models are in memory once: a site that was built with another encoder is named and left out, as one that cannot be
//! reached. Sites are opened by their manifest as it is now, so a department that publishes anew is asked anew, and its
//! new sketch is taken from its own site.

mod campus;
mod merge;
pub mod probability;

pub use campus::{AskedSite, Campus, Found, Reach, Speaker};

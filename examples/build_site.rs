//! Builds a site from texts in memory, as the plugin of a documentation tool would.
//!
//!     cargo run --release --example build_site -- SITE
//!     campanile serve SITE

use std::path::Path;

use campanile_build::config::Config;
use campanile_build::{BuildError, Page, Plan, SiteError, assemble};
use campanile_ingest::read_bytes;
use campanile_model_store::Store;

// The page's files, which the build script of this package has put together.
include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The name and the text of each page, as the plugin's host would hand them over.
const PAGES: [(&str, &str); 2] = [
    ("fees.md", "# Fees\n\n## Late registration\n\nLate registration costs 25 euros, by card."),
    ("library.md", "# Library\n\nThe library is open from 8:00 to 22:00 on weekdays."),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let output = std::env::args().nth(1).unwrap_or_else(|| "public".to_owned());
    let config: Config = toml::from_str("[site]\ntitle = \"Ask the handbook\"\n")?;
    let mut documents = Vec::new();
    for (name, text) in PAGES {
        documents.extend(read_bytes(name, text.as_bytes(), &Default::default())?.documents);
    }
    let encoder = Store::open(None)?.find(&config.encoder.model)?;
    let site = Plan {
        page: Page::new(FILES),
        ..Plan::new(Path::new("handbook"), Path::new(&output), &config, &encoder)
    };
    let summary = match assemble(&site, documents.into()) {
        // A host knows better than this library how another folder is chosen.
        Err(BuildError::Site(_, error)) if matches!(*error, SiteError::Write(_)) => {
            return Err(format!("{error}\n  way out: build_site FOLDER").into());
        }
        built => built?,
    };
    println!("{} passages of {} documents in {output}", summary.chunks, summary.documents);
    Ok(())
}

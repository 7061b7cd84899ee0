//! A site on the web is read by the certificates that the environment names.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

#[path = "../../http/tests/support/encrypted.rs"]
mod encrypted;

use std::path::Path;

use campanile_bundle::{Fetch as _, Freshness};
use campanile_terminal::files::SiteFiles;
use futures_lite::future::block_on;

#[test]
fn a_site_is_read_by_the_certificates_of_the_environment() {
    let test = "a_site_is_read_by_the_certificates_of_the_environment";
    encrypted::goes_by_ssl_cert_file(test, |address| {
        let files = SiteFiles::at(Path::new(address));
        let bytes = block_on(files.fetch("campanile.json", Freshness::Cached));
        Ok(String::from_utf8_lossy(&bytes.map_err(|error| error.to_string())?).into_owned())
    });
}

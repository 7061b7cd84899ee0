//! Certificates that the environment names.

use crate::error::WebsiteError;
use std::path::Path;
use std::sync::Arc;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

/// The settings for the certificates in `SSL_CERT_FILE`, if it is set.
pub(crate) fn from_environment() -> Result<Option<TlsConfig>, WebsiteError> {
    let Some(path) = std::env::var_os("SSL_CERT_FILE").filter(|path| !path.is_empty()) else {
        return Ok(None);
    };
    let roots = read(Path::new(&path))?;
    Ok(Some(TlsConfig::builder().root_certs(roots).build()))
}

fn read(path: &Path) -> Result<RootCerts, WebsiteError> {
    let bad = |detail: String| WebsiteError::Certificates { path: path.to_path_buf(), detail };
    let text = std::fs::read(path).map_err(|error| bad(error.to_string()))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&text) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| bad(error.to_string()))? {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        return Err(bad("it holds none".to_owned()));
    }
    Ok(RootCerts::Specific(Arc::new(certificates)))
}

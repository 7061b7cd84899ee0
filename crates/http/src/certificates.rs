//! The certificates of the authorities that vouch for a server: those that come with the program, and those that the
//! environment names.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use tracing::debug;
use ureq::tls::{Certificate, PemItem, RootCerts, parse_pem};
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

/// Environment variable with a PEM file of certificates, as other tools read it.
pub(crate) const FILE_VARIABLE: &str = "SSL_CERT_FILE";
/// Environment variable with folders of PEM files, separated as in `PATH`.
pub(crate) const FOLDER_VARIABLE: &str = "SSL_CERT_DIR";

/// Certificates that the environment names and that cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the certificates in `{}` (`{variable}`) could not be read: {detail}\n  way out: let `{variable}` name {}, or unset \
     it; the usual authorities are trusted without it", path.display(), wanted(variable)
)]
pub struct CertificatesError {
    /// The environment variable.
    pub variable: &'static str,
    /// The file or folder that it names.
    pub path: PathBuf,
    /// What is wrong with it.
    pub detail: String,
}

fn wanted(variable: &str) -> &'static str {
    if variable == FILE_VARIABLE {
        "a PEM file (`-----BEGIN CERTIFICATE-----`)"
    } else {
        "folders of PEM files (`-----BEGIN CERTIFICATE-----`)"
    }
}

/// The bundled authorities and those of the environment, each once.
pub(crate) fn trusted(
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<RootCerts, CertificatesError> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let mut all: Vec<Certificate<'static>> =
        TLS_SERVER_ROOT_CERTS.iter().map(|root| Certificate::from_der(root)).collect();
    if let Some(path) = set(FILE_VARIABLE) {
        all.extend(of_file(Path::new(&path))?);
    }
    if let Some(paths) = set(FOLDER_VARIABLE) {
        for path in std::env::split_paths(&paths).filter(|path| !path.as_os_str().is_empty()) {
            all.extend(of_folder(&path)?);
        }
    }
    // A system's own bundle repeats the authorities, and its folder has each under two names.
    all.sort_by(|left, right| left.der().cmp(right.der()));
    all.dedup_by(|left, right| left.der() == right.der());
    Ok(RootCerts::Specific(Arc::new(all)))
}

fn of_file(path: &Path) -> Result<Vec<Certificate<'static>>, CertificatesError> {
    let bad = |detail| CertificatesError { variable: FILE_VARIABLE, path: path.to_owned(), detail };
    let pem = fs::read(path).map_err(|error| bad(error.to_string()))?;
    let certificates = usable(&pem).map_err(bad)?;
    if certificates.is_empty() {
        return Err(bad("it holds none".to_owned()));
    }
    Ok(certificates)
}

/// The certificates of all files in a folder. Such a folder also holds lists of revoked certificates, notes and key
/// stores of other programs, which therefore are no mistake; a folder without any certificate is.
fn of_folder(path: &Path) -> Result<Vec<Certificate<'static>>, CertificatesError> {
    let bad =
        |detail| CertificatesError { variable: FOLDER_VARIABLE, path: path.to_owned(), detail };
    let unreadable = |error: io::Error| bad(error.to_string());
    let mut certificates = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if !file.is_file() {
            continue;
        }
        match fs::read(&file).map_err(|error| error.to_string()).and_then(|pem| usable(&pem)) {
            Ok(found) => certificates.extend(found),
            Err(reason) => debug!(file = %file.display(), reason, "holds no certificates"),
        }
    }
    if certificates.is_empty() {
        return Err(bad("none of its files holds one".to_owned()));
    }
    Ok(certificates)
}

/// The certificates in a PEM text that `rustls` can go by. It ignores others, as every system's bundle has old ones.
fn usable(pem: &[u8]) -> Result<Vec<Certificate<'static>>, String> {
    let mut certificates = Vec::new();
    for item in parse_pem(pem) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| error.to_string())? {
            certificates.push(certificate);
        }
    }
    let of_file = certificates.len();
    certificates.retain(|certificate| {
        RootCertStore::empty().add(CertificateDer::from(certificate.der())).is_ok()
    });
    if certificates.is_empty() && of_file > 0 {
        return Err("what it calls a certificate is none".to_owned());
    }
    Ok(certificates)
}

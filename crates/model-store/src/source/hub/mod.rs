//! The model hub over HTTP, at one revision, resumed where it broke off.

mod answer;

use super::{Failure, Provider};
use crate::catalogue::HubSource;
use crate::part::{CopyError, Part};
use crate::progress::{Progress, Report};
use answer::{Broken, accept, classify, too_long};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use ureq::Agent;
use ureq::http::header;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

/// Without a network this must fail soon: pip is next.
const CONNECT: Duration = Duration::from_secs(5);
/// Until the headers of a response are here.
const RESPOND: Duration = Duration::from_secs(20);
/// The longest silence within a body.
const SILENCE: Duration = Duration::from_secs(30);
/// Attempts in a row that bring no new byte before the source is given up.
const FRUITLESS_ATTEMPTS: u32 = 3;
/// The pause before the second attempt; it doubles with each.
const PAUSE: Duration = Duration::from_millis(500);

/// One repository of the hub at one revision.
pub(super) struct Hub {
    agent: Agent,
    address: String,
    at: HubSource,
}

impl Hub {
    pub(super) fn new(
        address: &str,
        certificates: Option<&Path>,
        at: HubSource,
    ) -> Result<Self, Failure> {
        let address = address.trim_end_matches('/').to_owned();
        if !address.starts_with("https://") && !address.starts_with("http://") {
            return Err(Failure::Source(format!(
                "its address `{address}` does not begin with https:// or http://; see `CAMPANILE_HUB`"
            )));
        }
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .user_agent(concat!("campanile/", env!("CARGO_PKG_VERSION")))
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(RESPOND))
            .timeout_per_read(Some(SILENCE));
        if is_loopback(&address) {
            config = config.proxy(None);
        }
        if let Some(path) = certificates {
            let tls = TlsConfig::builder().root_certs(read_certificates(path)?);
            config = config.tls_config(tls.build());
        }
        Ok(Self { agent: config.build().into(), address, at })
    }

    fn url(&self, file: &str) -> String {
        let HubSource { repository, revision } = self.at;
        format!("{}/{repository}/resolve/{revision}/{file}", self.address)
    }

    /// Asks for the rest of the file and writes what comes.
    fn attempt(&self, part: &Part, report: &mut Report<'_>) -> Result<(), Broken> {
        let offset = part.bytes()?;
        let url = self.url(part.file.name);
        let mut request = self
            .agent
            .get(&url)
            // A compressed body would make nonsense of lengths and ranges.
            .header(header::ACCEPT_ENCODING, "identity");
        if offset > 0 {
            request = request.header(header::RANGE, format!("bytes={offset}-"));
        }
        let response = request.call().map_err(|error| classify(&url, &error))?;
        let resume = accept(&url, &response, part, offset)?;
        match part.receive(response.into_body().into_reader(), resume, report) {
            Ok(()) if part.bytes()? < part.file.bytes => {
                Err(Broken::Passing(format!("{url}: the connection ended early")))
            }
            Ok(()) => Ok(()),
            Err(CopyError::Read(error)) => Err(Broken::Passing(format!("{url}: {error}"))),
            Err(CopyError::TooLong) => {
                part.discard()?;
                Err(too_long(&url, &part.file))
            }
            Err(CopyError::Write(error)) => Err(error.into()),
        }
    }
}

impl Provider for Hub {
    fn provide(&mut self, part: &Part, report: &mut Report<'_>) -> Result<(), Failure> {
        if part.bytes()? > part.file.bytes {
            part.discard()?;
        }
        let first = part.bytes()?;
        let mut most = first;
        let mut fruitless = 0;
        while part.bytes()? < part.file.bytes {
            let reason = match self.attempt(part, report) {
                Ok(()) => return Ok(()),
                Err(Broken::Final(failure)) => return Err(failure),
                Err(Broken::Unreachable(reason)) if most == first => {
                    return Err(Failure::Source(reason));
                }
                Err(Broken::Unreachable(reason) | Broken::Passing(reason)) => reason,
            };
            let bytes = part.bytes()?;
            fruitless = if bytes > most { 0 } else { fruitless + 1 };
            most = most.max(bytes);
            if fruitless == FRUITLESS_ATTEMPTS {
                return Err(Failure::Source(format!(
                    "{reason} ({fruitless} attempts in a row brought nothing; {bytes} bytes are kept for the next fetch)"
                )));
            }
            report(Progress::Resuming { file: part.file.name, reason: &reason, bytes });
            std::thread::sleep(PAUSE * 2_u32.pow(fruitless));
        }
        Ok(())
    }

    fn origin(&self) -> String {
        format!("{}/{} at {}", self.address, self.at.repository, self.at.revision)
    }

    fn resumes(&self) -> bool {
        true
    }
}

/// A server on this machine is not behind a proxy.
fn is_loopback(address: &str) -> bool {
    ["http://127.", "http://localhost", "http://[::1]"]
        .iter()
        .any(|start| address.starts_with(start))
}

fn read_certificates(path: &Path) -> Result<RootCerts, Failure> {
    let bad = |reason: String| {
        Failure::Source(format!(
            "the certificates in `{}` (`SSL_CERT_FILE`) could not be read: {reason}",
            path.display()
        ))
    };
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

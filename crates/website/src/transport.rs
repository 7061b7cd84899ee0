//! The network, at the edge.

use crate::address::{is_loopback, join};
use crate::error::WebsiteError;
use crate::options::WebsiteOptions;
use crate::report::SkipReason;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use ureq::Agent;
use ureq::http::header;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use url::Url;

/// A whole answer may take so many times the timeout. Without an end to it, a server that sends a byte now and then,
/// within the limit of each silence, would hold the fetch for ever.
const WHOLE_ANSWER: u32 = 4;

/// One request at a time, with no redirects followed and no status an error.
pub trait Transport {
    /// Asks for `url` with these headers besides those that are always sent.
    ///
    /// # Errors
    /// [`TransportError`] where no answer began.
    fn get(&mut self, url: &Url, headers: &[(&str, &str)]) -> Result<Reply, TransportError>;
}

/// The beginning of an answer.
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: Headers,
    /// The rest, unpacked; read errors of kind [`io::ErrorKind::TimedOut`] tell of a timeout.
    pub body: Box<dyn Read>,
}

impl Reply {
    /// The address in the `Location` of an answer from `base`.
    pub(crate) fn location(&self, base: &Url) -> Result<Url, SkipReason> {
        let to = self.headers.get("location").unwrap_or_default();
        join(base, to).map_err(|detail| SkipReason::Redirect { to: to.to_owned(), detail })
    }
}

/// Returns `true` if an answer of this status names another address to ask (RFC 9110, section 15.4). 300 leaves the
/// choice to a person, 304 is about the page that is here, 305 and 306 are no longer used.
pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// No answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// The server may answer in a moment.
    #[error("{0}")]
    Passing(String),
    /// It will not: nobody is there, or the two cannot talk.
    #[error("{0}")]
    Final(String),
}

/// The headers of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// Adds one; the case of its name does not count.
    pub fn push(&mut self, name: &str, value: impl Into<String>) {
        self.0.push((name.to_ascii_lowercase(), value.into()));
    }

    /// The first of this name, in lower case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// All of this name, in lower case.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// HTTP by `ureq`.
#[derive(Debug)]
pub struct HttpTransport {
    agent: Agent,
}

impl HttpTransport {
    /// A client that goes by the name and keeps to the timeout of `options`. The certificates in
    /// `SSL_CERT_FILE`, where that is set, stand in for those built in.
    ///
    /// # Errors
    /// [`WebsiteError::Certificates`].
    pub fn new(options: &WebsiteOptions) -> Result<Self, WebsiteError> {
        // 0 would be no time at all, not no limit.
        let patience = Duration::from_secs(options.timeout_secs.clamp(1, 3_600));
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            // Each redirect is a request of its own: to be admitted by the scope and the rules, and to wait its turn.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(options.agent())
            .timeout_resolve(Some(patience))
            .timeout_connect(Some(patience))
            .timeout_recv_response(Some(patience))
            .timeout_per_read(Some(patience))
            .timeout_global(Some(patience * WHOLE_ANSWER));
        if let Some(tls) = certificates_of_environment()? {
            config = config.tls_config(tls);
        }
        Ok(Self { agent: config.build().into() })
    }
}

impl Transport for HttpTransport {
    fn get(&mut self, url: &Url, headers: &[(&str, &str)]) -> Result<Reply, TransportError> {
        // Where a server has a document in several forms, the page is the one that is read best.
        let mut request = self.agent.get(url.as_str()).header(
            header::ACCEPT,
            "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8",
        );
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        // A server on this machine is not behind a proxy.
        let response = if is_loopback(url) {
            request.config().proxy(None).build().call()
        } else {
            request.call()
        };
        let (parts, body) = response.map_err(|error| classify(&error))?.into_parts();
        let mut found = Headers::default();
        for (name, value) in &parts.headers {
            found.push(name.as_str(), String::from_utf8_lossy(value.as_bytes()));
        }
        let body = Box::new(Body(body.into_reader()));
        Ok(Reply { status: parts.status.as_u16(), headers: found, body })
    }
}

/// A body whose timeouts can be told from other errors.
struct Body<R>(R);

impl<R: Read> Read for Body<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ureq::Error>());
            match inner {
                Some(ureq::Error::Timeout(_)) => {
                    io::Error::new(io::ErrorKind::TimedOut, error.to_string())
                }
                _ => error,
            }
        })
    }
}

fn classify(error: &ureq::Error) -> TransportError {
    let reason = format!("{error}{}", hint(error));
    let is_passing = match error {
        ureq::Error::Timeout(_) | ureq::Error::Protocol(_) => true,
        // The connection was there and broke. One that never was is no better in seconds.
        ureq::Error::Io(error) => matches!(
            error.kind(),
            io::ErrorKind::ConnectionReset
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::BrokenPipe
                | io::ErrorKind::UnexpectedEof
                | io::ErrorKind::TimedOut
        ),
        _ => false,
    };
    if is_passing { TransportError::Passing(reason) } else { TransportError::Final(reason) }
}

/// A network that looks into encrypted traffic shows certificates of its own.
fn hint(error: &ureq::Error) -> &'static str {
    let is_tls = match error {
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => true,
        // As which rustls reports a certificate that it does not trust.
        ureq::Error::Io(error) => error.kind() == io::ErrorKind::InvalidData,
        _ => false,
    };
    if is_tls {
        " (if your network has certificates of its own, name their file in `SSL_CERT_FILE`)"
    } else {
        ""
    }
}

/// The settings for the certificates in `SSL_CERT_FILE`, if it is set.
fn certificates_of_environment() -> Result<Option<TlsConfig>, WebsiteError> {
    let Some(path) = std::env::var_os("SSL_CERT_FILE").filter(|path| !path.is_empty()) else {
        return Ok(None);
    };
    let roots = read_certificates(Path::new(&path))?;
    Ok(Some(TlsConfig::builder().root_certs(roots).build()))
}

fn read_certificates(path: &Path) -> Result<RootCerts, WebsiteError> {
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

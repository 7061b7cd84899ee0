//! The network, at the edge.

use crate::address::join;
use crate::error::WebsiteError;
use crate::options::WebsiteOptions;
use crate::report::SkipReason;
use campanile_http::{Client, Failure, FailureKind, Options, Timeouts};
use std::io::{self, Read};
use std::time::Duration;
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

/// The network itself.
#[derive(Debug)]
pub struct HttpTransport {
    client: Client,
}

impl HttpTransport {
    /// A client that goes by the name and keeps to the timeout of `options`.
    ///
    /// # Errors
    /// [`WebsiteError::Certificates`].
    pub fn new(options: &WebsiteOptions) -> Result<Self, WebsiteError> {
        // 0 would be no time at all, not no limit.
        let patience = Duration::from_secs(options.timeout_secs.clamp(1, 3_600));
        let client = Client::new(Options {
            user_agent: options.agent(),
            timeouts: Timeouts {
                resolve: Some(patience),
                connect: Some(patience),
                response: Some(patience),
                silence: Some(patience),
                whole: Some(patience * WHOLE_ANSWER),
                ..Timeouts::default()
            },
            // Each redirect is a request of its own: to be admitted by the scope and the rules, and to wait its turn.
            follows_redirects: false,
        })?;
        Ok(Self { client })
    }
}

impl Transport for HttpTransport {
    fn get(&mut self, url: &Url, headers: &[(&str, &str)]) -> Result<Reply, TransportError> {
        // Where a server has a document in several forms, the page is the one that is read best.
        let mut all =
            vec![("accept", "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8")];
        all.extend_from_slice(headers);
        let (parts, body) = self.client.get(url.as_str(), &all)?.into_parts();
        let mut found = Headers::default();
        for (name, value) in &parts.headers {
            found.push(name.as_str(), String::from_utf8_lossy(value.as_bytes()));
        }
        let body = Box::new(Body(body.into_reader()));
        Ok(Reply { status: parts.status.as_u16(), headers: found, body })
    }
}

impl From<Failure> for TransportError {
    fn from(failure: Failure) -> Self {
        if failure.is_passing() {
            Self::Passing(failure.reason)
        } else {
            Self::Final(failure.reason)
        }
    }
}

/// A body whose timeouts can be told from other errors.
struct Body<R>(R);

impl<R: Read> Read for Body<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            let kind = error.kind();
            let failure = Failure::from(error);
            let is_timeout = failure.kind == FailureKind::Timeout;
            io::Error::new(if is_timeout { io::ErrorKind::TimedOut } else { kind }, failure)
        })
    }
}

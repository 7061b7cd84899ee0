//! What it means that no answer came.

use std::io;

use rustls::{CertificateError, Error as TlsError};
use ureq::{Error, Timeout};

/// Why there is no answer, or not all of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Failure {
    /// Its kind, to decide by.
    pub kind: FailureKind,
    /// Its reason in words, with the way out where there is one.
    pub reason: String,
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// No connection came about: the name has no address, nobody listens, no way leads there, a proxy refuses. `ureq`
    /// hands on the system's word for a name without an address, which no stable kind sets apart.
    Unreachable,
    /// No connection came about in time.
    ConnectTimeout,
    /// The connection stood, and what was to come over it was not there in time.
    Timeout,
    /// The connection stood, and broke.
    Broken,
    /// What came is not HTTP.
    Garbled,
    /// The two ends agree on no encryption, or the server's certificate is not trusted.
    Tls,
    /// It cannot be asked this way: the address, a header, too many redirects.
    Request,
}

impl Failure {
    /// Returns `true` if the same request may do better in a moment. A connection that broke is worth another attempt; one
    /// that never stood is no better in seconds, and a certificate not in days.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self.kind {
            FailureKind::ConnectTimeout
            | FailureKind::Timeout
            | FailureKind::Broken
            | FailureKind::Garbled => true,
            FailureKind::Unreachable | FailureKind::Tls | FailureKind::Request => false,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let kind = kind(&error);
        let reason = match &error {
            // Without the "io: " before it, which tells a reader nothing.
            Error::Io(error) => format!("{error}{}", hint(of_tls(error))),
            Error::Rustls(tls) => format!("{error}{}", hint(Some(tls))),
            _ => error.to_string(),
        };
        Self { kind, reason }
    }
}

/// Of reading a body, whose errors may have one of `ureq` within.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Error::from(error).into()
    }
}

fn kind(error: &Error) -> FailureKind {
    match error {
        Error::HostNotFound | Error::ConnectionFailed | Error::ConnectProxyFailed(_) => {
            FailureKind::Unreachable
        }
        Error::Timeout(Timeout::Resolve | Timeout::Connect) => FailureKind::ConnectTimeout,
        Error::Timeout(_) => FailureKind::Timeout,
        Error::Protocol(_) => FailureKind::Garbled,
        Error::Tls(_) | Error::Rustls(_) => FailureKind::Tls,
        Error::Io(error) if of_tls(error).is_some() => FailureKind::Tls,
        Error::Io(error) => match error.kind() {
            io::ErrorKind::TimedOut => FailureKind::Timeout,
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof => FailureKind::Broken,
            _ => FailureKind::Unreachable,
        },
        // The rest of an enumeration that may grow: addresses, headers, redirects, settings.
        _ => FailureKind::Request,
    }
}

/// The error of `rustls`, which comes as one of reading and writing.
fn of_tls(error: &io::Error) -> Option<&TlsError> {
    error.get_ref()?.downcast_ref()
}

/// The way out where there is one. A network that looks into encrypted traffic shows certificates of its own. More
/// certificates do not help against one that has expired or belongs to another host.
fn hint(error: Option<&TlsError>) -> &'static str {
    match error {
        Some(TlsError::InvalidCertificate(
            CertificateError::UnknownIssuer
            | CertificateError::BadSignature
            | CertificateError::Other(_),
        )) => " (if your network has certificates of its own, name their file in `SSL_CERT_FILE`)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More certificates help where the issuer is unknown, and would be the wrong way out elsewhere.
    #[test]
    fn the_hint_comes_where_it_helps() {
        let cases = [
            (TlsError::InvalidCertificate(CertificateError::UnknownIssuer), true),
            (TlsError::InvalidCertificate(CertificateError::Expired), false),
            (TlsError::InvalidCertificate(CertificateError::NotValidForName), false),
            (TlsError::InvalidCertificate(CertificateError::Revoked), false),
            (TlsError::HandshakeNotComplete, false),
        ];
        for (error, expected) in cases {
            let said = error.to_string();
            // Within a connection `ureq` gives them as errors of reading, before one as they are.
            let wrapped = io::Error::new(io::ErrorKind::InvalidData, error.clone());
            for failure in [Failure::from(wrapped), Failure::from(Error::Rustls(error))] {
                assert_eq!(failure.kind, FailureKind::Tls, "{failure}");
                assert!(failure.reason.contains(&said), "{said} in {failure}");
                assert_eq!(failure.reason.contains("SSL_CERT_FILE"), expected, "{failure}");
            }
        }
    }

    /// The kinds that no server on this machine shows.
    #[test]
    fn what_may_pass_is_told_from_what_may_not() {
        let of_system = |kind: io::ErrorKind| Error::Io(io::Error::from(kind));
        let cases = [
            (Error::HostNotFound, FailureKind::Unreachable, false),
            (Error::ConnectionFailed, FailureKind::Unreachable, false),
            (Error::ConnectProxyFailed("407".to_owned()), FailureKind::Unreachable, false),
            (of_system(io::ErrorKind::NetworkUnreachable), FailureKind::Unreachable, false),
            (Error::Timeout(Timeout::Resolve), FailureKind::ConnectTimeout, true),
            (Error::Timeout(Timeout::Connect), FailureKind::ConnectTimeout, true),
            (Error::Timeout(Timeout::Global), FailureKind::Timeout, true),
            (of_system(io::ErrorKind::TimedOut), FailureKind::Timeout, true),
            (of_system(io::ErrorKind::ConnectionReset), FailureKind::Broken, true),
            (of_system(io::ErrorKind::UnexpectedEof), FailureKind::Broken, true),
            (Error::Tls("no name"), FailureKind::Tls, false),
            (Error::TooManyRedirects, FailureKind::Request, false),
            (Error::BadUri("campus".to_owned()), FailureKind::Request, false),
        ];
        for (error, kind, is_passing) in cases {
            let failure = Failure::from(error);
            assert_eq!((failure.kind, failure.is_passing()), (kind, is_passing), "{failure}");
        }
    }
}

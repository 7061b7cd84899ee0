//! Tells what a server's answer, or its silence, means for a download.

use crate::catalogue::ModelFile;
use crate::error::StoreError;
use crate::part::Part;
use crate::source::Failure;
use ureq::Body;
use ureq::http::{Response, StatusCode, header};

/// Why one request did not bring the rest of a file.
pub(super) enum Broken {
    /// No connection: hopeless unless bytes have come before.
    Unreachable(String),
    /// May go better next time.
    Passing(String),
    /// The answer is no, or the store cannot be written.
    Final(Failure),
}

impl From<StoreError> for Broken {
    fn from(error: StoreError) -> Self {
        Self::Final(Failure::Store(error))
    }
}

/// Looks at the headers: whether the body continues the part (`true`) or starts
/// the file over (`false`).
pub(super) fn accept(
    url: &str,
    response: &Response<Body>,
    part: &Part,
    offset: u64,
) -> Result<bool, Broken> {
    let status = response.status();
    let refused = |reason: String| Broken::Final(Failure::Source(format!("{url}: {reason}")));
    match status {
        StatusCode::OK => match content_length(response) {
            // A page to log in to a network answers 200 as well.
            Some(bytes) if bytes != part.file.bytes => Err(refused(format!(
                "answered with {bytes} bytes where {} are expected",
                part.file.bytes
            ))),
            _ => Ok(false),
        },
        StatusCode::PARTIAL_CONTENT => {
            let range = header_text(response, header::CONTENT_RANGE).unwrap_or_default();
            if continues(range, offset, part.file.bytes) {
                Ok(true)
            } else {
                part.discard()?;
                Err(refused(format!(
                    "asked for the bytes from {offset} of {}, answered with `{range}`",
                    part.file.bytes
                )))
            }
        }
        StatusCode::RANGE_NOT_SATISFIABLE => {
            part.discard()?;
            Err(too_short(url, &part.file, offset))
        }
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
            Err(Broken::Passing(format!("{url}: answered {status}")))
        }
        _ if status.is_server_error() => Err(Broken::Passing(format!("{url}: answered {status}"))),
        _ => Err(refused(format!("answered {status}"))),
    }
}

fn content_length(response: &Response<Body>) -> Option<u64> {
    header_text(response, header::CONTENT_LENGTH)?.parse().ok()
}

fn header_text(response: &Response<Body>, name: header::HeaderName) -> Option<&str> {
    response.headers().get(name)?.to_str().ok()
}

/// Returns `true` if `Content-Range: bytes FIRST-LAST/LENGTH` is the rest from `offset` of a file of
/// `bytes` (RFC 9110, section 14.4; the length may be unknown, `*`).
fn continues(range: &str, offset: u64, bytes: u64) -> bool {
    let parts = range.strip_prefix("bytes ").and_then(|rest| rest.split_once('/'));
    let Some((span, length)) = parts else {
        return false;
    };
    let first = span.split_once('-').map(|(first, _)| first);
    first.and_then(|first| first.parse().ok()) == Some(offset)
        && (length == "*" || length.parse() == Ok(bytes))
}

pub(super) fn too_long(url: &str, file: &ModelFile) -> Broken {
    Broken::Final(Failure::Source(format!("{url}: more than the {} bytes expected", file.bytes)))
}

fn too_short(url: &str, file: &ModelFile, offset: u64) -> Broken {
    Broken::Final(Failure::Source(format!(
        "{url}: has no bytes after {offset} where {} are expected",
        file.bytes
    )))
}

pub(super) fn classify(url: &str, error: &ureq::Error) -> Broken {
    let reason = format!("{url}: {error}{}", hint(error));
    match error {
        ureq::Error::HostNotFound
        | ureq::Error::ConnectionFailed
        | ureq::Error::Timeout(ureq::Timeout::Resolve | ureq::Timeout::Connect) => {
            Broken::Unreachable(reason)
        }
        ureq::Error::Io(error) => match error.kind() {
            // The connection was there and broke: worth another attempt.
            std::io::ErrorKind::ConnectionReset
            | std::io::ErrorKind::ConnectionAborted
            | std::io::ErrorKind::BrokenPipe
            | std::io::ErrorKind::UnexpectedEof => Broken::Passing(reason),
            _ => Broken::Unreachable(reason),
        },
        ureq::Error::Timeout(_) => Broken::Passing(reason),
        _ => Broken::Final(Failure::Source(reason)),
    }
}

/// A network that looks into encrypted traffic shows certificates of its own.
fn hint(error: &ureq::Error) -> &'static str {
    let is_tls = match error {
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => true,
        ureq::Error::Io(error) => error.kind() == std::io::ErrorKind::InvalidData,
        _ => false,
    };
    if is_tls {
        " (if your network has certificates of its own, name their file in `SSL_CERT_FILE`)"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::continues;

    #[test]
    fn only_the_rest_of_the_same_file_continues_a_part() {
        let cases = [
            ("bytes 500-999/1000", true),
            ("bytes 500-999/*", true),
            ("bytes 400-999/1000", false),
            ("bytes 500-899/900", false),
            ("bytes */1000", false),
            ("items 500-999/1000", false),
            ("", false),
        ];
        for (range, expected) in cases {
            assert_eq!(continues(range, 500, 1000), expected, "{range}");
        }
    }
}

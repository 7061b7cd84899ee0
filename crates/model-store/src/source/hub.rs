//! The model hub over HTTP, at one revision, resumed where it broke off.

use std::time::Duration;

use campanile_http::http::{StatusCode, header};
use campanile_http::{Client, FailureKind, Options, Response, Timeouts};
use tracing::debug;

use super::{Failure, Provider};
use crate::catalogue::{HubSource, ModelFile};
use crate::error::StoreError;
use crate::install::{Progress, Report};
use crate::part::{CopyError, Part};

/// Without a network this must fail soon: pip is next.
const CONNECT: Duration = Duration::from_secs(5);
/// Until the headers of a response are here.
const RESPOND: Duration = Duration::from_secs(20);
/// The longest silence within a body.
const SILENCE: Duration = Duration::from_secs(30);
/// Attempts in a row that bring no new byte before the source is given up.
// With the pauses between them, a network that is gone is given up after some seconds.
const FRUITLESS_ATTEMPTS: u32 = 3;
/// The pause before the second attempt; it doubles with each.
const PAUSE: Duration = Duration::from_millis(500);

/// One repository of the hub at one revision.
pub(super) struct Hub {
    client: Client,
    address: String,
    at: HubSource,
}

impl Hub {
    pub(super) fn new(address: &str, at: HubSource) -> Result<Self, Failure> {
        let address = address.trim_end_matches('/').to_owned();
        if !address.starts_with("https://") && !address.starts_with("http://") {
            return Err(Failure::Source(format!(
                "its address `{address}` does not begin with https:// or http://; see `CAMPANILE_HUB`"
            )));
        }
        let timeouts = Timeouts {
            resolve: Some(CONNECT),
            connect: Some(CONNECT),
            response: Some(RESPOND),
            silence: Some(SILENCE),
            ..Timeouts::default()
        };
        let client = Client::new(Options { timeouts, ..Options::default() })
            .map_err(|error| Failure::Source(error.to_string()))?;
        Ok(Self { client, address, at })
    }

    fn url(&self, file: &str) -> String {
        let HubSource { repository, revision } = self.at;
        format!("{}/{repository}/resolve/{revision}/{file}", self.address)
    }

    /// Asks for the rest of the file and writes what comes.
    fn attempt(&self, part: &Part, report: &mut Report<'_>) -> Result<(), Broken> {
        let offset = part.bytes()?;
        let url = self.url(part.file.name);
        let range = format!("bytes={offset}-");
        // A compressed body would make nonsense of lengths and ranges.
        let all =
            [(header::ACCEPT_ENCODING.as_str(), "identity"), (header::RANGE.as_str(), &range)];
        let headers = if offset > 0 { &all[..] } else { &all[..1] };
        let response = self.client.get(&url, headers).map_err(|failure| broken(&url, &failure))?;
        let resume = accept(&url, &response, part, offset)?;
        match part.receive(response.into_body().into_reader(), resume, report) {
            Ok(()) if part.bytes()? < part.file.bytes => {
                Err(Broken::Passing(format!("{url}: the connection ended early")))
            }
            Ok(()) => Ok(()),
            Err(CopyError::Read(error)) => {
                let failure = campanile_http::Failure::from(error);
                Err(Broken::Passing(format!("{url}: {failure}")))
            }
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
        // Only bytes beyond the most that were ever here count as progress: a server that starts over each time would
        // be asked for ever.
        let mut most = first;
        let mut fruitless = 0;
        while part.bytes()? < part.file.bytes {
            let reason = match self.attempt(part, report) {
                Ok(()) => return Ok(()),
                Err(Broken::Final(failure)) => return Err(failure),
                // Nothing has come yet: another source is likelier to help than another attempt.
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
            debug!(file = part.file.name, reason, bytes, fruitless, "asked for the rest");
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

/// Why one request did not bring the rest of a file.
enum Broken {
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
fn accept(url: &str, response: &Response, part: &Part, offset: u64) -> Result<bool, Broken> {
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

fn content_length(response: &Response) -> Option<u64> {
    header_text(response, header::CONTENT_LENGTH)?.parse().ok()
}

fn header_text(response: &Response, name: header::HeaderName) -> Option<&str> {
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

fn too_long(url: &str, file: &ModelFile) -> Broken {
    Broken::Final(Failure::Source(format!("{url}: more than the {} bytes expected", file.bytes)))
}

fn too_short(url: &str, file: &ModelFile, offset: u64) -> Broken {
    Broken::Final(Failure::Source(format!(
        "{url}: has no bytes after {offset} where {} are expected",
        file.bytes
    )))
}

fn broken(url: &str, failure: &campanile_http::Failure) -> Broken {
    let reason = format!("{url}: {failure}");
    match failure.kind {
        FailureKind::Unreachable | FailureKind::ConnectTimeout => Broken::Unreachable(reason),
        _ if failure.is_passing() => Broken::Passing(reason),
        _ => Broken::Final(Failure::Source(reason)),
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

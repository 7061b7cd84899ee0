//! Reads what a server says about the state of a page, and asks whether it is still so (RFC 9110, section
//! 13).

use crate::transport::Headers;

/// Longer ones are not worth their place.
const MOST_BYTES: usize = 500;

/// `ETag` and `Last-Modified`, if they can be sent back.
pub(crate) fn of(headers: &Headers) -> (Option<String>, Option<String>) {
    let sendable = |name| {
        let value = headers.get(name)?.trim();
        let is_sendable = !value.is_empty()
            && value.len() <= MOST_BYTES
            && value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
        is_sendable.then(|| value.to_owned())
    };
    (sendable("etag"), sendable("last-modified"))
}

/// The headers that ask for news only; none where nothing is known.
pub(crate) fn conditions<'v>(
    etag: Option<&'v str>,
    last_modified: Option<&'v str>,
) -> Vec<(&'static str, &'v str)> {
    let etag = etag.map(|etag| ("If-None-Match", etag));
    let last_modified = last_modified.map(|date| ("If-Modified-Since", date));
    etag.into_iter().chain(last_modified).collect()
}

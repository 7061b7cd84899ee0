//! The file that a page is kept in.
//!
//! A name must hold on every file system (case may not count, names are short, some are devices on
//! Windows), never lead out of the folder, and be the page's alone. Most addresses are plain
//! enough to be their own name:
//!
//! | address | file |
//! |---|---|
//! | `https://x.edu/fees.html` | `x.edu/fees.html` |
//! | `https://x.edu/fees` | `x.edu/fees~.html` |
//! | `https://x.edu/fees/` | `x.edu/fees/index.html` |
//! | `https://x.edu/v1.2/a.pdf` | `x.edu/v1~2/a.pdf` |
//! | `https://x.edu/Find?q=1` | `x.edu/find~4be7….html` |
//!
//! The `~` stands in no plain name. In the name of a file it marks an extension that the address
//! does not have, or is followed by a hash of the whole address, for every address that is not
//! plain. The name of a folder has no dot, and that of a file has one, so that they cannot meet.

use crate::address;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use url::Url;

/// The longest name of a file or folder, in bytes, before hash and extension: with both, 90, and file systems
/// that encrypt their names take 143.
const MOST_SEGMENT_BYTES: usize = 60;
/// The deepest that folders go; further ones are left to the hash.
const MOST_FOLDERS: usize = 8;
/// The longest path below the host's folder, before hash and extension. Windows takes 260 in all: that leaves 90 for
/// the folder itself and the host.
const MOST_PATH_BYTES: usize = 140;

/// Names that are devices on Windows, whatever follows them after a dot, and names of folders that
/// the readers pass over.
const RESERVED: &[&str] = &[
    "con", "prn", "aux", "nul", "__pycache__", "_site", "bower_components", "node_modules", "venv",
];

/// The path of a page's file below the folder of pages, with `/`.
pub(crate) fn file_name(url: &Url, extension: &str) -> String {
    let (folders, last) = segments(url);
    let host = host_folder(url);
    let plain = url.query().is_none()
        && folders.len() <= MOST_FOLDERS
        && url.path().len() <= MOST_PATH_BYTES
        && folders.iter().all(|folder| is_plain(folder))
        && (last.is_empty() || is_plain(last))
        // `/fees/` is kept as an `index` file, which `/fees/index.html` must not meet.
        && !last.starts_with("index.");
    if !plain {
        return hashed(url, &host, &folders, last, extension);
    }
    let file = match last.rsplit_once('.') {
        _ if last.is_empty() => format!("index.{extension}"),
        Some((_, own)) if own == extension => last.to_owned(),
        _ => format!("{last}~.{extension}"),
    };
    let mut path = host;
    for folder in &folders {
        path.push('/');
        path.push_str(&folder.replace('.', "~"));
    }
    path + "/" + &file
}

/// The file of what is not plain: as much of the address as fits, and the hash.
fn hashed(url: &Url, host: &str, folders: &[&str], last: &str, extension: &str) -> String {
    let mut path = host.to_owned();
    let mut room = MOST_PATH_BYTES;
    for folder in folders.iter().take(MOST_FOLDERS) {
        let folder = tame(folder);
        if folder.is_empty() || folder.len() >= room {
            break;
        }
        room -= folder.len();
        path.push('/');
        path.push_str(&folder);
    }
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let _ = write!(path, "/{}~{}.{extension}", tame(stem), short_hash(url.as_str()));
    path
}

/// The folder of a host: one each for other ports, and for pages that are not encrypted.
fn host_folder(url: &Url) -> String {
    let host = address::host(url);
    let mut folder = if is_host(host) {
        host.to_owned()
    } else {
        format!("{}~{}", tame(host), short_hash(host))
    };
    if url.scheme() != "https" {
        let _ = write!(folder, "~{}", url.scheme());
    }
    if let Some(port) = url.port() {
        let _ = write!(folder, "~{port}");
    }
    folder
}

fn is_host(host: &str) -> bool {
    // Longer ones are for the hash. So are addresses in IPv6: Windows has no `:` in names.
    host.len() <= 100
        && !host.starts_with('.')
        && !host.ends_with('.')
        && !is_reserved(host)
        && host.bytes().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
        })
}

/// The path's folders, and its last segment, which may be empty.
fn segments(url: &Url) -> (Vec<&str>, &str) {
    let path = url.path().trim_start_matches('/');
    let (mut folders, last) = match path.rsplit_once('/') {
        Some((folders, last)) => (folders.split('/').collect(), last),
        None => (Vec::new(), path),
    };
    // An empty folder is not plain, and so the hash tells `//fees` from `/fees`.
    if url.path().starts_with("//") {
        folders.insert(0, "");
    }
    (folders, last)
}

/// Returns `true` if a segment can stand as it is, and no other segment looks the same anywhere.
fn is_plain(segment: &str) -> bool {
    segment.len() <= MOST_SEGMENT_BYTES
        && segment.bytes().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b'.')
        })
        && !segment.is_empty()
        && !segment.starts_with('.')
        && !segment.ends_with('.')
        && !is_reserved(segment)
}

fn is_reserved(segment: &str) -> bool {
    let stem = segment.split_once('.').map_or(segment, |(stem, _)| stem);
    let is_numbered = ["com", "lpt"]
        .iter()
        .filter_map(|device| stem.strip_prefix(device))
        .any(|number| number.len() == 1 && number.bytes().all(|digit| digit.is_ascii_digit()));
    is_numbered || RESERVED.contains(&stem)
}

/// A name like `text` that holds everywhere, for people to recognise; perhaps empty.
fn tame(text: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8_lossy();
    let mut name = String::new();
    for character in decoded.chars() {
        match character.to_ascii_lowercase() {
            c if c.is_ascii_alphanumeric() || c == '_' => name.push(c),
            _ if !name.is_empty() && !name.ends_with('-') => name.push('-'),
            _ => {}
        }
        if name.len() >= MOST_SEGMENT_BYTES {
            break;
        }
    }
    let name = name.trim_end_matches('-');
    if is_reserved(name) { format!("{name}-") } else { name.to_owned() }
}

/// The whole hash.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// 96 bits of it: enough that nobody finds two addresses with the same by trying.
pub(crate) fn short_hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes())[..12])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing into a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests;

//! Helpers that the tests share: made-up models, a store for them, and a server.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
#![allow(dead_code, reason = "each test file uses a part of this")]

pub mod server;

use campanile_model_store::catalogue::{HubSource, PipSource};
use campanile_model_store::{Model, ModelFile, ModelKind, Progress, Store};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::path::Path;
use tempfile::TempDir;

pub const REVISION: &str = "0123456789abcdef0123456789abcdef01234567";

/// Bytes that do not compress away and differ by `seed`.
pub fn noise(length: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761).max(1);
    std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[1]
    })
    .take(length)
    .collect()
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// A catalogue of one model, `small`, with these files and both sources.
pub fn catalogue(files: &[(&'static str, &[u8])]) -> &'static [Model] {
    let files: Vec<ModelFile> = files
        .iter()
        .map(|(name, bytes)| ModelFile {
            name,
            bytes: bytes.len() as u64,
            sha256: sha256(bytes).leak(),
        })
        .collect();
    vec![Model {
        name: "small",
        kind: ModelKind::Encoder,
        licence: "CC0-1.0",
        home: "https://models.invalid/small",
        files: files.leak(),
        hub: Some(HubSource { repository: "campus/small", revision: REVISION }),
        pip: Some(PipSource { package: "small-model", version: "1.0" }),
        floor_cosine: None,
    }]
    .leak()
}

/// An empty store with [`catalogue`], with no hub and no Python that work.
pub fn store(files: &[(&'static str, &[u8])]) -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(Some(folder.path().join("models")))
        .unwrap()
        .with_catalogue(catalogue(files))
        .with_hub(nowhere())
        .with_python("/no/such/python");
    (folder, store)
}

/// An address on this machine that nothing listens on.
pub fn nowhere() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

pub fn ignore(_: Progress<'_>) {}

/// A zip archive with these entries, deflated.
pub fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated);
    for (name, bytes) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A command that answers as `python3 -m pip download … --dest FOLDER` would: it
/// runs `script` with the folder in `$folder`.
///
/// Another process writes it: a file that this one has open for writing while
/// another test starts a child cannot be run ("text file busy").
#[cfg(unix)]
pub fn python(folder: &Path, script: &str) -> std::path::PathBuf {
    use std::process::{Command, Stdio};
    let path = folder.join("python");
    let text = format!("#!/bin/sh\nfor folder in \"$@\"; do :; done\n{script}\n");
    let mut writer = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = writer.stdin.take().unwrap();
    pipe.write_all(text.as_bytes()).unwrap();
    drop(pipe);
    assert!(writer.wait().unwrap().success());
    path
}

/// The names in `folder`, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .map(|entries| {
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        })
        .unwrap_or_default();
    names.sort();
    names
}

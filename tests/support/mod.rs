//! What the end-to-end tests share: running the command, and small folders of documents.

#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub use campanile_test_data::SharedFolder;
use tempfile::TempDir;

/// One run of the command.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Fails with everything that was printed unless the exit code is `code`.
    #[track_caller]
    pub fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Fails unless standard error holds each part.
    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.stderr.contains(part), "no {part:?} in:\n{}", self.stderr);
        }
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in:\n{}\n{}", self.stdout, self.stderr))
    }
}

/// Runs `campanile` with the arguments.
pub fn campanile(arguments: &[&str]) -> Run {
    campanile_with(arguments, &[])
}

/// Runs `campanile` with the arguments and extra environment variables.
pub fn campanile_with(arguments: &[&str], environment: &[(&str, &str)]) -> Run {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_campanile"))
        .args(arguments)
        .envs(environment.iter().copied())
        .output()
        .expect("the command runs");
    Run {
        code: status.code().expect("an exit code"),
        stdout: String::from_utf8(stdout).expect("UTF-8 on stdout"),
        stderr: String::from_utf8(stderr).expect("UTF-8 on stderr"),
    }
}

/// A temporary folder with these files.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, content) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

/// Builds the index of a folder of documents into a fresh folder.
#[track_caller]
pub fn build(docs: &Path, expected_code: i32) -> (TempDir, Run) {
    let site = tempfile::tempdir().expect("a temporary folder");
    let run = campanile(&[
        "build",
        text(docs),
        "-o",
        text(site.path()),
        "--index-only",
        "--no-report",
        "--json",
    ])
    .expect_code(expected_code);
    (site, run)
}

/// A folder of this name that all tests of a run read, and that is made by the first that asks for it.
pub fn shared_folder(name: &str, make: impl FnOnce() -> TempDir) -> SharedFolder {
    SharedFolder::new(Path::new(env!("CARGO_TARGET_TMPDIR")), name, make).unwrap()
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// What a site says of itself.
pub fn manifest(site: &Path) -> serde_json::Value {
    let bytes = std::fs::read(site.join("campanile.json")).expect("a built site");
    serde_json::from_slice(&bytes).expect("a manifest")
}

/// A file of the model crate's fixtures: adapters of random numbers for the site's encoder, and small networks.
pub fn model_fixture(name: &str) -> PathBuf {
    root().join("crates/model/tests/fixtures").join(name)
}

/// The workspace's folder.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below a folder with its content, by relative path.
pub fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(folder: &Path, prefix: &str, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
            if path.is_dir() {
                walk(&path, &format!("{name}/"), found);
            } else {
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, "", &mut found);
    found
}

/// Runs `campanile` with the arguments and this on standard input.
pub fn campanile_reading(arguments: &[&str], input: &str) -> Run {
    use std::io::Write as _;
    let mut child = Command::new(env!("CARGO_BIN_EXE_campanile"))
        .args(arguments)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command runs");
    child.stdin.take().unwrap().write_all(input.as_bytes()).expect("the command reads");
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the command ends");
    Run {
        code: status.code().expect("an exit code"),
        stdout: String::from_utf8(stdout).expect("UTF-8 on stdout"),
        stderr: String::from_utf8(stderr).expect("UTF-8 on stderr"),
    }
}

//! The build as a library: what the example makes of texts in memory is a site that answers.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;
use std::process::Command;

use support::{campanile, text};

#[test]
fn texts_in_memory_become_a_site() {
    let command = Path::new(env!("CARGO_BIN_EXE_campanile"));
    let example = format!("examples/build_site{}", std::env::consts::EXE_SUFFIX);
    let example = command.parent().expect("a folder").join(example);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let site = folder.path().join("site");
    let output = Command::new(example).arg(&site).output().expect("cargo has built the example");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let run = campanile(&["ask", text(&site), "What does late registration cost?", "--json"]);
    let reply = run.expect_code(0).json();
    let source = &reply["sources"][0];
    assert_eq!(source["document"], "fees.md", "{source}");
    assert!(source["text"].as_str().unwrap().contains("25 euros"), "{source}");
}

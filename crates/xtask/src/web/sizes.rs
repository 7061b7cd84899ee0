//! Measures what the browser modules weigh, against the limits they must stay under.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use super::module::Module;
use crate::process::output;
use crate::workspace::Workspace;

const LIMITS: &str = "crates/xtask/wasm-sizes.json";
const HEADROOM_PERCENT: u64 = 10;
const GZIP: &str = "const file = require('node:fs').readFileSync(process.argv[1]);\
    console.log(require('node:zlib').gzipSync(file, { level: 9 }).length)";

/// A wasm file's size as it is and as a web server sends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    pub raw_bytes: u64,
    pub gzip_bytes: u64,
}

/// Measures one wasm file.
pub fn measure(workspace: &Workspace, wasm: &Path) -> Result<Sizes> {
    let metadata = fs::metadata(wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let gzip = output(workspace.program("node").args(["--eval", GZIP]).arg(wasm))?;
    Ok(Sizes {
        raw_bytes: metadata.len(),
        gzip_bytes: gzip.trim().parse().context("the compressed size is not a number")?,
    })
}

/// Prints the sizes, and fails when one is over its limit.
pub fn check(workspace: &Workspace, measured: &[(&Module, Sizes)]) -> Result<()> {
    let text = fs::read_to_string(workspace.root.join(LIMITS))
        .with_context(|| format!("cannot read {LIMITS}"))?;
    let limits: Value =
        serde_json::from_str(&text).with_context(|| format!("{LIMITS} is not JSON"))?;
    let mut complaints = Vec::new();
    for (module, sizes) in measured {
        println!(
            "web     {}: {} kB, {} kB gzipped",
            module.wasm_file(),
            sizes.raw_bytes / 1000,
            sizes.gzip_bytes / 1000
        );
        complaints.extend(complaint(module.name, *sizes, &limits[module.name]));
    }
    if !complaints.is_empty() {
        bail!(
            "{}\nIf it has to be so, take the new sizes as limits with `cargo xtask web --record-sizes`, \
             and say why in the commit.",
            complaints.join("\n")
        );
    }
    Ok(())
}

fn complaint(name: &str, sizes: Sizes, limits: &Value) -> Option<String> {
    let parts = [("raw_bytes", sizes.raw_bytes), ("gzip_bytes", sizes.gzip_bytes)];
    parts.into_iter().find_map(|(part, size)| match limits[part].as_u64() {
        Some(limit) if size <= limit => None,
        Some(limit) => Some(format!("{name}: {part} is {size}, over the limit of {limit}")),
        None => Some(format!("{name}: {LIMITS} has no {part} for it")),
    })
}

/// Takes the measured sizes and some headroom as the new limits.
pub fn record(workspace: &Workspace, measured: &[(&Module, Sizes)]) -> Result<()> {
    let with_headroom = |bytes: u64| bytes + bytes * HEADROOM_PERCENT / 100;
    let limits: Map<String, Value> = measured
        .iter()
        .map(|(module, sizes)| {
            let limits = json!({
                "raw_bytes": with_headroom(sizes.raw_bytes),
                "gzip_bytes": with_headroom(sizes.gzip_bytes),
            });
            (module.name.to_owned(), limits)
        })
        .collect();
    let text = serde_json::to_string_pretty(&limits)?;
    fs::write(workspace.root.join(LIMITS), text + "\n")
        .with_context(|| format!("cannot write {LIMITS}"))?;
    println!("web     limits written to {LIMITS}: what was measured and {HEADROOM_PERCENT} % more");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complains_of_a_jump_and_of_a_missing_limit() {
        let sizes = Sizes { raw_bytes: 100, gzip_bytes: 50 };
        let cases = [
            (json!({"raw_bytes": 100, "gzip_bytes": 50}), None),
            (
                json!({"raw_bytes": 100, "gzip_bytes": 49}),
                Some("gzip_bytes is 50, over the limit of 49"),
            ),
            (
                json!({"raw_bytes": 99, "gzip_bytes": 50}),
                Some("raw_bytes is 100, over the limit of 99"),
            ),
            (Value::Null, Some("no raw_bytes")),
        ];
        for (limits, expected) in cases {
            let found = complaint("core", sizes, &limits);
            match expected {
                None => assert_eq!(found, None, "{limits}"),
                Some(part) => assert!(
                    found.as_deref().unwrap_or_default().contains(part),
                    "{limits}: {found:?}"
                ),
            }
        }
    }
}

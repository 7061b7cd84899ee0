//! The browser modules: compiled, bound to JavaScript, shrunk, checked and put into `pkg/`. One
//! more, for benchmarks and tests, is made in the same way and shipped nowhere.
//!
//! Each build is kept in the cache folder under a fingerprint of everything that went into
//! it, so that a second checkout of the same sources takes it from there: link-time optimisation
//! is the longest single step of a build.

mod module;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use crate::files;
use crate::process::{Log, output};
use crate::setup;
use crate::sources;
use crate::workspace::Workspace;
pub use module::bind;
use module::{MODULES, Module};

/// The licences of what is compiled into the modules: part of every built site.
const LICENCES: &str = "third-party-licences.txt";
/// The folder of the scripts as they are served; `build.rs` knows it too.
const SCRIPTS: &str = "page";
/// The folder of the scripts of a site in one file; `crates/build/src/page.rs` knows it too.
const SINGLE_FILE: &str = "single-file";

/// The options of building the browser modules.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WebOptions {
    /// Take the measured sizes as the new limits.
    pub record_sizes: bool,
}

/// Builds whatever of `pkg/` is missing or out of date, and checks the sizes.
pub fn build(workspace: &Workspace, options: &WebOptions) -> Result<()> {
    let log = workspace.log("web")?;
    let pkg = workspace.root.join("pkg");
    let mut measured = Vec::new();
    for module in &MODULES {
        let built = module::provide(workspace, module, &log)?;
        copy_folder(&built, &pkg.join(module.folder))?;
        measured.push((module, measure(workspace, &built.join(module.wasm_file()))?));
    }
    write_sheets(workspace, &pkg)?;
    make_scripts(workspace, &pkg, &log)?;
    // Not straight into `pkg/`, where a file that is the same must keep its time of change.
    let licences = workspace.target.join(LICENCES);
    sources::write_licences(&workspace.root, &licences)?;
    copy_changed(&licences, &pkg.join(LICENCES))?;
    if options.record_sizes {
        return record_sizes(workspace, &measured);
    }
    check_sizes(workspace, &measured)
}

/// Builds the module that benchmarks and tests of devices load, as the others are built; gives its
/// folder.
pub fn models_module(workspace: &Workspace) -> Result<PathBuf> {
    module::provide(workspace, &module::MODELS, &workspace.log("models-module")?)
}

/// Makes `to` hold the files of `from`, and nothing else.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    files::make_folder(to)?;
    for old in files::list(to)? {
        if !from.join(old.file_name().unwrap_or_default()).exists() {
            files::remove(&old)?;
        }
    }
    for new in files::list(from)? {
        copy_changed(&new, &to.join(new.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Copies a file. One that is the same already keeps its time of change, or the native command,
/// which embeds `pkg/`, would be compiled again each time.
fn copy_changed(from: &Path, to: &Path) -> Result<()> {
    let new = files::read(from)?;
    if files::holds(to, &new) { Ok(()) } else { files::write(to, new) }
}

/// The style sheets of the question box, in their order, by the script that they become: `sheet` has what the first
/// passages of a visit need, with what it has in common with the page around it; the others come later.
const SHEETS: [(&str, &[&str]); 3] = [
    ("sheet.js", &["www/styles/tokens.css", "www/styles/base.css", "web/sheets/ask.css"]),
    ("later.js", &["web/sheets/later.css", "web/sheets/reader.css"]),
    ("window.js", &["web/sheets/window.css"]),
];

/// Where they go in `pkg/`.
const SHEETS_FOLDER: &str = "sheets";
/// The folder in `web/` of what the page says, two scripts for each language.
const WORDS: &str = "words";

/// Writes the style sheets as scripts: an element that brings its looks along needs them as soon as its code
/// runs, in any page.
fn write_sheets(workspace: &Workspace, pkg: &Path) -> Result<()> {
    let folder = pkg.join(SHEETS_FOLDER);
    files::make_folder(&folder)?;
    for (name, parts) in SHEETS {
        let mut sheet = String::new();
        for part in parts {
            let text = files::read_text(&workspace.root.join(part))?;
            sheet += &with_own_rem(&shorten_sheet(&text));
        }
        let script = format!("export const SHEET={};\n", Value::from(sheet));
        let target = folder.join(name);
        if !files::holds(&target, script.as_bytes()) {
            files::write(&target, script)?;
        }
    }
    Ok(())
}

/// A style sheet without its comments and indentation. No string in ours holds the beginning of a comment.
fn shorten_sheet(sheet: &str) -> String {
    let mut code = String::with_capacity(sheet.len());
    let mut rest = sheet;
    while let Some((before, after)) = rest.split_once("/*") {
        code.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    code.push_str(rest);
    let lines = code.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.fold(String::new(), |sheet, line| sheet + line + "\n")
}

/// A shortened sheet whose `rem` are the element's own, since those of CSS are the page's around it: in rules the
/// property that the element registers, in conditions the pixels of a browser that was left as it is.
fn with_own_rem(sheet: &str) -> String {
    let mut own = String::with_capacity(sheet.len());
    for line in sheet.lines() {
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("rem") {
            let digits = before
                .trim_end_matches(|symbol: char| symbol.is_ascii_digit() || "-.".contains(symbol));
            let (words, number) = before.split_at(digits.len());
            own.push_str(words);
            match number.parse::<f64>() {
                Ok(count) if line.starts_with('@') => own.push_str(&format!("{}px", count * 16.0)),
                Ok(_) => own.push_str(&format!("calc({number}*var(--campanile-rem))")),
                Err(_) => own.push_str(&format!("{number}rem")),
            }
            rest = after;
        }
        own.push_str(rest);
        own.push('\n');
    }
    own
}

/// Makes the scripts that are served out of those that are written.
const PAGE_PROGRAM: &str = "crates/xtask/scripts/page.mjs";

/// Writes the scripts of `web/` as they are served, unless nothing that they are made of was changed since.
/// `build.rs` takes them from there under the same condition.
fn make_scripts(workspace: &Workspace, pkg: &Path, log: &Log) -> Result<()> {
    let folder = pkg.join(SCRIPTS);
    let web = workspace.root.join("web");
    let program = workspace.root.join(PAGE_PROGRAM);
    let mut sources = scripts(&web)?;
    sources.extend(scripts(&web.join(WORDS))?);
    for module in ["core", "gpu", "keywords"] {
        sources.extend(scripts(&pkg.join(module))?);
    }
    sources.push(program.clone());
    sources.extend(scripts(&pkg.join(SHEETS_FOLDER))?);
    files::make_folder(&folder.join(WORDS))?;
    files::make_folder(&pkg.join(SINGLE_FILE))?;
    let mut made = scripts(&folder)?;
    made.extend(scripts(&folder.join(WORDS))?);
    let single_file = scripts(&pkg.join(SINGLE_FILE))?;
    let is_made = !single_file.is_empty();
    made.extend(single_file);
    let (newest, oldest) = (times(&sources)?.max(), times(&made)?.min());
    if is_made && newest < oldest {
        return Ok(());
    }
    let mut node = workspace.program("node");
    node.env("CAMPANILE_NODE_TOOLS", workspace.node_tools());
    log.run(node.arg(&program).arg(&web).arg(&folder).arg(pkg.join(SINGLE_FILE)))
}

/// When the files were changed.
fn times(paths: &[PathBuf]) -> Result<impl Iterator<Item = SystemTime>> {
    let changed = |path: &PathBuf| -> Result<SystemTime> { Ok(fs::metadata(path)?.modified()?) };
    Ok(paths.iter().map(changed).collect::<Result<Vec<_>>>()?.into_iter())
}

/// Shortens one module; `from` and `to` may be the same file.
fn shorten(workspace: &Workspace, from: &Path, to: &Path, log: &Log) -> Result<()> {
    let mut terser = workspace.program(setup::node_tool(workspace, "terser"));
    terser.args(["--module", "--ecma", "2022", "--compress", "--mangle", "--output"]);
    log.run(terser.arg(to).arg("--").arg(from))
}

fn scripts(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = files::list(folder)?;
    found.retain(|path| path.extension().is_some_and(|extension| extension == "js"));
    Ok(found)
}

const LIMITS: &str = "crates/xtask/wasm-sizes.json";
/// The growth that is nobody's decision, in percent. For more, [`check_sizes`] asks for a reason.
const HEADROOM_PERCENT: u64 = 10;
/// Packed as a web server at its best does: no crate for it, since Node.js has to be there anyway.
const GZIP: &str = "const file = require('node:fs').readFileSync(process.argv[1]);\
    console.log(require('node:zlib').gzipSync(file, { level: 9 }).length)";

/// A wasm file's size as it is and as a web server sends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sizes {
    raw_bytes: u64,
    gzip_bytes: u64,
}

/// Measures one wasm file.
fn measure(workspace: &Workspace, wasm: &Path) -> Result<Sizes> {
    let metadata = fs::metadata(wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let gzip = output(workspace.program("node").args(["--eval", GZIP]).arg(wasm))?;
    Ok(Sizes {
        raw_bytes: metadata.len(),
        gzip_bytes: gzip.trim().parse().context("the compressed size is not a number")?,
    })
}

/// Prints the sizes, and fails when one is over its limit.
fn check_sizes(workspace: &Workspace, measured: &[(&Module, Sizes)]) -> Result<()> {
    let limits = files::read_json(&workspace.root.join(LIMITS))?;
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
fn record_sizes(workspace: &Workspace, measured: &[(&Module, Sizes)]) -> Result<()> {
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
    files::write(&workspace.root.join(LIMITS), text + "\n")?;
    println!("web     limits written to {LIMITS}: what was measured and {HEADROOM_PERCENT} % more");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_loses_comments_and_indentation_alone() {
        let sheet = "/* one\n two */\n.a {\n  color: red; /* why */\n}\n\n.b > .c {\n  width: calc(1px + 2px);\n}\n";
        assert_eq!(
            shorten_sheet(sheet),
            ".a {\ncolor: red;\n}\n.b > .c {\nwidth: calc(1px + 2px);\n}\n"
        );
    }

    #[test]
    fn the_rem_of_a_sheet_becomes_the_elements_own() {
        let cases = [
            (
                "margin: -0.35rem 0 1rem;",
                "margin: calc(-0.35*var(--campanile-rem)) 0 calc(1*var(--campanile-rem));",
            ),
            (
                "width: min(48rem, 100vw - 3rem);",
                "width: min(calc(48*var(--campanile-rem)), 100vw - calc(3*var(--campanile-rem)));",
            ),
            ("@container (min-width: 37.5rem) {", "@container (min-width: 600px) {"),
            ("content: \"remains\";", "content: \"remains\";"),
        ];
        for (written, own) in cases {
            assert_eq!(with_own_rem(written), format!("{own}\n"));
        }
    }

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

//! Embeds the site's files into the command, so that one binary writes a complete site.
//!
//! `www/` goes to the site's root, `web/` (the browser side, shortened) and `pkg/` (the compiled modules)
//! into its `campanile/` folder. `pkg/` is made by `cargo xtask web`; without it the command still
//! builds, and says so when it is asked for a site.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Source folder, and where its files go in a site.
const ROOMS: [(&str, &str); 3] = [("www", ""), ("web", "campanile/"), ("pkg", "campanile/pkg/")];

/// Files of the browser side that must lie at the root: a service worker's scope is its folder.
const AT_ROOT: [&str; 1] = ["service-worker.js"];

/// What a site carries; anything else in the rooms (types, stamps) is for the project's own use.
const SHIPPED: [&str; 11] =
    ["css", "html", "ico", "js", "json", "png", "svg", "txt", "wasm", "webmanifest", "woff2"];

/// Folders that serve the project's own checks, stand in for others, or go into another file or to others: by where they
/// would go in a site, since `web/sheets` is such a one and `pkg/sheets` is not.
const OWN_USE: [&str; 6] = [
    "campanile/packages", "campanile/pkg/npm", "campanile/pkg/page", "campanile/sheets",
    "campanile/tests", "campanile/types",
];

/// The scripts of `web/` as they are served: shorter, and made by `cargo xtask web` too.
const SHORTENED: &str = "pkg/page";

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for (room, target) in ROOMS {
        let folder = root.join(room);
        println!("cargo::rerun-if-changed={}", folder.display());
        if folder.is_dir() {
            collect(&folder, target, &mut files)?;
        }
    }
    files.sort();

    let mut code = String::from("/// Path in the site, and content, ordered by path.\n");
    code.push_str("pub static FILES: &[(&str, &[u8])] = &[\n");
    for (target, source) in &files {
        let _ =
            writeln!(code, "    ({target:?}, include_bytes!({:?})),", source.display().to_string());
    }
    code.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("embedded.rs"), code)
}

fn collect(folder: &Path, target: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if path.is_dir() {
            let inside = format!("{target}{name}");
            if !OWN_USE.contains(&inside.as_str()) {
                collect(&path, &format!("{inside}/"), files)?;
            }
            continue;
        }
        let shipped = path
            .extension()
            .and_then(|extension| extension.to_str())
            .is_some_and(|extension| SHIPPED.contains(&extension));
        let own = name.starts_with("tsconfig") || name == "package.json";
        if !shipped || own || name.starts_with('.') {
            continue;
        }
        let target =
            if AT_ROOT.contains(&name) { name.to_owned() } else { format!("{target}{name}") };
        files.push((target, shortened(path)));
    }
    Ok(())
}

/// The shortened script instead of the one that was written, unless that has been changed since.
fn shortened(written: PathBuf) -> PathBuf {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let Ok(name) = written.strip_prefix(root.join("web")) else { return written };
    let shortened = root.join(SHORTENED).join(name);
    let changed = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    if shortened.is_file() && changed(&shortened) >= changed(&written) {
        return shortened;
    }
    written
}

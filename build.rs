//! Embeds the site's files into the command, so that one binary writes a complete site.
//!
//! `www/` goes to the site's root, `web/` (the browser side, in fewer and shorter scripts) and `pkg/` (the compiled
//! modules) into its `campanile/` folder. `pkg/` is made by `cargo xtask web`; without it the command still
//! builds, and says so when it is asked for a site.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
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

/// The scripts of `web/` as they are served: fewer and shorter, and made by `cargo xtask web` too.
const SERVED: &str = "pkg/page";

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
    serve_made_scripts(&root, &mut files)?;
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
        files.push((target, path));
    }
    Ok(())
}

/// Puts the scripts that were made of `web/` in the place of those that are written there, unless one of these has been
/// changed since: a page of some old and some new scripts would be no page.
fn serve_made_scripts(root: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let is_written = |(target, path): &(String, PathBuf)| {
        path.starts_with(root.join("web"))
            && target.ends_with(".js")
            && !AT_ROOT.contains(&target.as_str())
    };
    let mut made = Vec::new();
    let served = root.join(SERVED);
    if served.is_dir() {
        collect(&served, "campanile/", &mut made)?;
    }
    let written = files.iter().filter(|file| is_written(file));
    let newest = times(written)?.max();
    let oldest = times(made.iter())?.min();
    if oldest.is_some() && oldest >= newest {
        files.retain(|file| !is_written(file));
        files.append(&mut made);
    }
    Ok(())
}

/// When the files were changed.
fn times<'a>(
    files: impl Iterator<Item = &'a (String, PathBuf)>,
) -> io::Result<impl Iterator<Item = SystemTime>> {
    let times = files.map(|(_, path)| fs::metadata(path)?.modified());
    Ok(times.collect::<io::Result<Vec<_>>>()?.into_iter())
}
